"""From the question to the candidates: normalise, plan, rights, filters, both ranks."""

from __future__ import annotations

from datetime import date

from core.evaluation.inspector import why_found
from core.models.evidence import EvidenceCandidate
from core.models.plan import Dimension, QueryPlan
from core.models.trace import PipelineRun
from core.review.days import validity_words
from pages.components.cards import source_address, table, tag
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import spoken
from pages.inspector import rounds
from pages.inspector.stage import facts, stage_card


def draw(run: PipelineRun) -> None:
    """The first stages."""
    with stage_card(run, 1, "Normalise", "normalise"):
        show(_normalised(run))
    with stage_card(run, 2, "Plan", "plan"):
        show(_plan(run))
    with stage_card(run, 3, "Rights and filters", "authorise", "plan_retrieval"):
        show(_rights(run))
    with stage_card(run, 4, "Candidates", "retrieve"):
        show(_candidates(run))
    rounds.draw(run)


def _normalised(run: PipelineRun) -> Html:
    n = run.normalized
    if n is None:
        return _not_reached()
    return facts(
        (
            ("Asked", n.raw_query),
            ("Searched as", n.normalized_query),
            ("On its own", n.standalone_query if n.standalone_query != n.raw_query else None),
            ("Language", n.detected_language),
            ("Identifiers", join(tag(f"{i.kind} {i.value}") for i in n.extracted_identifiers)),
            ("Dates", ", ".join(f"{d.text} ({d.start} – {d.end})" for d in n.extracted_dates)),
            (
                "Injection",
                tag("suspected", "bad") if n.possible_prompt_injection else "no sign of it",
            ),
        )
    )


def _plan(run: PipelineRun) -> Html:
    plan = run.plan
    if plan is None:
        return _not_reached()
    when = plan.temporal
    return join(
        (
            facts(
                (
                    ("Kind of question", spoken(plan.query_type)),
                    ("Search", spoken(plan.retrieval_mode)),
                    ("Asked on", str(when.asked_date)),
                    ("About an event on", str(when.event_date) if when.event_date else None),
                    ("Policy of", _policy_days(run)),
                    ("Asks back", plan.clarification_question),
                    ("Notes", " · ".join(plan.reasoning_notes)),
                )
            ),
            _dimensions(plan),
        )
    )


def _dimensions(plan: QueryPlan) -> Html:
    if not plan.temporal.compared:
        return table(
            ("", "Must cover", "Looked for with", "In"),
            ((d.id, d.name, d.query, spoken(d.kind)) for d in plan.dimensions),
        )
    return table(
        ("", "Must cover", "Looked for with", "In", "By the version valid on"),
        ((d.id, d.name, d.query, spoken(d.kind), _valid_on(d)) for d in plan.dimensions),
    )


def _valid_on(dimension: Dimension) -> str:
    if dimension.valid_on == date.min:
        return "no earlier version on file"
    return str(dimension.valid_on) if dimension.valid_on else "–"


def _policy_days(run: PipelineRun) -> Piece:
    """The day whose policy answers, or the days that are compared."""
    plan = run.plan
    if plan is None or not plan.temporal.compared:
        return str(plan.temporal.effective_policy_date) if plan else ""
    when = plan.temporal
    days = [day for day in when.compared if day != date.min]
    return join(tag(_day_tag(day, when.asked_date)) for day in days)


def _day_tag(day: date, asked: date) -> str:
    if day == asked:
        return f"now: {day}"
    return f"then: {day}" if day < asked else f"to come: {day}"


def _rights(run: PipelineRun) -> Html:
    context = run.context
    dropped = run.trace.access_violations_dropped
    return join(
        (
            facts(
                (
                    (
                        "Asks as",
                        f"{context.user_id}, {', '.join(context.roles)}, {context.department}",
                    ),
                    ("May read", ", ".join(context.allowed_acl_policy_ids)),
                    ("Classified", ", ".join(context.allowed_classifications)),
                    ("Dropped on the way out", f"{dropped} for access" if dropped else "nothing"),
                    ("Counts more or less", _rules(run)),
                )
            ),
            el("div", "The filter, as SQL", cls="cs-cap"),
            el("div", run.trace.filter_sql or "no search was run", cls="cs-code"),
        )
    )


def _rules(run: PipelineRun) -> str:
    plan = run.retrieval_plan
    return " · ".join(map(str, plan.boost_rules)) if plan else "no search was run"


def _candidates(run: PipelineRun) -> Html:
    rows = sorted((g.candidate for g in run.gated), key=lambda c: c.rank or 999)
    return table(
        ("#", "Passage", "By words", "By meaning", "Cosine", "Fused", "From"),
        (_candidate(c, run.plan) for c in rows),
        numbers=(0, 2, 3, 4, 5),
    )


def _candidate(c: EvidenceCandidate, plan: QueryPlan | None) -> tuple[Piece, ...]:
    return (
        str(c.rank or ""),
        join(
            (
                el(
                    "a", c.source_title, href=source_address(c.source_id, c.document_id, c.chunk_id)
                ),
                el("div", " › ".join(c.heading_path[-2:]), cls="cs-soft"),
                el("div", why_found(c), cls="cs-soft"),
                *(tag(words) for words in validity_words(c, plan)),
            )
        ),
        str(c.lexical_rank or "–"),
        str(c.vector_rank or "–"),
        f"{c.similarity:.2f}" if c.similarity is not None else "–",
        f"{c.score:.4f}",
        spoken(c.retrieval_source),
    )


def _not_reached() -> Html:
    return el("div", "This stage was not reached.", cls="cs-soft")
