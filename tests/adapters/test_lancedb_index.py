"""The LanceDB index: the shared contract, and what is its own."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.adapters.lancedb_index import LanceIndex
from core.errors import IndexMismatch, Unavailable
from core.models.source import Passage
from core.ports import Vectors
from tests.contracts.passage_index import COAT, PassageIndexContract, found, put
from tests.fakes.word_encoder import WordEncoder
from tests.sources.builders import a_governance, a_plan, passages


def opened(folder: Path, **encoder: Any) -> LanceIndex:
    return LanceIndex(folder, WordEncoder(**encoder), chunker="test-1")


class TestLanceIndex(PassageIndexContract):
    @pytest.fixture
    def index(self, tmp_path: Path) -> LanceIndex:
        return opened(tmp_path)


def test_what_was_stored_is_there_when_the_index_is_opened_again(tmp_path: Path) -> None:
    put(opened(tmp_path), COAT)
    assert found(opened(tmp_path), "coat") == ["returns-v1"]


def test_another_process_sees_a_removal_at_once(tmp_path: Path) -> None:
    writer, reader = opened(tmp_path), opened(tmp_path)
    put(writer, COAT)
    assert found(reader, "coat") == ["returns-v1"]
    writer.remove_document("returns-v1")
    assert found(reader, "coat") == []


def test_an_index_of_another_encoder_is_refused_with_the_way_out(tmp_path: Path) -> None:
    opened(tmp_path)
    with pytest.raises(IndexMismatch, match=r"words/2.*ingest --rebuild"):
        opened(tmp_path, name="words/2")
    with pytest.raises(IndexMismatch, match="chunker"):
        LanceIndex(tmp_path, WordEncoder(), chunker="test-2")


def test_a_folder_that_cannot_hold_an_index_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot be used"):
        opened(tmp_path / "file")


def test_both_ranks_and_the_similarity_are_told(tmp_path: Path) -> None:
    index = opened(tmp_path)
    put(index, COAT, "coat")
    put(index, "Gift cards never expire.", "cards")
    first, second = index.search(a_plan("buy a coat"))
    assert (first.lexical_rank, first.vector_rank, first.retrieval_source) == (1, 1, "hybrid")
    assert (second.lexical_rank, second.vector_rank, second.retrieval_source) == (None, 2, "vector")
    assert first.similarity is not None
    assert second.similarity is not None
    assert first.similarity > second.similarity
    assert 0 <= second.score < first.score <= 1


def test_a_passage_that_only_the_words_found_has_its_similarity_too(tmp_path: Path) -> None:
    index = opened(tmp_path)
    for number in range(6):
        put(index, COAT, f"coat-{number}")
    plan = a_plan("coat returned").model_copy(update={"candidate_k": 3})
    assert all(hit.similarity is not None for hit in index.search(plan))


def test_an_encoder_that_does_not_know_the_words_has_no_vote(tmp_path: Path) -> None:
    index = opened(tmp_path)
    put(index, "大衣可以在购买后三十天内退货。", "zh", language="zh", title="退货政策")
    put(index, COAT, "en")
    for mode in ("hybrid", "vector"):
        (hit,) = index.search(a_plan("大衣 退货", mode=mode))
        assert (hit.document_id, hit.retrieval_source, hit.vector_rank) == ("zh", "lexical", None)


def test_passages_in_an_unknown_script_never_crowd_the_vector_side(tmp_path: Path) -> None:
    index = opened(tmp_path)
    put(index, "大衣可以退货。", "zh", language="zh", title="退货")
    put(index, COAT, "en")
    assert found(index, "coat", mode="vector") == ["en"]


class _Planted(WordEncoder):
    """The query vector is fixed, so that rows can be planted nearer to it than any other."""

    def encode(self, texts: Any) -> Vectors:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[0] = 1.0
            row[1] = 0.0 if "near" in text else 1.0
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def _row(number: int, text: str, tenant: str, **governance: Any) -> Passage:
    name = f"{tenant}-{number}"
    return Passage(
        chunk_id=f"{name}::0000",
        document_id=name,
        source_id=name,
        tenant_id=tenant,
        ordinal=0,
        text=text,
        context="",
        title="t",
        char_start=0,
        char_end=len(text),
        content_hash="h",
        governance=a_governance(**governance),
    )


@pytest.mark.parametrize("folded", [False, True], ids=["fresh rows", "folded rows"])
def test_nearer_and_wordier_rows_of_others_never_push_out_our_own(
    tmp_path: Path, folded: bool
) -> None:
    """1,500 rows of another tenant beat ours on both sides; a late filter would return none."""
    index = LanceIndex(tmp_path, _Planted(dimension=8), chunker="test-1")
    theirs = [_row(n, "near refund refund refund refund", "other") for n in range(1_500)]
    ours = [_row(n, "far refund", "athena", acl_policy_id="staff") for n in range(40)]
    barred = [_row(n, "far refund", "athena", acl_policy_id="hr") for n in range(40, 500)]
    rows = theirs + ours + barred
    index.replace_documents([(row.document_id, [row]) for row in rows])
    if folded:
        index.fold()
    for mode in ("lexical", "vector", "hybrid"):
        hits = index.search(a_plan("refund near", mode=mode, top_k=20, acl_policy_ids=("staff",)))
        assert len(hits) == 20, mode
        assert {hit.tenant_id for hit in hits} == {"athena"}
        assert {hit.metadata["kind"] for hit in hits} == {"prose"}
        assert all(hit.acl_policy_id == "staff" for hit in hits)


def test_both_sides_filter_before_they_rank(tmp_path: Path) -> None:
    index = opened(tmp_path)
    put(index, COAT)
    index.finish()
    words, vectors = index.explain_legs(a_plan("coat"))
    assert "Match" in words
    assert "KNN" in vectors
    for leg in (words, vectors):
        below = leg[max(leg.find("MatchQuery"), leg.find("KNNVectorDistance")) :]
        assert "full_filter=" in below or "ScalarIndexQuery" in below
        assert "athena" in below
    assert index.explain_legs(a_plan("coat", acl_policy_ids=())) == ()


def test_threads_may_search_while_another_writes(tmp_path: Path) -> None:
    index = opened(tmp_path)
    put(index, COAT, "steady")
    wrong: list[object] = []

    def search() -> None:
        try:
            for _ in range(10):
                if "steady" not in found(index, "coat"):
                    wrong.append("lost a document")
        except Exception as error:  # noqa: BLE001 - handed to the test's own thread
            wrong.append(error)

    readers = [threading.Thread(target=search) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(5):
        put(index, COAT, f"other-{number % 2}")
    for reader in readers:
        reader.join()
    assert wrong == []


def test_readers_never_see_half_of_a_replacement(tmp_path: Path) -> None:
    """Old and new passages carry different words; a mixture would find both."""
    index = opened(tmp_path)
    old = "\n\n".join(f"# Part {n}\n\nold words {'filler ' * 60}" for n in range(3))
    new = "\n\n".join(f"# Part {n}\n\nnew words {'filler ' * 60}" for n in range(3))
    put(index, old)
    done = threading.Event()
    mixed: list[set[str]] = []

    def watch() -> None:
        while not done.is_set():
            seen = {hit.text[:3] for hit in index.passages_of("returns-v1")}
            if len(seen) != 1:
                mixed.append(seen)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for number in range(6):
        index.replace_document("returns-v1", passages(new if number % 2 == 0 else old))
    done.set()
    watcher.join()
    assert mixed == []
