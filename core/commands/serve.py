"""``countersign serve``: the console."""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
from pathlib import Path

from core.commands.common import Parsers
from core.errors import Unavailable
from core.settings import load_settings

_APP = Path(__file__).resolve().parents[2] / "app.py"


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("serve", parents=[common], help="start the console")
    parser.add_argument("--port", type=int, default=8501, metavar="N")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: loopback)"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Start Streamlit on ``app.py`` and wait for it. Raises ``Unavailable`` for a taken port."""
    settings = load_settings(arguments.home)
    if not _APP.is_file():
        raise Unavailable(f"{_APP} is missing: run the console from a checkout (see README).")
    _check_free(arguments.host, arguments.port)
    print(
        f"Countersign at http://{arguments.host}:{arguments.port}  (Ctrl+C stops it)",
        file=sys.stderr,
        flush=True,
    )
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(_APP),
        "--server.port",
        str(arguments.port),
        "--server.address",
        arguments.host,
        "--server.headless",
        "true",
        "--server.maxUploadSize",  # the console says this limit; the server keeps it
        str(settings.max_file_mb),
    ]
    environment = {**os.environ, "COUNTERSIGN_HOME": str(settings.home)}
    try:
        return subprocess.call(command, env=environment, cwd=_APP.parent)  # noqa: S603 - fixed words
    except KeyboardInterrupt:
        return 0


def _check_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Unavailable(
                f"port {port} on {host} cannot be used ({error.strerror}). "
                f"Try: countersign serve --port {port + 1}"
            ) from error
