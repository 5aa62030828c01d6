"""Whatever the chain of versions and whatever the day: only what was valid on it is evidence."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.models.plan import Dimension, QueryPlan, TemporalContext
from core.models.source import DocumentVersion, Governance, Passage, VersionStatus
from core.models.validity import ends, speaks_for
from core.stages.plan_retrieval import plan_retrieval
from core.stages.retrieve import retrieve
from core.stages.select import select
from tests.contracts.builders import a_document
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.stages.evidence_builders import WordCounter, gated
from tests.stages.language_builders import TODAY, rights

_QUERY = "How many days is the return window?"
_FIRST = date(2024, 1, 1)
_days = st.integers(min_value=-40, max_value=1_200).map(lambda n: _FIRST + timedelta(days=n))


@st.composite
def _chains(draw: st.DrawFn) -> tuple[DocumentVersion, ...]:
    """Versions of one source, each holding until the next begins, whether or not it says so."""
    begins = sorted(draw(st.lists(_days, min_size=1, max_size=6, unique=True)))
    chain = []
    for number, (first, end) in enumerate(pairwise([*begins, None])):
        over = end is not None and end <= TODAY
        status: VersionStatus = (
            draw(st.sampled_from(("superseded", "active"))) if over else "active"
        )
        said = draw(st.booleans())
        chain.append(
            a_document(
                f"returns-{number}",
                text=f"The return window is {10 + number} days.",
                valid_from=first,
                valid_to=end if said else None,
                status=status,
                supersedes=f"returns-{number - 1}" if number and draw(st.booleans()) else None,
            )
        )
    return tuple(chain)


def _in_force(chain: Sequence[DocumentVersion], day: date) -> set[str]:
    begun = [v for v in chain if (v.governance.valid_from or date.min) <= day]
    return {begun[-1].document_id} if begun else set()


def _a_plan(temporal: TemporalContext) -> QueryPlan:
    days: tuple[date | None, ...] = temporal.compared or (None,)
    return QueryPlan(
        normalized_query=_QUERY,
        query_type="policy_interpretation",
        retrieval_mode="hybrid",
        subqueries=(_QUERY,),
        dimensions=tuple(
            Dimension(id=f"D{n}", name="window", query=_QUERY, valid_on=day)
            for n, day in enumerate(days, start=1)
        ),
        temporal=temporal,
    )


def _evidence(
    chain: Sequence[DocumentVersion], temporal: TemporalContext
) -> dict[str, frozenset[str]]:
    """The versions that reach the drafter, for each dimension."""
    registry, index = MemoryRegistry(), MemoryIndex()
    registry.put(chain, actor="kim")
    index.replace_documents([(v.document_id, (_passage(v),)) for v in chain])
    plan = _a_plan(temporal)
    search = plan_retrieval(plan, rights("agent"), top_k=3, candidate_k=9)
    found = retrieve(search, index=index, registry=registry)
    package = select(
        "req_1", plan, [gated(c) for c in found.candidates], tokens=WordCounter(), budget=1_000
    )
    return {
        d.id: frozenset(
            e.candidate.document_id
            for e in package.selected_evidence
            if speaks_for(e.candidate, d, plan)
        )
        for d in plan.dimensions
    }


def _passage(version: DocumentVersion) -> Passage:
    return Passage(
        chunk_id=f"{version.document_id}#0",
        document_id=version.document_id,
        source_id=version.source_id,
        tenant_id=version.tenant_id,
        ordinal=0,
        text=version.text,
        context=version.title,
        title=version.title,
        char_start=0,
        char_end=len(version.text),
        content_hash=version.content_hash,
        governance=version.governance,
    )


@given(_chains(), _days)
def test_a_past_day_is_answered_by_the_version_valid_on_it_alone(
    chain: tuple[DocumentVersion, ...], day: date
) -> None:
    asked = TemporalContext(asked_date=day, effective_policy_date=day, prefer_current=False)
    assert _evidence(chain, asked)["D1"] == _in_force(chain, day)


@given(_chains())
def test_today_is_answered_by_the_version_in_force_alone(
    chain: tuple[DocumentVersion, ...],
) -> None:
    asked = TemporalContext(asked_date=TODAY, effective_policy_date=TODAY)
    assert _evidence(chain, asked)["D1"] == _in_force(chain, TODAY)


@given(_chains(), _days)
def test_of_two_compared_days_each_is_covered_by_its_own_version(
    chain: tuple[DocumentVersion, ...], day: date
) -> None:
    days = tuple(sorted({day, TODAY}))
    asked = TemporalContext(asked_date=TODAY, effective_policy_date=TODAY, compared=days)
    found = _evidence(chain, asked)
    assert [found[f"D{n}"] for n, _ in enumerate(days, start=1)] == [
        _in_force(chain, d) for d in days
    ]


def test_a_boundary_day_belongs_to_the_version_that_begins_on_it() -> None:
    change = date(2025, 6, 1)
    chain = (
        a_document("returns-1", valid_from=_FIRST, valid_to=change, status="superseded"),
        a_document("returns-2", valid_from=change),
    )
    for day, name in ((change, "returns-2"), (change - timedelta(days=1), "returns-1")):
        asked = TemporalContext(asked_date=day, effective_policy_date=day, prefer_current=False)
        assert _evidence(chain, asked)["D1"] == {name}


def _governed(**fields: object) -> Governance:
    return Governance.model_validate({"owner": "kim", **fields})


def test_a_version_for_another_region_or_a_special_case_ends_no_other() -> None:
    old = _governed(valid_from=_FIRST)
    later = {"valid_from": date(2025, 1, 1)}
    assert ends({"old": old, "new": _governed(**later)}) == {"old": date(2025, 1, 1)}
    for other in ({"region": "UK"}, {"scope_note": "coats only"}, {"status": "draft"}):
        assert ends({"old": old, "new": _governed(**later, **other)}) == {}


def test_a_stated_end_stands_even_where_the_next_version_began_earlier() -> None:
    old = _governed(valid_from=_FIRST, valid_to=date(2025, 7, 1))
    new = _governed(valid_from=date(2025, 6, 1), supersedes="old")
    assert ends({"old": old, "new": new})["old"] == date(2025, 7, 1)
