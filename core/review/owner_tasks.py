"""Work for the owners of two sources that disagree where no rule decides: raised with the draft.

One task for each two versions, whatever number of drafts run into them, as a flag on either source.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from core.models.evidence import EvidenceCandidate
from core.models.judgement import ClaimSide, Resolution
from core.models.review import BOTH_SIDES, Case, SourceFlag
from core.models.trace import PipelineRun
from core.review.access import record
from core.review.store import ReviewTransaction
from core.review.workplace import Workplace

RAISED_BY = "copilot"
_NOT_A_SOURCE = ("record", "case_file", "supplied")


class _Side(NamedTuple):
    said: ClaimSide
    candidate: EvidenceCandidate


def raise_owner_tasks(
    place: Workplace, txn: ReviewTransaction, case: Case, run: PipelineRun
) -> None:
    """A task for each conflict of ``run`` that nobody could decide, unless it was raised before.

    Part of the transaction that stores the draft: no draft without its tasks, and no task without
    its draft.
    """
    known = {flag.flag_id for flag in txn.flags(case.tenant_id)}
    for resolution in run.resolutions:
        for flag in _flags(place, case, run, resolution):
            if flag.flag_id not in known:
                known.add(flag.flag_id)
                _store(place, txn, flag)


def task_id(one: str, other: str) -> str:
    """The id that both flags of a task begin with; the order of the two versions is no matter."""
    pair = "\x00".join(sorted((one, other)))
    return BOTH_SIDES + hashlib.sha256(pair.encode()).hexdigest()[:16]


def _flags(
    place: Workplace, case: Case, run: PipelineRun, resolution: Resolution
) -> Iterator[SourceFlag]:
    known = run.package.by_id() if run.package else {}
    said = (resolution.contradiction.claim_a, resolution.contradiction.claim_b)
    if resolution.winner != "NO_WINNER_NEED_HUMAN":
        return
    if any(side.evidence_id not in known for side in said):
        return
    a, b = (_Side(side, known[side.evidence_id].candidate) for side in said)
    if any(side.candidate.retrieval_source in _NOT_A_SOURCE for side in (a, b)):
        return
    documents = sorted((a.candidate.document_id, b.candidate.document_id))
    for mine, other in ((a, b), (b, a)):
        place_in_pair = documents.index(mine.candidate.document_id) + 1
        yield SourceFlag(
            flag_id=f"{task_id(*documents)}-{place_in_pair}",
            tenant_id=case.tenant_id,
            source_id=mine.candidate.source_id,
            document_id=mine.candidate.document_id,
            chunk_id=mine.candidate.chunk_id,
            case_id=case.case_id,
            claim=mine.said.quote or mine.said.value,
            reason=(
                f"No rule decides: this says {mine.said.value}, “{other.candidate.source_title}” "
                f"(version {other.candidate.version}) says {other.said.value}."
            ),
            raised_by=RAISED_BY,
            raised_at=place.clock.now(),
            questions=resolution.questions,
        )


def _store(place: Workplace, txn: ReviewTransaction, flag: SourceFlag) -> None:
    txn.add_flag(flag)
    # Not the reason: it names the other source, which a reader of this one may not know of.
    record(
        txn,
        place.user,
        "source.conflict_raised",
        flag.source_id,
        subject_kind="source",
        flag_id=flag.flag_id,
        document_id=flag.document_id,
        chunk_id=flag.chunk_id,
        case_id=flag.case_id,
        claim=flag.claim,
    )
