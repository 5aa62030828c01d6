"""Stage: every factual sentence of a text against the evidence.

Whatever checker is plugged in, three things hold here: a sentence citing unknown evidence is not
supported; a value, name or negation that its evidence does not state is not supported; and a
sentence that evidence of this answer denies is contradicted, whether it cites that evidence or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.models.draft import EvidenceSpan, GeneratedClaim, SupportStatus
from core.models.evidence import EvidencePackage
from core.models.judgement import ClaimSide, Resolution
from core.ports import ClaimChecker
from core.text.attributed import Attributed, attributed, quoted_place
from core.text.cited import CitedSentence, cited_sentences
from core.text.compare import compare_sentences
from core.text.conflict_report import goes_by
from core.text.deadline import borne_by
from core.text.factual import is_factual
from core.text.markers import INFERENCE_TAGS
from core.text.past import provenance_sentences
from core.text.pool import losing_ids, losing_sides
from core.text.quote import find_quote
from core.text.reply import is_standing, without_lead
from core.text.sides import takes_side
from core.text.similarity import overlap

_GUARDED = frozenset({"number", "money", "date", "name", "negation"})
_LOOKED_AT = 6
"""Uncited evidence searched for a contradiction, the nearest first."""


class _Finding(NamedTuple):
    """What is known of one sentence before it becomes a claim."""

    status: SupportStatus
    score: float
    evidence_ids: tuple[str, ...] = ()
    spans: tuple[EvidenceSpan, ...] = ()
    reasons: tuple[str, ...] = ()
    suggestion: str | None = None


def validate(
    markdown: str,
    package: EvidencePackage,
    *,
    checker: ClaimChecker,
    resolutions: Sequence[Resolution] = (),
) -> tuple[GeneratedClaim, ...]:
    """The claims of ``markdown`` in order; offsets are those of the text without markers.

    A sentence with markers is held against the evidence it names, one without (a person's edit)
    against all evidence of the answer. Greetings, questions and standing sentences are no claims.
    """
    bench = _Bench(package, checker, resolutions)
    claims: list[GeneratedClaim] = []
    for sentence in cited_sentences(markdown).sentences:
        if not _is_claim(sentence):
            continue
        finding = bench.judge(sentence)
        claims.append(
            GeneratedClaim(
                claim_id=f"C{len(claims) + 1}",
                text=sentence.text,
                start=sentence.start,
                end=sentence.end,
                support_status=finding.status,
                score=finding.score,
                evidence_ids=finding.evidence_ids,
                spans=finding.spans,
                reasons=finding.reasons,
                suggestion=finding.suggestion,
                is_inference=sentence.inference,
            )
        )
    return tuple(claims)


def _is_claim(sentence: CitedSentence) -> bool:
    if sentence.inference:
        return True
    if is_standing(sentence.text):
        return False
    return bool(sentence.evidence_ids) or is_factual(sentence.text)


class _Bench:
    """The evidence of one answer, and what it says of a sentence."""

    def __init__(
        self, package: EvidencePackage, checker: ClaimChecker, resolutions: Sequence[Resolution]
    ) -> None:
        self._known = package.by_id()
        self._losers = losing_ids(resolutions)
        self._checker = checker
        self._decided = [r for r in resolutions if r.winner != "NO_WINNER_NEED_HUMAN"]
        self._disputed = [
            side for r in resolutions if r not in self._decided for side in losing_sides(r)
        ]
        self._open = tuple(i for i in self._known if i not in self._losers)

    def judge(self, sentence: CitedSentence) -> _Finding:
        unknown = [i for i in sentence.evidence_ids if i not in self._known]
        if unknown:
            named = ", ".join(unknown)
            reason = f"cites {named}, which is not among the evidence of this answer"
            cited = tuple(i for i in sentence.evidence_ids if i in self._known)
            return _Finding("unsupported", 0.0, cited, reasons=(reason,))
        claim = without_lead(_untagged(sentence.text))
        if sentence.inference:
            return self._inference(claim, sentence.evidence_ids)
        return self._undisputed(claim, self._stated(sentence, claim))

    def _undisputed(self, sentence: str, found: _Finding) -> _Finding:
        """One side of a conflict nobody has decided bears no sentence, in whatever words."""
        if found.status == "contradicted" or not any(
            takes_side(sentence, side)
            or any(_meet(s.quote, side.quote) for s in found.spans if _of(s, side))
            for side in self._disputed
        ):
            return found
        reason = "the sources disagree about this and nobody has decided yet"
        return found._replace(status="unclear", score=min(found.score, 0.5), reasons=(reason,))

    def _stated(self, sentence: CitedSentence, claim: str) -> _Finding:
        usable = tuple(i for i in sentence.evidence_ids if i not in self._losers)
        if sentence.evidence_ids and not usable:
            return self._lost(claim, sentence.evidence_ids)
        near = usable or self._open
        if told := attributed(sentence.text):
            return self._attributed(told, near)
        if quoted := self._quoted(sentence.text, claim, near) or self._counted(claim, near):
            return quoted
        found = self._checked(claim, near, cited=usable)
        if found.status == "contradicted":
            return found
        others = tuple(i for i in self._open if i not in near)
        return self._denied(claim, others) or self._only_lost(claim, found) or found

    def _attributed(self, told: Attributed, ids: Sequence[str]) -> _Finding:
        """A quotation under the name of its source, or of the thing it speaks of."""
        for evidence_id in ids:
            item = self._known[evidence_id]
            place = quoted_place(told.quote, item.candidate.text)
            if place and goes_by(told, item):
                span = _span(evidence_id, item.candidate.text, *place)
                return _Finding("supported", 1.0, (evidence_id,), (span,), ("quote found",))
        reason = f"“{told.of}” does not say so word for word"
        return _Finding("unsupported", 0.0, tuple(ids), reasons=(reason,))

    def _quoted(self, text: str, claim: str, ids: Sequence[str]) -> _Finding | None:
        """Word for word in the evidence, or the line that names the version quoted from."""
        for evidence_id in ids:
            item = self._known[evidence_id]
            passage = item.candidate.text
            if place := find_quote(claim, passage):
                span = _span(evidence_id, passage, *place)
                return _Finding("supported", 1.0, (evidence_id,), (span,), ("quote found",))
            if text.strip() in provenance_sentences(item):
                span = _span(evidence_id, passage, 0, min(200, len(passage)))
                reason = "version and dates as stored for this source"
                return _Finding("supported", 1.0, (evidence_id,), (span,), (reason,))
        return None

    def _counted(self, claim: str, ids: Sequence[str]) -> _Finding | None:
        """A last day that follows from a rule and a recorded purchase."""
        texts = {i: self._known[i].candidate.text for i in ids}
        parts = borne_by(claim, tuple(texts.items()))
        if parts is None:
            return None
        spans = tuple(_span(p.evidence_id, texts[p.evidence_id], p.start, p.end) for p in parts)
        named = tuple(dict.fromkeys(p.evidence_id for p in parts))
        return _Finding("supported", 1.0, named, spans, ("counted from rule and record",))

    def _checked(self, claim: str, ids: Sequence[str], *, cited: Sequence[str]) -> _Finding:
        """The checker's verdict, with the guard over values held on top."""
        if not ids:
            return _Finding(
                "unsupported", 0.0, reasons=("there is no evidence to hold it against",)
            )
        verdict = self._checker.check(claim, [(i, self._known[i].candidate.text) for i in ids])
        borne = tuple(dict.fromkeys(s.evidence_id for s in verdict.spans))
        finding = _Finding(
            verdict.label,
            verdict.score,
            tuple(cited) or (borne if verdict.label in ("supported", "contradicted") else ()),
            verdict.spans,
            verdict.reasons,
            verdict.suggestion,
        )
        return self._guarded(claim, finding, cited or borne)

    def _guarded(self, claim: str, finding: _Finding, ids: Sequence[str]) -> _Finding:
        if finding.status != "supported":
            return finding
        text = "\n".join(self._known[i].candidate.text for i in ids)
        compared = compare_sentences(claim, text)
        lacking = [f for f in (*compared.missing, *compared.contradicted) if f.kind in _GUARDED]
        if not lacking and finding.spans:
            return finding
        reasons = tuple(f.message for f in lacking) or ("no sentence of the evidence bears it",)
        return finding._replace(
            status="unsupported", score=min(finding.score, 0.4), reasons=reasons
        )

    def _denied(self, claim: str, ids: Sequence[str]) -> _Finding | None:
        """Evidence of this answer that the sentence does not cite but that says otherwise."""
        texts = {i: self._known[i].candidate.text for i in ids}
        nearest = sorted(texts, key=lambda i: -overlap(claim, texts[i]))[:_LOOKED_AT]
        for evidence_id in nearest:
            verdict = self._checker.check(claim, [(evidence_id, texts[evidence_id])])
            if verdict.label == "contradicted":
                return _Finding(
                    "contradicted",
                    verdict.score,
                    (evidence_id,),
                    verdict.spans,
                    verdict.reasons,
                    verdict.suggestion,
                )
        return None

    def _only_lost(self, claim: str, found: _Finding) -> _Finding | None:
        """A sentence only the losing side of a conflict bears."""
        if found.status == "supported":
            return None
        for evidence_id in self._losers:
            text = self._known[evidence_id].candidate.text if evidence_id in self._known else ""
            if not text:
                continue
            if self._checker.check(claim, [(evidence_id, text)]).label == "supported":
                return self._lost(claim, (evidence_id,))
        return None

    def _lost(self, claim: str, ids: Sequence[str]) -> _Finding:
        """Only a source that lost a conflict says so: the winner's wording is offered instead."""
        for resolution in self._decided:
            winner, loser = _sides(resolution)
            if loser.evidence_id not in ids or winner.evidence_id not in self._known:
                continue
            passage = self._known[winner.evidence_id].candidate.text
            at = passage.find(winner.quote) if winner.quote else -1
            span = _span(winner.evidence_id, passage, at, at + len(winner.quote))
            reason = (
                f"only {loser.evidence_id} says so, which lost to {winner.evidence_id} "
                f"by {resolution.decided_by}"
            )
            return _Finding(
                "contradicted",
                0.0,
                tuple(ids),
                (span,) if at >= 0 else (),
                (reason,),
                winner.quote or None,
            )
        return _Finding("unsupported", 0.0, tuple(ids), reasons=("its source lost a conflict",))

    def _inference(self, claim: str, ids: Sequence[str]) -> _Finding:
        """Our own conclusion: listed for the reviewer, verified only where it is a quotation."""
        near = tuple(i for i in ids if i not in self._losers) or self._open
        spans = self._quoted(claim, claim, near)
        if spans:
            return spans._replace(evidence_ids=tuple(ids) or spans.evidence_ids)
        named = ", ".join(ids) if ids else "no evidence"
        reason = f"an inference from {named}: check the reasoning"
        return _Finding("unclear", 0.5, tuple(ids), reasons=(reason,))


def _sides(resolution: Resolution) -> tuple[ClaimSide, ClaimSide]:
    """(winner, loser) of a decided conflict."""
    a, b = resolution.contradiction.claim_a, resolution.contradiction.claim_b
    return (a, b) if resolution.winner == "claim_a" else (b, a)


def _of(span: EvidenceSpan, side: ClaimSide) -> bool:
    return span.evidence_id == side.evidence_id and bool(side.quote)


def _meet(one: str, other: str) -> bool:
    return one.strip() in other or other.strip() in one


def _untagged(text: str) -> str:
    bare = text.strip()
    for tag in INFERENCE_TAGS:
        if bare.casefold().startswith(tag.casefold()):
            return bare[len(tag) :].strip()
    return bare


def _span(evidence_id: str, text: str, start: int, end: int) -> EvidenceSpan:
    return EvidenceSpan(evidence_id=evidence_id, start=start, end=end, quote=text[start:end])
