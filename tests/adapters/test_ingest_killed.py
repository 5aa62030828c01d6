"""Kill -9 at any moment of an ingest or a rebuild, two at once: the index ends up the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from core.adapters.lancedb_care import contents
from core.adapters.lancedb_lock import FileLock
from core.adapters.sql_review_store import SqlReviewStore
from core.errors import TryAgainLater
from core.review.chain import verify_stored
from core.sources.consistency import compare
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.ingest_process import Death, Home, died, ingesting, killed_after, rebuilding
from tests.sources.builders import a_plan

_WORDS = ["coat", "return", "refund", "parcel", "order", "gift", "card", "voucher", "points"]
_WORDS += ["store", "holiday", "price", "match", "exchange", "receipt", "warranty", "repair"]


def _text(number: int, seed: int) -> str:
    r = random.Random(f"{number}/{seed}")  # noqa: S311 - test data
    parts = [f"# Rule {number}"]
    for part in range(r.randint(1, 3)):
        words = " ".join(r.choices(_WORDS, k=40))
        parts.append(f"## Part {part}\n\nFrom {r.randint(1, 90)} days on: {words}.")
    return "\n\n".join(parts)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    for number in range(24):
        (folder / f"rule-{number:02}.md").write_text(_text(number, 0))
    (folder / "bad.md").write_text("---\nvalid_from: soon\n---\nText.")
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    opened = Home(tmp_path)
    yield opened
    opened.close()


def picture(home: Home) -> dict[str, Any]:
    """All that an index says, whatever way it came about."""
    home.index.fold()
    rows = home.index.table().table.search().to_arrow().sort_by("chunk_id")
    plans = [a_plan(" ".join(_WORDS[n : n + 3]), mode=m) for n in range(6) for m in _MODES]
    found = [home.index.search(plan) for plan in plans]
    documents = [d.model_dump(exclude={"ingested_at"}) for d in home.registry.stored()]
    return {
        "rows": rows.to_pylist(),
        "found": [[(hit.chunk_id, round(hit.score, 6)) for hit in hits] for hits in found],
        "documents": documents,
        "indexed": [(s.document_id, s.indexed) for s in home.registry.states()],
        "quarantine": sorted(home.registry.in_quarantine("athena")),
    }


_OFTEN = ("put", "prepare", "replace_documents", "mark_indexed")
_MODES = ("lexical", "vector", "hybrid")


def _agrees(home: Home) -> bool:
    return compare(home.registry, contents(home.index)).agree


def _chain_holds(home: Home) -> bool:
    with SqlReviewStore(home.engine, FixedClock()).read() as transaction:
        return verify_stored(transaction).ok


@pytest.fixture(scope="module")
def undisturbed(
    tmp_path_factory: pytest.TempPathFactory, corpus: Path
) -> tuple[dict[str, Any], float]:
    """The picture after a run nobody disturbed, and how long it took in its process."""
    folder = tmp_path_factory.mktemp("undisturbed")
    began = perf_counter()
    assert not killed_after(ingesting(folder, corpus), 120)
    took = perf_counter() - began
    home = Home(folder)
    try:
        return picture(home), took
    finally:
        home.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_anywhere_and_run_again_it_ends_in_the_same_index(
    tmp_path: Path, corpus: Path, undisturbed: tuple[dict[str, Any], float], seed: int
) -> None:
    expected, took = undisturbed
    moments = random.Random(seed)  # noqa: S311 - test data
    for _ in range(5):
        killed_after(ingesting(tmp_path, corpus), moments.uniform(0, took))
    home = Home(tmp_path)
    home.take(corpus)
    assert picture(home) == expected
    assert _agrees(home)
    assert _chain_holds(home)
    assert home.take(corpus).documents == 0
    home.close()


@pytest.mark.parametrize("step", [*_OFTEN, "came_from", "quarantine"])
def test_killed_before_or_after_a_step_and_run_again_it_ends_in_the_same_index(
    tmp_path: Path, corpus: Path, undisturbed: tuple[dict[str, Any], float], step: str
) -> None:
    nth = 2 if step in _OFTEN else 1
    assert died(ingesting(tmp_path, corpus, Death(step, "before", nth)))
    assert died(ingesting(tmp_path, corpus, Death(step, "after", nth)))
    home = Home(tmp_path)
    home.take(corpus)
    assert picture(home) == undisturbed[0]
    assert _agrees(home)
    assert _chain_holds(home)
    home.close()


def test_killed_while_a_changed_folder_is_taken_in_no_reader_sees_half_a_document(
    tmp_path: Path, corpus: Path, undisturbed: tuple[dict[str, Any], float]
) -> None:
    changed = tmp_path / "corpus"
    changed.mkdir()
    for path in corpus.glob("rule-*.md"):
        (changed / path.name).write_text(path.read_text())
    home = Home(tmp_path)
    home.take(changed)
    old = {path.name: home.index.passages_of(path.name) for path in changed.iterdir()}
    for number, path in enumerate(sorted(changed.iterdir())):
        path.write_text(_text(number, 1))
    moments = random.Random(4)  # noqa: S311 - test data
    for _ in range(3):
        killed_after(ingesting(tmp_path, changed), moments.uniform(0, undisturbed[1]))
        for name, before in old.items():
            now = home.index.passages_of(name)
            stored = home.registry.get(name)
            assert stored is not None
            texts = {hit.text for hit in now}
            assert now == before or all(text in stored.text for text in texts)
    home.take(changed)
    fresh = Home(tmp_path / "fresh")
    fresh.take(changed)
    assert picture(home)["rows"] == picture(fresh)["rows"]
    home.close()
    fresh.close()


def test_a_rebuild_killed_anywhere_leaves_the_old_index_answering(
    tmp_path: Path, corpus: Path, undisturbed: tuple[dict[str, Any], float]
) -> None:
    expected, took = undisturbed
    home = Home(tmp_path)
    home.take(corpus)
    first = home.index.version()
    moments = random.Random(5)  # noqa: S311 - test data
    for _ in range(5):
        killed_after(rebuilding(tmp_path), moments.uniform(0, took))
        assert [h.chunk_id for h in home.index.search(a_plan("coat return refund"))] == [
            name for name, _ in expected["found"][2]
        ]
        assert home.index.count() == len(expected["rows"])
    assert home.rebuild() == len(expected["rows"])
    assert picture(home) == expected
    assert _agrees(home)
    assert _chain_holds(home)
    assert home.index.version().startswith(f"{home.index.generations.current()}.")
    assert all(n <= home.index.generations.current() for n in home.index.generations.numbers())
    assert home.index.as_of(first).count() == len(expected["rows"])
    home.close()


def test_two_at_once_lose_nothing_and_double_nothing(
    tmp_path: Path, corpus: Path, undisturbed: tuple[dict[str, Any], float]
) -> None:
    both = [ingesting(tmp_path, corpus) for _ in range(2)]
    assert not any(killed_after(process, 120) for process in both)
    home = Home(tmp_path)
    assert picture(home) == undisturbed[0]
    assert _agrees(home)
    assert _chain_holds(home)
    home.close()


def test_a_withdrawal_during_an_ingest_holds(home: Home, corpus: Path) -> None:
    home.take(corpus)
    other = Home(home.folder)
    real = home.registry.mark_indexed

    def marked(names: Any, version: str) -> None:
        other.registry.withdraw("rule-07.md", reason="wrong", actor="kim")
        real(names, version)

    changed = home.folder / "rule-07.md"
    changed.write_text("# Rule 7\n\nA coat may be returned within 10 days.")
    home.registry.mark_indexed = marked  # type: ignore[method-assign]
    home.take(changed)
    assert home.index.passages_of("rule-07.md") == ()
    assert _agrees(home)
    other.close()


def test_a_change_during_a_rebuild_is_in_the_new_index(home: Home, corpus: Path) -> None:
    home.take(corpus)
    real = home.registry.stored

    def stored() -> Iterator[Any]:
        documents = list(real())
        home.registry.withdraw("rule-01.md", reason="wrong", actor="kim")
        changed = home.folder / "rule-02.md"
        changed.write_text("# Rule 2\n\nA kimono may be returned within 10 days.")
        home.take(changed)
        yield from documents

    home.registry.stored = stored  # type: ignore[method-assign]
    home.rebuild()
    assert home.index.passages_of("rule-01.md") == ()
    assert [hit.document_id for hit in home.index.search(a_plan("kimono", mode="lexical"))] == [
        "rule-02.md"
    ]
    home.registry.stored = real  # type: ignore[method-assign]
    assert _agrees(home)


def test_a_writer_that_waits_too_long_is_told(home: Home) -> None:
    path = home.folder / "index" / "writer.lock"
    impatient = FileLock(path, busy="somebody else is writing", wait=0.0)
    with home.index.writing(), pytest.raises(TryAgainLater, match="somebody else"):
        impatient.held().__enter__()
    with impatient.held():
        assert home.index.count() == 0
