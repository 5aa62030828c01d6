"""Rate and time left follow from what was done so far; a thread reads ahead and stops when told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.models.source import IngestProgress
from core.sources.ahead import read_ahead
from core.sources.progress import Meter, how_many


def _ticks(*times: float) -> Callable[[], float]:
    left = iter(times)
    return lambda: next(left)


def test_rate_and_time_left_are_those_of_the_run_so_far() -> None:
    told: list[IngestProgress] = []
    meter = Meter(told.append, lambda: 40, stopwatch=_ticks(100.0, 105.0, 110.0))
    meter.count(documents=10, passages=50, encoded=30)
    meter.tell(item="a.md")
    assert (told[-1].passages_per_second, told[-1].seconds_left) == (10.0, 15.0)
    meter.count(documents=30)
    meter.tell(phase="finishing")
    assert (told[-1].documents, told[-1].seconds_left, told[-1].item) == (40, None, "a.md")


def test_without_a_total_the_time_left_is_not_guessed() -> None:
    told: list[IngestProgress] = []
    meter = Meter(told.append, lambda: None, stopwatch=_ticks(0.0, 5.0))
    meter.count(documents=10)
    meter.tell()
    assert (told[-1].total, told[-1].seconds_left) == (None, None)


def test_more_documents_than_counted_leave_no_negative_time() -> None:
    told: list[IngestProgress] = []
    meter = Meter(told.append, lambda: 2, stopwatch=_ticks(0.0, 5.0))
    meter.count(documents=3)
    meter.tell()
    assert told[-1].seconds_left == 0.0


def test_nobody_who_listens_costs_no_first_look() -> None:
    def never() -> int:
        raise AssertionError("nobody asked")

    meter = Meter(None, never)
    meter.tell()
    assert meter.now.total is None


def test_a_first_look_counts_files_and_rows(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Text.")
    (tmp_path / "b.jsonl").write_text('{"id": 1}\n{"id": 2}\n{"id": 3}')
    (tmp_path / "c.jsonl").write_text('{"id": 1}\n')
    (tmp_path / "empty.jsonl").write_text("")
    assert how_many([tmp_path]) == 1 + 3 + 1 + 0
    assert how_many([tmp_path / "a.md", tmp_path / "c.jsonl"]) == 2


def test_reading_ahead_keeps_the_order() -> None:
    assert list(read_ahead(range(100), 3)) == list(range(100))


def test_an_error_while_reading_comes_where_it_was_met() -> None:
    def things() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    ahead = read_ahead(things(), 3)
    assert next(ahead) == 1
    with pytest.raises(ValueError, match="broken"):
        next(ahead)


def test_at_most_so_many_are_read_ahead_and_closing_stops_the_reader() -> None:
    read: list[int] = []
    closed = threading.Event()

    def things() -> Iterator[int]:
        try:
            for number in range(1_000):
                read.append(number)
                yield number
        finally:
            closed.set()

    ahead = read_ahead(things(), 3)
    assert next(ahead) == 0
    ahead.close()  # type: ignore[attr-defined]
    assert closed.is_set()
    assert len(read) <= 6
