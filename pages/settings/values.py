"""What the console is set to, by what it is for. Secrets come redacted."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from core.models.gate_policy import GatePolicy
from pages.components.cards import table
from pages.components.gate_words import threshold_words
from pages.components.untrusted import Html, Piece, el, join
from pages.components.words import exact

_GROUPS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "Budgets of a run",
        (
            ("max_rounds", "Rounds of retrieval", "rounds"),
            ("candidate_k", "Candidates looked at", "passages"),
            ("top_k", "Candidates kept", "passages"),
            ("token_budget", "Evidence handed to the drafter", "tokens"),
            ("fusion", "Word and vector search are joined by", ""),
        ),
    ),
    (
        "Desk and delivery",
        (
            ("undo_seconds", "A sent reply can be taken back for", "s"),
            ("lease_minutes", "A case stays with one person for", "min"),
            ("demo_sign_in", "Demo people may sign in on this machine", ""),
            ("demo_sign_in_anywhere", "Demo people may sign in from anywhere", ""),
        ),
    ),
    (
        "Stores and models",
        (
            ("tenant", "Company", ""),
            ("home", "Everything is written to", ""),
            ("database_url", "Case store", ""),
            ("model_cache", "Exported encoder", ""),
            ("encoder", "Encoder", ""),
            ("max_file_mb", "Largest file taken in", "MB"),
        ),
    ),
)
_GATES = {
    "injection_max": "Instructs the model: left out above",
    "contradicts_min": "Contradicts the premise: a conflict from",
    "relevant_min": "About the question: kept from",
    "evidence_min": "Usable as evidence: kept from",
}
_DEFAULTS = {
    "database_url": "SQLite in the home folder",
    "model_cache": "models in the home folder",
}


def drawn(shown: Mapping[str, str], gate_policy: GatePolicy | None = None) -> Html:
    """All settings; those without a group of their own come last, so none is hidden."""
    named = {key for _, rows in _GROUPS for key, _, _ in rows} | {"thresholds"}
    rest = [(key, key.replace("_", " "), "") for key in shown if key not in named]
    parts: list[Piece] = [
        el(
            "div",
            "Set by environment variables or countersign.toml in the home folder; a change holds "
            "from the next start.",
            cls="cs-soft cs-gap",
        ),
        _gate(gate_policy),
        _block(
            "Gate thresholds while no policy is saved" if gate_policy else "Gate thresholds",
            _thresholds(shown.get("thresholds", "")),
        ),
    ]
    for heading, rows in (*_GROUPS, ("Others", tuple(rest))):
        lines = [
            (words, _value(key, shown[key], unit), _variable(key))
            for key, words, unit in rows
            if key in shown
        ]
        if lines:
            parts.append(_block(heading, lines))
    return join(parts)


def _gate(policy: GatePolicy | None) -> Html:
    """The policy in force, and where it is changed."""
    link = el("a", "Evaluation › Gate", href="/evaluation?view=Gate")
    if policy is None:
        words = "No gate policy is saved: these thresholds are in force. Others are tried under "
        return el("div", el("div", words, link, "."), cls="cs-chain cs-gap")
    values = threshold_words(policy.thresholds)
    said = ", ".join(f"{name[:1].lower()}{name[1:]} {value}" for name, value in values)
    return el(
        "div",
        el("b", "✔ Gate policy in force", cls="cs-good"),
        el(
            "span",
            f"{said}. Saved {exact(policy.saved_at)} by {policy.saved_by}: “{policy.reason}”. "
            "It is changed under ",
            link,
            ".",
            title=policy.policy_id,
        ),
        cls="cs-chain cs-gap",
    )


def _block(heading: str, lines: Sequence[Sequence[Piece]]) -> Html:
    return el(
        "div",
        el("div", heading, cls="cs-cap"),
        table(("Setting", "Value", "Environment variable"), lines),
        cls="cs-gap",
    )


def _thresholds(text: str) -> list[tuple[Piece, ...]]:
    try:
        values = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return [("Thresholds", text, _variable("thresholds"))]
    return [
        (_GATES.get(name, name.replace("_", " ")), str(value), _variable(f"thresholds__{name}"))
        for name, value in dict(values).items()
    ]


def _value(key: str, value: str, unit: str) -> str:
    if value in ("None", ""):
        return _DEFAULTS.get(key, "not set")
    if value in ("True", "False"):
        return "yes" if value == "True" else "no"
    return f"{value} {unit}".strip()


def _variable(key: str) -> Html:
    return el("span", f"COUNTERSIGN_{key.upper()}", cls="cs-code cs-soft")
