"""A saved gate policy over the demo company: in force from the next run on, and only from then."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli import main
from core.errors import NotAllowed, Unavailable
from core.models.evidence import EvidenceCandidate, GateThresholds
from core.models.gate_policy import GatePolicy
from core.models.request import UserRequest
from core.pipeline import answer
from core.settings import Settings
from core.wiring import Office, open_office
from tests import company

QUESTION = "How long do I have to return an item?"
NOTHING_PASSES = GateThresholds(evidence_min=0.9999, contradicts_min=0.9999, relevant_min=0.9999)


def save(office: Office, thresholds: GateThresholds, reason: str = "Trying it out") -> GatePolicy:
    gate = office.evaluation_desk("sam").gate
    return gate.save(thresholds, reason=reason, replaces=gate.standing().policy_id)


def test_a_policy_holds_from_the_next_run_on_and_past_runs_stay_as_they_were(
    office: Office,
) -> None:
    before = company.ask(office, QUESTION, as_user="sam")
    assert before.trace.gate_policy_id == ""
    assert before.trace.thresholds == office.settings.thresholds
    policy = save(office, NOTHING_PASSES)

    after = company.ask(office, QUESTION, as_user="sam")

    assert after.trace.gate_policy_id == policy.policy_id
    assert after.trace.thresholds == NOTHING_PASSES
    assert before.answer.status == "answered"
    assert after.answer.status != "answered"
    assert office.runs.run(before.trace.trace_id) == before
    replayed = office.replay_desk("sam").replay(before.trace.trace_id)
    assert replayed.agrees
    assert office.verify_audit().ok


def test_taking_a_change_back_is_another_policy_and_the_answer_is_as_before(
    office: Office,
) -> None:
    before = company.ask(office, QUESTION, as_user="sam")
    save(office, NOTHING_PASSES)
    undo = save(office, office.settings.thresholds, "Undo")
    again = company.ask(office, QUESTION, as_user="sam")
    assert again.trace.gate_policy_id == undo.policy_id
    assert again.answer.answer_markdown == before.answer.answer_markdown


def test_one_passage_alone_is_judged_by_the_policy_in_force(office: Office) -> None:
    save(office, NOTHING_PASSES)
    passage = EvidenceCandidate(
        chunk_id="p",
        source_id="p",
        document_id="p",
        tenant_id="athena",
        text="Items can be returned within 30 days of the purchase date.",
        source_title="Returns",
        authority="official_policy",
    )
    assert office.probes.gate(QUESTION, passage).route == "exclude"


def test_a_golden_row_on_trial_goes_by_its_own_thresholds_and_says_so(office: Office) -> None:
    save(office, office.settings.thresholds.model_copy(update={"evidence_min": 0.56}))
    gate = office.evaluation_desk("sam").gate
    gate.start_trial(NOTHING_PASSES, ("G-001",))
    assert office.golden_jobs.wait(120)

    trial = gate.trial(NOTHING_PASSES)
    assert trial is not None
    (row,) = trial.report.rows
    run = office.runs.run(row.trace_id)
    assert run is not None
    assert run.trace.thresholds == NOTHING_PASSES
    assert run.trace.gate_policy_id == ""
    assert not row.passed
    assert gate.standing().thresholds.evidence_min == 0.56


def test_the_lab_reads_what_was_asked_and_keeps_to_the_readers_rights(office: Office) -> None:
    company.ask(office, "Which shipping do you offer to Canada?", as_user="ana")
    company.ask(office, "What does a senior agent in grade CS2 earn a year?", as_user="helen")
    asked = office.evaluation_desk("sam").gate.lab().asked
    assert [q.question for q in asked] == ["Which shipping do you offer to Canada?"]
    assert asked[0].answers
    assert all(a.sentence for a in asked[0].answers)
    assert office.evaluation_desk("ada").gate.lab().asked == ()


def test_administrators_see_the_policy_in_their_settings_and_cannot_save_one(
    office: Office,
) -> None:
    assert office.settings_desk("ada").gate_policy() is None
    policy = save(office, NOTHING_PASSES)
    assert office.settings_desk("ada").gate_policy() == policy
    with pytest.raises(NotAllowed):
        office.evaluation_desk("ada").gate.save(
            GateThresholds(), reason="mine", replaces=policy.policy_id
        )


def test_a_run_whose_policy_cannot_be_read_is_escalated_and_says_why(office: Office) -> None:
    def away(_tenant: str) -> GatePolicy | None:
        raise Unavailable("The policy store does not answer.")

    request = UserRequest(request_id="r", tenant_id="athena", user_id="sam", raw_query=QUESTION)
    run = answer(request, replace(office.tools, gate_policy=away))
    assert run.answer.status == "escalated"
    assert "policy store does not answer" in run.trace.failure


def test_asking_for_the_thresholds_makes_no_database_where_there_is_none(tmp_path: Path) -> None:
    home = tmp_path / "new"
    office = open_office(Settings(home=home, thresholds=NOTHING_PASSES))
    assert office.gate_thresholds() == NOTHING_PASSES
    assert not home.exists()


# -- the command line -------------------------------------------------------------------------

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(
    home: Path,
    model_cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))

    def call(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main(["--home", str(home), *words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_a_policy_is_shown_saved_listed_and_taken_up_again(run: Run) -> None:
    gate = ("policy", "gate")
    code, out, _ = run(*gate, "show", "--as", "sam", "--json")
    assert code == 0
    assert json.loads(out)["policy_id"] == ""

    code, out, _ = run(
        *gate, "save", "--as", "sam", "--json", "--evidence-min", "0.6", "--reason", "Asides"
    )
    saved = json.loads(out)
    assert (code, saved["thresholds"]["evidence_min"]) == (0, 0.6)
    assert saved["policy"]["reason"] == "Asides"
    run(*gate, "save", "--as", "sam", "--injection-max", "0.6", "--reason", "A forum post")
    code, out, _ = run(
        *gate, "save", "--as", "sam", "--json", "--again", saved["policy_id"], "--reason", "Back"
    )
    assert json.loads(out)["thresholds"] == saved["thresholds"]
    _, out, _ = run(*gate, "history", "--as", "sam", "--json")
    assert [p["reason"] for p in json.loads(out)["policies"]] == ["Back", "A forum post", "Asides"]
    assert run("audit", "verify")[0] == 0


def test_what_may_not_be_saved_ends_with_its_code_and_reason(run: Run) -> None:
    save_it = ("policy", "gate", "save", "--reason", "x")
    code, _, err = run(*save_it, "--as", "sam", "--evidence-min", "1.5")
    assert (code, "evidence_min must be a number from 0 to 1" in err) == (2, True)
    code, _, err = run(*save_it, "--as", "sam", "--injection-max", "1")
    assert (code, "instructing the model" in err) == (2, True)
    code, _, err = run(*save_it, "--as", "ada", "--evidence-min", "0.6")
    assert (code, "supervisor" in err) == (1, True)
    code, _, err = run(*save_it, "--as", "sam", "--evidence-min", "0.6", "--replaces", "gatepol_0")
    assert (code, "meanwhile" in err) == (1, True)
    code, _, err = run(*save_it, "--as", "sam", "--again", "gatepol_0")
    assert (code, "gatepol_0" in err) == (1, True)
    assert run("policy", "gate", "save", "--as", "sam")[0] == 2
