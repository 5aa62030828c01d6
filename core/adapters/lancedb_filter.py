"""The one place that builds a search filter. Everything here is audited and fuzz-tested.

Searches get an expression of ``lancedb.expr``, whose values never pass through SQL text. Its
``to_sql`` is for reading only: LanceDB's parser takes a backslash for an escape, so that text can
be broken out of. Deletes and merges do need text; theirs holds nothing but hex digits, because
documents are named there by a hash. A search calls ``where`` once, with the whole expression: of
chained calls the mode of the last would win for all of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from lancedb.expr import col, lit

from core.models.plan import RetrievalFilters

ALWAYS = -1_000_000
"""``valid_from_day`` of a version without a first day."""
NEVER = 10_000_000
"""``valid_to_day`` of a version without a last day."""

NOTHING_SQL = "FALSE"
_EPOCH = date(1970, 1, 1)
_PRESENT = ("active",)
_PAST = ("active", "superseded", "archived")


def day_number(day: date | None, *, open_end: int) -> int:
    """Days since 1970-01-01, or ``open_end`` where there is no date."""
    return (day - _EPOCH).days if day else open_end


def day_of(number: int) -> date | None:
    """The date behind ``day_number``; ``None`` for an open end."""
    return None if number in (ALWAYS, NEVER) else _EPOCH + timedelta(days=number)


def search_condition(filters: RetrievalFilters) -> Any | None:
    """The filter as one expression; ``None`` when the rights let nothing pass.

    Drafts never pass. A version passes on the days from ``valid_from`` up to, not including,
    ``valid_to``; superseded and archived ones only when past versions are asked for.
    """
    if not (filters.tenant_id and filters.acl_policy_ids and filters.classifications):
        return None
    day = day_number(filters.valid_on, open_end=0)
    condition = (
        (col("tenant_id") == lit(filters.tenant_id))
        & col("acl_policy_id").isin(list(filters.acl_policy_ids))
        & col("classification").isin(list(filters.classifications))
        & col("status").isin(list(_PAST if filters.include_past_versions else _PRESENT))
        & (col("valid_from_day") <= lit(day))
        & (col("valid_to_day") > lit(day))
    )
    if filters.source_types:
        condition = condition & col("source_type").isin(list(filters.source_types))
    return condition


def document_key(document_id: str) -> str:
    """A name for a document that is safe inside SQL text, whatever characters its id has."""
    return hashlib.sha256(document_id.encode("utf-8", "surrogatepass")).hexdigest()


def document_condition(document_ids: Sequence[str]) -> str:
    """Rows of these versions, as SQL text. Needs at least one id."""
    if not document_ids:
        raise ValueError("no document ids: the condition would match nothing or everything")
    keys = ", ".join(f"'{document_key(name)}'" for name in document_ids)
    return f"document_key IN ({keys})"


def as_sql(condition: Any | None) -> str:
    """The expression as SQL text, for the trace and the inspector; never to be run."""
    return NOTHING_SQL if condition is None else str(condition.to_sql())
