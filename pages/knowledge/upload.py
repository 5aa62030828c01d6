"""Taking documents in: drop, watch them being read, finish and publish, take back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.knowledge.upload_models import DroppedFile
from core.knowledge.upload_views import DraftRow, UploadList
from core.knowledge.upload_worker import Work
from core.models.source import IngestProgress
from pages.components.cards import source_address, tag
from pages.components.notices import attempt
from pages.components.untrusted import Html, el, label, show
from pages.components.words import ago, count, exact, span
from pages.knowledge.parts import empty, go, paged
from pages.shell import session
from pages.shell.office_knowledge import Uploads

TONES = {"ready": "good", "queued": "accent", "needs_metadata": "warn", "published": "good"}
_DROP = "drop-number"


def draw(desk: Uploads) -> None:
    """The place to drop files, what is under way, what waits, what was published lately."""
    _drop(desk)
    listed = desk.uploads()
    _under_way(desk, listed)
    _failed(desk, listed.files)
    _drafts(desk, listed)
    _published(desk, listed.published)


def _drop(desk: Uploads) -> None:
    number = st.session_state.setdefault(_DROP, 0)
    st.file_uploader(
        "Drop documents here",
        type=[suffix.removeprefix(".") for suffix in desk.limits.suffixes],
        accept_multiple_files=True,
        max_upload_size=desk.limits.max_file_mb,
        key=f"drop-{number}",
        on_change=_received,
        args=(desk, number),
    )
    words = "Files are read beside this page and kept; nothing is searched before you publish it."
    show(el("div", words, cls="cs-soft"))


def _received(desk: Uploads, number: int) -> None:
    """Keep what was dropped at once, and make room for the next drop."""
    for file in st.session_state.get(f"drop-{number}") or ():
        attempt("", desk.receive, file.name, file.getvalue())
    st.session_state[_DROP] = number + 1


def _under_way(desk: Uploads, listed: UploadList) -> None:
    if _busy(desk.work(), listed):
        _progress(desk)
        return
    trouble = desk.work().trouble
    waiting = any(f.state != "failed" for f in listed.files) or any(
        d.state == "queued" for d in listed.drafts
    )
    if trouble and waiting:
        with st.container(key="card-trouble", horizontal=True, vertical_alignment="center"):
            heading = el("b", "Uploads wait. Nothing was lost.", cls="cs-warn")
            show(el("div", heading, el("div", trouble)))
            st.button("Try again", key="try-again", on_click=desk.try_again)


def _busy(work: Work, listed: UploadList) -> bool:
    waiting = any(f.state != "failed" for f in listed.files)
    queued = any(d.state == "queued" for d in listed.drafts)
    return not work.trouble and (waiting or queued or work.running)


@st.fragment(run_every=0.7)
def _progress(desk: Uploads) -> None:
    work, listed = desk.work(), desk.uploads()
    if not _busy(work, listed):
        # The page around the fragment shows the result; a fragment redraws itself alone.
        st.rerun(scope="app")
    with st.container(key="card-uploads"):
        waiting = [f for f in listed.files if f.state != "failed"]
        if waiting:
            name = work.reading or waiting[-1].name
            more = f" · {count(len(waiting) - 1, 'file')} after it" if len(waiting) > 1 else ""
            show(el("div", el("b", "Reading "), name, el("span", more, cls="cs-soft")))
        if work.publishing is not None and work.publishing.phase != "done":
            _pace(work.publishing)
        elif not waiting:
            show(el("div", el("b", "Publishing …")))
        show(el("div", "You may leave; it goes on.", cls="cs-soft"))


def _pace(progress: IngestProgress) -> None:
    total = max(progress.total or 1, progress.documents, 1)
    st.progress(progress.documents / total)
    pieces = [f"{count(progress.passages, 'passage')}"]
    if progress.passages_per_second:
        pieces.append(f"{progress.passages_per_second:.0f} a second")
    if progress.seconds_left is not None:
        pieces.append(f"about {span(progress.seconds_left)} left")
    if progress.failed:
        pieces.append(f"{progress.failed} sent back")
    if progress.item:
        pieces.append(f"last {progress.item}")
    show(
        el(
            "div",
            el("b", f"Publishing {progress.documents} of {count(total, 'document')}"),
            el("span", " · " + " · ".join(pieces), cls="cs-soft"),
        )
    )


def _failed(desk: Uploads, files: Sequence[DroppedFile]) -> None:
    for file in files:
        if file.state != "failed":
            continue
        with st.container(key=f"card-failed-{file.file_id}"):
            show(
                el(
                    "div",
                    el("div", el("span", file.name, cls="cs-src"), " ", tag("not read", "bad")),
                    el("div", file.reason),
                    el("div", "What to do: ", file.fix, cls="cs-soft") if file.fix else None,
                )
            )
            st.button(
                "Dismiss",
                key=f"dismiss-{file.file_id}",
                type="tertiary",
                on_click=attempt,
                args=("", desk.dismiss_file, file.file_id),
            )


def _drafts(desk: Uploads, listed: UploadList) -> None:
    if not listed.drafts and not listed.files and not listed.published:
        empty(
            "Nothing waits to be published",
            "Drop a file: you see what was read, fill in what is missing, and publish it.",
        )
        return
    if not listed.drafts:
        return
    ready = sum(draft.state == "ready" for draft in listed.drafts)
    same = sum(draft.identical for draft in listed.drafts)
    with st.container(horizontal=True, vertical_alignment="center"):
        show(el("div", f"{count(len(listed.drafts), 'document')} not published yet", cls="cs-cap"))
        if same:
            st.button(
                f"Discard the {same:d} already published",
                key="discard-identical",
                icon=":material/done_all:",
                on_click=attempt,
                args=("Discarded. What is published stays.", desk.discard_identical),
            )
        if ready > 1:
            st.button(
                f"Publish the {ready:d} that are ready",
                key="publish-ready",
                type="primary",
                icon=":material/publish:",
                on_click=_publish_ready,
                args=(desk,),
            )
    for draft in paged(listed.drafts, "drafts"):
        with st.container(key=f"pick-upload-{draft.upload_id}"):
            show(_row(draft))
            st.button(
                f"Open {label(draft.title)}",
                key=f"open-{draft.upload_id}",
                on_click=go_to,
                args=(draft.upload_id,),
            )


def _row(draft: DraftRow) -> Html:
    changed = el(
        "span", f"{ago(draft.updated_at, session.now())} ago", title=exact(draft.updated_at)
    )
    return el(
        "div",
        el(
            "div",
            el("span", draft.title, cls="cs-src"),
            tag(draft.words, TONES.get(draft.state, "")),
        ),
        el(
            "div",
            el("span", f"{draft.file_name} · dropped by {draft.uploaded_by} · ", cls="cs-soft"),
            el("span", changed, cls="cs-soft"),
        ),
        cls="cs-tile cs-hover",
    )


def _published(desk: Uploads, drafts: Sequence[DraftRow]) -> None:
    if not drafts:
        return
    show(el("div", "Published lately", cls="cs-cap"))
    for draft in drafts:
        with st.container(
            key=f"card-published-{draft.upload_id}", horizontal=True, vertical_alignment="center"
        ):
            address = source_address(draft.source_id, draft.document_id)
            at = f"{ago(draft.updated_at, session.now())} ago"
            show(
                el(
                    "div",
                    el("a", draft.title, href=address, cls="cs-src"),
                    " ",
                    tag("published", "good"),
                    el("span", at, title=exact(draft.updated_at), cls="cs-soft"),
                )
            )
            if draft.can_undo:
                _undo(desk, draft)


def _undo(desk: Uploads, draft: DraftRow) -> None:
    with st.popover("Take back"):
        words = "It is withdrawn at once, and the version before holds again."
        show(el("div", words, cls="cs-soft"))
        reason = st.text_input("Why?", key=f"undo-why-{draft.upload_id}")
        st.button(
            "Take it back",
            key=f"undo-{draft.upload_id}",
            disabled=not (reason or "").strip(),
            on_click=attempt,
            args=("Taken back: it is no longer searched.", desk.undo, draft.upload_id),
            kwargs={"reason": reason},
        )


def _publish_ready(desk: Uploads) -> None:
    attempt("", desk.publish_ready)


def go_to(upload_id: str | None) -> None:
    """Open a draft, or the list of uploads."""
    if upload_id:
        go(upload=upload_id)
    else:
        st.session_state["view"] = "Upload"
        go()
