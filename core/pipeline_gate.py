"""The gate of one round: what is new against the question, then what was left against its parts.

A pair of wording and passage is asked once in a run: later rounds pay for what they bring.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import EvidenceCandidate, GatedPassage
from core.models.gate_words import route_words
from core.pipeline_run import RunInProgress
from core.stages.admit_rules import admit_rules
from core.stages.gate import gate
from core.stages.normalise import clean_text
from core.stages.situate import promote, situate
from core.text.concepts import kinds
from core.text.own_things import of_its_kind
from core.text.tokens import content_words

_BEFORE = 300
"""Characters of the question before, its end."""
_REREAD_AT_MOST = 8
"""Passages asked again in other words in one round: the best that those words found."""


def gate_round(run: RunInProgress, question: str, number: int, *, same_question: str = "") -> None:
    """Gate what no round gated yet, by the ``question`` and its parts.

    ``same_question`` is a part of it newly put in words known to mean the same: what was left out
    under the old words is read again under these. Any other rewrite only searches; to accept a
    passage for words that were taken from it would be to argue in a circle.
    """
    with run.stage("gate", number) as note:
        run.gated += _gated(run, question, run.ungated())
        note(route_words(run.gated))
    with run.stage("situate", number) as note:
        run.plan = situate(run.need_plan(), run.request, run.gated, today=run.today)
        run.gated = admit_rules(run.request, promote(run.plan, run.gated))
        note(run.plan.situation or "no special case")
    queries = run.part_queries(question)
    if queries:
        with run.stage("gate", number) as note:
            for query in queries:
                _second_look(run, query, _left(run))
            note(f"by part: {route_words(run.gated)}")
    _of_its_kind(run, queries or (question,), number)
    _beside_the_conversation(run, number)
    if same_question:
        with run.stage("gate", number) as note:
            _second_look(run, same_question, _best_found(run))
            note(f"in other words: {route_words(run.gated)}")


def _of_its_kind(run: RunInProgress, queries: Sequence[str], number: int) -> None:
    """Read again for "an item" where nothing accepted speaks of the thing the asker has."""
    for query in queries:
        asked = of_its_kind(query)
        if asked is None or any(
            _speaks_of(g, query, asked[1]) for g in run.gated if g.route == "include"
        ):
            continue
        with run.stage("gate", number) as note:
            _second_look(run, asked[0], _left(run))
            note(f"for its kind: {route_words(run.gated)}")


def _beside_the_conversation(run: RunInProgress, number: int) -> None:
    """Where a follow-up leaves everything out, read it once more with the question before it: what
    that puts on the subject is on the subject."""
    asked = _with_question_before(run)
    if not asked or any(g.route == "include" for g in run.gated):
        return
    with run.stage("gate", number) as note:
        _second_look(run, asked, _left(run), subject=True)
        note(f"beside the conversation: {route_words(run.gated)}")


def _with_question_before(run: RunInProgress) -> str:
    before = [turn.text for turn in run.request.history if turn.role == "customer"]
    return (
        f"{clean_text(before[-1])[-_BEFORE:]} {run.need_plan().normalized_query}" if before else ""
    )


def _speaks_of(passage: GatedPassage, query: str, words: frozenset[str]) -> bool:
    """Of the thing itself, or of the kind of goods it belongs to (a toaster is an appliance)."""
    candidate = passage.candidate
    text = " ".join((candidate.source_title, *candidate.heading_path, candidate.text))
    return words <= set(content_words(text)) or bool(kinds(query) & kinds(text))


def _left(run: RunInProgress) -> tuple[GatedPassage, ...]:
    return tuple(g for g in run.gated if g.rule in ("not_relevant", "no_evidence"))


def _best_found(run: RunInProgress) -> tuple[GatedPassage, ...]:
    """What is left of what the last search found, in its order."""
    left = {g.candidate.chunk_id: g for g in _left(run)}
    return tuple(left[c] for c in run.found if c in left)[:_REREAD_AT_MOST]


def _second_look(
    run: RunInProgress, query: str, left: Sequence[GatedPassage], *, subject: bool = False
) -> None:
    """A passage may answer one part of a question, or the customer's case of it, not the whole.

    With ``subject`` one that is only on the subject of ``query`` is told from one that is not.
    """
    asked = [g.candidate for g in left if (query, g.candidate.chunk_id) not in run.looked_at]
    run.looked_at |= {(query, candidate.chunk_id) for candidate in asked}
    better = {
        g.candidate.chunk_id: g
        for g in _gated(run, query, asked)
        if g.route == "include" or (subject and g.rule == "no_evidence")
    }
    run.gated = tuple(better.get(g.candidate.chunk_id, g) for g in run.gated)


def _gated(
    run: RunInProgress, query: str, candidates: Sequence[EvidenceCandidate]
) -> tuple[GatedPassage, ...]:
    return gate(
        query,
        candidates,
        gate=run.gate,
        thresholds=run.thresholds,
        force_include=run.options.include,
        force_exclude=run.options.exclude,
    )
