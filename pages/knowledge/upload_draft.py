"""One upload: what was read, what it changes, its metadata, and publishing it."""

from __future__ import annotations

import streamlit as st

from core.errors import CountersignError
from core.knowledge.upload_models import NEW_SOURCE
from core.knowledge.upload_views import DraftPage, SourceOption
from pages.components.cards import source_address, tag
from pages.components.notices import attempt, show_error
from pages.components.untrusted import Html, el, join, show
from pages.components.words import ago, count, exact
from pages.knowledge import upload
from pages.knowledge.upload_form import draw_form, said_problem
from pages.knowledge.upload_read import draw_read
from pages.shell import session
from pages.shell.office_knowledge import Uploads

_LANGUAGES = {"en": "English", "zh": "Chinese"}


def draw(desk: Uploads, upload_id: str) -> None:
    """The draft that the address names."""
    st.button(
        "All uploads",
        key="back",
        icon=":material/arrow_back:",
        type="tertiary",
        on_click=upload.go_to,
        args=(None,),
    )
    try:
        page = desk.open(upload_id)
    except CountersignError as error:
        show_error(error)
        return
    _head(page)
    left, right = st.columns([1.55, 1], gap="large")
    with left:
        draw_read(page)
    with right:
        _finish(desk, page)


def _head(page: DraftPage) -> None:
    row = page.row
    saved = f"saved {ago(row.updated_at, session.now())} ago"
    show(
        el(
            "div",
            el("div", el("span", row.title, cls="title"), cls="cs-head"),
            tag(row.words, upload.TONES.get(row.state, "")),
            tag(_LANGUAGES.get(page.language, "another language")),
            tag(count(page.pages, "page")) if page.pages else None,
            tag(f"{'over ' if page.more_passages else ''}{count(len(page.passages), 'passage')}"),
            el("span", f"{row.file_name} · dropped by {row.uploaded_by} · ", cls="cs-soft"),
            el("span", saved, title=exact(row.updated_at), cls="cs-soft"),
        )
    )


# -- finishing it -------------------------------------------------------------------------------


def _finish(desk: Uploads, page: DraftPage) -> None:
    if page.row.state == "published":
        address = source_address(page.row.source_id, page.row.document_id)
        show(el("a", "Open the published source", href=address, cls="cs-button"))
        return
    _source(desk, page)
    _publish(desk, page)
    draw_form(desk, page)
    _others(desk, page)


def _source(desk: Uploads, page: DraftPage) -> None:
    options = {o.source_id: o for o in page.options}
    values = [NEW_SOURCE, *options]
    chosen = page.chosen if page.chosen in values else NEW_SOURCE
    key = f"source-{page.row.upload_id}-{page.revision}"
    st.selectbox(
        "Is it a new version of a known source?",
        values,
        index=values.index(chosen),
        key=key,
        format_func=lambda value: _option_words(options.get(value)),
        on_change=_chose,
        args=(desk, page.row.upload_id, key),
    )
    reason = options[chosen].reason if chosen in options else ""
    if reason:
        show(el("div", f"Suggested because {reason}.", cls="cs-soft"))
    for problem in page.blocked_by:
        if problem.field == "source" and page.identical is None:
            show(said_problem(problem))


def _option_words(option: SourceOption | None) -> str:
    if option is None:
        return "No, it is a source of its own"
    return f"Yes: {option.title} (now version {option.version})"


def _chose(desk: Uploads, upload_id: str, key: str) -> None:
    attempt("", desk.choose_source, upload_id, str(st.session_state[key]))


def _publish(desk: Uploads, page: DraftPage) -> None:
    upload_id = page.row.upload_id
    with st.container(border=True, key="publish-box"):
        if page.identical is not None:
            show(_nothing_to_do(page.identical))
        elif page.row.state == "queued":
            show(el("div", "It is being published.", cls="cs-soft"))
        else:
            show(_what_happens(page))
        with st.container(horizontal=True):
            st.button(
                "Publish",
                key="publish",
                type="primary",
                icon=":material/publish:",
                disabled=bool(page.blocked_by) or page.row.state == "queued",
                on_click=_go,
                args=(desk, page),
            )
            st.button(
                "Discard",
                key="discard",
                disabled=page.row.state == "queued",
                on_click=_discard,
                args=(desk, upload_id),
            )


def _what_happens(page: DraftPage) -> Html:
    if page.blocked_by:
        lines = join(el("li", f"{p.reason}: {p.fix}") for p in page.blocked_by)
        number = count(len(page.blocked_by), "thing stands", "things stand")
        return el(
            "div", el("b", f"{number} against it", cls="cs-warn"), el("ul", lines, cls="cs-list")
        )
    values = {f.name: f.value for f in page.fields}
    if values["status"] == "draft":
        return el("div", "It is kept as a draft version and answers nothing yet.")
    if page.replacement:
        new = page.replacement
        return el(
            "div",
            f"From {new.on:%-d %B %Y} it replaces version {new.version}, which then answers only "
            "questions about the time before.",
        )
    return el("div", "It is searched as soon as it is published.")


def _nothing_to_do(same: SourceOption) -> Html:
    return el(
        "div",
        el("b", "Already published, nothing to do. "),
        "It is version ",
        same.version,
        " of ",
        el("a", same.title, href=source_address(same.source_id, same.document_id)),
        ", word for word.",
    )


def _go(desk: Uploads, page: DraftPage) -> None:
    done = attempt("", desk.publish, page.row.upload_id, revision=page.revision)
    if done:
        upload.go_to(None)


def _discard(desk: Uploads, upload_id: str) -> None:
    if attempt("Discarded. Nothing of it was published.", desk.discard, upload_id):
        upload.go_to(None)


def _others(desk: Uploads, page: DraftPage) -> None:
    if not page.siblings:
        return
    st.button(
        f"Use this metadata for the {page.siblings:d} other documents of this file",
        key="share-fields",
        icon=":material/content_copy:",
        on_click=attempt,
        args=("They have it too now.", desk.share_fields, page.row.upload_id),
    )
