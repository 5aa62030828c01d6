"""``countersign ask``: the whole flow for one question or a batch."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from core.commands.batch import Row, run_batch, text_of, turns_of
from core.commands.common import Parsers, day, office_of, show, user_of
from core.commands.passages import candidates_of
from core.commands.show_run import run_json, run_text
from core.commands.stopping import STOPPED, until_interrupted
from core.errors import BadInput, NotFound
from core.models.evidence import EvidenceCandidate
from core.models.request import OutputForm, UserRequest
from core.models.trace import PipelineRun

if TYPE_CHECKING:
    from core.wiring import Office


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command to the grammar."""
    parser = verbs.add_parser("ask", parents=[common], help="draft a grounded answer")
    parser.add_argument("query", nargs="?", metavar="QUERY")
    parser.add_argument("--case", metavar="ID", help="ask about this case")
    parser.add_argument("--output-form", choices=get_args(OutputForm), default=None)
    parser.add_argument("--at", type=day, metavar="DATE", help="as of this day (YYYY-MM-DD)")
    parser.add_argument("--batch", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--tenant", metavar="T")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Ask once (a case alone asks the customer's own question) or for each line of the batch."""
    if arguments.batch is None and not (arguments.query is not None or arguments.case):
        raise BadInput("ask: give a QUERY, --case ID or --batch FILE.jsonl.")
    office = office_of(arguments)
    user = user_of(arguments, office)
    with until_interrupted() as cancelled:
        if arguments.batch is not None:
            rows = _Rows(arguments, office, user, cancelled)
            return run_batch(arguments.batch, rows.answer)
        request = _request(arguments, office, user, arguments.query)
        # Opening the models is not a part of the run, and takes none of its time.
        office.warm().join()
        done = office.ask(request, cancelled=cancelled)
    show(arguments, run_json(done), run_text(done))
    return _exit_code(done)


class _Rows:
    """The lines of a batch, for one user. Once interrupted, the line in hand is the last."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        office: Office,
        user: str,
        cancelled: Callable[[], bool],
    ) -> None:
        self._arguments, self._office, self._user = arguments, office, user
        self._cancelled, self._is_warm = cancelled, False

    def answer(self, row: Row) -> Row:
        """The run of one line. Raises ``KeyboardInterrupt`` for the first line after Ctrl-C."""
        if self._cancelled():
            raise KeyboardInterrupt
        request = _request(self._arguments, self._office, self._user, text_of(row, "query"), row)
        passages = _supplied(row, request.tenant_id)
        if not self._is_warm:
            self._office.warm().join()
            self._is_warm = True
        done = self._office.ask(request, supplied=passages, cancelled=self._cancelled)
        return run_json(done)


def _supplied(row: Row, tenant_id: str) -> tuple[EvidenceCandidate, ...] | None:
    supplied = row.get("passages")
    if supplied is not None and not isinstance(supplied, list):
        raise BadInput(f"row {row.get('id')!r}: 'passages' must be a list.")
    return candidates_of(supplied, tenant_id) if supplied is not None else None


def _request(
    arguments: argparse.Namespace,
    office: Office,
    user: str,
    query: str | None,
    row: Row | None = None,
) -> UserRequest:
    tenant = arguments.tenant or office.settings.tenant
    case = office.case_for(user, arguments.case) if arguments.case else None
    if arguments.case and case is None:
        raise NotFound(f"case {arguments.case!r}: no case with this id that this user may see.")
    default_form: OutputForm = case.output_form if case else "chat_reply"
    return UserRequest(
        request_id=office.ids.new("req"),
        tenant_id=tenant,
        user_id=user,
        raw_query=query if query is not None else (case.question() if case else ""),
        history=turns_of(row) if row else (),
        channel="batch" if row is not None else "api",
        risk_level=case.risk if case else "low",
        case_id=arguments.case,
        customer_id=case.customer_id if case else None,
        customer_name=case.customer_name if case else None,
        output_form=arguments.output_form or default_form,
        asked_on=arguments.at,
    )


def _exit_code(done: PipelineRun) -> int:
    if done.trace.loop_end == "cancelled":
        print(f"countersign: stopped. The trace {done.trace.trace_id} is stored.", file=sys.stderr)
        return STOPPED
    if not done.trace.failure:
        unread = done.package is not None and done.package.unread
        return 3 if unread and done.answer.status == "insufficient_evidence" else 0
    return 3 if done.trace.extra.get("unavailable") else 1
