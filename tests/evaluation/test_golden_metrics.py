"""Each measure moves when, and only when, the thing it measures does."""

from __future__ import annotations

from datetime import date

import pytest

from core.evaluation.golden_metrics import group_by, measure, percentile, summarise
from core.models.compliance import FreshnessWarning
from core.models.evidence import EvidenceCandidate
from tests.evaluation.builders import DAY, a_candidate, a_row, a_run

OTHERS = tuple(a_candidate(f"other-{n}") for n in range(5))


def test_a_right_answer_passes() -> None:
    result = measure(a_row(), a_run(), 120.0)
    assert result.passed
    assert (result.recall_at_5, result.reciprocal_rank, result.facts_present) == (1, 1, 1)
    assert (result.citation_coverage, result.citation_precision, result.stale) == (1, 1, False)


def test_another_status_counts_only_when_the_row_accepts_it() -> None:
    run = a_run(status="conflicting_evidence")
    strict = a_row()
    lenient = a_row(acceptable_statuses=("answered", "conflicting_evidence"))
    assert not measure(strict, run, 1).status_ok
    assert measure(lenient, run, 1).status_ok


def test_a_missing_fact_and_a_forbidden_one_are_named() -> None:
    result = measure(a_row(), a_run(text="Holiday purchases: 60 days. [#EVID-0001]"), 1)
    assert result.missing_facts == ("30 days",)
    assert result.forbidden_found == ("60 days",)
    assert not result.passed


@pytest.mark.parametrize(
    "text",
    ["within **30 days** of it", "within 30\u00a0days", "Within 30\ndays", "WITHIN 30 DAYS"],
)
def test_facts_are_compared_without_regard_to_case_emphasis_and_spacing(text: str) -> None:
    assert measure(a_row(), a_run(text=text), 1).missing_facts == ()


def test_a_marker_is_no_part_of_the_text() -> None:
    row = a_row(forbidden_facts=("EVID",))
    assert measure(row, a_run(), 1).forbidden_found == ()


def test_rank_counts_documents_not_passages() -> None:
    same = a_candidate("other-0")
    run = a_run(same, same.model_copy(update={"chunk_id": "other-0#1"}), a_candidate())
    assert measure(a_row(), run, 1).reciprocal_rank == pytest.approx(1 / 2)


def test_a_gold_source_at_rank_six_is_no_recall_at_five() -> None:
    result = measure(a_row(), a_run(*OTHERS, a_candidate()), 1)
    assert result.recall_at_5 == 0
    assert result.reciprocal_rank == pytest.approx(1 / 6)


def test_a_row_without_gold_sources_has_no_retrieval_measure() -> None:
    result = measure(a_row(gold_sources=()), a_run(), 1)
    assert result.recall_at_5 is result.reciprocal_rank is result.citation_precision is None


def test_a_cited_document_that_is_not_gold_lowers_precision() -> None:
    run = a_run(a_candidate(), OTHERS[0], cite=("EVID-0001", "EVID-0002"))
    assert measure(a_row(), run, 1).citation_precision == pytest.approx(1 / 2)


def test_a_quote_that_is_not_in_the_passage_is_a_wrong_citation() -> None:
    assert measure(a_row(), a_run(quote="within 45 days"), 1).wrong_citations == 1


def test_an_unknown_evidence_id_is_a_wrong_citation() -> None:
    assert measure(a_row(), a_run(cite=("EVID-0099",)), 1).wrong_citations == 1


@pytest.mark.parametrize("support", ["unsupported", "contradicted"])
def test_a_citation_its_evidence_does_not_bear_is_wrong(support: str) -> None:
    run = a_run(support=support)  # type: ignore[arg-type]
    assert measure(a_row(), run, 1).wrong_citations == 1


def test_an_uncited_sentence_is_counted_and_fails_the_row() -> None:
    result = measure(a_row(), a_run(uncited=1), 1)
    assert result.missing_citations == 1
    assert result.citation_coverage == pytest.approx(1 / 2)
    assert not result.passed


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "superseded", "valid_to": date(2026, 6, 1), "valid_from": date(2025, 1, 1)},
        {"valid_to": DAY},
        {"valid_from": date(2027, 1, 1)},
        {"status": "draft"},
        {"last_reviewed": date(2026, 1, 1)},
    ],
)
def test_leaning_on_a_version_out_of_force_or_unflagged_is_stale(
    changes: dict[str, object],
) -> None:
    leaned_on = EvidenceCandidate.model_validate({**a_candidate().model_dump(), **changes})
    assert measure(a_row(), a_run(leaned_on), 1).stale is True


def test_a_source_past_review_is_not_stale_once_the_reader_is_warned() -> None:
    run = a_run(a_candidate(last_reviewed=date(2026, 1, 1)))
    warning = FreshnessWarning(
        evidence_id="EVID-0001",
        source_id="returns",
        document_id="returns-4.2",
        title="Returns policy",
        state="stale",
        message="past its review date",
    )
    assert measure(a_row(), run.model_copy(update={"freshness": (warning,)}), 1).stale is False


def test_a_superseded_version_is_not_stale_for_a_day_it_was_in_force() -> None:
    past = a_candidate(status="superseded", valid_from=date(2024, 11, 1), valid_to=date(2025, 6, 1),
                       last_reviewed=date(2024, 11, 1))  # fmt: skip
    run = a_run(past)
    assert run.plan is not None
    then = run.plan.temporal.model_copy(update={"effective_policy_date": date(2024, 12, 10)})
    asked_then = run.model_copy(update={"plan": run.plan.model_copy(update={"temporal": then})})
    assert measure(a_row(), run, 1).stale is True
    assert measure(a_row(), asked_then, 1).stale is False


def test_a_refusal_has_no_citation_to_be_stale_or_wrong() -> None:
    row = a_row(expected_status="refused", required_facts=(), gold_sources=())
    result = measure(row, a_run(text="We cannot help with that.", status="refused", cite=()), 1)
    assert result.passed
    assert result.stale is result.citation_coverage is None


def test_a_broken_stage_never_passes() -> None:
    assert not measure(a_row(), a_run(failure="stage 'gate' failed"), 1).passed


def test_means_leave_out_rows_a_measure_does_not_apply_to() -> None:
    found = measure(a_row(), a_run(), 10)
    without = measure(a_row(gold_sources=(), required_facts=()), a_run(), 30)
    summary = summarise("all", [found, without])
    assert (summary.recall_at_5, summary.facts_present, summary.rows) == (1, 1, 2)
    assert (summary.p50_ms, summary.p95_ms) == (10, 30)


def test_groups_keep_the_given_order_and_drop_empty_ones() -> None:
    results = [
        measure(a_row(difficulty_level=level), a_run(), 1) for level in ("HARD", "EASY", "HARD")
    ]
    groups = group_by(results, lambda r: r.difficulty_level, ("EASY", "MEDIUM", "HARD"))
    assert [(g.name, g.rows) for g in groups] == [("EASY", 1), ("HARD", 2)]


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, 0), ([7], 0.95, 7), ([1, 2, 3, 4], 0.5, 2), (list(range(1, 101)), 0.95, 95)],
)
def test_percentiles_are_nearest_rank(values: list[float], share: float, expected: float) -> None:
    assert percentile(values, share) == expected


def test_citation_faults_are_rates_over_the_answers_they_can_befall() -> None:
    refused = a_run(status="insufficient_evidence", text="No source says.", cite=())
    results = [
        measure(a_row(), run, 1)
        for run in (a_run(), a_run(quote="nowhere"), a_run(uncited=2), refused)
    ]
    found = summarise("all", results)
    assert found.wrong_citation_rate == pytest.approx(1 / 3)
    assert found.missing_citation_rate == pytest.approx(1 / 3)
    silent = summarise("refused", results[3:])
    assert (silent.wrong_citation_rate, silent.missing_citation_rate) == (None, None)
