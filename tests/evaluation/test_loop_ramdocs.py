"""What counts as stated, as shown and as right, on rows made up here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.evaluation.loop_conflicts import conflict_tally, run_version_conflicts
from core.evaluation.loop_ramdocs import names, outcome_of, run_ramdocs
from core.models.trace import PipelineRun

SHOWN = (
    "Our sources do not agree on this point yet.\n\n"
    "- According to “d0”: “The mill was built in 1835.” [#EVID-0001]\n"
    "- Only “d1” says: “The mill was built in 1935.” [#EVID-0002]"
)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("The mill was built in 1835. [#EVID-0001]", "all correct, clean"),
        ("The mill was built in 1935. [#EVID-0001]", "put-in value stated"),
        ("Built in 1835, or in 1935. [#EVID-0001]", "put-in value stated"),
        (SHOWN, "conflict shown, all correct among it"),
        (SHOWN + "\n\nIt was built in 1935. [#EVID-0002]", "put-in value stated"),
        (SHOWN.replace("1835", "1885"), "conflict shown, none correct"),
        ("About “the mill”: “It was built in 1935.” [#EVID-0002]", "put-in value stated"),
        ("We do not have a confirmed answer.", "none, clean"),
    ],
)
def test_a_value_under_its_source_s_name_is_shown_and_any_other_is_stated(
    answer: str, outcome: str
) -> None:
    assert outcome_of(answer, ["1835"], ["1935"]) == outcome


def test_one_of_two_correct_values_is_not_all() -> None:
    assert outcome_of("It was 1835.", ["1835", "1840"], []) == "some correct, clean"
    assert outcome_of(SHOWN, ["1835", "1840"], ["1935"]) == "conflict shown, some correct among it"


@pytest.mark.parametrize(
    ("text", "value", "named"),
    [
        ("There were 3,559 people.", "3,559 people", True),
        ("It is an American Football stadium", "american football", True),
        ("In Portland , Jamaica .", "Portland, Jamaica", True),
        ("There were 13,559 people.", "3,559 people", False),
        ("A film of 1984", "the film", True),
        ("", "1984", False),
        ("1984", "", False),
    ],
)
def test_a_value_is_named_by_its_words_in_a_row(text: str, value: str, named: bool) -> None:
    assert names(text, value) is named


def rows() -> list[dict[str, Any]]:
    texts = {"d0": "The mill was built in 1835.", "d1": "The mill was built in 1935."}
    passages = [
        {"id": k, "text": v, "label": "correct", "value": v[-5:-1]} for k, v in texts.items()
    ]
    shared = {"query": "When was the mill built?", "passages": passages, "values": ["1835", "1935"]}
    return [
        {"id": "r-1", "gold_answers": ["1835"], "wrong_answers": ["1935"], **shared},
        {"id": "r-2", "gold_answers": ["1935"], "wrong_answers": ["1935"], **shared},
    ]


def answering(text: str, status: str = "answered") -> Any:
    def ask(query: str, passages: Sequence[dict[str, Any]]) -> PipelineRun:
        assert set(passages[0]) == {"id", "text"}  # neither label nor answer
        answer = SimpleNamespace(answer_markdown=text, status=status)
        return cast(PipelineRun, SimpleNamespace(answer=answer))

    return ask


def test_both_halves_and_the_exact_match_are_counted(tmp_path: Path) -> None:
    folder = tmp_path / "ramdocs"
    folder.mkdir()
    lines = "\n".join(json.dumps(row) for row in rows())
    (folder / "ramdocs.jsonl").write_text(lines, encoding="utf-8")

    report = run_ramdocs(tmp_path, ask=answering(SHOWN, "conflicting_evidence"))

    assert [case.held_out for case in report.cases] == [False, True]
    assert [case.good for case in report.cases] == [True, True]
    assert [case.exact for case in report.cases] == [False, True]  # r-2: 1935 is correct too
    figures = {figure.name: figure for figure in report.figures()}
    assert figures["strict exact match"].value == 0.5
    assert figures["strict exact match"].published == 0.326
    assert figures["the same, held-out half"].n == 1
    assert "conflict shown, all correct among it" in report.table()
    assert "held out" in report.table()


def test_an_absent_set_says_so(tmp_path: Path) -> None:
    assert "ramdocs is not in" in run_ramdocs(tmp_path, ask=answering("")).skipped
    assert run_ramdocs(tmp_path, ask=answering("")).figures() == ()
    assert "basecamp_policies is not in" in run_version_conflicts(tmp_path).table()


def test_the_finder_is_tallied_by_rows_and_values() -> None:
    quiet = {"query": "When was the mill built?", "values": ["1835"],
             "passages": [{"id": "a", "text": "The mill was built in 1835."}]}  # fmt: skip
    tally = conflict_tally("made up", [*rows(), quiet])
    assert (tally.flagged, tally.right, tally.real) == (2, 2, 2)
    assert (tally.named, tally.values) == (4, 4)
    assert "precision 100.0 %" in tally.words()


def test_a_changed_paragraph_is_seen_and_a_copy_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "basecamp_policies"
    folder.mkdir()
    old, new = ("Addresses are recycled after 90 days.", "Addresses are recycled after 30 days.")
    changed = {"title": "Cancelling", "old": {"text": old}, "new": {"text": new},
               "values": [["90 days"], ["30 days"]]}  # fmt: skip
    (folder / "changed_values.jsonl").write_text(json.dumps(changed), encoding="utf-8")
    corpus = {"title": "Cancelling", "text": old}
    (folder / "corpus.jsonl").write_text(json.dumps(corpus), encoding="utf-8")

    found = run_version_conflicts(tmp_path)

    assert (found.pairs, found.seen, found.both_named) == (1, 1, 1)
    assert (found.copies, found.false_alarms) == (1, 0)
    assert {figure.met for figure in found.figures()} == {True}
