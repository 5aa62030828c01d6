"""The chain of audit events: one spelling, one link, and what verification finds."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.review import AuditEvent
from core.review.chain import GENESIS, canonical_json, link, link_hash, verify
from tests.fakes.fixed_clock import DEMO_DAY

plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def a_chain(length: int = 4) -> list[AuditEvent]:
    events: list[AuditEvent] = []
    head = (0, GENESIS)
    for number in range(length):
        event = link(
            head,
            at=DEMO_DAY + timedelta(seconds=number),
            tenant_id="athena",
            actor="ana",
            kind="case.opened",
            subject_kind="case",
            subject_id="1042",
            payload={"n": number},
        )
        events.append(event)
        head = (event.seq, event.hash)
    return events


@given(st.dictionaries(st.text(), plain, max_size=4))
def test_an_event_hashes_alike_after_any_trip_through_json(payload: dict[str, object]) -> None:
    event = a_chain(1)[0].model_copy(update={"payload": payload})
    again = AuditEvent.model_validate(json.loads(canonical_json(dict(event))))
    assert link_hash(again) == link_hash(event)


def test_the_order_of_keys_and_the_time_zone_do_not_change_the_spelling() -> None:
    paris = timezone(timedelta(hours=1))
    one = {"b": 1, "a": datetime(2026, 11, 30, 10, tzinfo=paris)}
    two = {"a": datetime(2026, 11, 30, 9, tzinfo=UTC), "b": 1}
    assert canonical_json(one) == canonical_json(two)


def test_different_values_are_spelled_differently() -> None:
    values = [1, 1.0, "1", None, True, [1], {"1": 1}, "é", "e\u0301"]
    assert len({canonical_json(value) for value in values}) == len(values)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), datetime(2026, 1, 1)])  # noqa: DTZ001
def test_what_has_no_one_spelling_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        canonical_json({"value": value})


def test_a_whole_chain_verifies() -> None:
    events = a_chain()
    state = verify(events, head=(4, events[-1].hash))
    assert (state.ok, state.events, state.head, state.broken_at) == (True, 4, events[-1].hash, None)


def test_an_empty_chain_verifies() -> None:
    assert verify([], head=(0, GENESIS)).ok


@pytest.mark.parametrize("field", ["at", "tenant_id", "actor", "kind", "subject_id", "payload"])
def test_a_changed_field_is_found_at_its_event(field: str) -> None:
    events = a_chain()
    changed = {"at": DEMO_DAY + timedelta(days=9), "payload": {"n": 99}}.get(field, "else")
    events[2] = events[2].model_copy(update={field: changed})
    state = verify(events)
    assert (state.ok, state.events, state.broken_at) == (False, 2, 3)
    assert "changed after it was written" in state.reason


def test_a_rehashed_forgery_breaks_at_the_next_link() -> None:
    events = a_chain()
    forged = events[1].model_copy(update={"actor": "mallory"})
    events[1] = forged.model_copy(update={"hash": link_hash(forged)})
    state = verify(events)
    assert (state.broken_at, state.reason) == (3, "event 3 does not follow event 2")


def test_a_missing_repeated_or_swapped_event_is_found() -> None:
    events = a_chain()
    assert verify([events[0], *events[2:]]).broken_at == 2
    assert verify([*events[:2], *events[1:]]).broken_at == 3
    assert verify([events[0], events[2], events[1], events[3]]).broken_at == 2


def test_a_chain_cut_at_its_end_is_found_by_its_head() -> None:
    events = a_chain()
    state = verify(events[:3], head=(4, events[3].hash))
    assert (state.ok, state.broken_at) == (False, 4)
    assert verify(events[:3]).ok


def test_the_links_of_a_chain_point_back() -> None:
    events = a_chain()
    assert events[0].prev_hash == GENESIS
    assert all(after.prev_hash == before.hash for before, after in pairwise(events))
