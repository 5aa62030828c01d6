"""Why a result stands where it stands, in plain words."""

from __future__ import annotations

from core.models.evidence import EvidenceCandidate, WhyFound

_CLOSE, _RELATED = 0.6, 0.4
_SHARES = (
    (0.15, "almost all by meaning"),
    (0.4, "more by meaning than by words"),
    (0.6, "by words and meaning alike"),
    (0.95, "more by words than by meaning"),
    (1.01, "by words alone"),
)
_SHOWN = 8


def why_in_words(candidate: EvidenceCandidate) -> str:
    """One line for a person: places, words, likeness, rules, moves, copies.

    Empty for what no search found, such as a record.
    """
    why = candidate.why
    if why is None:
        return ""
    said = (
        _places(candidate, why),
        _words(why),
        _likeness(candidate.similarity),
        "; ".join(f"rule {boost}" for boost in why.boosts),
        _move(candidate, why),
        _copies(candidate),
    )
    return "; ".join(part for part in said if part)


def _places(candidate: EvidenceCandidate, why: WhyFound) -> str:
    sides = ((candidate.lexical_rank, "by words"), (candidate.vector_rank, "by meaning"))
    places = " and ".join(f"no. {rank} {side}" for rank, side in sides if rank)
    share = next(words for limit, words in _SHARES if why.word_share < limit)
    return f"{places or 'found again'}, scored {share}"


def _words(why: WhyFound) -> str:
    held = ", ".join(why.matched[:_SHOWN])
    lacked = ", ".join(why.missing[:_SHOWN])
    if held and lacked:
        return f"has {held}, lacks {lacked}"
    if held:
        return f"has {held}"
    return "has none of the words" if lacked else ""


def _likeness(cosine: float | None) -> str:
    if cosine is None:
        return "its meaning was not compared"
    level = "close" if cosine >= _CLOSE else "related" if cosine >= _RELATED else "distant"
    return f"{level} in meaning (cosine {cosine:.2f})"


def _move(candidate: EvidenceCandidate, why: WhyFound) -> str:
    if why.reranked_from is None or not candidate.rank:
        return ""
    if why.reranked_from == candidate.rank:
        return "kept its place when looked at again"
    return f"moved from {why.reranked_from} to {candidate.rank} when looked at again"


def _copies(candidate: EvidenceCandidate) -> str:
    if not candidate.also_in:
        return ""
    titles = dict.fromkeys(copy.source_title for copy in candidate.also_in)
    return f"the same text also in {', '.join(titles)}"
