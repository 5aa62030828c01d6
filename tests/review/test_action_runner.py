"""Carrying out what was confirmed: once, whatever breaks between any two steps."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import BadInput, InvalidTransition, NotAllowed, TryAgainLater
from core.review.chain import verify_stored
from tests.fakes.breaking_store import BreakingStore, InterruptedStore
from tests.fakes.recording_channel import Killed
from tests.fakes.recording_tool import RecordingTool
from tests.review.action_builders import confirm, nothing_decided, opened, record_of, runner
from tests.review.builders import Bureau


@pytest.fixture
def tool() -> RecordingTool:
    return RecordingTool()


@pytest.fixture
def due(house: Bureau) -> Bureau:
    """The refund of case 1042 confirmed, its undo window over."""
    confirm(house, opened(house))
    house.later(seconds=11)
    return house


def _steps(house: Bureau) -> list[str]:
    return [k for k in house.kinds() if k.startswith("action.")]


def test_nothing_runs_that_nobody_confirmed(house: Bureau, tool: RecordingTool) -> None:
    opened(house)
    house.later(hours=1)
    assert runner(house, tool).run_once() == ()
    assert tool.calls == 0
    assert nothing_decided(house)


def test_a_confirmed_action_waits_for_its_undo_window(house: Bureau, tool: RecordingTool) -> None:
    confirm(house, opened(house))
    assert runner(house, tool).run_once() == ()
    house.later(seconds=11)
    (record,) = runner(house, tool).run_once()
    assert (record.state, record.receipt) == ("done", "refund-1")
    assert runner(house, tool).run_once() == ()
    ((tenant, arguments),) = tool.done
    assert tenant == "athena"
    assert arguments.model_dump(mode="json")["amount"] == "112.00"
    assert _steps(house) == [
        "action.proposed",
        "action.confirmed",
        "action.started",
        "action.done",
    ]
    with house.store.read() as txn:
        assert verify_stored(txn).ok


def test_what_was_taken_back_or_declined_never_runs(house: Bureau, tool: RecordingTool) -> None:
    confirm(house, opened(house))
    house.desk().take_back_action("1042", proposal_id="act_1")
    house.later(minutes=1)
    assert runner(house, tool).run_once() == ()
    assert tool.calls == 0


def test_many_workers_do_it_once(due: Bureau, tool: RecordingTool) -> None:
    with ThreadPoolExecutor(4) as pool:
        settled = list(pool.map(lambda _: runner(due, tool).run_once(), range(4)))
    assert sum(len(found) for found in settled) == 1
    assert (tool.calls, len(tool.done)) == (1, 1)


@pytest.mark.parametrize("kind", ["action.started", "action.done"])
def test_a_crash_inside_a_transaction_leaves_it_for_the_next(
    due: Bureau, tool: RecordingTool, kind: str
) -> None:
    with pytest.raises(Killed):
        runner(due, tool, store=BreakingStore(due.store, kind, Killed())).run_once()
    due.later(seconds=121)
    runner(due, tool).run_once()
    assert record_of(due).state == "done"
    assert len(tool.done) == 1


def test_a_crash_before_the_tool_was_reached_loses_nothing(
    due: Bureau, tool: RecordingTool
) -> None:
    tool.errors = [Killed()]
    with pytest.raises(Killed):
        runner(due, tool).run_once()
    assert record_of(due).state == "running"
    assert runner(due, tool).run_once() == ()
    due.later(seconds=121)
    runner(due, tool).run_once()
    assert len(tool.done) == 1


def test_a_crash_right_after_it_was_done_does_not_do_it_again(
    due: Bureau, tool: RecordingTool
) -> None:
    tool.crash_after = Killed()
    with pytest.raises(Killed):
        runner(due, tool).run_once()
    due.still_borne = lambda *_: "It was refunded."  # as the records say now, because of it
    due.later(seconds=121)
    (record,) = runner(due, tool).run_once()
    assert (record.state, record.receipt) == ("done", "refund-1")
    assert (tool.calls, len(tool.done)) == (1, 1)


def test_a_crash_while_confirming_confirms_nothing(house: Bureau) -> None:
    view = opened(house)
    desk = house.desk(store=BreakingStore(house.store, "action.confirmed", Killed()))
    assert view.run is not None
    with pytest.raises(Killed):
        desk.confirm_action(
            "1042", proposal_id="act_1", trace_id=view.run.trace.trace_id, arguments={}
        )
    assert nothing_decided(house)


def test_a_worker_whose_list_is_old_leaves_what_another_does_alone(
    due: Bureau, tool: RecordingTool
) -> None:
    late = runner(
        due, tool, store=InterruptedStore(due.store, lambda: runner(due, tool).run_once())
    )
    assert late.run_once() == ()
    assert tool.calls == 1


def test_a_passing_fault_is_tried_again_later_and_later(due: Bureau, tool: RecordingTool) -> None:
    tool.errors = [TryAgainLater("no answer"), TryAgainLater("no answer")]
    (record,) = runner(due, tool).run_once()
    assert (record.state, record.error, record.attempts) == ("confirmed", "no answer", 1)
    assert "Tried 1 times: no answer" in due.desk().view("1042").actions[0].words
    due.later(seconds=31)
    runner(due, tool).run_once()
    due.later(seconds=31)
    assert runner(due, tool).run_once() == ()
    due.later(seconds=31)
    runner(due, tool).run_once()
    assert record_of(due).state == "done"
    assert len(tool.done) == 1


def test_a_fault_that_stays_fails_where_the_tool_says_it_did_nothing(
    due: Bureau, tool: RecordingTool
) -> None:
    tool.errors = [TryAgainLater("no answer")] * 5
    for _ in range(5):
        runner(due, tool).run_once()
        due.later(hours=1)
    assert (record_of(due).state, tool.done) == ("failed", [])
    assert _steps(due)[-1] == "action.failed"


def test_where_the_tool_cannot_say_a_person_has_to_look(due: Bureau, tool: RecordingTool) -> None:
    for attempt in range(5):
        tool.errors = [TryAgainLater("the line broke")]
        if attempt == 4:
            tool.receipt_of = _says_nothing_after_the_first(tool)  # type: ignore[method-assign]
        runner(due, tool).run_once()
        due.later(hours=1)
    assert record_of(due).state == "unknown"
    assert runner(due, tool).run_once() == ()
    assert _steps(due)[-1] == "action.outcome_unknown"

    with pytest.raises(NotAllowed):
        due.desk().settle_action("1042", proposal_id="act_1", done=True, note="seen")
    view = due.desk("sam").settle_action("1042", proposal_id="act_1", done=True, note="payment 7")
    assert record_of(due).receipt == "Sam Whitlock: payment 7"
    assert "Done" in view.actions[0].words
    with pytest.raises(InvalidTransition):
        due.desk("sam").settle_action("1042", proposal_id="act_1", done=False, note="no")


def _says_nothing_after_the_first(tool: RecordingTool):  # type: ignore[no-untyped-def]
    real, asked = tool.receipt_of, []

    def receipt_of(key: str) -> str | None:
        asked.append(key)
        if len(asked) > 1:
            raise TryAgainLater("the line broke")
        return real(key)

    return receipt_of


def test_what_the_tool_refuses_fails_at_once_and_may_be_set_right(
    due: Bureau, tool: RecordingTool
) -> None:
    tool.errors = [BadInput("The card was closed.")]
    runner(due, tool).run_once()
    (action,) = due.desk().view("1042").actions
    assert "Failed, nothing was changed: The card was closed." in action.words
    assert action.open
    confirm(due, due.desk().view("1042"), arguments={"amount": "100.00"})
    due.later(seconds=11)
    runner(due, tool).run_once()
    assert record_of(due).state == "done"
    assert len(tool.done) == 1


def test_what_the_records_do_not_bear_any_more_is_not_run(due: Bureau, tool: RecordingTool) -> None:
    due.still_borne = lambda *_: "It was refunded this morning."
    (record,) = runner(due, tool).run_once()
    assert (record.state, record.error) == ("failed", "It was refunded this morning.")
    assert tool.calls == 0


def test_whoever_lost_the_right_since_confirming_has_nothing_run(
    due: Bureau, tool: RecordingTool
) -> None:
    due.contexts["ana"] = due.contexts["ana"].model_copy(update={"actions": ("ask",)})
    (record,) = runner(due, tool).run_once()
    assert record.state == "failed"
    assert "may not review" in record.error
    assert tool.calls == 0


def test_a_tool_that_is_not_set_up_holds_up_no_other(due: Bureau, tool: RecordingTool) -> None:
    tool.name = "another"
    (record,) = runner(due, tool).run_once()
    assert record.state == "confirmed"
    assert "No tool 'start_refund' is set up" in record.error
