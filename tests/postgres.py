"""A throw-away PostgreSQL server for the tests, from the binaries the machine has."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MISSING = "no PostgreSQL server binaries here; install the package `postgresql`"


def binaries() -> Path | None:
    """The folder with ``initdb`` and ``pg_ctl``, the newest release first; ``None`` without one."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=_release, reverse=True)
    on_path = shutil.which("pg_ctl")
    candidates = [path.parent for path in found] + ([Path(on_path).parent] if on_path else [])
    return next((folder for folder in candidates if (folder / "initdb").exists()), None)


def _release(path: Path) -> int:
    name = path.parent.parent.name
    return int(name) if name.isdigit() else 0


@contextmanager
def running_server(bindir: Path) -> Iterator[str]:
    """Start a server on a free port; yields its URL without a database name."""
    folder = Path(tempfile.mkdtemp(prefix="countersign-pg-"))
    identity: dict[str, Any] = {"cwd": folder}
    if os.geteuid() == 0:  # the server refuses to run as root
        shutil.chown(folder, "postgres", "postgres")
        identity |= {"user": "postgres", "group": "postgres", "extra_groups": []}
    data, port = folder / "data", _free_port()
    start = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
    log = str(folder / "log")

    def run(tool: str, *arguments: str) -> None:
        subprocess.run(
            [bindir / tool, *arguments], check=True, stdout=subprocess.DEVNULL, **identity
        )

    try:
        run(
            "initdb", "-D", str(data), "-A", "trust", "-U", "countersign", "-E", "UTF8", "--no-sync"
        )
        run("pg_ctl", "-D", str(data), "-l", log, "-w", "-o", start, "start")
        try:
            yield f"postgresql+psycopg://countersign@127.0.0.1:{port}"
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
