"""Work that others raised on a source: flags, and sources that disagree where no rule decides."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.models.review import SourceFlag
from pages.components.cards import source_address, table, tag
from pages.components.notices import attempt
from pages.components.untrusted import Html, el, show
from pages.components.words import ago, count, exact
from pages.knowledge.parts import empty, paged
from pages.shell import session
from pages.shell.office_knowledge import Shelf

_BOTH_SIDES = "conflict-"
"""Flags that come in twos share their id up to the last dash."""


def draw(shelf: Shelf) -> None:
    """What is open, a conflict's two sources together; then what was settled and how."""
    flags = shelf.flags()
    tasks = _tasks([flag for flag in flags if flag.state == "open"])
    if not tasks:
        empty("No flag is open on a source you may read.")
    else:
        show(el("div", f"{count(len(tasks), 'task')} open", cls="cs-soft"))
    for number, task in enumerate(paged(tasks, "flags", 20)):
        _task(shelf, task, number)
    settled = tuple(flag for flag in flags if flag.state == "done")
    if settled:
        show(el("div", "Settled", cls="cs-cap"))
        show(flag_table(settled))


def _tasks(flags: Sequence[SourceFlag]) -> list[tuple[SourceFlag, ...]]:
    found: dict[str, list[SourceFlag]] = {}
    for flag in flags:
        paired = flag.flag_id.startswith(_BOTH_SIDES)
        key = flag.flag_id.rsplit("-", 1)[0] if paired else flag.flag_id
        found.setdefault(key, []).append(flag)
    return [tuple(sorted(task, key=lambda flag: flag.flag_id)) for task in found.values()]


def _task(shelf: Shelf, task: Sequence[SourceFlag], number: int) -> None:
    with st.container(key=f"card-flag-{number}"):
        show(task_body(task))
        mine = next((flag for flag in task if shelf.may_settle(flag)), None)
        if mine is None:
            show(el("div", "Its owner settles it.", cls="cs-soft cs-small"))
            return
        with st.popover("Settle", icon=":material/check:"):
            how = st.text_input(
                "How is it settled?",
                key=f"settle-how-{number}",
                placeholder="Which one holds, and what was changed",
            )
            st.button(
                "It is settled",
                key=f"settle-{number}",
                disabled=not (how or "").strip(),
                on_click=attempt,
                args=("Settled.", shelf.close_flag, mine.flag_id, how),
            )


def task_body(task: Sequence[SourceFlag]) -> Html:
    """One piece of work: why, what each source says, and the questions to answer."""
    first = task[0]
    conflict = first.flag_id.startswith(_BOTH_SIDES)
    when = el("span", f"{ago(first.raised_at, session.now())} ago", title=exact(first.raised_at))
    return el(
        "div",
        el(
            "div",
            tag("⚖ sources disagree" if conflict else "⚑ flagged", "warn"),
            el("span", f"by {first.raised_by}, ", when, cls="cs-soft"),
            el("span", f" · case #{first.case_id}", cls="cs-soft") if first.case_id else None,
        ),
        *(_side(flag) for flag in task),
        _questions(first.questions),
    )


def _side(flag: SourceFlag) -> Html:
    address = source_address(flag.source_id, flag.document_id, flag.chunk_id)
    return el(
        "div",
        el("div", el("a", flag.source_id, href=address), el("span", f" {flag.reason}")),
        el("div", f"“{flag.claim}”", cls="cs-quote") if flag.claim else None,
    )


def _questions(questions: Sequence[str]) -> Html | None:
    if not questions:
        return None
    return el(
        "div",
        el("div", "To answer", cls="cs-cap"),
        el("ul", *(el("li", question) for question in questions)),
    )


def flag_table(flags: Sequence[SourceFlag]) -> Html:
    """Flags with the passage they are about, the case they came from, and how they ended."""
    now = session.now()
    return table(
        ("When", "Source", "What is doubtful", "Why", "By", "Case", "State"),
        (
            (
                el("span", f"{ago(f.raised_at, now)} ago", title=exact(f.raised_at)),
                el("a", f.source_id, href=source_address(f.source_id, f.document_id, f.chunk_id)),
                f.claim or "the passage",
                f.reason,
                f.raised_by,
                f"#{f.case_id}" if f.case_id else "",
                f"{f.resolution} ({f.resolved_by})" if f.resolution else f.state,
            )
            for f in flags
        ),
    )
