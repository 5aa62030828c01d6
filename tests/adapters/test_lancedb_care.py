"""Upkeep of the index: state, recall, old versions, tags, erasing for good."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from core.adapters.lancedb_care import clean_up, contents, erase, status
from core.adapters.lancedb_index import LanceIndex
from core.adapters.lancedb_lock import rebuild_lock
from core.adapters.lancedb_recall import check_recall, last_recall
from core.errors import BadInput, Conflicted, IndexMismatch, NotFound
from tests.contracts.passage_index import COAT, found, put
from tests.fakes.word_encoder import WordEncoder
from tests.sources.builders import a_plan, passages

NONE_IN_FLIGHT = timedelta(milliseconds=1)
LATER = datetime.now(UTC) + timedelta(days=30)
SECRET = "The secret zanzibar clause allows ninety days."


def opened(folder: Path, **more: int) -> LanceIndex:
    return LanceIndex(folder, WordEncoder(dimension=16), chunker="test-1", **more)


@pytest.fixture
def index(tmp_path: Path) -> LanceIndex:
    return opened(tmp_path)


def everything_under(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_the_state_names_rows_versions_and_what_built_it(index: LanceIndex) -> None:
    put(index, COAT, "a")
    put(index, COAT, "b")
    now = status(index)
    assert (now.passages, now.documents, now.unindexed, now.version) == (2, 2, 2, index.version())
    assert now.built_by["encoder"] == "words/1"
    assert now.bytes_on_disk > 0
    assert {part.column for part in now.parts} >= {"search_text", "tenant_id", "vector_key"}
    index.fold()
    assert status(index).unindexed == 0


def test_a_small_table_is_folded_at_once_and_a_large_one_when_it_is_worth_it(
    index: LanceIndex,
) -> None:
    put(index, COAT, "a")
    index.finish()
    assert status(index).unindexed == 0
    many = [
        (f"d{n}", passages(f"Rule {n} about coats.", document_id=f"d{n}")) for n in range(5_001)
    ]
    index.replace_documents(many)
    index.finish()
    version = index.version()
    put(index, COAT, "b")
    index.finish()
    assert status(index).unindexed == 1
    assert int(index.version()) == int(version) + 1
    assert found(index, "purchase", mode="lexical") == ["a", "b"]


def test_without_a_word_all_versions_that_answers_need_stay(index: LanceIndex) -> None:
    put(index, COAT, "a")
    needed = index.version()
    put(index, COAT, "b")
    cleaned = clean_up(index, now=LATER, answers={needed: 2, "garbage": 1})
    assert cleaned.because == "the oldest stored answer was given on it"
    assert cleaned.answers_unreplayable == 1
    assert index.as_of(needed).count() == 1
    cleaned = clean_up(index, now=LATER, answers={}, in_flight=NONE_IN_FLIGHT)
    assert cleaned.versions_removed > 1
    assert index.count() == 2
    with pytest.raises(NotFound):
        index.as_of(needed)


def test_the_last_week_stays_whatever_was_answered(index: LanceIndex) -> None:
    put(index, COAT, "a")
    cleaned = clean_up(index, now=datetime.now(UTC), answers={})
    assert (cleaned.versions_removed, cleaned.because) == (0, "the last seven days always stay")
    assert index.as_of("1").count() == 0


def test_days_are_a_clear_choice_and_its_cost_is_told(index: LanceIndex) -> None:
    put(index, COAT, "a")
    needed = index.version()
    put(index, COAT, "b")
    last_minute = clean_up(index, now=LATER, answers={needed: 3}, keep_days=0)
    assert (last_minute.versions_removed, last_minute.answers_unreplayable) == (0, 0)
    cleaned = clean_up(index, now=LATER, answers={needed: 3}, keep_days=0, in_flight=NONE_IN_FLIGHT)
    assert cleaned.answers_unreplayable == 3
    with pytest.raises(NotFound, match="not kept"):
        index.as_of(needed)
    assert index.count() == 2
    with pytest.raises(BadInput):
        clean_up(index, now=LATER, answers={}, keep_days=-1)


def test_a_tag_holds_its_version_and_all_since(index: LanceIndex) -> None:
    put(index, COAT, "a")
    held = index.version()
    index.table().table.tags.create("audit-2026", int(held))
    put(index, COAT, "b")
    cleaned = clean_up(index, now=LATER, answers={}, keep_days=0)
    assert cleaned.because == "a tag holds it"
    assert index.as_of(held).count() == 1
    assert status(index).tags == {"audit-2026": held}


def test_an_older_table_goes_once_no_answer_needs_it(index: LanceIndex, tmp_path: Path) -> None:
    put(index, COAT, "a")
    needed = index.version()
    fresh = LanceIndex.beside(tmp_path, WordEncoder(dimension=16), chunker="test-1")
    put(fresh, COAT, "a")
    fresh.take_over()
    assert [other.number for other in status(index).others] == [1]
    assert clean_up(index, now=LATER, answers={needed: 1}).tables_removed == ()
    assert index.as_of(needed).count() == 1
    cleaned = clean_up(index, now=LATER, answers={index.version(): 1})
    assert cleaned.tables_removed == (1,)
    with pytest.raises(NotFound):
        index.as_of(needed)
    assert index.count() == 1


def test_an_index_being_built_is_left_alone_and_a_leftover_is_removed(
    index: LanceIndex, tmp_path: Path
) -> None:
    put(index, COAT, "a")
    LanceIndex.beside(tmp_path, WordEncoder(dimension=16), chunker="test-1")
    (other,) = status(index).others
    assert other.unfinished
    lock = rebuild_lock(tmp_path)
    with lock.held():
        assert clean_up(index, now=LATER, answers={}).tables_removed == ()
    assert clean_up(index, now=LATER, answers={}).tables_removed == (2,)


def test_a_version_of_another_encoder_cannot_be_searched_again(
    index: LanceIndex, tmp_path: Path
) -> None:
    put(index, COAT, "a")
    old = index.version()
    other = WordEncoder(dimension=16, name="words/2")
    fresh = LanceIndex.beside(tmp_path, other, chunker="test-2")
    put(fresh, COAT, "a")
    fresh.take_over()
    with pytest.raises(IndexMismatch, match="words/1"):
        fresh.as_of(old)
    with pytest.raises(IndexMismatch, match="words/2"):
        index.search(a_plan("coat"))


def test_another_chunker_takes_the_vectors_over(index: LanceIndex, tmp_path: Path) -> None:
    put(index, COAT, "a")
    encoder = WordEncoder(dimension=16)
    fresh = LanceIndex.beside(tmp_path, encoder, chunker="test-2")
    put(fresh, COAT, "a")
    assert encoder.encoded == []
    fresh.take_over()
    assert found(fresh, "coat", mode="vector") == ["a"]


def test_erasing_leaves_nothing_of_the_text_on_disk(index: LanceIndex, tmp_path: Path) -> None:
    put(index, COAT, "a")
    put(index, SECRET, "secret")
    index.fold()
    old = index.version()
    assert b"zanzibar" in everything_under(tmp_path)
    erased, tables, versions = erase(index, "secret")
    assert (erased, tables) == (1, (1,))
    assert versions > 1
    assert b"zanzibar" not in everything_under(tmp_path)
    assert found(index, "secret zanzibar clause") == ["a"]
    assert found(opened(tmp_path), "coat purchase")[0] == "a"
    with pytest.raises(NotFound):
        index.as_of(old)


def test_nothing_is_erased_while_a_tag_holds(index: LanceIndex) -> None:
    put(index, SECRET, "secret")
    index.table().table.tags.create("litigation", int(index.version()))
    with pytest.raises(Conflicted, match="litigation"):
        erase(index, "secret")
    assert index.count() == 1


def test_a_probe_finds_what_is_there_and_nothing_of_what_is_gone(index: LanceIndex) -> None:
    put(index, COAT, "a")
    put(index, SECRET, "secret", status="archived")
    there = index.probe("secret", passages(SECRET, document_id="secret"))
    assert (there.passages, there.queries, there.hits) == (1, 2, 2)
    assert index.remove_document("secret") == 1
    gone = index.probe("secret", passages(SECRET, document_id="secret"))
    assert (gone.queries, gone.hits) == (2, 0)


def test_of_a_long_document_twenty_passages_are_tried_from_first_to_last(
    index: LanceIndex,
) -> None:
    text = "\n\n".join(f"# Part {n}\n\nRule number {n} says: {'coats ' * 90}" for n in range(50))
    cut = passages(text, document_id="long")
    index.replace_document("long", cut)
    index.fold()
    proof = index.probe("long", cut)
    assert (proof.passages, proof.queries) == (len(cut), 40)
    assert index.remove_document("long") == len(cut)
    assert index.probe("long", cut).hits == 0


def test_contents_count_passages_and_name_what_lies_there_twice(index: LanceIndex) -> None:
    put(index, COAT, "a")
    put(index, COAT, "b")
    table = index.table().table
    table.add(table.search().where("document_id = 'b'").to_arrow())
    assert contents(index) == ({"a": 1, "b": 2}, ("b",))


def test_a_large_table_gets_a_vector_index_whose_recall_is_measured(tmp_path: Path) -> None:
    index = opened(tmp_path, exact_up_to=2_000)
    words = np.random.default_rng(3).integers(0, 400, size=(2_500, 12))
    rows = [
        (f"d{n}", passages(" ".join(f"w{w}" for w in row) + ".", document_id=f"d{n}"))
        for n, row in enumerate(words)
    ]
    index.replace_documents(rows[:1_000])
    index.fold()
    assert check_recall(index, now=LATER) is None
    index.replace_documents(rows[1_000:])
    index.fold()
    assert index.table().has_vector_index()
    check = check_recall(index, now=LATER, queries=20)
    assert check is not None
    assert check.queries == 20
    assert check.plain >= 0.95
    assert check.filtered >= 0.95
    assert last_recall(tmp_path) == check
    hits = index.search(a_plan("w1 w2 w3", mode="vector", acl_policy_ids=("public",)))
    assert len(hits) == 10
