"""One source: its line of versions, its text with passages, what leans on it, and its review."""

from __future__ import annotations

from datetime import date

import streamlit as st

from core.errors import CountersignError
from core.knowledge.views import PassageRow, SourcePage
from core.models.source import Governance
from pages.components.cards import diff_body, source_address, table, tag
from pages.components.notices import attempt, show_error
from pages.components.untrusted import Html, el, join, marked, show
from pages.components.words import ago, count, exact, spoken
from pages.knowledge.parts import go
from pages.shell import session
from pages.shell.office_knowledge import Shelf


def draw(shelf: Shelf, source_id: str) -> None:
    """The page of one source at the version the address names, or the one in force."""
    st.button(
        "All sources", key="back", icon=":material/arrow_back:", type="tertiary", on_click=_back
    )
    try:
        page = shelf.source(source_id, st.query_params.get("document"))
    except CountersignError as error:
        show_error(error)
        return
    _head(page)
    left, right = st.columns([1.9, 1], gap="medium")
    with left:
        _body(shelf, page)
    with right:
        _review(shelf, page)
        show(_governance(page.document.governance))


def _head(page: SourcePage) -> None:
    tones = {"fresh": "good", "due_soon": "warn", "stale": "bad", "unknown": "warn"}
    row = page.row
    show(
        el(
            "div",
            el("div", el("span", page.document.title, cls="title"), cls="cs-head"),
            tag(row.words, tones[row.state]),
            tag(spoken(row.authority)),
            tag(f"owner {row.owner or 'nobody'}"),
            tag("withdrawn", "bad") if page.withdrawn else None,
            tag(f"⚑ {row.open_flags} open", "warn") if row.open_flags else None,
        )
    )


def _body(shelf: Shelf, page: SourcePage) -> None:
    text, versions, replies, flags = st.tabs(["Text", "Versions", "Leaning on it", "Flags"])
    with text:
        wanted = st.query_params.get("passage")
        target = next((p for p in page.passages if p.chunk_id == wanted), None)
        _passage_note(page, target, wanted)
        show(_text(page, target))
    with versions:
        _versions(shelf, page)
    with replies:
        show(_replies(page))
    with flags:
        show(_flags(page))


def _passage_note(page: SourcePage, target: PassageRow | None, wanted: str | None) -> None:
    if target is not None:
        where = " › ".join(target.heading_path)
        show(
            el(
                "div",
                tag("the cited passage is marked", "accent"),
                el("span", where, cls="cs-soft"),
            )
        )
    elif wanted:
        st.warning("The cited passage is not in this version. Look at the other versions.")
    else:
        words = f"{count(len(page.passages), 'passage')} are searched in this version."
        show(el("div", words, cls="cs-soft"))


def _text(page: SourcePage, target: PassageRow | None) -> Html:
    """The whole text; the deep-linked passage marked, headings of passages kept as they are."""
    spans = [(target.char_start, target.char_end)] if target else []
    return el("div", marked(page.document.text, spans, "cs-mark cs-target"), cls="cs-doc")


def _versions(shelf: Shelf, page: SourcePage) -> None:
    show(
        table(
            ("Version", "What it is now", "Holds from", "Until", "Replies"),
            (
                (
                    el("a", v.version, href=source_address(page.source_id, v.document_id)),
                    v.words,
                    _day(v.valid_from),
                    _day(v.valid_to),
                    str(v.replies),
                )
                for v in page.versions
            ),
            numbers=(4,),
        )
    )
    ids = [v.document_id for v in page.versions]
    if len(ids) < 2:
        return
    names = {v.document_id: f"version {v.version}" for v in page.versions}
    left, right = st.columns(2)
    before = left.selectbox(
        "Compare", ids, index=len(ids) - 2, key="diff-before", format_func=names.__getitem__
    )
    after = right.selectbox(
        "with", ids, index=len(ids) - 1, key="diff-after", format_func=names.__getitem__
    )
    if before == after:
        show(el("div", "Pick two different versions.", cls="cs-soft"))
        return
    try:
        show(diff_body(shelf.diff(before, after)))
    except CountersignError as error:
        show_error(error)


def _replies(page: SourcePage) -> Html:
    if not page.replies:
        return el("div", "No approved reply leans on this version.", cls="cs-soft")
    now = session.now()
    return table(
        ("Case", "Subject", "Approved", "By", "Now"),
        (
            (
                el("a", f"#{r.case_id}", href=f"/desk?case={r.case_id}"),
                r.subject,
                el("span", f"{ago(r.approved_at, now)} ago", title=exact(r.approved_at)),
                r.approved_by,
                spoken(r.case_state),
            )
            for r in page.replies
        ),
    )


def _flags(page: SourcePage) -> Html:
    if not page.flags:
        return el("div", "Nobody has flagged this source.", cls="cs-soft")
    return join(
        el(
            "div",
            el("div", f"{f.raised_by}: {f.reason}"),
            el("div", f"“{f.claim}”" if f.claim else "about the passage", cls="cs-soft"),
            cls="cs-tile",
        )
        for f in page.flags
    )


def _review(shelf: Shelf, page: SourcePage) -> None:
    document = page.document
    if not page.row.can_change or page.withdrawn:
        return
    with st.container(border=True):
        show(el("div", "Review", cls="cs-cap"))
        note = st.text_input(
            "Note", key="review-note", placeholder="What you checked (may stay empty)"
        )
        st.button(
            "Still right",
            key="mark-reviewed",
            type="primary",
            icon=":material/check:",
            on_click=attempt,
            args=(
                "Reviewed as of today.",
                shelf.mark_reviewed,
                page.source_id,
                document.document_id,
                note,
            ),
            kwargs={"content_hash": document.content_hash},
        )
        _replace(shelf, page)
        with st.expander("Withdraw this version"):
            reason = st.text_input("Why is it wrong?", key="withdraw-reason")
            words = count(len(page.replies), "approved reply leans", "approved replies lean")
            show(el("div", f"{words} on it. It leaves search at once.", cls="cs-soft"))
            st.button(
                "Withdraw",
                key="withdraw",
                disabled=not (reason or "").strip(),
                on_click=_withdraw,
                args=(shelf, document.document_id, reason),
            )


def _replace(shelf: Shelf, page: SourcePage) -> None:
    shown = page.document.document_id
    others = {
        v.document_id: v.version
        for v in page.versions
        if v.document_id != shown and not v.withdrawn
    }
    if not others:
        return
    with st.expander("Replace it by another version"):
        by = st.selectbox(
            "By version", list(others), key="supersede-by", format_func=lambda i: others[i]
        )
        on = st.date_input("From", key="supersede-on", value="today")
        st.button(
            "Replace",
            key="supersede",
            on_click=attempt,
            args=("The version is replaced from that day.", shelf.supersede, shown),
            kwargs={"by": by, "on": on},
        )


def _withdraw(shelf: Shelf, document_id: str, reason: str) -> None:
    attempt(
        "The version is withdrawn and no longer searched.",
        shelf.withdraw,
        document_id,
        reason=reason,
    )


def _governance(g: Governance) -> Html:
    lines = (
        ("Version", g.version),
        ("Status", g.status + ("" if g.signed else ", unsigned")),
        ("Holds", f"{_day(g.valid_from) or 'always'} – {_day(g.valid_to) or 'open'}"),
        ("Last review", _day(g.last_reviewed) or "never"),
        ("Review every", f"{g.review_sla_days} days"),
        ("Who may see it", f"{g.classification} · {spoken(g.permission_tag).lower()}"),
        (
            "Scope",
            " · ".join(s for s in (g.department, g.region, g.product, g.scope_note) if s) or "all",
        ),
        ("Kept at", g.uri or spoken(g.source_type).lower()),
    )
    pairs: list[Html] = []
    for name, value in lines:
        pairs += [el("dt", name), el("dd", value)]
    return el("dl", join(pairs), cls="cs-facts")


def _day(day: date | None) -> str:
    return f"{day:%-d %b %Y}" if day else ""


def _back() -> None:
    go()
