"""Where accepted evidence disagrees on what a dimension asks, and where it speaks of two things.

Found, never decided: who wins is the adjudicator's matter. A name that stands for two things is no
contradiction: each reading is right about its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.models.evidence import EvidenceCandidate, EvidencePackage
from core.models.judgement import Ambiguity, ClaimSide, Contradiction, Reading
from core.models.plan import Dimension, QueryPlan
from core.models.standing import standing
from core.models.validity import for_dimension
from core.text.disagreement import Account, Disagreement, Said, SameValue, disagree
from core.text.entities import asked_name

_MOST = 6
"""Pairs reported for one dimension; more values than that nobody reads pair by pair."""


def find_contradictions(plan: QueryPlan, package: EvidencePackage) -> tuple[Contradiction, ...]:
    """Every contradiction among ``package.selected_evidence``, by dimension in the plan's order."""
    return tuple(
        Contradiction(
            dimension=dimension.id, claim_a=_side(one), claim_b=_side(other), kind=one.kind
        )
        for dimension, found in _by_dimension(plan, package)
        for one, other in _telling(found)
    )


def find_ambiguities(plan: QueryPlan, package: EvidencePackage) -> tuple[Ambiguity, ...]:
    """Names of the question that stand for several things, each with an answer of its own.

    Where some readings are disputed as well, only the undisputed ones are listed, and only when
    there are two.
    """
    return tuple(
        Ambiguity(
            dimension=dimension.id,
            term=asked_name(plan.situated(dimension.query)),
            readings=tuple(_reading(group) for group in found.readings),
        )
        for dimension, found in _by_dimension(plan, package)
        if found.readings and (found.pairs or len(found.readings) > 1)
    )


def _by_dimension(
    plan: QueryPlan, package: EvidencePackage
) -> Iterator[tuple[Dimension, Disagreement]]:
    for dimension in plan.dimensions:
        if dimension.kind == "passage":
            accounts = accounts_of(for_dimension(package, dimension, plan))
            yield dimension, disagree(plan.situated(dimension.query), accounts)


def accounts_of(package: EvidencePackage) -> tuple[Account, ...]:
    """The accepted passages as witnesses; records and the case file are looked up, not weighed."""
    return tuple(
        _account(item.evidence_id, item.candidate)
        for item in package.selected_evidence
        if not item.candidate.looked_up
    )


def _account(evidence_id: str, candidate: EvidenceCandidate) -> Account:
    return Account(
        name=evidence_id,
        text=candidate.text,
        title=" › ".join(filter(None, (candidate.source_title, *candidate.heading_path))),
        document=candidate.document_id,
        region=candidate.region,
        product=candidate.product,
        official=standing(candidate).letter == "A",
    )


def _telling(found: Disagreement) -> Sequence[tuple[Said, Said]]:
    """One pair for each two values that stand against each other."""
    seen: set[frozenset[tuple[str, str]]] = set()
    kept = []
    for one, other in found.pairs:
        key = frozenset({(one.name, one.value), (other.name, other.value)})
        if key not in seen:
            seen.add(key)
            kept.append((one, other))
    return kept[:_MOST]


def _side(said: Said) -> ClaimSide:
    return ClaimSide(evidence_id=said.name, value=said.value, quote=said.quote)


def _reading(group: SameValue) -> Reading:
    first = next((said for said in group.said if said.thing), group.said[0])
    return Reading(
        entity=first.thing,
        value=first.value,
        evidence_ids=tuple(dict.fromkeys((first.name, *(said.name for said in group.said)))),
        quote=first.quote,
    )
