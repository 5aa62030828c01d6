"""The gate's thresholds for supervisors: tried on stored answers, tried on the golden set, saved.

A saved policy holds from the next run on. Past runs keep the thresholds they were made with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.errors import BadInput, NotAllowed, StaleVersion
from core.evaluation.calibration_view import CalibrationReport, load_calibration
from core.evaluation.gate_reading import Lab, LabReader, Live
from core.evaluation.gate_store import GateAnswers, GatePolicies
from core.evaluation.gate_words import in_words, refused
from core.evaluation.golden import GoldenCase, load_golden, pick
from core.evaluation.golden_job import GoldenJobs
from core.evaluation.golden_views import Comparison, ReportView
from core.evaluation.report_reading import ReportReader
from core.evaluation.report_store import JobState
from core.models.base import Model
from core.models.evidence import GateThresholds
from core.models.gate_policy import GatePolicy
from core.models.trace import PipelineRun
from core.ports import Clock, Ids

_SHOWN = 50
"""Past policies listed."""
TryOut = Callable[[GoldenCase, GateThresholds], PipelineRun]
"""Answers a golden row under thresholds on trial."""


class PastPolicy(Model):
    """A saved policy and the thresholds it replaced."""

    policy: GatePolicy
    before: GateThresholds


class Standing(Model):
    """What is in force now. ``policy`` is ``None`` while the settings' thresholds are."""

    thresholds: GateThresholds
    policy: GatePolicy | None
    history: tuple[PastPolicy, ...]
    default: GateThresholds
    may_save: bool

    @property
    def policy_id(self) -> str:
        """Id of the policy in force, empty while none was saved."""
        return self.policy.policy_id if self.policy else ""


class Trial(NamedTuple):
    """The golden set run under thresholds on trial, beside the last run under those in force."""

    report: ReportView
    comparison: Comparison | None


class GateDesk:
    """One user's view of the gate's thresholds, within the rights of ``reader``.

    ``default`` are the settings' thresholds; ``calibration`` are the files that may hold figures.
    """

    def __init__(
        self,
        reader: ReportReader,
        *,
        policies: GatePolicies,
        answers: GateAnswers,
        live: Live,
        default: GateThresholds,
        golden: Path,
        jobs: GoldenJobs,
        try_out: TryOut,
        calibration: Mapping[str, Path],
        clock: Clock,
        ids: Ids,
    ) -> None:
        self.user, self._context = reader.user, reader.context
        self._reader, self._policies = reader, policies
        self._lab = LabReader(answers, live, reader=reader)
        self._default, self._golden = default, golden
        self._jobs, self._try_out = jobs, try_out
        self._calibration, self._clock, self._ids = calibration, clock, ids

    def standing(self) -> Standing:
        """The thresholds in force, and every policy there was."""
        history = self._policies.history(self._context.tenant_id, _SHOWN + 1)
        befores = [*(p.thresholds for p in history[1:]), self._default]
        return Standing(
            thresholds=history[0].thresholds if history else self._default,
            policy=history[0] if history else None,
            history=tuple(
                PastPolicy(policy=p, before=b)
                for p, b in zip(history[:_SHOWN], befores, strict=False)
            ),
            default=self._default,
            may_save="supervise" in self._context.actions,
        )

    def lab(self) -> Lab:
        """Answers of the latest questions this user may read, and of the last golden run."""
        return self._lab.lab((*load_golden(self._golden), *self._reader.taken()))

    # -- the golden set under other thresholds ----------------------------------------------------

    def start_trial(
        self, thresholds: GateThresholds, only: Sequence[str] = (), *, with_taken: bool = False
    ) -> JobState:
        """Run the golden set under ``thresholds``, beside the screen. Nothing is saved.

        Raises ``BadInput`` when no row matches, ``Conflicted`` while another run is under way.
        """
        rows = load_golden(self._golden)
        known = {row.query_id for row in rows}
        if with_taken:
            rows = (*rows, *(row for row in self._reader.taken() if row.query_id not in known))
        return self._jobs.start(
            pick(rows, only),
            lambda row: self._try_out(row, thresholds),
            run_id=self._ids.new("eval"),
            by=self.user.user_id,
            note=f"On trial: {in_words(thresholds)}",
            asked_for=only,
            trial=True,
        )

    def trial(self, thresholds: GateThresholds) -> Trial | None:
        """The newest finished trial of just these thresholds, beside the last run as it is now."""
        heads = self._reader.heads()
        tried = next((h for h in heads if h.trial and h.thresholds == thresholds), None)
        if tried is None:
            return None
        now = self.standing().thresholds
        # A trial whose thresholds were saved since is a run under those in force.
        last = next((h for h in heads if h.thresholds == now), None)
        return Trial(
            report=self._reader.report(tried.run_id),
            comparison=self._reader.compare(last.run_id, tried.run_id) if last else None,
        )

    # -- saving -----------------------------------------------------------------------------------

    def save(self, thresholds: GateThresholds, *, reason: str, replaces: str) -> GatePolicy:
        """Put ``thresholds`` in force from the next run on; the change is audited.

        ``replaces`` is the id of the policy the person looked at (empty for the settings'). Raises
        ``NotAllowed`` for all but supervisors, ``BadInput`` naming what is wrong, ``StaleVersion``
        when another policy is in force by now.
        """
        if "supervise" not in self._context.actions:
            raise NotAllowed("Gate thresholds are saved by a supervisor.")
        standing = self.standing()
        if standing.policy_id != replaces:
            raise StaleVersion(
                "Other gate thresholds were saved meanwhile. Look at them, then save again."
            )
        if problems := refused(thresholds, standing.thresholds, reason):
            raise BadInput(" ".join(problems))
        policy = GatePolicy(
            policy_id=self._ids.new("gatepol"),
            tenant_id=self._context.tenant_id,
            thresholds=thresholds,
            reason=" ".join(reason.split()),
            saved_by=self.user.user_id,
            saved_at=self._clock.now(),
            replaces=replaces,
        )
        self._policies.save(policy, before=standing.thresholds)
        return policy

    def calibration(self) -> tuple[CalibrationReport, ...]:
        """How well each question's probability can be taken at its word, by where it is known from.

        Empty where nothing was measured. Raises ``Unavailable`` for a file that cannot be read.
        """
        found = (load_calibration(name, path) for name, path in self._calibration.items())
        return tuple(report for report in found if report is not None)
