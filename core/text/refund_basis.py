"""What a refund of a returned order leans on: a calculation over record and rules, or a rule."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from core.models.action import CalculationStep
from core.models.calculation import Calculation
from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.tool import ToolAnswer
from core.text.refund_due import amount, pays_refund
from core.text.sentences import split_sentences

_SUM = re.compile(r"(?<![\d.])(?:\d{1,3}(?:,\d{3})+|\d{1,7})\.\d{2}(?![\d.])")


class Basis(NamedTuple):
    """``due`` is the amount where it is certain, ``most`` the bound; ``rules`` are titles."""

    evidence_ids: tuple[str, ...]
    rules: tuple[str, ...]
    most: Decimal
    due: Decimal | None = None
    steps: tuple[CalculationStep, ...] = ()
    unknown: tuple[str, ...] = ()


def basis_of(
    order: Evidence, package: EvidencePackage, worked_out: ToolAnswer | None
) -> Basis | None:
    """What bears a refund of ``order``, never more than it cost; ``None`` where nothing does.

    A calculation decides, in the package or as the tool just gave it: where it comes to nothing,
    nothing is due. Without one, a signed rule in force among the accepted evidence has to pay
    refunds of returns, and the amount is left open.
    """
    total = amount(order.candidate.metadata.get("total", ""))
    if total is None:
        return None
    made = _in_package(order, package) or _from_tool(order, worked_out)
    if made is not None:
        return _calculated(order, package, made, total)
    rule = _paying_rule(package)
    if rule is None:
        return None
    return Basis((rule.evidence_id,), (rule.candidate.source_title,), total)


def _in_package(order: Evidence, package: EvidencePackage) -> Calculation | None:
    for item in package.selected_evidence:
        made = item.candidate.calculation
        if made is not None and item.candidate.looked_up and _is_about(made, order):
            return made
    return None


def _from_tool(order: Evidence, worked_out: ToolAnswer | None) -> Calculation | None:
    made = worked_out.calculation if worked_out else None
    return made if made is not None and _is_about(made, order) else None


def _is_about(made: Calculation, order: Evidence) -> bool:
    return any(i.source == order.candidate.chunk_id for i in made.inputs)


def _calculated(
    order: Evidence, package: EvidencePackage, made: Calculation, total: Decimal
) -> Basis | None:
    sums = [amount(found.replace(",", "")) for found in _SUM.findall(made.result)]
    amounts = [value for value in sums if value is not None]
    if not amounts or max(amounts) > total:
        return None
    known = {item.candidate.chunk_id: item.evidence_id for item in package.selected_evidence}
    inputs = [i for i in made.inputs if i.source != order.candidate.chunk_id]
    ids = [known[i.source] for i in inputs if i.source in known]
    rules = [i.source_title for i in inputs]
    if not rules:
        rule = _paying_rule(package)
        if rule is None:
            return None
        ids, rules = [rule.evidence_id], [rule.candidate.source_title]
    return Basis(
        evidence_ids=tuple(dict.fromkeys(ids)),
        rules=tuple(dict.fromkeys(rules)),
        most=max(amounts),
        due=amounts[0] if len(sums) == 1 else None,
        steps=made.steps,
        unknown=made.unknown,
    )


def _paying_rule(package: EvidencePackage) -> Evidence | None:
    return next((item for item in package.selected_evidence if _pays(item.candidate)), None)


def _pays(rule: EvidenceCandidate) -> bool:
    if rule.looked_up or not rule.signed or rule.status != "active":
        return False
    if rule.authority not in ("official_policy", "approved_procedure"):
        return False
    about = " ".join((rule.source_title, *rule.heading_path))
    return any(pays_refund(sentence.text, about) for sentence in split_sentences(rule.text))
