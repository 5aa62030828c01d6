"""Stage: what to do with the case beside sending the draft, on which grounds, and to whom.

Advice only: a person decides, and nothing here acts. Where a clause decides, it is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models.advice import (
    GROUND_REASON,
    AdviceGround,
    AdviceLimits,
    AdvisedOutcome,
    GroundKind,
    HandlingAdvice,
)
from core.models.draft import GroundedAnswer
from core.models.evidence import Evidence, EvidenceCandidate, EvidencePackage
from core.models.judgement import Judgement, Resolution
from core.models.plan import QueryPlan
from core.models.request import UserRequest
from core.models.review import Case
from core.text.advice_grounds import (
    ROWS,
    WeighedGround,
    alarm_grounds,
    case_facts,
    said_by_customer,
    sum_grounds,
)
from core.text.earlier_contacts import earlier_grounds
from core.text.requests_acts import matters
from core.text.requests_grounds import RuleGround, rule_grounds
from core.text.requests_rules import RulePassage, rules_found
from core.text.restrictions import clauses
from core.text.restrictions_state import Facts

_DECISIONS = re.compile(r"decision|approval|approved|决定|批准", re.I)
_DECIDES = re.compile(r"decision|decide|approv|review|决定|批准", re.I)
_NOBODY = re.compile(r"^\W*(?:none|no\b|not|nobody|pending|open|无|未)", re.I)
_REFUSING = ("policy_forbids", "condition_not_met")
_LIGHT = ("condition_unverified",)


def advise(
    plan: QueryPlan,
    request: UserRequest,
    package: EvidencePackage | None,
    judgement: Judgement | None,
    resolutions: Sequence[Resolution],
    answer: GroundedAnswer,
    case: Case | None,
    limits: AdviceLimits,
    earlier: Sequence[EvidenceCandidate] = (),
) -> HandlingAdvice:
    """What to do with the case, by what was asked, what the policy says and what the case holds.

    ``earlier`` are the customer's other cases, one row each.
    """
    said = said_by_customer(request, case)
    evidence = package.all_evidence() if package else ()
    records = " ".join(e.candidate.text for e in evidence if e.candidate.retrieval_source in ROWS)
    facts = Facts(said, f"{records} {case_facts(case)}", plan.temporal.asked_date)
    ours = case is not None and case.reader() == "colleague"
    grounds = [
        *([] if ours else alarm_grounds(said, evidence, case, request, limits)),
        *_undecided(resolutions, evidence),
        *_requested(request.raw_query, evidence, facts, case),
        *_unapproved(case, evidence),
        *([] if answer.status == "refused" else sum_grounds(said, facts.records, limits)),
        *_thin(request, case, judgement, answer),
        *earlier_grounds(earlier, case, limits),
    ]
    return _advice(grounds)


def failure_advice(failure: str) -> HandlingAdvice:
    """The advice where a broken stage ended the run: nothing was checked, a person takes over."""
    words = f"The co-pilot could not finish: {failure}"
    return _advice(
        [WeighedGround(AdviceGround(kind="stage_failure", words=words), "supervisor", failure)]
    )


# ---- what the policy says -------------------------------------------------------------------


def _requested(
    message: str, evidence: Sequence[Evidence], facts: Facts, case: Case | None
) -> list[WeighedGround]:
    passages = tuple(
        RulePassage(
            key=e.evidence_id,
            text=e.candidate.text,
            section=(e.candidate.document_id, *e.candidate.heading_path),
            heading=" ".join(e.candidate.heading_path[-2:]),
        )
        for e in evidence
        if e.candidate.retrieval_source not in ROWS
    )
    decided = rules_found(message, passages, facts)
    return [_of_rule(g) for g in rule_grounds(decided, approved=_decision(case) is True)]


def _of_rule(found: RuleGround) -> WeighedGround:
    clause, passage = found.found.bearing.clause, found.found.passage
    ground = AdviceGround(
        kind=found.kind,
        words=found.words,
        evidence_id=passage.key,
        quote=passage.text[clause.start : clause.end],
    )
    missing = found.found.bearing.condition if found.kind == "condition_unverified" else ""
    if found.kind == "approval_missing":
        missing = f"the decision of the {found.approver or 'approver'}"
    return WeighedGround(ground, found.approver or "supervisor", missing, found.asks)


def _decision(case: Case | None) -> bool | None:
    """Whether the case records a decision: yes, expressly none (``False``), or nothing said."""
    fields = case.fields.items() if case else ()
    recorded = [value for name, value in fields if _DECISIONS.search(name)]
    return None if not recorded else not any(_NOBODY.match(value) for value in recorded)


def _unapproved(case: Case | None, evidence: Sequence[Evidence]) -> list[WeighedGround]:
    """The case record itself says that a decision the policy asks for is not there."""
    if _decision(case) is not False:
        return []
    about = _subject(case)
    rules = [
        (len(about & matters(f"{e.candidate.source_title} {rule.text}")), e, rule)
        for e in evidence
        if e.candidate.retrieval_source not in ROWS
        for rule in clauses(e.candidate.text, " ".join(e.candidate.heading_path[-2:]))
        if rule.force == "needs_approval" and rule.approver and _DECIDES.search(rule.text)
    ]
    shared, item, rule = max(rules, key=lambda r: r[0], default=(0, None, None))
    if item is None or rule is None or not shared:
        return []
    who = rule.approver
    ground = AdviceGround(
        kind="approval_missing",
        words=f"The policy asks for the decision of the {who}, and none is on record.",
        evidence_id=item.evidence_id,
        quote=rule.text,
    )
    return [WeighedGround(ground, who, f"the decision of the {who}")]


def _subject(case: Case | None) -> frozenset[str]:
    """What the case is about, by its own fields and events; the decision field says nothing."""
    if case is None:
        return frozenset()
    fields = [f"{n} {v}" for n, v in case.fields.items() if not _DECISIONS.search(n)]
    events = [f"{e.kind} {e.description}" for e in case.events]
    return matters(" ".join((case.subject, *fields, *events)).replace("_", " "))


def _undecided(
    resolutions: Sequence[Resolution], evidence: Sequence[Evidence]
) -> list[WeighedGround]:
    owners = {e.evidence_id: e.candidate.owner for e in evidence}
    found = []
    for resolution in resolutions:
        if resolution.winner != "NO_WINNER_NEED_HUMAN":
            continue
        a, b = resolution.contradiction.claim_a, resolution.contradiction.claim_b
        ground = AdviceGround(
            kind="no_winner",
            words=f"The sources disagree and no rule decides: “{a.value}” against “{b.value}”.",
            evidence_id=a.evidence_id if a.quote else None,
            quote=a.quote,
        )
        owner = owners.get(a.evidence_id, "")
        to = f"knowledge owner ({owner})" if owner else "knowledge owner"
        found.append(WeighedGround(ground, to, " ".join(resolution.questions)))
    return found


def _thin(
    request: UserRequest, case: Case | None, judgement: Judgement | None, answer: GroundedAnswer
) -> list[WeighedGround]:
    risk = case.risk if case else request.risk_level
    if risk != "high" or judgement is None or judgement.decision == "ENOUGH":
        return []
    if answer.status not in ("insufficient_evidence", "conflicting_evidence", "escalated"):
        return []
    gaps = [k for k, c in judgement.dimension_coverage_matrix.items() if not c.covered]
    words = "The case is high risk and the sources do not settle it"
    asked = len(judgement.dimension_coverage_matrix)
    words += f": {len(gaps)} of {asked} things asked are not covered." if gaps else "."
    missing = "; ".join(answer.missing_information)
    return [
        WeighedGround(
            AdviceGround(kind="low_coverage_high_risk", words=words), "supervisor", missing
        )
    ]


# ---- the advice -----------------------------------------------------------------------------


def _advice(grounds: Sequence[WeighedGround]) -> HandlingAdvice:
    if not grounds:
        return HandlingAdvice(outcome="reply")
    outcome = _outcome(grounds)
    ranked = sorted(grounds, key=lambda g: _weight(g, outcome))
    first = ranked[0]
    return HandlingAdvice(
        outcome=outcome,
        grounds=tuple(g.ground for g in ranked),
        reason=GROUND_REASON[first.ground.kind],
        to=first.to if outcome == "escalate" else "",
        missing=tuple(dict.fromkeys(g.missing for g in ranked if g.missing)),
    )


def _outcome(grounds: Sequence[WeighedGround]) -> AdvisedOutcome:
    """Whatever a person must decide comes first; then a plain no; then what is still open."""
    kinds = {g.ground.kind for g in grounds}
    if kinds - {*_REFUSING, *_LIGHT}:
        return "escalate"
    if kinds & set(_REFUSING):
        return "refuse"
    return "ask_customer" if all(g.asks for g in grounds) else "escalate"


def _weight(ground: WeighedGround, outcome: AdvisedOutcome) -> int:
    order: tuple[GroundKind, ...] = (
        "stage_failure",
        "legal_or_safety",
        "approval_missing",
        "goodwill_beyond_policy",
        "no_winner",
        "customer_asks_for_a_person",
        "high_value",
        "repeated_contact",
        "low_coverage_high_risk",
        "policy_forbids",
        "condition_not_met",
        "condition_unverified",
    )
    place = order.index(ground.ground.kind)
    return place - len(order) if outcome == "refuse" and ground.ground.kind in _REFUSING else place
