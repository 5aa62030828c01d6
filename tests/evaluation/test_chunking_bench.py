"""Ways of cutting are compared on the same sets; what is absent is skipped and named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.evaluation.chunkers import as_passages, by_meaning, fixed, recursive
from core.evaluation.chunking_bench import ChunkingReport, run_chunking_bench
from core.evaluation.chunking_sets import load_long_set
from core.sources.measure import size
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.word_encoder import WordEncoder
from tests.sources.builders import a_version

SENTENCE = "Coats may be returned within thirty days when their tags are still on them. "
TEXTS = st.lists(
    st.sampled_from(
        [
            SENTENCE,
            SENTENCE * 30,
            "\n\n",
            "\n",
            "大衣可以在三十天内退货。" * 40,
            "x" * 900,
            "a b c ",
        ]
    ),
    max_size=6,
).map("".join)


@given(text=TEXTS)
@settings(deadline=None)
def test_every_rival_keeps_every_word_and_its_length(text: str) -> None:
    words = len(text.split())
    for spans in (fixed(text), recursive(text), by_meaning(text, WordEncoder())):
        covered = bytearray(len(text))
        for start, end in spans:
            assert 0 <= start < end <= len(text)
            covered[start:end] = b"1" * (end - start)
        left = "".join(c for c, done in zip(text, covered, strict=True) if not done)
        assert left.strip() == ""
        assert bool(spans) == bool(words)
    for spans in (fixed(text), recursive(text)):
        assert all(size(text[start:end]) <= 240 for start, end in spans)


def test_windows_overlap_by_a_seventh() -> None:
    text = " ".join(f"w{n}" for n in range(600))
    spans = fixed(text)
    assert [len(text[a:b].split()) for a, b in spans] == [220, 220, 220, 39]
    assert text[spans[1][0] : spans[0][1]].split()[0] == "w187"


def test_paragraphs_are_kept_where_they_fit() -> None:
    text = f"{SENTENCE * 12}\n\n{SENTENCE * 11}"
    assert [text[a:b].strip() for a, b in recursive(text)] == [
        (SENTENCE * 12).strip(),
        (SENTENCE * 11).strip(),
    ]


def test_meaning_is_cut_where_the_subject_changes() -> None:
    coats = "Coats come back with tags. Coats come back unworn. Coats come back boxed. "
    cards = "Gift vouchers never expire anywhere. Gift vouchers never expire online. "
    text = coats * 2 + cards * 2
    cuts = [start for start, _ in by_meaning(text, WordEncoder())][1:]
    assert any(abs(cut - len(coats) * 2) <= 40 for cut in cuts)


def test_rivals_say_nothing_but_the_title_beside_a_passage() -> None:
    version = a_version(f"# Coats\n\n{SENTENCE * 3}\n\n---\n", title="Returns")
    (passage,) = as_passages(version, [(0, len(version.text))])
    assert (passage.context, passage.heading_path) == ("Returns", ())
    assert version.text[passage.char_start : passage.char_end] == passage.text


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A small stand-in for two of the sets, in their formats."""
    _write(
        tmp_path / "basecamp_policies" / "corpus.jsonl",
        [
            {"id": "refund.md", "title": "Refunds", "text": f"# Refunds\n\n{SENTENCE * 20}"},
            {"id": "cards.md", "title": "Cards", "text": "# Cards\n\nGift vouchers never expire."},
        ],
    )
    passages = [
        {"id": f"p{n}", "title": f"T{n}", "text": f"Subject {n}. {SENTENCE}"} for n in range(8)
    ]
    tasks = [
        {
            "id": f"t{n}",
            "query": f"What of subject {n}?",
            "passages": [passages[n]],
            "support_sentences": [f"Subject {n}."],
            "answerable": n != 7,
            "gold_ids": [f"p{n}"],
        }
        for n in range(8)
    ]
    _write(tmp_path / "clapnq" / "clapnq.jsonl", list(tasks))
    _write(
        tmp_path / "questions.jsonl",
        [
            {
                "set": "basecamp_policies",
                "query": "Do gift vouchers expire?",
                "gold_ids": ["cards.md"],
                "answer": ["never expire"],
            }
        ],
    )
    return tmp_path


def run(data: Path, *sets: str) -> ChunkingReport:
    return run_chunking_bench(
        data,
        WordEncoder(),
        lambda _: MemoryIndex(),
        questions=data / "questions.jsonl",
        clock=FixedClock(),
        sets=sets,
    )


def test_every_way_is_measured_on_every_set(data: Path) -> None:
    report = run(data, "basecamp_policies", "clapnq", "cmrc2018_zh")
    assert [(row.dataset, row.chunker) for row in report.rows] == [
        (name, way)
        for name in ("basecamp_policies", "clapnq")
        for way in ("structure", "fixed", "recursive", "semantic")
    ]
    assert report.skipped == (f"cmrc2018_zh is not in {data}",)
    ours = report.rows[0]
    assert (ours.documents, ours.queries, ours.recall_at_5, ours.ndcg_at_10) == (2, 1, 1.0, 1.0)
    assert (ours.answer_at_5, ours.answer_in_budget) == (1.0, 1.0)
    assert report.rows[1].index_share > 1.0  # windows overlap
    assert len(report.table().splitlines()) == 1 + len(report.rows) + 1


def test_short_passages_are_joined_into_long_documents(data: Path) -> None:
    found = load_long_set(data, "clapnq", data / "questions.jsonl")
    assert found is not None
    assert list(found.texts) == ["joined-0000", "joined-0001"]
    assert "Subject 0." in found.texts["joined-0000"][1]
    assert [asked.gold for asked in found.questions] == ["joined-0000"] * 6 + ["joined-0001"]


def test_an_answer_counts_only_in_its_own_document(data: Path) -> None:
    questions = data / "questions.jsonl"
    row = json.loads(questions.read_text())
    _write(questions, [row | {"answer": ["Coats may be returned"]}])
    (ours, *_) = run(data, "basecamp_policies").rows
    assert ours.answer_at_5 == 0.0
