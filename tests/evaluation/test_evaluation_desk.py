"""The evaluation within the rights of who looks, from a run to a grown set."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection
from datetime import datetime
from itertools import count
from pathlib import Path

import pytest

from core.errors import BadInput, NotAllowed, NotFound
from core.evaluation.desk import EvaluationDesk
from core.evaluation.gate_desk import GateDesk
from core.evaluation.golden import GoldenCase, golden_lines, load_golden
from core.evaluation.golden_job import GoldenJobs
from core.evaluation.report_reading import ReportReader
from core.evaluation.report_store import ReportStore
from core.models.access import Action
from core.models.evidence import GateThresholds
from core.models.trace import PipelineRun
from tests.contracts.builders import a_user
from tests.evaluation.builders import SENTENCE, a_row, a_run
from tests.fakes.counting_ids import CountingIds
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_gate import MemoryGateAnswers, MemoryGatePolicies

PAY = "What is the base pay of grade CS3?"
SECRET = "$58,500 to $72,000"
ASKED = "What happens when a parcel gets lost?"
GOLDEN = (
    a_row(query_id="G-1"),
    a_row(query_id="G-2", question="退货期是多久？", language="zh", kind="chinese"),
    a_row(query_id="G-3", question=PAY, role="hr", required_facts=(SECRET,)),
)


class Runs:
    """Finished runs in memory, newest first."""

    def __init__(self, *runs: PipelineRun) -> None:
        self.kept = {run.trace.trace_id: run for run in runs}

    def save_run(self, run: PipelineRun) -> None:
        self.kept[run.trace.trace_id] = run

    def run(self, trace_id: str) -> PipelineRun | None:
        return self.kept.get(trace_id)

    def recent_runs(self, tenant_id: str, limit: int = 50) -> tuple[tuple[str, str, datetime], ...]:
        rows = [(t, r.request.raw_query, r.trace.started_at) for t, r in self.kept.items()]
        return tuple(rows[:limit])


class Bureau:
    """One home with everything that desks of different people share."""

    def __init__(self, folder: Path, *runs: PipelineRun) -> None:
        self.golden = folder / "golden.jsonl"
        self.golden.write_text(golden_lines(GOLDEN), encoding="utf-8")
        self.store = ReportStore(folder / "evaluations")
        clock, ticks = FixedClock(), count()
        self.jobs = GoldenJobs(self.store, clock, stopwatch=lambda: float(next(ticks)))
        self.clock, self.ids, self.runs = clock, CountingIds(), Runs(*runs)
        self.disputed: Collection[str] = ()
        self.answer = f"{SENTENCE} [#EVID-0001]"

    def desk(
        self,
        user_id: str = "sam",
        *,
        actions: tuple[Action, ...] = ("ask", "supervise"),
        policies: tuple[str, ...] = ("public", "support-internal"),
    ) -> EvaluationDesk:
        context = a_run().context.model_copy(
            update={"user_id": user_id, "actions": actions, "allowed_acl_policy_ids": policies}
        )
        return EvaluationDesk(
            user=a_user(user_id),
            context=context,
            golden=self.golden,
            store=self.store,
            jobs=self.jobs,
            ask=self.ask,
            runs=self.runs,
            disputed=lambda: self.disputed,
            clock=self.clock,
            ids=self.ids,
            gate=self.gate,
        )

    def gate(self, reader: ReportReader) -> GateDesk:
        return GateDesk(
            reader,
            policies=MemoryGatePolicies(),
            answers=MemoryGateAnswers(),
            live=lambda _names: {},
            default=GateThresholds(),
            golden=self.golden,
            jobs=self.jobs,
            try_out=lambda row, _thresholds: self.ask(row),
            calibration={},
            clock=self.clock,
            ids=self.ids,
        )

    def ask(self, row: GoldenCase) -> PipelineRun:
        run = a_run(question=row.question, text=self.answer, trace_id=f"trace-{row.query_id}")
        return as_asked_by("helen", run, "public", "hr") if row.role == "hr" else run

    def finished(self, *only: str, desk: EvaluationDesk | None = None) -> str:
        run_id = (desk or self.desk()).start(only).run_id
        assert self.jobs.wait(10)
        return run_id


def as_asked_by(user_id: str, run: PipelineRun, *policies: str) -> PipelineRun:
    """The run as somebody with these access policies would have made it."""
    context = run.context.model_copy(
        update={"user_id": user_id, "allowed_acl_policy_ids": policies}
    )
    return run.model_copy(update={"context": context})


@pytest.fixture
def bureau(tmp_path: Path) -> Bureau:
    return Bureau(
        tmp_path,
        a_run(question=ASKED, trace_id="t1"),
        as_asked_by("helen", a_run(question="Who earns most in HR?", trace_id="t2"), "hr"),
        a_run(question=GOLDEN[0].question, trace_id="t3"),
    )


@pytest.mark.parametrize("actions", [(), ("ask", "review"), ("own_knowledge",)])
def test_others_have_no_evaluation(bureau: Bureau, actions: tuple[Action, ...]) -> None:
    with pytest.raises(NotAllowed):
        bureau.desk(actions=actions)


def test_a_run_of_the_chosen_questions_is_listed_and_read(bureau: Bureau) -> None:
    run_id = bureau.finished("zh")
    (head,) = bureau.desk().reports()
    assert (head.run_id, head.asked_for, head.overall.rows) == (run_id, ("zh",), 1)
    (row,) = bureau.desk().report(run_id).rows
    assert (row.query_id, row.verdict, row.trace_id) == ("G-2", "passed", "trace-G-2")


def test_words_that_match_no_question_start_nothing(bureau: Bureau) -> None:
    with pytest.raises(BadInput, match="No golden question"):
        bureau.desk().start(("klingon",))
    assert bureau.desk().job() is None


def test_a_row_asked_with_other_rights_shows_how_it_went_and_nothing_else(bureau: Bureau) -> None:
    run_id = bureau.finished()
    desk = bureau.desk()
    view = desk.report(run_id)
    hidden = view.rows[2]
    assert (hidden.hidden, hidden.verdict, hidden.trace_id) == (True, "did not pass", "")
    everything = view.model_dump_json() + "".join(
        desk.export(run_id, form).decode() for form in ("csv", "json")
    )
    for secret in (SECRET, PAY, "trace-G-3"):
        assert secret not in everything
    assert GOLDEN[0].question in everything

    covered = bureau.desk("helen", policies=("public", "hr")).report(run_id).rows[2]
    assert covered.question == PAY
    assert SECRET in covered.verdict


def test_an_administrator_reads_a_row_but_may_not_open_anothers_run(bureau: Bureau) -> None:
    row = bureau.desk("ada", actions=("ask", "administer")).report(bureau.finished()).rows[0]
    assert (row.question, row.trace_id) == (GOLDEN[0].question, "")


def test_two_runs_are_compared_by_what_got_better_and_worse(bureau: Bureau) -> None:
    before = bureau.finished("en")
    bureau.answer = "It is 60 days."
    after = bureau.finished()
    found = bureau.desk().compare(before, after)
    assert found.shared == 2
    (change,) = found.changes
    assert (change.query_id, change.worse, change.better) == ("G-1", True, False)
    assert (change.before, "lacks '30 days'" in change.after) == ("passed", True)


def test_a_spreadsheet_runs_no_cell_of_an_export(bureau: Bureau) -> None:
    evil = a_row(query_id="G-9", question='=HYPERLINK("http://evil.example")')
    bureau.golden.write_text(golden_lines([evil]), encoding="utf-8")
    text = bureau.desk().export(bureau.finished(), "csv").decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["question"] == '\'=HYPERLINK("http://evil.example")'


def test_rows_are_proposed_from_runs_the_user_may_read_and_not_from_the_set(
    bureau: Bureau,
) -> None:
    growth = bureau.desk().growth()
    assert [p.row.question for p in growth.proposals] == [ASKED]
    assert growth.proposals[0].trace_id == "t1"
    assert growth.looked_at == 1
    assert bureau.desk("ada", actions=("administer",)).growth().proposals == ()


def test_a_taken_row_is_kept_as_edited_proposed_no_more_and_asked_next_time(
    bureau: Bureau, tmp_path: Path
) -> None:
    desk = bureau.desk()
    query_id = desk.growth().proposals[0].row.query_id
    desk.accept(
        query_id,
        kind="answer",
        difficulty="HARD",
        expected_status="answered",
        required_facts=[" 30 days ", "", "30 days"],
        forbidden_facts=["60 days"],
    )
    assert desk.growth().proposals == ()
    copy = tmp_path / "additions.jsonl"
    copy.write_bytes(desk.taken_jsonl())
    (row,) = load_golden(copy)
    assert (row.kind, row.difficulty_level) == ("answer", "HARD")
    assert (row.required_facts, row.forbidden_facts) == (("30 days",), ("60 days",))
    assert row.acceptable_answer_outline.must_say == ("30 days",)

    assert desk.start(("hard",), with_taken=True).total == 1
    assert bureau.jobs.wait(10)
    assert json.loads(desk.export(desk.reports()[0].run_id, "json"))["rows"][0]["passed"]


def test_a_taken_row_is_for_those_whose_rights_cover_it(bureau: Bureau) -> None:
    desk = bureau.desk()
    _take(desk, desk.growth().proposals[0].row.query_id)
    assert len(desk.taken()) == 1
    assert bureau.desk("ida", policies=("public",)).taken() == ()
    assert bureau.desk("ida", policies=("public",)).golden().taken == 0


def test_a_dismissed_row_is_never_proposed_again(bureau: Bureau) -> None:
    desk = bureau.desk()
    query_id = desk.growth().proposals[0].row.query_id
    desk.dismiss(query_id)
    assert desk.growth().proposals == ()
    assert desk.taken() == ()
    with pytest.raises(NotFound, match="decided on it already"):
        _take(desk, query_id)


def test_a_fact_both_needed_and_forbidden_is_refused(bureau: Bureau) -> None:
    desk = bureau.desk()
    query_id = desk.growth().proposals[0].row.query_id
    with pytest.raises(BadInput, match="both need and avoid '30 days'"):
        desk.accept(
            query_id,
            kind="answer",
            difficulty="EASY",
            expected_status="answered",
            required_facts=["30 days"],
            forbidden_facts=["30 days "],
        )
    assert len(desk.growth().proposals) == 1


def _take(desk: EvaluationDesk, query_id: str) -> None:
    desk.accept(query_id, kind="answer", difficulty="EASY", expected_status="answered")
