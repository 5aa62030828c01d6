"""The command line: parses, calls, prints. ``countersign --help`` lists the verbs.

Exit codes: 0 done, 1 a check failed, 2 usage or bad input, 3 something needed is unavailable.
Logs go to stderr; ``--json`` prints one JSON object; ``--batch`` one JSON line for each request.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from core.commands import (
    ask,
    audit,
    bench,
    demo,
    evaluate,
    index,
    ingest,
    outbox,
    policy,
    probes,
    review,
    search,
    serve,
    settings,
    source,
    tool,
)
from core.commands.batch import printable
from core.errors import BadInput, CountersignError, Unavailable

_COMMANDS = (
    demo,
    serve,
    ingest,
    index,
    search,
    ask,
    probes,
    review,
    outbox,
    audit,
    source,
    policy,
    evaluate,
    bench,
    tool,
    settings,
)


_INTERRUPTED = 130
"""128 + SIGINT, as shells say it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    _print_anything()
    parser = build_parser()
    arguments = parser.parse_args(argv)
    vars(arguments).update({name: printable(value) for name, value in vars(arguments).items()})
    try:
        code: int = arguments.run(arguments)
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        print("countersign: interrupted. Run it again to go on.", file=sys.stderr)
        return _INTERRUPTED
    except CountersignError as error:
        print(f"countersign: {error}", file=sys.stderr)
        for finding in getattr(error, "findings", ()):
            print(f"  {finding}", file=sys.stderr)
        return _exit_code(error)
    return code


def _print_anything() -> None:
    """UTF-8 whatever the locale; half a character pair is printed as its JSON escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _exit_code(error: CountersignError) -> int:
    if isinstance(error, Unavailable):
        return 3
    return 2 if isinstance(error, BadInput) else 1


def build_parser() -> argparse.ArgumentParser:
    """The whole grammar, one sub-parser a command."""
    parser = argparse.ArgumentParser(
        prog="countersign", description="Grounded drafts, visible evidence, a human decision."
    )
    common = argparse.ArgumentParser(add_help=False)
    for target in (parser, common):
        default = argparse.SUPPRESS if target is common else None
        target.add_argument(
            "--home",
            type=Path,
            metavar="DIR",
            default=default,
            help="folder for everything written (default: COUNTERSIGN_HOME or var/)",
        )
        target.add_argument(
            "--as",
            dest="user",
            metavar="USER",
            default=default,
            help="run with this user's rights (default: the least privileged)",
        )
    common.add_argument("--json", action="store_true", help="print one JSON object")
    verbs = parser.add_subparsers(required=True, metavar="COMMAND", dest="verb")
    for command in _COMMANDS:
        command.add_to(verbs, common)
    return parser


if __name__ == "__main__":
    sys.exit(main())
