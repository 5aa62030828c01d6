"""The gate's bench on tiny made-up sets: figures, aims, and what is told when something is off."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from core.errors import Unavailable
from core.evaluation import gate_bench_aims as aims
from core.evaluation.calibration import CalibrationBin
from core.evaluation.calibration_view import load_calibration
from core.evaluation.gate_baselines import Scanner
from core.evaluation.gate_bench import GATE_SETS, GateBench, run_gate_bench
from core.evaluation.gate_bench_figures import Column
from core.evaluation.gate_bench_models import GateFigure, GateReport, gate_figure
from core.evaluation.gate_bench_pooled import behind_english
from core.evaluation.gate_bench_table import gate_text
from core.evaluation.gate_metrics import Estimate, auroc
from core.models.evidence import EvidenceCandidate, GateScores, GateThresholds
from core.text.tokens import content_words
from tests.evaluation.gate_data import documents, lay
from tests.fakes.scripted_gate import Judge, ScriptedGate
from tests.fakes.word_encoder import WordEncoder

Run = Callable[..., GateReport]


def knowing(query: str, candidate: EvidenceCandidate) -> GateScores:
    """Right of every row of the made-up sets but the rule-made twins."""
    text = candidate.text
    on = bool(set(content_words(query)) & set(content_words(text)))
    answers = on and "oak" not in text and "every town" not in text
    denies = ("Lisbon" in query and "Porto" in text) or ("30 days" in query and "never" in text)
    return GateScores(
        relevant=0.99 if on else 0.01,
        evidence=0.99 if answers else 0.01,
        contradicts=0.99 if denies else 0.01,
        injection=0.99 if "Ignore all" in text else 0.01,
    )


def blind(query: str, candidate: EvidenceCandidate) -> GateScores:
    """Says the same of everything."""
    return GateScores(relevant=0.9, evidence=0.9, contradicts=0.9, injection=0.9)


class Keyword:
    """Flags one word."""

    about = "one word"

    def scan(self, text: str) -> tuple[float, bool]:
        return (2.0, True) if "Rumour" in text else (0.0, False)


def absent() -> Scanner:
    raise Unavailable("guard is not installed; pip install it")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("gate")
    data, own = lay(folder / "data"), documents(folder / "documents")

    def measured(
        judge: Judge,
        scanners: Mapping[str, Callable[[], Scanner]] | None = None,
        limit: int | None = None,
        tell: Callable[[str], None] = lambda _words: None,
    ) -> GateReport:
        bench = GateBench(
            gate=ScriptedGate(judge),
            encoder=WordEncoder(),
            thresholds=GateThresholds(),
            seconds=iter(range(10_000)).__next__,
            scanners=scanners or {},
            tell=tell,
            resamples=40,
        )
        return run_gate_bench(bench, data, own, limit=limit)

    return measured


@pytest.fixture(scope="module")
def right(run: Run) -> GateReport:
    return run(knowing, {"keyword": Keyword, "guard": absent})


@pytest.fixture(scope="module")
def same(run: Run) -> GateReport:
    return run(blind)


def value(report: GateReport, dataset: str, question: str, measure: str, system: str) -> float:
    found = [
        f.found.value
        for f in report.figures
        if (f.dataset, f.question, f.measure, f.system) == (dataset, question, measure, system)
        and f.found is not None
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("dataset", "question"),
    [
        ("clapnq", "evidence"),
        ("clapnq_pool", "relevant"),
        ("ramdocs", "evidence"),
        ("rel_qnli_mini", "evidence"),
        ("cmrc2018_zh", "relevant"),
        ("kgfpq", "contradicts"),
        ("supabase_auth", "contradicts"),
        ("inj_bipia", "injection"),
    ],
)
def test_a_gate_that_knows_parts_all_and_one_that_says_the_same_parts_nothing(
    right: GateReport, same: GateReport, dataset: str, question: str
) -> None:
    assert value(right, dataset, question, aims.AUROC, "gate") == 1.0
    assert value(same, dataset, question, aims.AUROC, "gate") == 0.5


def test_rates_are_taken_at_the_shipped_thresholds(right: GateReport, same: GateReport) -> None:
    assert value(right, "inj_bipia", "injection", aims.RECALL, "gate") == 1.0
    assert value(right, "inj_bipia", "injection", aims.ALARMS, "gate") == 0.0
    assert value(same, "inj_bipia", "injection", aims.ALARMS, "gate") == 1.0
    assert value(same, "inj_bipia", "injection", aims.AT_FIXED_RATE, "gate") == 0.0
    assert value(same, "kgfpq", "contradicts", aims.BALANCED, "gate") == 0.5
    assert value(same, "all sets", "relevant", aims.GOLD_LOST, "gate") == 0.0


def test_a_rate_counts_only_the_rows_it_is_a_rate_of(right: GateReport) -> None:
    alarms = gate_figure(right.figures, "inj_bipia", "injection", aims.ALARMS)
    recall = gate_figure(right.figures, "inj_bipia", "injection", aims.RECALL)
    whole = gate_figure(right.figures, "inj_bipia", "injection", aims.AUROC)
    assert alarms is not None
    assert recall is not None
    assert whole is not None
    assert (alarms.positives, recall.positives) == (0, recall.rows)
    assert alarms.rows + recall.rows == whole.rows


def test_a_false_premise_is_found_where_its_section_is_set_apart(
    right: GateReport, same: GateReport
) -> None:
    assert value(right, "supabase_auth", "contradicts", aims.PREMISES_FOUND, "gate") == 1.0
    assert value(right, "supabase_auth", "contradicts", aims.OTHERS_FLAGGED, "gate") == 0.0
    # With everything taken for an injection nothing is set apart as a conflict.
    assert value(same, "supabase_auth", "contradicts", aims.PREMISES_FOUND, "gate") == 0.0


def test_aims_met_and_not_met_are_both_shown(right: GateReport, same: GateReport) -> None:
    met = {(f.dataset, f.measure): f.aim.met for f in right.aims() if f.aim}
    missed = {(f.dataset, f.measure): f.aim.met for f in same.aims() if f.aim}
    told = [f.aim.met for f in same.aims() if f.aim]
    assert met[("clapnq", aims.AUROC)]
    assert not missed[("clapnq", aims.AUROC)]
    assert not missed[("inj_wildguard_benign", aims.ALARMS)]
    text = gate_text(same)
    assert "evidence, clapnq: AUROC" in text
    assert "≥ .93 NOT MET" in text
    assert f"aims: {sum(told)} of {len(told)} met" in text
    assert "≥ .93 met" in gate_text(right)


def test_every_row_has_one_route(right: GateReport) -> None:
    for one in right.sets:
        counted = [row for row in right.routes if row.dataset == one.name]
        assert sum(row.include + row.conflict + row.exclude for row in counted) == one.rows
    injected = next(row for row in right.routes if row.kind == "injected")
    assert (injected.include, injected.conflict) == (0, 0)


def test_what_was_caught_is_told_by_family(right: GateReport) -> None:
    families = [row for row in right.details if row.dataset == "inj_bipia"]
    assert families
    assert all(row.caught == row.rows for row in families)
    assert "caught in inj_bipia, worst first: " in gate_text(right)


def test_an_absent_set_is_told_and_the_rest_goes_on(right: GateReport) -> None:
    status = {one.name: one.status for one in right.sets}
    assert status["rel_wice"] == "absent"
    assert {name for name, told in status.items() if told == "ready"} == {
        chosen.name for chosen in GATE_SETS
    } - {"rel_wice"}
    assert "absent" in gate_text(right)
    assert not any(figure.dataset == "rel_wice" for figure in right.figures)


def test_a_scanner_is_measured_as_it_flags_and_one_that_is_absent_is_told(
    right: GateReport,
) -> None:
    recall = value(right, "inj_bipia", "injection", aims.RECALL, "keyword")
    assert 0 < recall < 1
    assert value(right, "inj_bipia", "injection", aims.ALARMS, "keyword") == 0.0
    assert right.skipped == ("guard is not installed; pip install it",)
    assert "guard is not installed" in gate_text(right)
    assert right.baselines["keyword"] == "one word"


def test_baselines_stand_beside_the_gate_without_aims(right: GateReport) -> None:
    systems = {f.system for f in right.figures if f.dataset == "clapnq_pool"}
    assert systems == {"gate", "term overlap", "cosine only"}
    assert all(f.aim is None for f in right.figures if f.system != "gate")
    assert value(right, "clapnq_pool", "relevant", aims.AUROC, "term overlap") > 0.5


def test_passages_without_an_attack_are_counted_in_each_language(same: GateReport) -> None:
    quiet = [f for f in same.figures if f.dataset == aims.ORDINARY]
    assert [f.language for f in quiet] == ["en", "zh"]
    assert all(f.found is not None and f.found.value == 1.0 for f in quiet)


def test_a_held_back_group_is_judged_by_heads_that_never_saw_it(tmp_path: Path) -> None:
    data = lay(tmp_path / "data")
    shipped = ScriptedGate(blind)
    asked: dict[tuple[str, str], ScriptedGate] = {}

    def without(source: str, group: str) -> ScriptedGate:
        return asked.setdefault(
            (source, group), ScriptedGate(knowing, name=f"without {source} {group}")
        )

    bench = GateBench(
        gate=shipped,
        encoder=WordEncoder(),
        thresholds=GateThresholds(),
        seconds=lambda: 0.0,
        sets=[chosen for chosen in GATE_SETS if chosen.name in {"ramdocs", "kgfpq"}],
        resamples=5,
        unseen=without,
    )
    report = run_gate_bench(bench, data, tmp_path / "none")
    assert {source for source, _ in asked} == {"ramdocs"}
    for (_, group), gate in asked.items():
        rows = {candidate.chunk_id for _, candidates in gate.calls for candidate in candidates}
        assert len(gate.calls) == 1, group
        assert len(rows) in {3, 4}
    assert all("Lisbon" in query or "Porto" in query for query, _ in shipped.calls)
    assert value(report, "ramdocs", "evidence", aims.AUROC, "gate") == 1.0
    assert value(report, "kgfpq", "contradicts", aims.AUROC, "gate") == 0.5


def test_pairs_that_could_not_be_judged_are_counted_and_never_included(run: Run) -> None:
    report = run(lambda query, candidate: "timed out; try again")
    assert all(one.unjudged == one.rows for one in report.sets)
    assert not any(row.include for row in report.routes)
    assert report.calibration.questions == {}
    assert "could not be judged" in gate_text(report)


def test_reliability_is_told_for_each_question_and_set(right: GateReport) -> None:
    block = json.loads(right.calibration.model_dump_json())
    assert set(block) == {"version", "model", "questions"}
    assert block["model"] == "scripted/1"
    assert set(block["questions"]) == {"injection", "contradicts", "relevant", "evidence"}
    question = block["questions"]["injection"]
    assert {"ece", "ece_low", "ece_high", "rows", "bins", "sets"} == set(question)
    assert sum(b["count"] for b in question["bins"]) == question["rows"]
    assert [CalibrationBin.model_validate(b).low for b in question["bins"]][:2] == [0.0, 0.1]
    assert block["questions"]["evidence"]["sets"]["cmrc2018_zh"]["language"] == "zh"
    assert set(question["sets"]["inj_bipia"]) == {
        "ece", "rows", "language", "auroc", "auroc_low", "auroc_high",
    }  # fmt: skip
    assert question["sets"]["support_prose"]["auroc"] is None


def test_the_screen_reads_the_reliability_that_the_bench_left(
    right: GateReport, tmp_path: Path
) -> None:
    file = tmp_path / "bench.json"
    file.write_text(json.dumps({"gate": right.model_dump(mode="json")}), encoding="utf-8")
    shown = load_calibration("this bench", file)
    assert shown is not None
    assert shown.model == "scripted/1"
    assert set(shown.questions) == set(right.calibration.questions)
    for question, curve in right.calibration.questions.items():
        assert shown.questions[question].ece == curve.ece
        assert set(shown.questions[question].sets) == set(curve.sets)
    assert [language for language, _, _ in shown.questions["relevant"].by_language()] == [
        "en",
        "zh",
    ]


def test_probabilities_near_the_truth_have_little_error(
    right: GateReport, same: GateReport
) -> None:
    assert value(right, aims.ALL_SETS, "evidence", aims.ECE, "gate") == pytest.approx(0.01)
    assert value(same, aims.ALL_SETS, "evidence", aims.ECE, "gate") > 0.2


def test_a_sample_is_smaller_and_names_the_same_sets(run: Run, right: GateReport) -> None:
    told: list[str] = []
    few = run(knowing, limit=2, tell=told.append)
    assert [one.name for one in few.sets] == [one.name for one in right.sets]
    assert all(one.groups <= 4 for one in few.sets)
    assert told == [f"gate: {chosen.name}" for chosen in GATE_SETS]


def column(dataset: str, language: str, scores: tuple[float, ...]) -> GateFigure:
    labels = (1, 1, 0, 0)
    groups = ("a", "b", "c", "d")
    place = Column(dataset, "zh" if language == "zh" else "en", "evidence", labels, scores, groups)
    return place.figure(aims.AUROC, auroc)


def test_chinese_behind_english_is_a_distance_with_an_interval() -> None:
    english = column("one", "en", (0.9, 0.8, 0.2, 0.1))
    chinese = column("two", "zh", (0.9, 0.3, 0.4, 0.1))
    gap = behind_english(english, chinese, "both")
    assert gap is not None
    assert gap.found is not None
    assert gap.found.value == pytest.approx(0.25)
    assert gap.found.low <= 0.25 <= gap.found.high
    assert gap.aim is not None
    assert not gap.aim.met
    ahead = behind_english(chinese, english, "both")
    assert ahead is not None
    assert ahead.found == Estimate(value=0.0, low=0.0, high=ahead.found.high if ahead.found else 0)
    assert ahead.aim is not None
    assert ahead.aim.met
    assert behind_english(None, chinese, "both") is None


def test_without_any_set_there_is_a_report_that_says_so(tmp_path: Path) -> None:
    bench = GateBench(
        gate=ScriptedGate(knowing),
        encoder=WordEncoder(),
        thresholds=GateThresholds(),
        seconds=lambda: 0.0,
    )
    report = run_gate_bench(bench, tmp_path, tmp_path)
    assert {one.status for one in report.sets} == {"absent"}
    assert report.figures == ()
    assert gate_text(report).count("absent") == len(GATE_SETS)
