"""The threshold desk within the rights of who looks: what is read, tried and saved."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput, NotAllowed, StaleVersion
from core.evaluation.gate_desk import GateDesk
from core.evaluation.gate_words import refused, thresholds_of
from core.evaluation.golden import GoldenCase, golden_lines
from core.evaluation.golden_job import GoldenJobs
from core.evaluation.report_reading import ReportReader
from core.evaluation.report_store import ReportStore
from core.models.access import Action
from core.models.evidence import GateThresholds
from core.models.source import DocumentVersion
from core.models.trace import PipelineRun
from tests.contracts.builders import a_document, a_user
from tests.evaluation.builders import a_candidate, a_row, a_run
from tests.fakes.counting_ids import CountingIds
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_gate import MemoryGateAnswers, MemoryGatePolicies

STRICT = GateThresholds(evidence_min=0.95)
PAY = "What is the base pay of grade CS3?"
GOLDEN = (a_row(query_id="G-1"), a_row(query_id="G-2", question=PAY, role="hr"))


def a_past_run(question: str, trace_id: str, *policies: str, user: str = "ana") -> PipelineRun:
    run = a_run(question=question, trace_id=trace_id)
    rights = {"user_id": user, "allowed_acl_policy_ids": policies or ("public",)}
    return run.model_copy(update={"context": run.context.model_copy(update=rights)})


class Bureau:
    """One home with everything that desks of different people share."""

    def __init__(self, folder: Path, *runs: PipelineRun) -> None:
        self.golden = folder / "golden.jsonl"
        self.golden.write_text(golden_lines(GOLDEN), encoding="utf-8")
        self.store = ReportStore(folder / "evaluations")
        self.clock, self.ids = FixedClock(), CountingIds()
        ticks = count()
        self.jobs = GoldenJobs(self.store, self.clock, stopwatch=lambda: float(next(ticks)))
        self.policies, self.answers = MemoryGatePolicies(), MemoryGateAnswers(*runs)
        self.documents: dict[str, DocumentVersion] = {}
        self.numbers = count(1)

    def desk(
        self,
        user_id: str = "sam",
        *,
        actions: tuple[Action, ...] = ("ask", "supervise"),
        policies: tuple[str, ...] = ("public",),
    ) -> GateDesk:
        context = a_run().context.model_copy(
            update={"user_id": user_id, "actions": actions, "allowed_acl_policy_ids": policies}
        )
        return GateDesk(
            ReportReader(self.store, user=a_user(user_id), context=context),
            policies=self.policies,
            answers=self.answers,
            live=self.live,
            default=GateThresholds(),
            golden=self.golden,
            jobs=self.jobs,
            try_out=self.try_out,
            calibration={},
            clock=self.clock,
            ids=self.ids,
        )

    def live(self, names: Iterable[str]) -> dict[str, DocumentVersion]:
        return {name: self.documents[name] for name in names if name in self.documents}

    def try_out(self, row: GoldenCase, thresholds: GateThresholds) -> PipelineRun:
        """A run as the pipeline would keep it: its answers are stored too."""
        trace_id = f"trace-{row.query_id}-{next(self.numbers)}"
        run = a_past_run(row.question, trace_id, "hr" if row.role == "hr" else "public")
        trace = run.trace.model_copy(update={"thresholds": thresholds})
        run = run.model_copy(update={"trace": trace})
        self.answers.runs[trace_id] = run
        return run

    def ran(self, thresholds: GateThresholds | None = None) -> str:
        """The set run to its end: as it is, or on trial."""
        if thresholds is not None:
            run_id = self.desk().start_trial(thresholds).run_id
        else:
            run_id = self.ids.new("eval")
            self.jobs.start(
                GOLDEN, lambda row: self.try_out(row, GateThresholds()), run_id=run_id, by="sam"
            )
        assert self.jobs.wait(10)
        return run_id


@pytest.fixture
def bureau(tmp_path: Path) -> Bureau:
    return Bureau(
        tmp_path,
        a_past_run("Where is my parcel?", "t1"),
        a_past_run("Where is my parcel?", "t2"),
        a_past_run("Who earns most?", "t3", "public", "hr", user="helen"),
        a_past_run(GOLDEN[0].question, "t4"),
    )


# -- what is read -----------------------------------------------------------------------------


def test_each_question_counts_once_and_golden_ones_have_their_own_place(bureau: Bureau) -> None:
    lab = bureau.desk().lab()
    assert [(q.trace_id, q.question) for q in lab.asked] == [("t2", "Where is my parcel?")]
    assert lab.golden == ()
    assert lab.golden_run is None


def test_answers_of_an_earlier_release_are_filled_in_first(bureau: Bureau) -> None:
    bureau.desk().lab()
    assert bureau.answers.filled == [200]


def test_questions_asked_with_rights_one_does_not_hold_are_left_out(bureau: Bureau) -> None:
    theirs = bureau.desk(policies=("public", "hr")).lab()
    assert {q.question for q in theirs.asked} == {"Where is my parcel?", "Who earns most?"}
    admin = bureau.desk("ada", actions=("ask", "administer")).lab()
    assert admin.asked == ()


def test_a_question_whose_document_was_closed_since_is_left_out(bureau: Bureau) -> None:
    name = a_candidate().document_id
    open_to_all = a_document(name)
    bureau.documents[name] = open_to_all
    assert len(bureau.desk().lab().asked) == 1
    closed = open_to_all.governance.model_copy(update={"acl_policy_id": "hr"})
    bureau.documents[name] = open_to_all.model_copy(update={"governance": closed})
    assert bureau.desk().lab().asked == ()


def test_golden_answers_are_those_of_the_last_run_that_was_no_trial(bureau: Bureau) -> None:
    run_id = bureau.ran()
    bureau.ran(STRICT)
    lab = bureau.desk().lab()
    assert lab.golden_run is not None
    assert lab.golden_run.run_id == run_id
    assert [(q.query_id, q.trace_id) for q in lab.golden] == [("G-1", "trace-G-1-1")]
    assert lab.gold["G-1"] == ("returns-4.2",)
    assert lab.withheld == 1
    assert PAY not in str(lab.golden + lab.asked)


# -- on trial ---------------------------------------------------------------------------------


def test_a_trial_is_kept_beside_the_run_of_the_thresholds_in_force(bureau: Bureau) -> None:
    assert bureau.desk().trial(STRICT) is None
    bureau.ran()
    run_id = bureau.ran(STRICT)

    trial = bureau.desk().trial(STRICT)

    assert trial is not None
    assert trial.report.run_id == run_id
    assert trial.report.trial
    assert trial.report.thresholds == STRICT
    assert "evidence above 0.95" in trial.report.note
    assert trial.comparison is not None
    assert trial.comparison.shared == 2
    assert bureau.desk().trial(GateThresholds(evidence_min=0.9)) is None
    assert bureau.policies.saved == []


def test_a_trial_without_a_present_run_has_nothing_beside_it(bureau: Bureau) -> None:
    bureau.ran(STRICT)
    trial = bureau.desk().trial(STRICT)
    assert trial is not None
    assert trial.comparison is None


def test_a_trial_whose_thresholds_were_saved_is_the_run_to_compare_with(bureau: Bureau) -> None:
    first = bureau.ran(STRICT)
    bureau.desk().save(STRICT, reason="It held on the golden set", replaces="")
    bureau.ran(GateThresholds(evidence_min=0.9))
    trial = bureau.desk().trial(GateThresholds(evidence_min=0.9))
    assert trial is not None
    assert trial.comparison is not None
    assert trial.comparison.before.run_id == first


# -- saving -----------------------------------------------------------------------------------


def test_without_a_saved_policy_the_settings_hold(bureau: Bureau) -> None:
    standing = bureau.desk().standing()
    assert (standing.policy_id, standing.thresholds) == ("", GateThresholds())
    assert standing.may_save


def test_a_saved_policy_holds_and_can_be_taken_back_by_another(bureau: Bureau) -> None:
    desk = bureau.desk()
    saved = desk.save(STRICT, reason=" Too many \n asides ", replaces="")
    desk.save(GateThresholds(), reason="Undo: lost answers", replaces=saved.policy_id)

    standing = desk.standing()
    assert standing.thresholds == GateThresholds()
    assert [(p.policy.reason, p.before) for p in standing.history] == [
        ("Undo: lost answers", STRICT),
        ("Too many asides", GateThresholds()),
    ]
    assert (saved.saved_by, saved.saved_at) == ("sam", bureau.clock.now())


def test_only_supervisors_save(bureau: Bureau) -> None:
    desk = bureau.desk("ada", actions=("ask", "administer"))
    assert not desk.standing().may_save
    with pytest.raises(NotAllowed, match="supervisor"):
        desk.save(STRICT, reason="why not", replaces="")
    assert bureau.policies.saved == []


def test_who_looked_at_other_thresholds_is_told_to_look_again(bureau: Bureau) -> None:
    bureau.desk().save(STRICT, reason="Too many asides", replaces="")
    with pytest.raises(StaleVersion, match="meanwhile"):
        bureau.desk("sue").save(GateThresholds(), reason="No", replaces="")
    assert len(bureau.policies.saved) == 1


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"evidence_min": 0.6}, "  ", "Say why"),
        ({"evidence_min": 0.6}, "x" * 501, "at most 500"),
        ({}, "same", "in force already"),
        ({"injection_max": 1.0}, "off", "left out for instructing the model"),
        ({"injection_max": 0.0}, "on", "hardly any passage"),
        ({"contradicts_min": 1.0}, "off", "no false premise"),
        ({"relevant_min": 1.0}, "on", "nearly every passage would be left out"),
        ({"evidence_min": 1.0}, "on", "no passage would ever be used"),
    ],
)
def test_what_may_not_be_saved_is_refused_with_the_reason(
    bureau: Bureau, changes: dict[str, float], reason: str, words: str
) -> None:
    with pytest.raises(BadInput, match=words):
        bureau.desk().save(GateThresholds(**changes), reason=reason, replaces="")
    assert bureau.policies.saved == []


def test_every_fault_is_named_at_once() -> None:
    after = GateThresholds(injection_max=1.0, evidence_min=1.0)
    assert len(refused(after, GateThresholds(), "")) == 3
    assert refused(STRICT, GateThresholds(), "because") == ()


@pytest.mark.parametrize("value", [1.2, -0.1, float("nan"), "much"])
def test_a_threshold_that_is_no_probability_is_named(value: Any) -> None:
    with pytest.raises(BadInput, match="evidence_min must be a number from 0 to 1"):
        thresholds_of({"evidence_min": value})
