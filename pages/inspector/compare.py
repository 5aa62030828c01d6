"""Two runs side by side: what another question, date or threshold changed."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from core.models.trace import PipelineRun
from pages.components.cards import diff_body, table
from pages.components.untrusted import Piece, el, show
from pages.components.words import spoken
from pages.shell.office_asking import Inspector


def draw(inspector: Inspector, run: PipelineRun) -> None:
    """Pick an earlier run; see both in one table, and which passages only one of them used."""
    others = {t: q for t, q, _ in inspector.recent() if t != run.trace.trace_id}
    if not others:
        return
    with st.expander("Compare with another run"):
        chosen = st.selectbox(
            "Run", list(others), index=None, key="compare-with", format_func=others.__getitem__
        )
        other = inspector.get(chosen) if chosen else None
        if other is None:
            show(el("div", "Pick a run to set beside this one.", cls="cs-soft"))
            return
        show(table(("", "This run", "The other"), _rows(run, other)))
        show(el("div", "Passages used by one of them only", cls="cs-cap"))
        mine, theirs = set(run.trace.selected_chunk_ids), set(other.trace.selected_chunk_ids)
        parts = [
            *(("added", f"{chunk}\n") for chunk in sorted(mine - theirs)),
            *(("removed", f"{chunk}\n") for chunk in sorted(theirs - mine)),
        ]
        if parts:
            show(diff_body(parts))  # type: ignore[arg-type]
        else:
            show(el("div", "Both used the same passages.", cls="cs-soft"))


def _rows(run: PipelineRun, other: PipelineRun) -> list[tuple[Piece, ...]]:
    return [
        (name, mine, theirs) for (name, mine), (_, theirs) in zip(_of(run), _of(other), strict=True)
    ]


def _of(run: PipelineRun) -> list[tuple[str, str]]:
    routes = Counter(g.route for g in run.gated)
    claims = Counter(c.support_status for c in run.claims)
    thresholds = run.trace.thresholds
    when = str(run.plan.temporal.effective_policy_date) if run.plan else ""
    return [
        ("Question", run.request.raw_query),
        ("Asked as", f"{run.context.user_id}, policy of {when}"),
        ("Status", spoken(run.answer.status)),
        ("Gate", f"{routes['include']} in, {routes['conflict']} conflict, {routes['exclude']} out"),
        (
            "Thresholds",
            f"{thresholds.injection_max} / {thresholds.contradicts_min} / "
            f"{thresholds.relevant_min} / {thresholds.evidence_min}",
        ),
        ("Gate policy", run.trace.gate_policy_id or "none: the settings, or on trial"),
        ("Claims", ", ".join(f"{n} {word}" for word, n in claims.items())),
        ("Backends", ", ".join(f"{k} {v}" for k, v in run.trace.backend.items())),
        ("Answer", run.answer.answer_markdown),
    ]
