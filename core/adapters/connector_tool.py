"""A connector's query as a read tool: typed parameters in, rows as evidence out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, create_model

from core.adapters.connector_config import ParameterSpec, QuerySpec
from core.adapters.connector_database import Database, Row, Value
from core.adapters.connector_sql import TENANT
from core.errors import Unavailable
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.request import IdentifierKind
from core.models.tool import ToolAccess, ToolAnswer, failed

_KINDS: dict[str, type] = {
    "text": str,
    "integer": int,
    "number": Decimal,
    "date": date,
    "yes_no": bool,
}
_SLOT = re.compile(r"\{(\w+)\}")
_LONGEST = 2_000
"""Characters of a row's text that are handed on."""
_GRACE_MS = 1_000
"""What the tool is given beyond its query's time: the database says best itself why it is slow."""


class QueryTool:
    """See ``ReadTool`` and ``GoesWith``."""

    def __init__(
        self,
        name: str,
        spec: QuerySpec,
        database: Callable[[], Database],
        *,
        tenants: tuple[str, ...] = (),
    ) -> None:
        self.name, self._spec, self._database = name, spec, database
        self.description = spec.description
        self.parameters = _parameters(name, spec.parameters)
        self.access = ToolAccess(
            action="review", roles=spec.roles, acl_policy_id=spec.acl_policy, tenants=tenants
        )
        self.timeout_ms = spec.timeout_ms + _GRACE_MS

    @property
    def goes_with(self) -> tuple[IdentifierKind, str] | None:
        """See ``GoesWith``."""
        return self._spec.identified_by()

    def call(self, context: SecurityContext, arguments: Any) -> ToolAnswer:
        """See ``ReadTool``. The tenant is bound from ``context``, never from the arguments."""
        spec = self._spec
        values: dict[str, Value] = {**dict(arguments), TENANT: context.tenant_id}
        kinds = {name: _KINDS[p.type] for name, p in spec.parameters.items()} | {TENANT: str}
        found = self._database().rows(
            spec.sql, values, kinds, limit=spec.max_rows + 1, ms=spec.timeout_ms
        )
        if not found:
            return failed("not_found", f"{self.name} found nothing for {_said(arguments)}.")
        rows = tuple(self._evidence(row, n) for n, row in enumerate(found[: spec.max_rows], 1))
        more = len(found) > spec.max_rows
        notes = (f"{self.name} holds more than {spec.max_rows} rows.",) if more else ()
        return ToolAnswer(rows=rows, notes=notes)

    def check(self) -> str:
        """Whether the database takes the query: asks how it would run it, reads no row."""
        kinds = {name: _KINDS[p.type] for name, p in self._spec.parameters.items()}
        empty: dict[str, Value] = dict.fromkeys([*kinds, TENANT])
        database = self._database()
        explained = f"EXPLAIN {self._spec.sql}"
        database.rows(explained, empty, kinds | {TENANT: str}, limit=1, ms=self._spec.timeout_ms)
        return database.kind

    def _evidence(self, row: Row, rank: int) -> EvidenceCandidate:
        spec = self._spec
        missing = [name for name in (*spec.columns, spec.tenant_column) if name not in row]
        if missing:
            raise Unavailable(
                f"{self.name}: its SELECT returns no column {missing[0]!r}. "
                "An administrator must select it or take it out of columns."
            )
        shown = {name: _as_text(row[name]) for name in spec.columns}
        if not shown[spec.row_key]:
            raise Unavailable(
                f"{self.name}: a row has no {spec.row_key!r}, so it could not be cited. "
                "An administrator must name a key that every row has."
            )
        locator = f"records:{spec.table}/{shown[spec.row_key]}"
        title = _filled(spec.title, shown) or f"{_label(spec.table)} {shown[spec.row_key]}"
        said = _sentences(spec, title, shown)[:_LONGEST]
        return EvidenceCandidate(
            chunk_id=locator,
            source_id=f"records:{spec.table}",
            document_id=locator,
            # What the row itself says: the toolbox drops it where that is not the caller's tenant.
            tenant_id=_as_text(row[spec.tenant_column]),
            text=said,
            source_title=title,
            source_uri=locator,
            char_end=len(said),
            score=1.0,
            rank=rank,
            retrieval_source="record",
            authority="case_record",
            owner=spec.owner,
            permission_tag=spec.permission_tag,
            acl_policy_id=spec.acl_policy,
            classification=spec.classification,
            source_type="INTERNAL_DB_TABLE",
            metadata={"found": "yes", "table": spec.table, **shown},
        )


def _parameters(name: str, specs: Mapping[str, ParameterSpec]) -> type[Model]:
    fields: dict[str, Any] = {key: _field(spec) for key, spec in specs.items()}
    return create_model(f"{name}_parameters", __base__=Model, **fields)


def _field(spec: ParameterSpec) -> tuple[Any, Any]:
    kind: Any = Literal[spec.choices] if spec.choices else _KINDS[spec.type]
    limits: dict[str, Any] = {}
    if spec.type == "text" and not spec.choices:
        limits = {"min_length": 1, "max_length": spec.max_length}
    elif spec.type in ("integer", "number"):
        limits = {"ge": spec.at_least, "le": spec.at_most}
    words = spec.description + (f" ({', '.join(spec.choices)})" if spec.choices else "")
    bounded = Annotated[kind, Field(**limits)]
    if spec.optional:
        return bounded | None, Field(default=None, description=words)
    return bounded, Field(description=words)


def _sentences(spec: QuerySpec, title: str, shown: Mapping[str, str]) -> str:
    """The row as sentences, one for each column where no text is declared."""
    if spec.text:
        return _filled(spec.text, shown)
    told = [(n, v) for n, v in shown.items() if v and n != spec.row_key]
    return " ".join(f"The {_label(name).lower()} of {title} is {value}." for name, value in told)


def _filled(template: str, shown: Mapping[str, str]) -> str:
    # Not str.format: a value never steers how another is read.
    return _SLOT.sub(lambda slot: shown.get(slot[1], ""), template)


def _label(name: str) -> str:
    return name.replace("_", " ").strip().capitalize()


def _as_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bytes | bytearray | memoryview):
        return "(binary)"
    return " ".join(str(value).split())


def _said(arguments: Model) -> str:
    given = [f"{n} {str(v)[:60]!r}" for n, v in dict(arguments).items() if v is not None]
    return ", ".join(given) or "this company"
