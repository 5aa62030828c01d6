"""From evidence to answer: package, resolutions, draft, claims, ledger, compliance, freshness."""

from __future__ import annotations

from core.models.evidence import Evidence
from core.models.judgement import Resolution
from core.models.trace import PipelineRun
from pages.components.advice import advice_body
from pages.components.cards import (
    claim_line,
    claim_summary,
    readings_body,
    source_line,
    table,
    tag,
)
from pages.components.untrusted import Html, Piece, el, join, show
from pages.components.words import spoken
from pages.inspector.stage import facts, stage_card


def draw(run: PipelineRun) -> None:
    """The last stages."""
    with stage_card(run, 7, "Package", "select"):
        show(_package(run))
    with stage_card(run, 8, "Conflicts decided", "adjudicate"):
        show(_resolutions(run))
    with stage_card(run, 9, "Draft", "draft", open_=True):
        show(_draft(run))
    with stage_card(run, 10, "Claims", "validate", open_=True):
        _claims(run)
    with stage_card(run, 11, "Ledger", "ledger"):
        show(_ledger(run))
    with stage_card(run, 12, "Compliance", "comply"):
        show(_compliance(run))
    with stage_card(run, 13, "Freshness", "freshness"):
        show(_freshness(run))
    with stage_card(run, 14, "Advice", "advise"):
        show(_advice(run))


def _package(run: PipelineRun) -> Html:
    package = run.package
    if package is None:
        return _not_reached()
    return join(
        (
            facts(
                (
                    ("Enough", spoken(package.sufficiency)),
                    ("Tokens", f"{package.total_tokens} under {package.context_policy_id}"),
                    ("Left out for space", str(len(package.omitted_candidate_ids))),
                    ("Notes", " · ".join(package.notes)),
                )
            ),
            join(_evidence(e, "accepted", "good") for e in package.selected_evidence),
            join(_evidence(e, "conflicting", "warn") for e in package.conflicting_evidence),
        )
    )


def _evidence(item: Evidence, words: str, tone: str) -> Html:
    c = item.candidate
    return el(
        "div",
        el(
            "div",
            el("span", item.evidence_id, cls="cs-code"),
            source_line(c.source_title, " › ".join(c.heading_path[1:])),
            tag(words, tone),
            cls="cs-card-head",
        ),
        el("div", c.text, cls="cs-quote"),
        cls="cs-tile cs-gap",
    )


def _resolutions(run: PipelineRun) -> Html:
    ambiguous = run.judgement.ambiguities if run.judgement else ()
    labels = {i: i for found in ambiguous for r in found.readings for i in r.evidence_ids}
    readings = [el("div", readings_body(a, labels), cls="cs-tile cs-gap") for a in ambiguous]
    if not run.resolutions:
        return join(
            (*readings, el("div", "No two sources contradicted each other.", cls="cs-soft"))
        )
    return join((*readings, *(_resolution(r) for r in run.resolutions)))


def _resolution(r: Resolution) -> Html:
    a, b = r.contradiction.claim_a, r.contradiction.claim_b
    decided = r.winner != "NO_WINNER_NEED_HUMAN"
    return el(
        "div",
        el(
            "div",
            el("b", r.dimension),
            tag(r.contradiction.kind),
            tag(
                f"by {r.decided_by}" if decided else "needs a person", "good" if decided else "warn"
            ),
            cls="cs-card-head",
        ),
        table(
            ("Evidence", "Says", "Exact words", ""),
            (
                (side.evidence_id, side.value, side.quote, "✔ holds" if r.winner == name else "")
                for name, side in (("claim_a", a), ("claim_b", b))
            ),
        ),
        el("ul", join(el("li", line) for line in (*r.reason, *r.questions)), cls="cs-small"),
        cls="cs-tile cs-gap",
    )


def _draft(run: PipelineRun) -> Html:
    answer = run.answer
    lists: tuple[tuple[str, Piece], ...] = (
        ("Status", spoken(answer.status)),
        ("Sure", answer.confidence),
        ("Missing", " · ".join(answer.missing_information)),
        ("Assumed", " · ".join(answer.assumptions)),
        ("Asks", answer.follow_up_question),
    )
    return join((el("div", answer.answer_markdown, cls="cs-draft"), facts(lists)))


def _claims(run: PipelineRun) -> None:
    show(claim_summary(run.claims))
    for claim in run.claims:
        show(claim_line(claim, {}))


def _ledger(run: PipelineRun) -> Html:
    if run.ledger is None:
        return _not_reached()
    m = run.ledger.answer_quality_metrics
    return join(
        (
            tag(f"{m.total_factual_sentences} factual sentences"),
            tag(f"{m.sentences_without_citation} without a citation"),
            tag(f"{m.citation_coverage_rate_pct:.0f} % covered"),
            table(
                ("Id", "Where", "Who may see it", "Exact words", "Won a conflict"),
                (
                    (
                        c.id,
                        c.source_location,
                        spoken(c.document_permission_tag).lower(),
                        f"“{c.snippet}”",
                        "yes" if c.was_this_a_winner_in_contradiction_resolution else "",
                    )
                    for c in run.ledger.citations
                ),
            ),
        )
    )


def _compliance(run: PipelineRun) -> Html:
    decision = run.compliance
    if decision is None:
        return _not_reached()
    tone = {"ALLOW": "good", "DENY": "bad"}.get(decision.decision, "warn")
    return join(
        (
            tag(spoken(decision.decision).lower(), tone),
            facts(
                (
                    ("Because", decision.reason),
                    ("Reader", decision.recipient),
                    ("Found in the text", " · ".join(decision.guard_findings)),
                )
            ),
            table(
                ("What", "Why it must go", "Instead"),
                (
                    (r.citation_id, r.why_must_remove_or_mask, r.recommended_masked_rewrite)
                    for r in decision.if_partial_allow_redaction_list
                ),
            )
            if decision.if_partial_allow_redaction_list
            else None,
            el("div", decision.final_answer_text_after_enforcement, cls="cs-draft"),
        )
    )


def _freshness(run: PipelineRun) -> Html:
    if not run.freshness:
        return el(
            "div", "Every source the draft leans on is within its review date.", cls="cs-soft"
        )
    return table(
        ("Source", "State", "What it means", "Owner"),
        (
            (
                w.title,
                tag(spoken(w.state), "good" if w.state == "fresh" else "warn"),
                w.message,
                w.owner,
            )
            for w in run.freshness
        ),
    )


def _advice(run: PipelineRun) -> Html:
    if run.advice is None:
        return _not_reached()
    cited = [g.evidence_id for g in run.advice.grounds if g.evidence_id]
    return advice_body(run.advice, dict(zip(cited, cited, strict=True)))


def _not_reached() -> Html:
    return el("div", "This stage was not reached.", cls="cs-soft")
