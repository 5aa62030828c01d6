"""Which thresholds the gate goes by, who chose them and why; and what it answered, run by run."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from pydantic import Field

from core.models.access import Classification
from core.models.base import Model
from core.models.evidence import GateThresholds, Route

REASON_AT_MOST = 500


class GatePolicy(Model):
    """The gate's thresholds as somebody saved them. Never changed: a later one replaces it.

    ``replaces`` is the id of the policy that held until then, empty where those of the settings
    did. The newest of a tenant is the one in force, from the next run on.
    """

    policy_id: str
    tenant_id: str
    thresholds: GateThresholds
    reason: str = Field(min_length=1, max_length=REASON_AT_MOST)
    saved_by: str
    saved_at: datetime
    replaces: str = ""


class StoredAnswer(NamedTuple):
    """What the gate said of one passage in one run, and where that sent it.

    A plain tuple: a screen re-routes thousands at once. The four probabilities are ``None`` where
    the passage was not judged. ``forced`` is what a reviewer decided, if one did. ``looked_up``
    passages (records, the case's file) pass all tests but injection. ``sentence`` is the span that
    decides it: the one that instructs the model or denies the premise, else the nearest to the
    question. Untrusted text.
    """

    trace_id: str
    chunk_id: str
    document_id: str
    title: str
    relevant: float | None
    evidence: float | None
    contradicts: float | None
    injection: float | None
    route: Route
    rule: str
    forced: bool | None
    looked_up: bool
    backend: str
    sentence: str


class AnsweredRun(Model):
    """A run whose gate answers are stored, with the rights it was made under."""

    trace_id: str
    question: str
    started_at: datetime
    user_id: str
    allowed_acl_policy_ids: tuple[str, ...]
    allowed_classifications: tuple[Classification, ...]
    allowed_source_types: tuple[str, ...] = ()
    thresholds: GateThresholds
    gate_policy_id: str = ""
