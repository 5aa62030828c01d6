"""Other ways to ask for a gap: each of the five strategies as the queries it can still offer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from core.models.evidence import EvidenceCandidate
from core.models.judgement import Ambiguity
from core.models.plan import Dimension, QueryPlan, RewrittenQuery
from core.models.request import ExtractedIdentifier
from core.text.field_words import field_words
from core.text.identifiers import find_identifiers
from core.text.language import cjk_share
from core.text.names import find_names, name_in
from core.text.synonyms import WordBook, other_words, swapped
from core.text.tokens import content_words

_TOPIC = re.compile(r"\s*\(regarding: (.*)\)$")
_OTHERS_AT_MOST = 4
_TURNS = 3
"""Other words tried in turn for one gap."""
_ROWS = ("record", "case_file")
_KINDS = ("order", "customer")
"""Records that can be looked up by a key."""


def bare(gap: Dimension) -> str:
    """What the gap asks, without the topic that planning put behind it."""
    return _TOPIC.sub("", gap.query)


def is_chinese(text: str) -> bool:
    """Whether a query is to go on in Chinese."""
    return cjk_share(text) > 0


def expanded(gap: Dimension, words: WordBook) -> Iterator[str]:
    """The gap with the fields its aspect is stated in, then with other words for what it names."""
    fields = field_words(gap.aspect, chinese=is_chinese(gap.query))
    own = other_words(words.swaps(gap.query, own=True), limit=_OTHERS_AT_MOST)
    yield f"{gap.query} ({', '.join((*own, fields))})"
    everything = other_words(words.swaps(gap.query))
    if everything:
        yield f"{gap.query} ({', '.join(everything)})"


def reworded(gap: Dimension, words: WordBook, seen: Sequence[EvidenceCandidate]) -> Iterator[str]:
    """The gap in the company's words, in general ones, and under the headings that came near."""
    asked = bare(gap)
    own, known = words.swaps(asked, own=True), words.swaps(asked)
    for swaps in (own, known):
        for turn in range(_TURNS):
            other = swapped(asked, swaps, turn=turn)
            if other:
                yield other
    for candidate in seen[:_TURNS]:
        heading = heading_of(candidate)
        if heading and heading.casefold() not in asked.casefold():
            yield f"{heading}: {asked}"


def in_own_words(plan: QueryPlan, step: RewrittenQuery, words: WordBook) -> QueryPlan:
    """``plan`` asked in the company's own words, once the gap of ``step`` was put so.

    The glossary and the documents say that the two mean the same; so judge and draft may look for
    the words that the evidence has. A gap keeps its name: that is what the customer said.
    """
    gap = next((d for d in plan.dimensions if d.id == step.gap), None)
    if gap is None or step.strategy_tag != "SWITCH_KEYWORD_SYNONYM":
        return plan
    own = words.swaps(bare(gap), own=True)
    if step.rewritten_query not in {swapped(bare(gap), own, turn=t) for t in range(_TURNS)}:
        return plan
    said = "; ".join(f"{s.found} = {s.others[0]}" for s in own)
    notes = (*plan.reasoning_notes, f"{gap.id} asked in the company's words: {said}")
    dimensions = tuple(
        d.model_copy(update={"query": swapped(d.query, words.swaps(d.query, own=True)) or d.query})
        for d in plan.dimensions
    )
    return plan.model_copy(update={"dimensions": dimensions, "reasoning_notes": notes})


def narrowed(plan: QueryPlan, gap: Dimension) -> Iterator[str]:
    """The gap at its own date: of the dimension, of the event, or of the policy asked for."""
    day = day_of(plan, gap)
    if day is None:
        return
    if is_chinese(gap.query):
        yield f"{bare(gap)} {day.year}年{day.month}月有效的版本"
    else:
        yield f"{bare(gap)} version valid in {day:%B %Y}"


def day_of(plan: QueryPlan, gap: Dimension) -> date | None:
    """The day whose version must state the gap, ``None`` where only the present was asked for."""
    then = plan.temporal
    if gap.valid_on is not None:
        return gap.valid_on
    if then.event_date is not None:
        return then.event_date
    return None if then.prefer_current else then.effective_policy_date


def at_the_time_of(plan: QueryPlan, gap_id: str) -> QueryPlan:
    """``plan`` with the policy date of one gap, so that the search admits the version of then."""
    gap = next((d for d in plan.dimensions if d.id == gap_id), None)
    day = day_of(plan, gap) if gap else None
    if day is None or day >= plan.temporal.asked_date:
        return plan
    then = plan.temporal.model_copy(update={"effective_policy_date": day, "prefer_current": False})
    return plan.model_copy(update={"temporal": then})


def resolved(
    plan: QueryPlan,
    gap: Dimension,
    seen: Sequence[EvidenceCandidate],
    ambiguities: Sequence[Ambiguity] = (),
) -> Iterator[str]:
    """The gap put with the thing its name stands for: each reading, then what was seen of it."""
    asked = bare(gap)
    for ambiguity in ambiguities:
        if ambiguity.dimension == gap.id:
            for reading in ambiguity.readings:
                yield f"{asked} ({ambiguity.term}: {reading.entity})"
    question = plan.subqueries[0] if plan.subqueries else plan.normalized_query
    for name in find_names(f"{question}. {gap.query}"):
        for kind in _kinds_of(name, seen):
            yield f"{asked} ({name}: {kind})"
        if name not in gap.query:
            yield f"{asked} {name}"
    terms = list(dict.fromkeys(content_words(gap.query)))
    if len(terms) > 2 and not is_chinese(gap.query):
        yield " ".join(terms)


def heading_of(candidate: EvidenceCandidate) -> str:
    """What a passage stands under: its nearest heading, else its title."""
    return candidate.heading_path[-1] if candidate.heading_path else candidate.source_title


def _kinds_of(name: str, seen: Sequence[EvidenceCandidate]) -> list[str]:
    """Headings under which passages that were found speak of ``name``, each once."""
    kinds: dict[str, None] = {}
    for candidate in seen:
        if candidate.retrieval_source not in _ROWS and name_in(name, candidate.text):
            heading = heading_of(candidate)
            if heading and not name_in(name, heading):
                kinds[heading] = None
    return list(kinds)[:_TURNS]


def structured(plan: QueryPlan, gap: Dimension, seen: Sequence[EvidenceCandidate]) -> Iterator[str]:
    """Keys that the records found name and nobody looked up yet, then those of the question."""
    terms = [] if gap.kind == "record" else list(dict.fromkeys(content_words(gap.query)))[:4]
    further = [f"{i.kind}: {i.value}" for i in further_keys(plan, seen)]
    named = [f"{i.kind}: {i.value}" for i in plan.identifiers]
    if further:
        yield " ".join((*further[:_TURNS], *terms))
    if named or terms:
        yield " ".join((*named, *terms))


def further_keys(
    plan: QueryPlan, seen: Sequence[EvidenceCandidate]
) -> tuple[ExtractedIdentifier, ...]:
    """Orders and customers that records or case files name and the plan does not, each once."""
    known = {(i.kind, i.value) for i in (*plan.identifiers, *plan.related)}
    rows = [c for c in seen if c.retrieval_source in _ROWS]
    held = {row.chunk_id.rpartition("/")[2] for row in rows}
    named = {(i.kind, i.value): i for row in rows for i in find_identifiers(row.text)}
    return tuple(
        i
        for key, i in named.items()
        if i.kind in _KINDS and key not in known and i.value not in held
    )


def keys_in(query: str) -> tuple[ExtractedIdentifier, ...]:
    """Orders and customers that a structured query names."""
    return tuple(i for i in find_identifiers(query) if i.kind in _KINDS)
