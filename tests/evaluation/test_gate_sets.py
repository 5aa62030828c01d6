"""Only rows the gate was never fitted on are measured, each with what its set says of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.evaluation.gate_sets import GateRow, GateSet, Sources, load_gate_set, paragraphs
from core.evaluation.gate_sets_planted import FORMS, LINES, PLANTED_SETS
from core.evaluation.gate_sets_questions import QUESTION_SETS
from core.evaluation.gate_sets_risks import RISK_SETS
from core.evaluation.gate_split import held_back, injection_fold
from core.evaluation.premise_passages import PASSAGE, body, cut, measures
from tests.evaluation.gate_data import THINGS, documents, lay, write

ALL = {chosen.name: chosen for chosen in (*QUESTION_SETS, *RISK_SETS, *PLANTED_SETS)}
Load = Callable[..., GateSet]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    data, own = lay(tmp_path / "data"), documents(tmp_path / "documents")

    def loaded(name: str, limit: int | None = None) -> GateSet:
        return load_gate_set(ALL[name], Sources(data, own, limit))

    return loaded


def blocks(row: GateRow) -> set[str]:
    return {block.strip() for block in row.text.split("\n\n")}


def groups(rows: tuple[GateRow, ...]) -> set[str]:
    return {row.group for row in rows}


@pytest.mark.parametrize(
    ("name", "source", "names"),
    [
        ("clapnq", "clapnq", [f"c{at}" for at in range(len(THINGS))]),
        ("rel_qnli_mini", "qnli", [str(at) for at in range(len(THINGS))]),
        ("ramdocs", "ramdocs", [f"r{at}" for at in range(len(THINGS))]),
        ("kgfpq", "kgfpq", [f"k{at}" for at in range(len(THINGS))]),
        ("inj_wildguard_benign", "wildguard", [str(at) for at in range(len(THINGS))]),
    ],
)
def test_a_set_holds_exactly_its_held_back_groups(
    load: Load, name: str, source: str, names: list[str]
) -> None:
    held = {group for group in names if held_back(source, group)}
    assert held
    assert groups(load(name).rows) == held


def test_injected_documents_and_families_were_not_fitted_on(load: Load) -> None:
    rows = load("inj_bipia").rows
    assert {row.injection for row in rows} == {0, 1}
    assert all(injection_fold(row.detail, row.group) == "held_back" for row in rows)
    assert all(bool(row.detail) == (row.kind == "injected") for row in rows)


def test_an_own_passage_is_evidence_only_where_the_question_is_answerable(load: Load) -> None:
    rows = load("clapnq").rows
    assert {row.evidence for row in rows} == {0, 1}
    assert all(row.relevant == 1 and row.gold == bool(row.evidence) for row in rows)
    assert all(("pounds" in row.text) == bool(row.evidence) for row in rows)


@pytest.mark.parametrize(("name", "language"), [("clapnq_pool", "en"), ("cmrc2018_zh", "zh")])
def test_a_question_stands_beside_its_own_passage_two_near_and_a_random_one(
    load: Load, name: str, language: str
) -> None:
    loaded = load(name)
    assert loaded.language == language
    for group in groups(loaded.rows):
        rows = [row for row in loaded.rows if row.group == group]
        assert [row.kind for row in rows] == ["own", "near", "near", "random"]
        assert [row.relevant for row in rows] == [1, 0, 0, 0]
        assert len({row.title for row in rows}) == 4
        assert rows[0].gold
        assert not any(row.gold for row in rows[1:])


def test_noise_of_the_right_question_is_neither_on_nor_off_its_subject(load: Load) -> None:
    rows = load("ramdocs").rows
    assert {row.relevant for row in rows if row.kind == "noise"} == {None}
    assert {row.evidence for row in rows if row.kind == "noise"} == {0}
    assert {row.relevant for row in rows if row.kind == "states a value"} == {1}


def test_a_partly_answerable_task_says_nothing_of_evidence(load: Load) -> None:
    rows = load("mtrag_human_eval").rows
    assert {row.kind for row in rows} <= {"unanswerable", "partial", "other"}
    assert {row.evidence for row in rows if row.kind == "partial"} <= {None}
    assert {row.evidence for row in rows if row.kind == "unanswerable"} <= {0}


def test_only_the_section_that_denies_a_premise_is_labelled_for_it(load: Load) -> None:
    rows = load("supabase_auth").rows
    assert [row.contradicts for row in rows if row.group == "s0"] == [1, None]
    assert [row.contradicts for row in rows if row.group == "s1"] == [0, 0]
    assert rows[0].title == "Keys"
    assert rows[0].heading == ("How long",)
    assert [row.gold for row in rows] == [True, False, True, False]


@pytest.mark.parametrize(("name", "language"), [("premises_en", "en"), ("premises_zh", "zh")])
def test_twins_of_a_premise_come_from_passages_that_were_held_back(
    load: Load, name: str, language: str
) -> None:
    rows = load(name).rows
    assert rows
    assert all(row.language == language and measures(row.text) for row in rows)
    assert sum(row.contradicts or 0 for row in rows) * 2 == len(rows)


@pytest.mark.parametrize(("name", "language"), [("inj_planted_en", "en"), ("inj_planted_zh", "zh")])
def test_a_planted_line_stands_in_prose_that_is_measured_clean_too(
    load: Load, name: str, language: str
) -> None:
    rows = load(name).rows
    clean, injected = rows[::2], rows[1::2]
    assert len(clean) == len(injected) > 0
    for one, other in zip(clean, injected, strict=True):
        assert (one.injection, other.injection) == (0, 1)
        assert (one.group, one.query) == (other.group, other.query)
        assert blocks(one) < blocks(other)
        assert other.detail in FORMS
        assert one.language == language


def test_every_form_keeps_its_line_or_hides_it_whole() -> None:
    line = LINES["en"][0]
    hides = {"invisible characters", "encoded", "tag characters"}
    for name, form in FORMS.items():
        assert form(line)
        assert (line in form(line)) == (name not in hides)
    hidden = FORMS["tag characters"](line)
    assert "".join(chr(ord(char) - 0xE0000) for char in hidden) == line
    assert len(LINES["en"]) == len(LINES["zh"])


def test_passages_for_premises_are_whole_paragraphs_up_to_a_size() -> None:
    text = "\n\n".join(f"{number} " + "word " * 60 for number in range(12))
    passages = cut(text)
    assert "\n\n".join(passages).split() == text.split()
    assert all(len(passage) <= PASSAGE for passage in passages)
    assert len(passages) > 2
    assert cut("") == []
    assert (
        body("---\nowner: ana\n---\n# Coats\n\nBack in 14 days.") == "# Coats\n\nBack in 14 days."
    )
    assert body("# Coats --- and more") == "# Coats --- and more"
    assert 0.25 < sum(measures(f"passage {number}") for number in range(900)) / 900 < 0.42


def test_sets_whose_other_rows_are_fitted_on_name_what_they_are_fitted_as(load: Load) -> None:
    named = {name for name in ALL if load(name).fitted_as}
    assert named == {chosen.name for chosen in QUESTION_SETS}
    assert load("clapnq_pool").fitted_as == load("clapnq").fitted_as == "clapnq"


def test_a_sample_keeps_whole_groups_and_is_the_same_each_time(load: Load) -> None:
    whole, few = load("inj_bipia"), load("inj_bipia", 2)
    assert len(groups(few.rows)) == 2
    assert few == load("inj_bipia", 2)
    kept = [row for row in whole.rows if row.group in groups(few.rows)]
    assert list(few.rows) == kept
    assert len(groups(load("cmrc2018_zh", 2).rows)) == 2


def test_an_absent_set_says_so(load: Load, tmp_path: Path) -> None:
    assert load("rel_wice").status == "absent"
    assert load("rel_wice").rows == ()
    empty = Sources(tmp_path / "nowhere", tmp_path / "nowhere")
    assert {load_gate_set(chosen, empty).status for chosen in ALL.values()} == {"absent"}


def test_a_broken_file_is_told_by_its_line_and_a_lacking_field_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, "kgfpq/kgfpq_paired.jsonl", [{"pair_id": str(at)} for at in range(20)])
    (tmp_path / "rel_wice").mkdir()
    (tmp_path / "rel_wice" / "rel_wice.jsonl").write_text('{"id": "1"}\n{broken\n')
    (tmp_path / "ramdocs").mkdir()
    (tmp_path / "ramdocs" / "ramdocs.jsonl").write_text("[]\n")
    sources = Sources(tmp_path, tmp_path)
    assert "lacks 'premise_false'" in load_gate_set(ALL["kgfpq"], sources).status
    assert "rel_wice.jsonl, line 2" in load_gate_set(ALL["rel_wice"], sources).status
    assert "line 1 is no object" in load_gate_set(ALL["ramdocs"], sources).status


def test_prose_is_cut_into_pieces_of_whole_paragraphs() -> None:
    assert paragraphs("a\n\nb\n\n\n\nc\n\nd\n\ne") == ["a\n\nb\n\nc\n\nd", "e"]
    assert paragraphs(" \n\n") == []
