"""Whatever rows there are and whoever asks: a search returns what the rights allow, and all of it.

The rule is written a second time, as plain Python, in the index in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adapters.lancedb_index import LanceIndex
from core.models.plan import RetrievalFilters, RetrievalPlan
from core.models.source import Passage
from tests.fakes.memory_index import allows
from tests.fakes.word_encoder import WordEncoder
from tests.sources.builders import a_governance

TENANTS = ("athena", "other", "athena' OR '1'='1", "a\\' OR 1=1 --")
POLICIES = ("public", "hr", "public', 'hr", "x\\') OR (1=1) --")
CLASSES = ("public", "internal", "restricted")
KINDS = ("FILE", "WEB_PAGE")
STATES = ("active", "superseded", "draft")
DAYS = (None, date(2026, 1, 1), date(2026, 7, 1), date(2027, 1, 1))
_SPANS = ((None, None), (DAYS[1], None), (None, DAYS[2]), (DAYS[1], DAYS[2]), (DAYS[2], DAYS[3]))


def _rows() -> list[Passage]:
    """One row of every kind the filter tells apart, in a mixed-up order of dates."""
    kinds = product(TENANTS, POLICIES, CLASSES, KINDS, STATES)
    return [
        Passage(
            chunk_id=f"d{n}::0000",
            document_id=f"d{n}",
            source_id=f"d{n}",
            tenant_id=tenant,
            ordinal=0,
            text="A coat may be returned.",
            context="",
            title="t",
            char_start=0,
            char_end=23,
            content_hash="h",
            governance=a_governance(
                acl_policy_id=policy,
                classification=classified,
                source_type=kind,
                status=status,
                valid_from=_SPANS[n % len(_SPANS)][0],
                valid_to=_SPANS[n % len(_SPANS)][1],
            ),
        )
        for n, (tenant, policy, classified, kind, status) in enumerate(kinds)
    ]


@pytest.fixture(scope="module")
def stored() -> Iterator[tuple[LanceIndex, list[Passage]]]:
    with TemporaryDirectory() as folder:
        index, rows = LanceIndex(Path(folder), WordEncoder(), chunker="test-1"), _rows()
        index.replace_documents([(row.document_id, [row]) for row in rows])
        index.finish()
        yield index, rows


_FILTERS = st.builds(
    RetrievalFilters,
    tenant_id=st.sampled_from((*TENANTS, "", "nobody")),
    acl_policy_ids=st.lists(st.sampled_from((*POLICIES, "%")), max_size=3).map(tuple),
    classifications=st.lists(st.sampled_from(CLASSES), max_size=3).map(tuple),
    source_types=st.lists(st.sampled_from(KINDS), max_size=2).map(tuple),
    valid_on=st.sampled_from((date(2025, 6, 1), *DAYS[1:], date(2026, 12, 31))),
    include_past_versions=st.booleans(),
)


@given(
    filters=_FILTERS,
    mode=st.sampled_from(["lexical", "vector", "hybrid"]),
    fusion=st.sampled_from(["scores", "rrf"]),
)
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_search_returns_exactly_what_the_rights_allow(
    stored: tuple[LanceIndex, list[Passage]],
    filters: RetrievalFilters,
    mode: str,
    fusion: str,
) -> None:
    index, rows = stored
    plan = RetrievalPlan.model_validate(
        {"query": "coat", "mode": mode, "fusion": fusion, "filters": filters}
        | {"top_k": len(rows), "candidate_k": len(rows)}
    )
    found = {hit.document_id for hit in index.search(plan)}
    rights = filters.acl_policy_ids and filters.classifications and filters.tenant_id
    assert found == {row.document_id for row in rows if rights and allows(filters, row)}
