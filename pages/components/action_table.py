"""Actions as a table: who decided on what, with which arguments, and what became of it."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.action import ActionRecord
from pages.components.cards import table, tag
from pages.components.untrusted import Html, Piece, el, join
from pages.components.words import ACTION_WORDS, ago, exact
from pages.shell import session


def actions_table(actions: Sequence[ActionRecord], *, with_case: bool) -> Html:
    """One row for each: when, who, what, how, and the outcome."""
    head = ("When", "Who", "What", "With", "Became")
    rows = (_row(action, with_case=with_case) for action in actions)
    if not with_case:
        return table(head, rows)
    return table(("Case", *head), rows, numbers=(0,))


def _row(action: ActionRecord, *, with_case: bool) -> tuple[Piece, ...]:
    words, tone = ACTION_WORDS[action.state]
    outcome = action.receipt or action.error or action.reason
    over = f"More than the evidence bears: {action.override_reason}"
    given = join(
        el("div", f"{p.label} ", el("b", action.arguments.get(p.name, "")))
        for p in action.proposal.parameters
    )
    cells: tuple[Piece, ...] = (
        el("span", f"{ago(action.at, session.now())} ago", title=exact(action.at)),
        action.by_name,
        join(
            (
                el("div", action.proposal.title),
                el("div", action.proposal.reason, cls="cs-soft"),
                el("div", over, cls="cs-warn cs-small") if action.override_reason else None,
            )
        ),
        given,
        join((el("div", tag(words, tone)), el("div", outcome, cls="cs-soft"))),
    )
    return (f"#{action.case_id}", *cells) if with_case else cells
