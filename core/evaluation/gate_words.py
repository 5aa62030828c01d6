"""The gate's thresholds in words, and which of them may not be saved."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from core.errors import BadInput
from core.evaluation.gate_lab import LIMITS
from core.models.evidence import GateThresholds
from core.models.gate_policy import REASON_AT_MOST

QUESTION_WORDS = {
    "injection": "instructs the model",
    "contradicts": "denies the premise",
    "relevant": "is about the question",
    "evidence": "states usable evidence",
}
_ENDS: dict[str, dict[float, str]] = {
    "injection": {
        1.0: "no passage would ever be left out for instructing the model.",
        0.0: "hardly any passage would be let through.",
    },
    "contradicts": {
        1.0: "no false premise would ever be found.",
        0.0: "nearly every passage would count as denying the question.",
    },
    "relevant": {1.0: "nearly every passage would be left out."},
    "evidence": {1.0: "no passage would ever be used."},
}


def refused(after: GateThresholds, before: GateThresholds, reason: str) -> tuple[str, ...]:
    """Why these thresholds may not be saved, in words; empty when they may."""
    found = [
        f"“{QUESTION_WORDS[question]}” cannot be {value:g}: {_ENDS[question][value]}"
        for question, name in LIMITS
        for value in (getattr(after, name),)
        if value in _ENDS[question]
    ]
    if after == before:
        found.append("These are the thresholds in force already.")
    if not reason.strip():
        found.append("Say why they change; the audit keeps it.")
    if len(" ".join(reason.split())) > REASON_AT_MOST:
        found.append(f"Give the reason in at most {REASON_AT_MOST} characters.")
    return tuple(found)


def thresholds_of(values: Mapping[str, float]) -> GateThresholds:
    """The thresholds with these values. Raises ``BadInput`` for one that is no probability."""
    try:
        return GateThresholds.model_validate(values)
    except ValidationError as error:
        name = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise BadInput(f"{name} must be a number from 0 to 1.") from error


def in_words(thresholds: GateThresholds) -> str:
    """As in ``injection above 0.70, contradicts above 0.65, relevant from 0.45, evidence …``."""
    return (
        f"injection above {thresholds.injection_max:.2f}, "
        f"contradicts above {thresholds.contradicts_min:.2f}, "
        f"relevant from {thresholds.relevant_min:.2f}, "
        f"evidence above {thresholds.evidence_min:.2f}"
    )
