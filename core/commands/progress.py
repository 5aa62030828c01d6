"""Shows how far an ingest is: one line that changes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import shutil
import sys
from typing import TextIO

from core.models.source import IngestProgress
from core.sources.progress import Progress

_EVERY_SECONDS = 0.2
_PLAIN_EVERY_SECONDS = 5.0
_PLAIN_EVERY_DOCUMENTS = 1000


def progress_to(stream: TextIO | None = None, *, enabled: bool = True) -> Progress | None:
    """Tells ``stream`` (stderr); ``None``, which tells nobody, when not ``enabled``."""
    if not enabled:
        return None
    stream = stream or sys.stderr
    return _OneLine(stream) if stream.isatty() else _Lines(stream)


def in_words(progress: IngestProgress) -> str:
    """``120 of 500 documents, 480 passages (12 new), 61/s, 0:31 left``."""
    if progress.phase == "finishing":
        return f"{progress.passages} passages written; putting the index in order"
    of = f" of {progress.total}" if progress.total is not None else ""
    words = f"{progress.documents}{of} documents"
    if progress.unchanged:
        words += f", {progress.unchanged} unchanged"
    if progress.failed:
        words += f", {progress.failed} not taken in"
    if progress.passages:
        words += f", {progress.passages} passages ({progress.encoded} newly encoded)"
        words += f", {progress.passages_per_second:.0f}/s"
    if progress.seconds_left:
        words += f", {_duration(progress.seconds_left)} left"
    return words


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class _OneLine:
    """Writes over the same line, a few times a second."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._told = stream, -_EVERY_SECONDS

    def __call__(self, progress: IngestProgress) -> None:
        if progress.phase == "done":
            self._stream.write("\r\x1b[K")
        elif progress.phase == "finishing" or progress.seconds - self._told >= _EVERY_SECONDS:
            self._told = progress.seconds
            room = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r{in_words(progress)[:room]}\x1b[K")
        self._stream.flush()


class _Lines:
    """Writes a line every few seconds, or every thousand documents."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._told, self._documents = stream, 0.0, 0

    def __call__(self, progress: IngestProgress) -> None:
        if progress.phase == "done":
            return
        waited = progress.seconds - self._told >= _PLAIN_EVERY_SECONDS
        many = progress.documents - self._documents >= _PLAIN_EVERY_DOCUMENTS
        if waited or many or (progress.phase == "finishing" and self._told):
            self._told, self._documents = progress.seconds, progress.documents
            print(in_words(progress), file=self._stream, flush=True)
