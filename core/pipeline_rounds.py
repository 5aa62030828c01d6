"""The bounded loop of one run: retrieve, gate, select, judge, and a rewrite for what is missing.

Each round names the gap it is to fill; the loop ends when nothing is missing, when nothing new
comes back, or when the run's budget of rounds, time or cost is spent. ``loop_end`` says which.
"""

from __future__ import annotations

from core.models.evidence import EvidenceCandidate, EvidencePackage
from core.models.judgement import Judgement
from core.models.plan import QueryPlan, RewrittenQuery
from core.models.trace import LoopEnd, Round
from core.pipeline_days import say_what_began_later, search_days
from core.pipeline_gate import gate_round
from core.pipeline_run import RunInProgress
from core.stages.judge import judge
from core.stages.look_back import by_record
from core.stages.normalise import clean_text
from core.stages.records import fetch_records
from core.stages.rewrite import rewrite
from core.stages.select import select
from core.text.abbreviations import lists_names
from core.text.conversation import InContext, in_context
from core.text.synonyms import swapped
from core.text.wordings import at_the_time_of, in_own_words, keys_in

_BARREN_AT_MOST = 2
"""Rounds in a row without new evidence after which it is not to be expected any more."""


def gather(run: RunInProgress) -> None:
    """Evidence for every dimension of the plan, in at most ``run.rounds_allowed`` rounds.

    The first round always runs; none of the others begins once a budget is spent.
    """
    plan = run.need_plan()
    if plan.needs_clarification or plan.retrieval_mode == "none":
        run.package = EvidencePackage(
            request_id=run.request.request_id, query=plan.normalized_query
        )
        run.loop_end = "nothing_to_search"
        return
    _fetch(run)
    step: RewrittenQuery | None = None
    while run.loop_end is None:
        _round(run, step)
        run.loop_end = _over(run)
        if run.loop_end is None:
            step = _rewrite(run)
            run.loop_end = "nothing_left_to_try" if step is None else None
    say_what_began_later(run)


def _round(run: RunInProgress, step: RewrittenQuery | None) -> None:
    began, known, had = run.elapsed_ms(), frozenset(run.candidates), frozenset(run.evidence_ids)
    number = len(run.rounds) + 1
    query = step.rewritten_query if step else run.question()
    if step is not None and step.strategy_tag == "SWITCH_TO_STRUCTURED_QUERY":
        _fetch(run, number, query)
    _retrieve(run, query, number, step)
    ours = step is not None and _speak_our_words(run, step)
    gate_round(run, run.question(), number, same_question=query if ours else "")
    _select(run, number)
    judgement = _judge(run, number)
    covered = tuple(
        d for d, _ in judgement.dimension_coverage_matrix.items() if _is_settled(judgement, d)
    )
    run.rounds.append(
        Round(
            number=number,
            query=query,
            rewrite=step,
            judgement=judgement,
            retrieved=len(run.candidates),
            new_chunk_ids=tuple(c for c in run.candidates if c not in known),
            new_evidence_ids=tuple(e for c, e in run.evidence_ids.items() if c not in had),
            covered=covered,
            gap_filled=step.gap in covered if step else None,
            ms=round(run.elapsed_ms() - began, 3),
        )
    )


# ---- when it ends -----------------------------------------------------------------------------


def _over(run: RunInProgress) -> LoopEnd | None:
    """Why no further round may begin, ``None`` when one may."""
    limits, judgement = run.tools.limits, run.rounds[-1].judgement
    if judgement is None or judgement.decision == "ENOUGH":
        return "enough"
    if judgement.decision == "CONTRADICTION_FOUND" and not _undisputed_gaps(judgement):
        return "contradiction"
    if run.options.supplied is not None:
        return "nothing_left_to_try"
    if len(run.rounds) >= run.rounds_allowed:
        return "rounds_spent"
    if run.elapsed_ms() >= limits.round_time_ms:
        return "time_spent"
    if run.gate.usage.cost > limits.round_cost:
        return "cost_spent"
    return "nothing_new" if _hopeless(run) else None


def _is_settled(judgement: Judgement, dimension: str) -> bool:
    coverage = judgement.dimension_coverage_matrix[dimension]
    return coverage.covered and coverage.confidence == "high"


def _undisputed_gaps(judgement: Judgement) -> tuple[str, ...]:
    """Open dimensions that no contradiction is about: more evidence may still settle those."""
    disputed = {c.dimension for c in judgement.contradictions}
    matrix = judgement.dimension_coverage_matrix
    return tuple(d for d in matrix if d not in disputed and not _is_settled(judgement, d))


def barren_rounds(run: RunInProgress) -> int:
    """Rewritten rounds in a row, up to the last, that brought no new evidence."""
    barren = 0
    for done in reversed(run.rounds):
        if done.rewrite is None or done.new_evidence_ids:
            break
        barren += 1
    return barren


def _hopeless(run: RunInProgress) -> bool:
    """Whether new evidence is not to be expected.

    Two rounds in a row brought none; or the last brought not even a new passage, though it asked
    in other words. Two EXPAND_FIELDS without news still get the change of words they force.
    """
    barren, strategies = barren_rounds(run), [r.strategy_tag for r in run.rewrites]
    if not barren:
        return False
    if strategies[-2:] == ["EXPAND_FIELDS", "EXPAND_FIELDS"] and barren == _BARREN_AT_MOST:
        return False
    if barren >= _BARREN_AT_MOST:
        return True
    return not run.rounds[-1].new_chunk_ids and strategies[-1] != "EXPAND_FIELDS"


# ---- the steps of a round ---------------------------------------------------------------------


def _speak_our_words(run: RunInProgress, step: RewrittenQuery) -> bool:
    """Whether ``step`` asks in words that glossary or documents say mean the same.

    If so, gate, judge and draft ask in these words from here on.
    """
    plan, asked = run.need_plan(), run.need_normalized()
    run.plan = in_own_words(plan, step, run.words())
    if run.plan is plan:
        return False
    whole = asked.standalone_query
    ours = swapped(whole, run.words().swaps(whole, own=True)) or whole
    run.normalized = asked.model_copy(update={"standalone_query": ours})
    return True


def _select(run: RunInProgress, number: int) -> None:
    with run.stage("select", number) as note:
        package = select(
            run.request.request_id,
            run.need_plan(),
            run.gated,
            tokens=run.tools.tokens,
            budget=run.tools.limits.token_budget,
            known=run.evidence_ids,
        )
        package = package.model_copy(update={"unread": dict(run.unread)})
        run.package = package
        run.remember_ids()
        accepted, against = len(package.selected_evidence), len(package.conflicting_evidence)
        note(f"{accepted} accepted, {against} conflicting")


def _judge(run: RunInProgress, number: int) -> Judgement:
    with run.stage("judge", number) as note:
        run.judgement = judge(run.need_plan(), run.need_package())
        note(run.judgement.decision)
    return run.judgement


def _rewrite(run: RunInProgress) -> RewrittenQuery | None:
    number, judgement = len(run.rounds), run.judgement
    if judgement is None:
        return None
    with run.stage("rewrite", number) as note:
        step = rewrite(
            run.need_plan(),
            judgement,
            run.rewrites,
            round_number=number + 1,
            barren=barren_rounds(run),
            words=run.words(),
            seen=run.gated,
        )
        note(f"{step.strategy_tag} for {step.gap}" if step else "nothing sensible left")
    if step is not None:
        run.rewrites.append(step)
    return step


def _fetch(run: RunInProgress, number: int = 0, query: str = "") -> None:
    """Rows of what the plan names, or of what a structured ``query`` names by its key."""
    if run.options.supplied is not None:
        run.add_candidates(run.options.supplied)
        return
    plan = run.need_plan()
    if query:
        plan = plan.model_copy(update={"identifiers": keys_in(query), "related": ()})
    with run.stage("records", number) as note:
        fetched = fetch_records(
            plan,
            run.need_context(),
            run.request,
            toolbox=run.tools.toolbox,
            case=run.case,
            already=run.tool_calls,
        )
        run.add_records(fetched.rows, fetched.calls, fetched.unread)
        note(f"{len(fetched.rows)} row(s)")
        if not number:
            run.plan = by_record(run.need_plan(), fetched.rows, run.request.raw_query)
        for reason in fetched.unread.values():
            note(reason)


def _retrieve(
    run: RunInProgress, query: str, number: int, step: RewrittenQuery | None = None
) -> None:
    if run.options.supplied is not None:
        return
    with run.stage("retrieve", number) as note:
        conversation = None if step else _conversation(run)
        found = search_days(run, query, _plan_for(run, step), conversation)
        run.violations += found.violations
        may_answer = [c for c in found.candidates if _may_answer(run, c)]
        run.found = tuple(c.chunk_id for c in may_answer)
        run.add_candidates(may_answer)
        note(f"{len(found.candidates)} candidates")


def _may_answer(run: RunInProgress, candidate: EvidenceCandidate) -> bool:
    """A list of names answers what a name means; to any other question it only lends words."""
    asks_meaning = run.need_plan().query_type == "definition"
    return asks_meaning or not lists_names(candidate.source_title, candidate.text)


def _plan_for(run: RunInProgress, step: RewrittenQuery | None) -> QueryPlan:
    plan = run.need_plan()
    if step is None or step.strategy_tag != "NARROW_TIME_SCOPE":
        return plan
    return at_the_time_of(plan, step.gap)


def _conversation(run: RunInProgress) -> InContext:
    return in_context(clean_text(run.request.raw_query), run.request.history)
