"""The made-up corpus is the same every time and its rights let through what was announced."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.adapters.lancedb_index import LanceIndex
from core.evaluation.scale_bench import PANELS, ScaleReport, measure_size
from core.evaluation.scale_corpus import EXPECTED_SHARE, FILTERS, ScaleCorpus
from core.evaluation.scale_topics import TOPICS, TopicEncoder, spelled, topic_word
from core.models.plan import RetrievalPlan
from core.ports import Encoder
from tests.fakes.memory_index import MemoryIndex


def test_the_same_seed_makes_the_same_corpus_and_another_another() -> None:
    first, again, other = (list(ScaleCorpus(120, seed=s).batches()) for s in (7, 7, 8))
    assert first == again
    assert first[0].documents[0][1][0].text != other[0].documents[0][1][0].text
    assert ScaleCorpus(8).queries(5) == ScaleCorpus(8).queries(5)


def test_a_larger_corpus_begins_with_the_rights_of_a_smaller_one() -> None:
    small, large = (ScaleCorpus(size) for size in (10_000, 10_400))
    assert next(small.batches()) == next(large.batches())


def test_documents_have_four_passages_and_the_last_takes_what_is_left() -> None:
    (batch,) = ScaleCorpus(10).batches()
    assert [len(passages) for _, passages in batch.documents] == [4, 4, 2]
    names = [p.chunk_id for _, passages in batch.documents for p in passages]
    assert len(set(names)) == 10


def test_the_filter_keeps_the_announced_share() -> None:
    seen = total = 0
    for batch in ScaleCorpus(20_000).batches():
        total += sum(len(passages) for _, passages in batch.documents)
        seen += len(batch.visible)
    assert total == 20_000
    assert seen / total == pytest.approx(EXPECTED_SHARE, rel=0.2)


def test_what_is_called_visible_is_what_an_index_lets_through() -> None:
    (batch,) = ScaleCorpus(2_000).batches()
    index = MemoryIndex()
    index.replace_documents(batch.documents)
    everything = " ".join(topic_word(t, n) for t in range(TOPICS) for n in range(24))
    plan = RetrievalPlan(query=everything, mode="lexical", filters=FILTERS, top_k=2_000)
    assert {hit.chunk_id for hit in index.search(plan)} == {p.chunk_id for p in batch.visible}


def test_a_text_lies_near_its_topic_and_always_at_the_same_place() -> None:
    encoder = TopicEncoder()
    texts = [f"{topic_word(3, 1)} ba {topic_word(3, 5)}", f"do {topic_word(3, 2)}"]
    other = f"do {topic_word(4, 2)}"
    one, two, far = encoder.encode([*texts, other])
    assert np.allclose(np.linalg.norm([one, two, far], axis=1), 1, atol=1e-5)
    assert one @ two > 0.3 > 0.2 > abs(one @ far)
    assert (encoder.encode([texts[0]])[0] == one).all()
    assert not encoder.knows("no topic in it")
    assert len({spelled(number) for number in range(30_000)}) == 30_000


def test_a_thousand_passages_are_measured_through_the_real_index(tmp_path: Path) -> None:
    def opened(folder: Path, encoder: Encoder) -> LanceIndex:
        return LanceIndex(folder, encoder, chunker="scale")

    row = measure_size(1_000, tmp_path, opened, rounds=1)
    assert row.passages == 1_000
    assert 0 < row.visible < 100
    assert row.recall_at_10 == 1.0
    assert row.disk_mb > 0
    assert row.hybrid_p95 >= row.hybrid_p50 > 0
    report = ScaleReport(rows=(row,))
    assert "1,000" in report.table()
    names = {name for _, lines in PANELS for name in lines}
    assert names == set(report.points()[0][1])


def test_a_vector_index_finds_what_a_scan_finds_and_says_how_near_it_is(tmp_path: Path) -> None:
    def opened(folder: Path, encoder: Encoder) -> LanceIndex:
        return LanceIndex(folder, encoder, chunker="scale", exact_up_to=1_000)

    row = measure_size(4_000, tmp_path, opened, rounds=1)
    assert row.recall_at_10 >= 0.98
    encoder = TopicEncoder()
    index = opened(tmp_path, encoder)
    assert index.table().has_vector_index()
    (question,) = ScaleCorpus(4_000).queries(1)
    plan = RetrievalPlan(query=question, mode="vector", filters=FILTERS, top_k=5)
    hits = index.search(plan)
    near = encoder.encode([hit.text for hit in hits]) @ encoder.encode_queries([question])[0]
    assert [hit.similarity for hit in hits] == pytest.approx(near.tolist(), abs=1e-4)


def test_the_growth_of_cost_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (make bench)")
    from core.adapters.scaling_plot import draw_scaling
    from core.errors import BadInput

    points = [(10**n, {"a": 2.0 * n, "b": 3.0 * n}) for n in (3, 4, 5)]
    path = tmp_path / "docs" / "scaling.png"
    draw_scaling(points, (("ms", ("a",)), ("s", ("a", "b"))), path)
    assert path.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(BadInput, match="two sizes"):
        draw_scaling(points[:1], (("ms", ("a",)),), path)
