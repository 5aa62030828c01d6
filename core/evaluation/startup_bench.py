"""From the console's process start to its first page, and what it has loaded by then."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from core.errors import Unavailable
from core.evaluation.retrieval_metrics import percentile
from core.models.base import Model

_PATIENCE_SECONDS = 60.0
_BETWEEN_LOOKS = 0.01
_PROC = Path("/proc")
_HEAVY = ("libtorch", "/transformers/")


class StartupBench(Model):
    """Seconds from process start over ``starts`` warm starts: healthy, and the sign-in page served.

    ``memory_mb`` is what the server holds then (MiB, where the system tells), ``torch`` whether
    torch is mapped into it.
    """

    starts: int
    healthy_p50: float
    page_p50: float
    page_max: float
    memory_mb: float
    torch: bool

    def table(self) -> str:
        """The figures for a terminal."""
        return (
            f"console, {self.starts} warm starts: healthy after {self.healthy_p50:.2f} s, sign-in "
            f"page after {self.page_p50:.2f} s (worst {self.page_max:.2f} s), "
            f"{self.memory_mb:,.0f} MB, torch {'LOADED' if self.torch else 'not loaded'}"
        )


def run_startup_bench(home: Path, *, starts: int = 5) -> StartupBench:
    """Start the console over ``home`` on a free port, wait for its first page, stop it; repeat.

    One more start before them warms the system's file cache. Raises ``Unavailable`` when the
    console does not answer within a minute.
    """
    healthy: list[float] = []
    page: list[float] = []
    memory, torch = 0.0, False
    for number in range(starts + 1):
        port = _free_port()
        started = time.perf_counter()
        with _console(home, port) as process:
            _wait_for(f"http://127.0.0.1:{port}/healthz", process)
            is_healthy = time.perf_counter() - started
            _wait_for(f"http://127.0.0.1:{port}/", process)
            has_page = time.perf_counter() - started
            memory, torch = _held(process.pid)
        if number:
            healthy.append(is_healthy)
            page.append(has_page)
    return StartupBench(
        starts=starts,
        healthy_p50=round(percentile(healthy, 0.5), 3),
        page_p50=round(percentile(page, 0.5), 3),
        page_max=round(max(page), 3),
        memory_mb=memory,
        torch=torch,
    )


@contextmanager
def _console(home: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    words = [sys.executable, "-m", "core.cli", "--home", str(home), "serve", "--port", str(port)]
    # A group of its own: the command starts the server as a child, and both must stop.
    process = subprocess.Popen(  # noqa: S603 - fixed words
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=Path(__file__).resolve().parents[2],
    )
    try:
        yield process
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask the whole group to end, and see it gone: the next start must not share the processor."""
    family = _family(process.pid)
    for how, patience in ((signal.SIGTERM, 15.0), (signal.SIGKILL, 5.0)):
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(process.pid, how)
        end = time.monotonic() + patience
        while time.monotonic() < end:
            process.poll()
            if not any((_PROC / str(number)).exists() for number in family):
                return
            time.sleep(_BETWEEN_LOOKS)


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(address, timeout=5) as answer:  # noqa: S310 - our own loopback address
                if answer.status == 200 and answer.read():
                    return
        except (URLError, OSError):
            time.sleep(_BETWEEN_LOOKS)
    raise Unavailable(f"the console did not answer at {address}; try `countersign serve` by hand")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _held(pid: int) -> tuple[float, bool]:
    """Memory of the process and its children (MiB), and whether one of them has torch mapped."""
    memory, torch = 0.0, False
    for number in _family(pid):
        status, maps = _PROC / str(number) / "status", _PROC / str(number) / "maps"
        if status.is_file():
            lines = status.read_text(encoding="utf-8", errors="replace").splitlines()
            memory += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
            text = maps.read_text(encoding="utf-8", errors="replace")
            torch = torch or any(part in text for part in _HEAVY)
    return round(memory / 1024, 1), torch


def _family(pid: int) -> Sequence[int]:
    children = _PROC / str(pid) / "task" / str(pid) / "children"
    if not children.is_file():
        return [pid]
    below = [int(word) for word in children.read_text(encoding="utf-8").split()]
    return [pid, *(number for child in below for number in _family(child))]
