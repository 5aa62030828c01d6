"""The metadata form: each field saved as it is left, its problems under it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import date
from itertools import groupby
from typing import Any, NamedTuple

import streamlit as st

from core.knowledge.upload_views import DraftPage, FieldView, Problem
from pages.components.notices import attempt
from pages.components.untrusted import Html, el, label, show
from pages.shell.office_knowledge import Uploads

_ORIGINS = {"file": "from the file", "version before": "from the version before"}
_WIDE = ("title", "acl_policy_id")
_YES = ("yes", "true")


def draw_form(desk: Uploads, page: DraftPage) -> None:
    """The main fields in two columns, the others folded away unless one has a problem."""
    if page.identical is not None:
        return
    main = [f for f in page.fields if f.main]
    more = [f for f in page.fields if not f.main]
    for is_wide, group in groupby(main, key=lambda field: field.name in _WIDE):
        if is_wide:
            for field in group:
                _field(desk, page, field)
        else:
            _in_two_columns(desk, page, list(group))
    with st.expander("More about it", expanded=any(f.problems for f in more)):
        for field in more:
            _field(desk, page, field)


def _in_two_columns(desk: Uploads, page: DraftPage, fields: Sequence[FieldView]) -> None:
    for at in range(0, len(fields), 2):
        for column, field in zip(st.columns(2), fields[at : at + 2], strict=False):
            with column:
                _field(desk, page, field)


def said_problem(problem: Problem) -> Html:
    """What is wrong and what to do, for under a field."""
    sign, tone = ("✖", "cs-bad") if problem.blocking else ("△", "cs-warn")
    return el("div", f"{sign} {problem.reason}. What to do: {problem.fix}", cls=f"{tone} cs-small")


class _Slot(NamedTuple):
    """One widget: its field, its key, and what it does."""

    field: FieldView
    key: str
    locked: bool
    changed: Callable[[], None]

    @property
    def shared(self) -> dict[str, Any]:
        """What every kind of widget takes."""
        words = " · ".join(filter(None, (self.field.help, _ORIGINS.get(self.field.origin, ""))))
        return {
            "key": self.key,
            "help": words or None,
            "disabled": self.locked,
            "on_change": self.changed,
        }


def _field(desk: Uploads, page: DraftPage, field: FieldView) -> None:
    # The value is part of the key: what changes on the server shows at once, and a field that did
    # not change keeps its focus.
    mark = hashlib.blake2b(field.value.encode(), digest_size=4).hexdigest()
    key = f"field-{field.name}-{page.row.upload_id}-{mark}"
    slot = _Slot(
        field,
        key,
        page.row.state == "queued",
        lambda: _save(desk, page.row.upload_id, field.name, key),
    )
    _DRAW.get(field.kind, _text)(slot)
    for problem in field.problems:
        show(said_problem(problem))


def _save(desk: Uploads, upload_id: str, name: str, key: str) -> None:
    attempt("", desk.edit, upload_id, name, _as_text(st.session_state.get(key)))


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.isoformat() if isinstance(value, date) else str(value)


def _text(slot: _Slot) -> None:
    st.text_input(label(slot.field.label), value=slot.field.value, **slot.shared)


def _choice(slot: _Slot) -> None:
    words = {choice.value: choice.words for choice in slot.field.choices}
    values = list(words)
    st.selectbox(
        label(slot.field.label),
        values,
        index=values.index(slot.field.value) if slot.field.value in words else None,
        format_func=lambda value: words.get(value, value),
        **slot.shared,
    )


def _date(slot: _Slot) -> None:
    try:
        value = date.fromisoformat(slot.field.value) if slot.field.value else None
    except ValueError:  # shown as it stands, to be put right
        _text(slot)
        return
    st.date_input(
        label(slot.field.label),
        value=value,
        min_value=date(1990, 1, 1),
        max_value=date(2100, 12, 31),
        format="YYYY-MM-DD",
        **slot.shared,
    )


def _number(slot: _Slot) -> None:
    value = slot.field.value
    if not value.isdigit() or int(value) < 1:
        _text(slot)
        return
    st.number_input(label(slot.field.label), min_value=1, step=1, value=int(value), **slot.shared)


def _yes_no(slot: _Slot) -> None:
    st.checkbox(label(slot.field.label), value=slot.field.value.lower() in _YES, **slot.shared)


_DRAW = {"choice": _choice, "date": _date, "number": _number, "yes_no": _yes_no}
