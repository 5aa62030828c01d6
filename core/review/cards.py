"""Evidence, conflicts and left-out passages of a run as cards: what stands there, and why.

Pure functions over a stored run, so a decision of last year shows the passages as they were then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from core.models.draft import ReportedConflict
from core.models.evidence import Evidence, EvidenceCandidate, GatedPassage
from core.models.judgement import ConflictKind, Resolution
from core.models.review import DraftVersion
from core.models.standing import AUTHORITY_WORDS
from core.models.trace import PipelineRun
from core.review.days import validity_words
from core.review.leaning import freshness_now, leaned_on
from core.review.views import ConflictCard, EvidenceCard, LeftOutCard
from core.text.provenance import day_words

_RECORDS = ("record", "case_file")
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five"}
_NOT_CHOSEN = "found, but left out to keep the evidence short: other passages cover the same"


def evidence_cards(
    run: PipelineRun, draft: DraftVersion | None, *, today: date
) -> tuple[EvidenceCard, ...]:
    """Accepted evidence, and conflicting evidence the text cites, labelled E1, E2 … and R1 …"""
    if run.package is None:
        return ()
    cited = leaned_on(draft, run)
    shown = run.package.selected_evidence + tuple(
        item for item in run.package.conflicting_evidence if item.evidence_id in cited
    )
    agreeing = _agreeing(run, draft)
    freshness = {item.document_id: item for item in freshness_now(draft, run, today)}
    counts = {"E": 0, "R": 0}
    cards = []
    for item in shown:
        candidate = item.candidate
        is_record = candidate.retrieval_source in _RECORDS
        letter = "R" if is_record else "E"
        counts[letter] += 1
        quotes = _quotes(item, run, draft)
        cards.append(
            EvidenceCard(
                label=f"{letter}{counts[letter]}",
                evidence_id=item.evidence_id,
                chunk_id=candidate.chunk_id,
                document_id=candidate.document_id,
                source_id=candidate.source_id,
                title=candidate.source_title,
                section=section_of(candidate),
                text=candidate.text,
                quotes=quotes,
                trust=(
                    *validity_words(candidate, run.plan),
                    *_trust(candidate, quotes, agreeing.get(item.evidence_id, 1), today),
                ),
                is_record=is_record,
                freshness=freshness.get(candidate.document_id),
                calculation=candidate.calculation,
            )
        )
    return tuple(cards)


def section_of(candidate: EvidenceCandidate) -> str:
    """Where in its source a passage stands, as people say it."""
    return " › ".join(candidate.heading_path)


def _quotes(item: Evidence, run: PipelineRun, draft: DraftVersion | None) -> tuple[str, ...]:
    found: list[str] = []
    if draft is not None:
        found += [
            span.quote
            for claim in draft.claims
            for span in claim.spans
            if span.evidence_id == item.evidence_id
        ]
    if draft is None or draft.kind == "copilot":
        found += [c.quote for c in run.answer.citations if c.evidence_id == item.evidence_id]
    exact = (quote for quote in found if quote.strip() and quote in item.candidate.text)
    return tuple(dict.fromkeys(exact))


def _agreeing(run: PipelineRun, draft: DraftVersion | None) -> dict[str, int]:
    """For each evidence id, how many different sources bear one and the same sentence with it."""
    evidence = run.package.by_id() if run.package else {}
    best: dict[str, int] = {}
    for claim in draft.claims if draft else run.claims:
        if claim.support_status != "supported" or claim.is_inference:
            continue
        bearing = {
            span.evidence_id: evidence[span.evidence_id].candidate.source_id
            for span in claim.spans
            if span.evidence_id in evidence
            and evidence[span.evidence_id].candidate.retrieval_source not in _RECORDS
        }
        for evidence_id in bearing:
            best[evidence_id] = max(best.get(evidence_id, 1), len(set(bearing.values())))
    return best


def _trust(
    candidate: EvidenceCandidate, quotes: tuple[str, ...], sources: int, today: date
) -> Iterator[str]:
    yield "quote found" if quotes else "not cited in the draft"
    if candidate.retrieval_source == "record":
        yield "worked out here" if candidate.calculation else "from our records"
        return
    word = AUTHORITY_WORDS[candidate.authority]
    yield word if candidate.signed else f"unsigned {word}"
    if candidate.retrieval_source == "case_file":
        return
    yield review_words(candidate, today)
    if sources > 1:
        yield f"{_COUNTS.get(sources, str(sources))} sources agree"
    if candidate.status == "superseded":
        until = (
            f", valid before {day_words(candidate.valid_to, 'en')}" if candidate.valid_to else ""
        )
        yield f"superseded version{until}"
    if candidate.permission_tag != "PUBLIC":
        yield "internal: never quoted to customers"
    if candidate.scope_note:
        yield f"special case: {candidate.scope_note}"


def review_words(candidate: EvidenceCandidate, today: date) -> str:
    """When the source was last looked at, against its own promise."""
    if candidate.last_reviewed is None:
        return "never reviewed"
    age = (today - candidate.last_reviewed).days
    late = age - candidate.review_sla_days
    if late > 0:
        return f"past its review date by {late} {'day' if late == 1 else 'days'}"
    if age <= 0:
        return "reviewed today"
    return "reviewed yesterday" if age == 1 else f"reviewed {age} days ago"


def conflict_cards(run: PipelineRun, opened: Iterable[str] = ()) -> tuple[ConflictCard, ...]:
    """Every conflict of the run: those the draft reports, then any it does not mention."""
    seen = set(opened)
    reported = list(run.answer.conflicts)
    reported += [_reported(r) for r in run.resolutions if _matching(reported, r) is None]
    return tuple(
        _conflict_card(f"C{number}", conflict, run, seen)
        for number, conflict in enumerate(reported, start=1)
    )


def _conflict_card(
    conflict_id: str, conflict: ReportedConflict, run: PipelineRun, opened: set[str]
) -> ConflictCard:
    resolution = next((r for r in run.resolutions if _matching([conflict], r) is not None), None)
    evidence = run.package.by_id() if run.package else {}
    if conflict.kind == "premise":
        denying = next((evidence[i] for i in conflict.evidence_ids if i in evidence), None)
        quote = denying.gated.note.counter_quote if denying else ""
        asked = conflict.side_a.rstrip().endswith(("?", "？"))
        mine = "The question asks" if asked else "The question assumes"
        sides = ("", quote or conflict.side_b, mine, conflict.source_b or _title(denying))
    elif resolution is not None:
        a, b = resolution.contradiction.claim_a, resolution.contradiction.claim_b
        sides = (
            a.quote or conflict.side_a,
            b.quote or conflict.side_b,
            _title(evidence.get(a.evidence_id)),
            _title(evidence.get(b.evidence_id)),
        )
    else:
        titles = [_title(evidence.get(i)) for i in conflict.evidence_ids[:2]] + ["", ""]
        sides = (conflict.side_a, conflict.side_b, titles[0], titles[1])
    return ConflictCard(
        conflict_id=conflict_id,
        conflict=conflict,
        quote_a=sides[0],
        quote_b=sides[1],
        title_a=sides[2],
        title_b=sides[3],
        steps=resolution.reason if resolution else (conflict.resolution,),
        questions=resolution.questions if resolution else (),
        opened=conflict_id in opened,
        about=_ABOUT[conflict.value_kind] if conflict.value_kind else "",
        **_values_and_task(resolution, evidence),
    )


_ABOUT: dict[ConflictKind, str] = {
    "number": "a number",
    "date": "a date",
    "amount": "an amount",
    "polarity": "whether it is so",
    "list": "what is on a list",
    "party": "whose part it is",
    "name": "a name",
}


def _values_and_task(
    resolution: Resolution | None, evidence: Mapping[str, Evidence]
) -> dict[str, str]:
    if resolution is None:
        return {}
    sides = (resolution.contradiction.claim_a, resolution.contradiction.claim_b)
    found = [evidence[side.evidence_id].candidate for side in sides if side.evidence_id in evidence]
    if len(found) < len(sides):
        return {}
    owners = " and ".join(dict.fromkeys(c.owner for c in found if c.owner))
    governed = all(c.retrieval_source not in (*_RECORDS, "supplied") for c in found)
    open_still = resolution.winner == "NO_WINNER_NEED_HUMAN"
    task = f"Raised as a task for {owners or 'the owners'}" if governed and open_still else ""
    return {
        "value_a": sides[0].value,
        "value_b": sides[1].value,
        "since_a": _since(found[0]),
        "since_b": _since(found[1]),
        "task": task,
    }


def _since(candidate: EvidenceCandidate) -> str:
    if candidate.valid_from is None:
        return "since when it holds is not stated"
    return f"version {candidate.version}, valid from {day_words(candidate.valid_from, 'en')}"


def _matching(
    reported: Iterable[ReportedConflict], resolution: Resolution
) -> ReportedConflict | None:
    sides = {
        resolution.contradiction.claim_a.evidence_id,
        resolution.contradiction.claim_b.evidence_id,
    }
    for conflict in reported:
        same_place = not conflict.dimension or conflict.dimension == resolution.dimension
        if conflict.kind == "sources" and sides <= set(conflict.evidence_ids) and same_place:
            return conflict
    return None


def _reported(resolution: Resolution) -> ReportedConflict:
    a, b = resolution.contradiction.claim_a, resolution.contradiction.claim_b
    winner = {"claim_a": a.evidence_id, "claim_b": b.evidence_id}.get(resolution.winner)
    return ReportedConflict(
        kind="sources",
        value_kind=resolution.contradiction.kind,
        dimension=resolution.dimension,
        side_a=a.value,
        side_b=b.value,
        evidence_ids=(a.evidence_id, b.evidence_id),
        resolution=resolution.reason[-1] if resolution.reason else "",
        decided=winner is not None,
        winner_evidence_id=winner,
    )


def _title(item: Evidence | None) -> str:
    if item is None:
        return ""
    section = section_of(item.candidate)
    return f"{item.candidate.source_title} › {section}" if section else item.candidate.source_title


def left_out_cards(run: PipelineRun) -> tuple[LeftOutCard, ...]:
    """Passages that were found but do not reach the draft, each with its reason in words."""
    kept = {e.candidate.chunk_id for e in run.package.all_evidence()} if run.package else set()
    return tuple(_left_out(g) for g in run.gated if g.candidate.chunk_id not in kept)


def _left_out(gated: GatedPassage) -> LeftOutCard:
    candidate = gated.candidate
    reason = gated.reason if gated.route == "exclude" else _NOT_CHOSEN
    return LeftOutCard(
        chunk_id=candidate.chunk_id,
        title=candidate.source_title,
        section=section_of(candidate),
        text=candidate.text,
        reason=reason or "not needed for this question",
        can_use=not instructs_the_model(gated),
    )


def instructs_the_model(gated: GatedPassage) -> bool:
    """Whether the passage stays out whatever anybody clicks."""
    return gated.rule == "injection" or bool(gated.note.injection_quote)
