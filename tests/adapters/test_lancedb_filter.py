"""No value, however hostile, may widen the filter."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.adapters.lancedb_filter import (
    ALWAYS,
    NEVER,
    as_sql,
    day_number,
    day_of,
    document_condition,
    search_condition,
)
from core.adapters.lancedb_index import LanceIndex
from tests.contracts.passage_index import COAT, found, put
from tests.fakes.word_encoder import WordEncoder
from tests.sources.builders import a_filter

HOSTILE = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "x' OR 1=1 --",
            "x' OR '1'='1",
            "'; DROP TABLE passages; --",
            "athena' --",
            "\\') OR (1=1) --",
            "\\' OR 1=1 --",
            "athena\\' OR true --",
            "%",
            "*",
            "NULL",
            "' UNION SELECT 'athena",
            "athena\0",
            "athena ",
            "ATHENA",
            "`tenant_id`",
            'athena" OR "1"="1',
            "\ud7ff\u2019 OR 1=1",
        ]
    ),
)
FIELDS = ("tenant_id", "acl_policy_ids", "classifications", "source_types")


@pytest.fixture(scope="module")
def index() -> Iterator[LanceIndex]:
    with TemporaryDirectory() as folder:
        made = LanceIndex(Path(folder), WordEncoder(), chunker="test-1")
        put(made, COAT, "ours")
        put(made, COAT, "theirs", tenant_id="other")
        put(made, COAT, "secret", acl_policy_id="hr", classification="restricted")
        made.finish()
        yield made


@given(field=st.sampled_from(FIELDS), value=HOSTILE)
@example(field="tenant_id", value="x' OR 1=1 --")
@example(field="tenant_id", value="\\' OR 1=1 --")
@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_hostile_value_matches_only_itself(index: LanceIndex, field: str, value: str) -> None:
    real = {"athena", "other", "public", "hr", "restricted", "FILE", ""}
    if value in real:
        return
    changes: dict[str, Any] = {field: value if field == "tenant_id" else (value,)}
    for mode in ("lexical", "vector"):
        assert found(index, "coat", mode=mode, **changes) == []


@given(value=HOSTILE)
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_hostile_value_beside_a_right_one_adds_nothing(index: LanceIndex, value: str) -> None:
    if value in {"hr", "restricted"}:
        return
    rights = {"acl_policy_ids": ("public", value), "classifications": ("public", value)}
    assert found(index, "coat", **rights) == ["ours"]


@given(name=HOSTILE)
@example(name="\\') OR (1=1) --")  # a backslash ends the quoting of lancedb's own SQL text
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_hostile_document_id_removes_only_itself(index: LanceIndex, name: str) -> None:
    if name in {"ours", "theirs", "secret"}:
        return
    assert index.remove_document(name) == 0
    assert index.count() == 3


def test_rights_that_allow_nothing_have_no_condition() -> None:
    assert search_condition(a_filter(acl_policy_ids=())) is None
    assert search_condition(a_filter(tenant_id="")) is None
    assert as_sql(None) == "FALSE"


def test_the_whole_filter_is_one_expression() -> None:
    sql = as_sql(search_condition(a_filter(source_types=("FILE",))))
    for part in ("tenant_id", "acl_policy_id", "classification", "status", "source_type"):
        assert part in sql
    assert "OR" not in sql
    assert "'superseded'" not in sql


def test_a_condition_on_no_documents_is_refused() -> None:
    with pytest.raises(ValueError, match="no document ids"):
        document_condition([])


@given(day=st.one_of(st.none(), st.dates()))
def test_days_survive_the_way_there_and_back(day: date | None) -> None:
    assert day_of(day_number(day, open_end=ALWAYS)) == day
    assert day_of(day_number(day, open_end=NEVER)) == day
