"""Reads dropped files and publishes queued drafts on a thread of its own, never on a screen's.

The work lies in the database. A tab may close and the process may end: whoever wakes a worker next
goes on where the last one stopped.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from core.errors import CountersignError
from core.knowledge.upload_models import DroppedFile, FullDraft
from core.knowledge.upload_publish import Outcome, Publisher
from core.knowledge.upload_reading import UploadReader
from core.knowledge.upload_store import UploadStore
from core.models.source import IngestProgress

log = logging.getLogger("countersign.knowledge")
BATCH = 48
"""Drafts published together: enough for the encoder, few enough to see them go."""

_FOLD_FROM = 20
"""Published documents from which folding them into the search indexes pays."""


class Work(NamedTuple):
    """What the worker is at: the file it reads, and how far publishing is."""

    running: bool
    reading: str
    publishing: IngestProgress | None
    trouble: str


class UploadWorker:
    """One for the process. Thread-safe; the thread ends when nothing is left to do."""

    def __init__(
        self,
        store: UploadStore,
        reader: Callable[[], UploadReader],
        publisher: Callable[[], Publisher],
        *,
        process: str,
        stopwatch: Callable[[], float],
    ) -> None:
        self._store, self._reader, self._publisher = store, reader, publisher
        self._process, self._stopwatch = process, stopwatch
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._asked_again = False
        self._reading = ""
        self._trouble = ""
        self._pace: _Pace | None = None

    def wake(self) -> None:
        """There may be work. Returns at once."""
        with self._lock:
            self._asked_again = True
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="uploads", daemon=True)
                self._thread.start()

    def wait(self, timeout: float) -> bool:
        """Until the work in hand is done; ``False`` when it is not within ``timeout`` seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    def work(self) -> Work:
        """What it is at right now."""
        with self._lock:
            alive = self._thread is not None and self._thread.is_alive()
            pace = self._pace
            return Work(
                running=alive,
                reading=self._reading,
                publishing=pace.progress(self._stopwatch()) if pace else None,
                trouble=self._trouble,
            )

    def expect(self, documents: int) -> None:
        """So many more drafts were queued: for the time left."""
        with self._lock:
            if self._pace is None or self._pace.ended:
                self._pace = _Pace(self._stopwatch())
            self._pace.total += documents

    def _run(self) -> None:
        try:
            while self._more():
                self._trouble = ""
                while self._step():
                    pass
        except CountersignError as error:
            self._stopped(str(error))
            log.warning("uploads wait: %s", error)
        except Exception as error:
            self._stopped(f"It broke: {type(error).__name__}. The server log says where.")
            log.exception("the upload worker broke")

    def _more(self) -> bool:
        with self._lock:
            again, self._asked_again = self._asked_again, False
            if not again:
                self._thread = None
                if self._pace:
                    self._pace.end(self._stopwatch())
            return again

    def _stopped(self, words: str) -> None:
        with self._lock:
            self._trouble, self._reading, self._thread = words, "", None
            self._asked_again = False
            if self._pace:
                self._pace.end(self._stopwatch())
        try:
            self._store.release(self._process)
        except CountersignError as error:
            log.warning("claims could not be given back: %s", error)

    def _step(self) -> bool:
        """One file or one batch; ``False`` when there was nothing to do."""
        claimed = self._store.claim_file(self._process)
        if claimed is not None:
            self._read(*claimed)
            return True
        batch = self._store.claim_queued(self._process, BATCH)
        if batch:
            self._publish(batch)
            return True
        return False

    def _read(self, file: DroppedFile, data: bytes) -> None:
        self._reading = file.name
        try:
            done, drafts = self._reader().drafts_of(file, data)
        except CountersignError:
            raise
        except Exception as error:
            log.exception("reading %s broke", file.file_id)
            done, drafts = _broken(file, error), ()
        self._store.finish_file(done, drafts)
        self._reading = ""

    def _publish(self, batch: Sequence[FullDraft]) -> None:
        publisher = self._publisher()
        if self._pace is None or self._pace.ended:  # begun by a process that is gone
            self.expect(len(batch))
        outcomes = publisher.publish(batch)
        with self._lock:
            pace = self._pace
            if pace is not None:
                for outcome in outcomes:
                    pace.take(outcome)
        if pace is not None and pace.done == pace.total and pace.total >= _FOLD_FROM:
            publisher.finish()


def _broken(file: DroppedFile, error: Exception) -> DroppedFile:
    return file.model_copy(
        update={
            "state": "failed",
            "reason": f"reading it broke ({type(error).__name__})",
            "fix": "save it in another format and drop it again",
        }
    )


class _Pace:
    """How far a publication is and how fast it goes."""

    def __init__(self, begun: float) -> None:
        self.total = self.done = self.failed = self.passages = 0
        self.item = ""
        self._begun, self._ended_at = begun, 0.0
        self.ended = False

    def take(self, outcome: Outcome) -> None:
        self.done += 1
        self.item = outcome.draft.title
        self.passages += outcome.passages
        self.failed += outcome.draft.state != "published"

    def end(self, now: float) -> None:
        if not self.ended:
            self.ended, self._ended_at = True, now

    def progress(self, now: float) -> IngestProgress:
        seconds = max(0.0, (self._ended_at if self.ended else now) - self._begun)
        left = None
        if self.done and not self.ended:
            left = seconds / self.done * max(0, self.total - self.done)
        return IngestProgress(
            phase="done" if self.ended else "reading",
            documents=self.done,
            total=self.total,
            passages=self.passages,
            encoded=self.passages,
            failed=self.failed,
            item=self.item,
            seconds=round(seconds, 1),
            passages_per_second=round(self.passages / seconds, 1) if seconds else 0.0,
            seconds_left=round(left, 1) if left is not None else None,
        )
