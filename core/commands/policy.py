"""``countersign policy gate``: the gate's thresholds, shown, listed and saved with a reason.

``policy glossary`` stands in ``core.commands.glossary``.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.commands import glossary
from core.commands.common import Parsers, office_of, show, table, user_of
from core.errors import NotFound
from core.models.evidence import GateThresholds

if TYPE_CHECKING:
    from core.evaluation.gate_desk import GateDesk, Standing

_FIELDS = tuple(GateThresholds.model_fields)


def add_to(verbs: Parsers, common: argparse.ArgumentParser) -> None:
    """Add the command and its verbs to the grammar."""
    parser = verbs.add_parser("policy", parents=[common], help="policies that runs go by")
    kinds = parser.add_subparsers(required=True, metavar="KIND")
    gate = kinds.add_parser("gate", parents=[common], help="the gate's thresholds")
    actions = gate.add_subparsers(required=True, metavar="ACTION")
    actions.add_parser("show", parents=[common], help="what is in force").set_defaults(run=_show)
    actions.add_parser("history", parents=[common], help="every policy, newest first").set_defaults(
        run=_history
    )
    save = actions.add_parser("save", parents=[common], help="put other thresholds in force")
    for name in _FIELDS:
        save.add_argument(
            f"--{name.replace('_', '-')}", type=float, metavar="P", help="stays if not given"
        )
    save.add_argument("--again", metavar="POLICY", help="begin at those of an earlier policy")
    save.add_argument("--reason", required=True, help="why they change; the audit keeps it")
    save.add_argument(
        "--replaces", metavar="POLICY", help="refuse if another one is in force by now"
    )
    save.set_defaults(run=_save)
    glossary.add_to(kinds, common)


def _desk(arguments: argparse.Namespace) -> GateDesk:
    office = office_of(arguments)
    return office.evaluation_desk(user_of(arguments, office)).gate


def _show(arguments: argparse.Namespace) -> int:
    return _tell(arguments, _desk(arguments).standing())


def _tell(arguments: argparse.Namespace, standing: Standing) -> int:
    from core.evaluation.gate_words import in_words

    data = {
        "policy_id": standing.policy_id,
        "thresholds": standing.thresholds.model_dump(),
        "policy": standing.policy.model_dump(mode="json") if standing.policy else None,
    }
    policy = standing.policy
    origin = (
        f"{policy.policy_id}, saved {policy.saved_at:%Y-%m-%d %H:%M} UTC by {policy.saved_by}: "
        f"{policy.reason}"
        if policy
        else "the settings; no policy was saved yet"
    )
    show(arguments, data, f"{in_words(standing.thresholds)}\n({origin})")
    return 0


def _history(arguments: argparse.Namespace) -> int:
    from core.evaluation.gate_words import in_words

    past = [p.policy for p in _desk(arguments).standing().history]
    rows: list[tuple[str, ...]] = [("policy", "saved", "by", "thresholds", "reason")]
    rows += [
        (p.policy_id, f"{p.saved_at:%Y-%m-%d %H:%M}", p.saved_by, in_words(p.thresholds), p.reason)
        for p in past
    ]
    show(arguments, {"policies": [p.model_dump(mode="json") for p in past]}, table(rows))
    return 0


def _save(arguments: argparse.Namespace) -> int:
    # Imported here, as the office is: other commands do not pay for the gate.
    from core.evaluation.gate_words import thresholds_of

    desk = _desk(arguments)
    standing = desk.standing()
    begin = _earlier(standing, arguments.again) if arguments.again else standing.thresholds
    given = {n: v for n in _FIELDS if (v := getattr(arguments, n)) is not None}
    replaces = standing.policy_id if arguments.replaces is None else arguments.replaces
    desk.save(
        thresholds_of({**begin.model_dump(), **given}),
        reason=arguments.reason,
        replaces=replaces,
    )
    return _tell(arguments, desk.standing())


def _earlier(standing: Standing, policy_id: str) -> GateThresholds:
    for past in standing.history:
        if past.policy.policy_id == policy_id:
            return past.policy.thresholds
    raise NotFound(f"There is no gate policy {policy_id!r}; `countersign policy gate history`.")
