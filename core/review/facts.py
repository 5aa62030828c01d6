"""Short lines beside a case: its facts, what would change the reply, who could decide."""

from __future__ import annotations

from core.models.review import Case, DraftVersion
from core.models.trace import PipelineRun
from core.review.leaning import leaned_on
from core.text.provenance import day_words


def case_facts(case: Case) -> tuple[str, ...]:
    """What the case's own record says, one short line each."""
    facts = [f"{name.replace('_', ' ')}: {value}" for name, value in case.fields.items() if value]
    facts += [f"{e.on.day} {e.on:%b %Y}: {e.description or e.kind}" for e in case.events]
    facts += [f"{'done' if item.done else 'missing'}: {item.label}" for item in case.checklist]
    return tuple(facts)


def suggested_question(run: PipelineRun) -> str:
    """What to ask the customer, as the run would ask it; empty when nothing is missing."""
    planned = run.plan.clarification_question if run.plan else None
    return run.answer.follow_up_question or planned or ""


def suggested_owner(run: PipelineRun, draft: DraftVersion | None) -> str:
    """Who could decide: whoever compliance names, else the owner of what is in dispute or cited."""
    if run.compliance is not None and run.compliance.decision == "DENY":
        return run.compliance.audit_trail_entry.escalation_contact_if_user_appeals
    evidence = run.package.by_id() if run.package else {}
    disputed = [i for c in run.answer.conflicts if not c.decided for i in c.evidence_ids]
    for evidence_id in (*disputed, *leaned_on(draft, run)):
        if evidence_id in evidence and evidence[evidence_id].candidate.owner:
            return evidence[evidence_id].candidate.owner
    return ""


def what_would_change(draft: DraftVersion | None, run: PipelineRun) -> tuple[str, ...]:
    """From the ledger: the sources whose expiry, edit or withdrawal would invalidate the reply."""
    evidence = run.package.by_id() if run.package else {}
    lines = []
    for evidence_id in leaned_on(draft, run):
        candidate = evidence[evidence_id].candidate
        name = f"“{candidate.source_title}”"
        if candidate.retrieval_source in ("record", "case_file"):
            lines.append(f"A change of the record {name}")
            continue
        line = f"An edit or withdrawal of {name} (version {candidate.version})"
        if candidate.valid_to:
            line += f"; it holds until {day_words(candidate.valid_to, 'en')}"
        lines.append(line)
    winners = [c for c in run.answer.conflicts if c.decided and c.kind == "sources"]
    lines += [f"Another decision on “{c.side_a}” against “{c.side_b}”" for c in winners]
    return tuple(dict.fromkeys(lines))
