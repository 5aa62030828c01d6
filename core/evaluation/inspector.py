"""One question through every stage, for anyone within their own rights."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime

from core.errors import NotAllowed
from core.identity.access import covers, may_read
from core.models.access import SecurityContext, User
from core.models.evidence import EvidenceCandidate, GatedPassage, GateThresholds
from core.models.request import OutputForm, UserRequest
from core.models.trace import PipelineRun
from core.pipeline import answer
from core.pipeline_search import Neighbours, neighbours
from core.pipeline_tools import Tools, never
from core.stages.gate import reroute
from core.stoppable import UnderWay, Works
from core.text.why_found import why_in_words

_SEES_ALL_RUNS = "supervise"


class Inspector:
    """Runs and reads pipeline runs for one user.

    A run shows evidence, so it is shown only to who asked and to supervisors, and only while their
    rights cover all that the run was allowed and every document it found as that is governed now.
    """

    def __init__(
        self,
        *,
        user: User,
        context: SecurityContext,
        tools: Tools,
        works: Works[PipelineRun] | None = None,
    ) -> None:
        self.user, self._context, self._tools = user, context, tools
        self._works = works if works is not None else Works[PipelineRun]()

    def run(
        self,
        question: str,
        *,
        at: date | None = None,
        output_form: OutputForm = "chat_reply",
        case_id: str | None = None,
        cancelled: Callable[[], bool] = never,
    ) -> PipelineRun:
        """Ask under the user's own rights. Raises ``NotAllowed`` and ``BadQuestion``."""
        if "ask" not in self._context.actions:
            raise NotAllowed("Your role does not include asking questions.")
        return answer(
            UserRequest(
                request_id=self._tools.ids.new("req"),
                tenant_id=self.user.tenant_id,
                user_id=self.user.user_id,
                user_roles=self.user.roles,
                raw_query=question,
                output_form=output_form,
                asked_on=at,
                case_id=case_id,
            ),
            self._tools,
            cancelled=cancelled,
        )

    def begin(
        self, question: str, *, at: date | None = None, output_form: OutputForm = "chat_reply"
    ) -> None:
        """``run`` beside the caller, so that it can be stopped; one at a time for each user.

        Raises ``Conflicted`` while one goes on; what ``run`` raises is raised by ``finished``.
        """
        self._works.begin(
            self.user.user_id,
            lambda cancelled: self.run(
                question, at=at, output_form=output_form, cancelled=cancelled
            ),
            about=question,
        )

    def under_way(self) -> UnderWay[PipelineRun] | None:
        """The question being answered for this user, or answered and not yet collected."""
        return self._works.of(self.user.user_id)

    def finished(self, wait: float = 0.0) -> PipelineRun | None:
        """The run that was begun, once, when it ended within ``wait`` seconds; else ``None``."""
        work = self.under_way()
        if work is None or not work.wait(wait):
            return None
        return self._works.collect(self.user.user_id)

    def stop(self) -> None:
        """Ask the run under way to end before its next stage; its trace is kept."""
        work = self.under_way()
        if work is not None:
            work.stop()

    def get(self, trace_id: str) -> PipelineRun | None:
        """A stored run this user may see, else ``None``."""
        run = self._tools.runs.run(trace_id)
        return run if run is not None and self._may_see(run) else None

    def recent(self, limit: int = 30) -> tuple[tuple[str, str, datetime], ...]:
        """``(trace_id, question, started_at)`` of runs this user may see, newest first."""
        rows = self._tools.runs.recent_runs(self.user.tenant_id, limit=limit * 3)
        return tuple(row for row in rows if self.get(row[0]) is not None)[:limit]

    def reroute(self, run: PipelineRun, thresholds: GateThresholds) -> tuple[GatedPassage, ...]:
        """The run's stored scores under other thresholds; no model is called."""
        return reroute(run.gated, thresholds)

    def neighbours(self, chunk_id: str, n: int = 1, *, at: date | None = None) -> Neighbours:
        """What stands around a passage, as far as this user may read it. Raises ``NotFound``."""
        return neighbours(chunk_id, n, self._tools, self._context, at=at)

    def _may_see(self, run: PipelineRun) -> bool:
        theirs = run.context.user_id == self.user.user_id or _SEES_ALL_RUNS in self._context.actions
        return (
            theirs
            and run.request.tenant_id == self.user.tenant_id
            and covers(self._context, run.context)
            and self._may_read_now(run)
        )

    def _may_read_now(self, run: PipelineRun) -> bool:
        """Whether nothing the run found was closed to this user since."""
        found = {gated.candidate.document_id for gated in run.gated}
        found |= (
            {e.candidate.document_id for e in run.package.all_evidence()} if run.package else set()
        )
        held = self._tools.registry.live(found).values()
        return all(may_read(self._context, v.tenant_id, v.governance) for v in held)


def why_found(candidate: EvidenceCandidate) -> str:
    """Why a search put the candidate where it stands, in plain words; empty for records."""
    return why_in_words(candidate)
