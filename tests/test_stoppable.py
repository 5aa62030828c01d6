"""Work beside the screens: begun, looked in on, stopped, collected once."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

import pytest

from core.errors import BadQuestion, Conflicted, NotAllowed
from core.evaluation.inspector import Inspector
from core.stoppable import Works
from core.wiring import Office
from tests.company import ask

LONG = 30.0


def until_stopped(cancelled: Callable[[], bool], *, begun: Event, go: Event) -> str:
    begun.set()
    go.wait(LONG)
    return "stopped" if cancelled() else "finished"


def test_work_goes_on_until_it_is_stopped_and_is_collected_once() -> None:
    works, begun, go = Works[str](), Event(), Event()
    works.begin("ana", lambda c: until_stopped(c, begun=begun, go=go), about="a long one")
    assert begun.wait(LONG)
    assert works.collect("ana") is None
    with pytest.raises(Conflicted, match="a long one"):
        works.begin("ana", lambda _: "another", about="another")
    work = works.of("ana")
    assert work is not None
    work.stop()
    go.set()
    assert work.wait(LONG)
    assert works.collect("ana") == "stopped"
    assert works.collect("ana") is None


def test_each_person_has_work_of_their_own() -> None:
    works = Works[str]()
    for who in ("ana", "sam"):
        works.begin(who, lambda _, name=who: name, about="short")  # type: ignore[misc]
    for who in ("ana", "sam"):
        work = works.of(who)
        assert work is not None
        assert work.wait(LONG)
        assert works.collect(who) == who


def test_what_breaks_is_raised_where_it_is_collected() -> None:
    works = Works[str]()

    def broken(_: Callable[[], bool]) -> str:
        raise NotAllowed("not you")

    assert works.begin("ana", broken, about="x").wait(LONG)
    with pytest.raises(NotAllowed):
        works.collect("ana")


@pytest.fixture
def inspector(office: Office) -> Inspector:
    return office.inspector("ana")


def test_a_question_is_answered_beside_the_screen(office: Office, inspector: Inspector) -> None:
    question = "How much is two-day shipping?"
    inspector.begin(question)
    found = inspector.finished(LONG)
    assert found is not None
    assert found.answer == ask(office, question, as_user="ana").answer
    assert office.inspector("ana").under_way() is None


def test_a_question_stopped_from_another_page_leaves_its_trace(
    office: Office, inspector: Inspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go = Event(), Event()
    gate = type(office.tools.gate)
    real = gate.score

    def held(self: object, *pair: object) -> object:
        begun.set()
        go.wait(LONG)
        return real(self, *pair)  # type: ignore[arg-type]

    monkeypatch.setattr(gate, "score", held)
    inspector.begin("How much is two-day shipping?")
    assert begun.wait(LONG)
    office.inspector("ana").stop()
    go.set()
    found = inspector.finished(LONG)
    assert found is not None
    assert found.trace.loop_end == "cancelled"
    stored = office.inspector("ana").get(found.trace.trace_id)
    assert stored is not None
    assert stored.trace.failure.startswith("stopped by request")


def test_a_question_that_cannot_be_taken_says_so_when_it_is_collected(
    inspector: Inspector,
) -> None:
    inspector.begin("  ")
    with pytest.raises(BadQuestion):
        inspector.finished(LONG)
