"""The evaluation as supervisors and administrators use it: run, read, compare, grow the set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal

from core.errors import BadInput, NotAllowed, NotFound
from core.evaluation.gate_desk import GateDesk
from core.evaluation.golden import (
    DIFFICULTIES,
    Difficulty,
    GoldenCase,
    GoldenKind,
    golden_lines,
    load_golden,
    pick,
)
from core.evaluation.golden_build import Proposal, propose
from core.evaluation.golden_job import GoldenJobs
from core.evaluation.golden_run import Ask
from core.evaluation.golden_views import (
    Comparison,
    GoldenSet,
    Growth,
    ReportView,
    to_csv,
)
from core.evaluation.report_reading import ReportReader
from core.evaluation.report_store import Choice, JobState, ReportHead, ReportStore
from core.models.access import SecurityContext, User
from core.models.draft import AnswerStatus
from core.models.trace import PipelineRun
from core.ports import Clock, Ids, RunStore

DAYS = 30
"""Questions are looked through for proposals as far back as this."""
_LISTED, _READ = 2000, 200


class EvaluationDesk:
    """One user's view of the golden set and its runs. Raises ``NotAllowed`` for others.

    ``golden`` is the set's file; ``ask`` answers a row with the rights of the role it names;
    ``disputed`` gives the trace ids of drafts that a person edited, escalated or rejected.
    """

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        golden: Path,
        store: ReportStore,
        jobs: GoldenJobs,
        ask: Ask,
        runs: RunStore,
        disputed: Callable[[], Collection[str]],
        clock: Clock,
        ids: Ids,
        gate: Callable[[ReportReader], GateDesk],
    ) -> None:
        if not {"supervise", "administer"} & set(context.actions):
            raise NotAllowed("The evaluation is for supervisors and administrators.")
        self.user, self._context = user, context
        self._golden, self._store, self._jobs = golden, store, jobs
        self._ask, self._runs, self._disputed = ask, runs, disputed
        self._clock, self._ids = clock, ids
        self._reader = ReportReader(store, user=user, context=context)
        self.gate = gate(self._reader)

    def golden(self) -> GoldenSet:
        """What the set holds. Raises ``BadSource`` naming what is wrong with its file."""
        rows, taken = load_golden(self._golden), self.taken()
        everything = (*rows, *taken)
        return GoldenSet(
            rows=len(rows),
            taken=len(taken),
            kinds=tuple(sorted({row.kind for row in everything})),
            difficulties=tuple(
                d for d in DIFFICULTIES if any(row.difficulty_level == d for row in everything)
            ),
            languages=tuple(sorted({row.language for row in everything})),
        )

    # -- runs -----------------------------------------------------------------------------------

    def start(
        self, only: Sequence[str] = (), *, note: str = "", with_taken: bool = False
    ) -> JobState:
        """Run the rows whose id, kind, difficulty or language is in ``only`` (all without any).

        Raises ``BadInput`` when none matches, ``Conflicted`` while another run is under way.
        """
        rows = load_golden(self._golden)
        known = {row.query_id for row in rows}
        if with_taken:
            rows = (*rows, *(row for row in self.taken() if row.query_id not in known))
        return self._jobs.start(
            pick(rows, only),
            self._ask,
            run_id=self._ids.new("eval"),
            by=self.user.user_id,
            note=note.strip()[:200],
            asked_for=only,
        )

    def stop(self) -> None:
        """End the run under way after its present question."""
        self._jobs.stop()

    def job(self) -> JobState | None:
        """The run under way, or the last one."""
        return self._jobs.state()

    def reports(self) -> tuple[ReportHead, ...]:
        """Stored runs, newest first."""
        return self._store.heads()

    def report(self, run_id: str) -> ReportView:
        """One stored run, within this user's rights. Raises ``NotFound``."""
        return self._reader.report(run_id)

    def compare(self, before_id: str, after_id: str) -> Comparison:
        """Two stored runs, and the rows whose verdict changed."""
        return self._reader.compare(before_id, after_id)

    def export(self, run_id: str, form: Literal["csv", "json"]) -> bytes:
        """A stored run as this user may read it, as UTF-8 bytes."""
        view = self.report(run_id)
        text = to_csv(view) if form == "csv" else view.model_dump_json(indent=1)
        return text.encode()

    # -- growing the set ------------------------------------------------------------------------

    def growth(self, limit: int = 12) -> Growth:
        """Rows proposed from the last questions this user may read, the most disputed first."""
        runs = self._recent()
        decided = [choice.row for choice in self._store.choices()]
        known = (*load_golden(self._golden), *decided)
        return Growth(
            proposals=propose(runs, disputed=self._disputed(), existing=known, limit=limit),
            taken=self.taken(),
            looked_at=len(runs),
            days=DAYS,
        )

    def accept(
        self,
        query_id: str,
        *,
        kind: GoldenKind,
        difficulty: Difficulty,
        expected_status: AnswerStatus,
        required_facts: Sequence[str] = (),
        forbidden_facts: Sequence[str] = (),
    ) -> GoldenCase:
        """Take a proposed row into the set, as edited. Raises ``NotFound`` and ``BadInput``."""
        required, forbidden = _tidy(required_facts), _tidy(forbidden_facts)
        if both := set(required) & set(forbidden):
            raise BadInput(f"The answer cannot both need and avoid {sorted(both)[0]!r}.")
        proposal = self._proposal(query_id)
        outline = proposal.row.acceptable_answer_outline
        row = proposal.row.model_copy(
            update={
                "kind": kind,
                "difficulty_level": difficulty,
                "expected_status": expected_status,
                "required_facts": required,
                "forbidden_facts": forbidden,
                "acceptable_answer_outline": outline.model_copy(
                    update={"must_say": required, "must_not_say": forbidden}
                ),
            }
        )
        self._choose(row, taken=True)
        return row

    def dismiss(self, query_id: str) -> None:
        """Never propose this row again. Raises ``NotFound``."""
        self._choose(self._proposal(query_id).row, taken=False)

    def taken(self) -> tuple[GoldenCase, ...]:
        """Rows taken into the set that this user may read."""
        return self._reader.taken()

    def taken_jsonl(self) -> bytes:
        """The taken rows as JSONL, to be added to the set's file."""
        return golden_lines(self.taken()).encode()

    def _proposal(self, query_id: str) -> Proposal:
        for proposal in self.growth(limit=_READ).proposals:
            if proposal.row.query_id == query_id:
                return proposal
        raise NotFound(f"The proposal {query_id!r} is gone: somebody decided on it already.")

    def _choose(self, row: GoldenCase, *, taken: bool) -> None:
        self._store.choose(
            Choice(
                row=row,
                taken=taken,
                by=self.user.user_id,
                at=self._clock.now(),
                allowed_acl_policy_ids=self._context.allowed_acl_policy_ids,
                allowed_classifications=self._context.allowed_classifications,
            )
        )

    def _recent(self) -> list[PipelineRun]:
        """Runs of the last days this user may read, newest first, golden questions left out."""
        since = self._clock.now() - timedelta(days=DAYS)
        golden = {row.question for row in load_golden(self._golden)}
        listed = self._runs.recent_runs(self._context.tenant_id, limit=_LISTED)
        wanted = [t for t, question, at in listed if at >= since and question not in golden]
        runs = (self._runs.run(trace_id) for trace_id in wanted[:_READ])
        return [
            run
            for run in runs
            if run is not None
            and run.request.tenant_id == self._context.tenant_id
            and self._reader.opens(run.context.user_id)
            and self._reader.covers(run.context)
        ]


def _tidy(facts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.strip() for fact in facts if fact.strip()))
