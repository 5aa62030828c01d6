"""Connectors as an administrator declares them: named queries over a database, checked at load.

See ``data/connectors.example.toml`` for a file with every key. Whatever is wrong is refused by name
before anything is opened.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from core.adapters.connector_sql import TENANT, fault_in
from core.errors import BadInput
from core.models.access import Classification, Role
from core.models.base import Model
from core.models.request import IdentifierKind

_NAME = re.compile(r"[a-z][a-z0-9_]{1,59}")
_RESERVED_TABLES = frozenset({"orders", "customers"})
"""Named by the records that every company has."""
_SLOT = re.compile(r"\{(\w*)\}")
ParameterType = Literal["text", "integer", "number", "date", "yes_no"]


class ParameterSpec(Model):
    """A typed parameter. ``description`` completes "give …" in messages."""

    type: ParameterType = "text"
    description: str = Field(min_length=3)
    optional: bool = False
    max_length: int = Field(default=80, ge=1, le=500)
    choices: tuple[str, ...] = ()
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _choices_are_text(self) -> ParameterSpec:
        if self.choices and self.type != "text":
            raise ValueError("choices go with the type text")
        return self


class QuerySpec(Model):
    """One allow-listed query, which is one read tool.

    ``columns`` are handed on; ``row_key`` names a row, ``tenant_column`` its tenant, and both must
    be among what the query selects. ``title`` and ``text`` may hold ``{column}``; without ``text``
    each column becomes a sentence. ``called_for`` runs the query for each identifier of that kind a
    question names. A row is cited as ``records:<table>/<key>``.
    """

    description: str = Field(min_length=5)
    sql: str
    parameters: dict[str, ParameterSpec] = Field(default_factory=dict)
    table: str
    columns: tuple[str, ...] = Field(min_length=1)
    row_key: str
    tenant_column: str
    title: str = ""
    text: str = ""
    owner: str = "operations"
    permission_tag: str = "INTERNAL_ONLY"
    acl_policy: str = "support-internal"
    classification: Classification = "internal"
    roles: tuple[Role, ...] = ()
    called_for: IdentifierKind | None = None
    max_rows: int = Field(default=20, ge=1, le=200)
    timeout_ms: int = Field(default=2_000, ge=10, le=60_000)

    @field_validator("table")
    @classmethod
    def _is_free(cls, value: str) -> str:
        if not _NAME.fullmatch(value) or value in _RESERVED_TABLES:
            raise ValueError(
                "give a name of small letters, digits and _ other than orders and customers"
            )
        return value

    @model_validator(mode="after")
    def _is_safe(self) -> QuerySpec:
        if TENANT in self.parameters:
            raise ValueError(f"parameters: {TENANT!r} is filled in by code. Remove it.")
        fault = fault_in(self.sql, self.parameters, self.tenant_column)
        if fault:
            raise ValueError(f"sql: {fault}")
        if self.row_key not in self.columns:
            raise ValueError(f"row_key: {self.row_key!r} is not among the columns. Add it.")
        known = {*self.columns}
        for name in ("title", "text"):
            unknown = [slot for slot in _SLOT.findall(getattr(self, name)) if slot not in known]
            if unknown:
                raise ValueError(f"{name}: {{{unknown[0]}}} is no column. Name one of columns.")
        if self.called_for is not None:
            self._one_text_parameter()
        return self

    def _one_text_parameter(self) -> None:
        needed = [name for name, spec in self.parameters.items() if not spec.optional]
        if len(needed) != 1 or self.parameters[needed[0]].type != "text":
            raise ValueError(
                "called_for: the query must need exactly one parameter, of the type text"
            )

    def identified_by(self) -> tuple[IdentifierKind, str] | None:
        """The kind of identifier the query is called for, and the parameter it goes into."""
        if self.called_for is None:
            return None
        needed = next(name for name, spec in self.parameters.items() if not spec.optional)
        return self.called_for, needed


class ConnectorSpec(Model):
    """One database. Give its address as ``url``, or as ``url_env``, the name of a variable."""

    description: str = ""
    url: str = ""
    url_env: str = ""
    tenants: tuple[str, ...] = ()
    queries: dict[str, QuerySpec] = Field(min_length=1)

    @model_validator(mode="after")
    def _has_one_address(self) -> ConnectorSpec:
        if bool(self.url) == bool(self.url_env):
            raise ValueError("give either url or url_env")
        return self


class ConnectorsFile(Model):
    """The whole file."""

    connectors: dict[str, ConnectorSpec] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_differ(self) -> ConnectorsFile:
        names = [name for c in self.connectors.values() for name in c.queries]
        # Row keys are unique in a table, and a table lies in one database.
        tables = [
            t for c in self.connectors.values() for t in {q.table for q in c.queries.values()}
        ]
        for what, given in (("query", names), ("table", tables)):
            twice = next((name for name in given if given.count(name) > 1), "")
            if twice:
                raise ValueError(f"two connectors have a {what} {twice!r}. Rename one.")
        odd = next((n for n in [*self.connectors, *names] if not _NAME.fullmatch(n)), "")
        if odd:
            raise ValueError(f"{odd!r}: use small letters, digits and _ for names")
        return self


def load_connectors(path: Path) -> ConnectorsFile:
    """The connectors of a file; none where it is not there.

    Raises ``BadInput`` naming the connector, the query, the key and the remedy.
    """
    if not path.is_file():
        return ConnectorsFile()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not readable as TOML ({error}). Fix the file.") from error
    try:
        return ConnectorsFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{path}: {where}: {_words(dict(first))}") from error


def _words(error: dict[str, Any]) -> str:
    if error["type"] == "extra_forbidden":
        return "there is no such key. Remove it; connectors.example.toml lists them all."
    return f"{str(error['msg']).removeprefix('Value error, ').rstrip('.')}."


def address_of(name: str, spec: ConnectorSpec) -> str:
    """The database's URL. Raises ``BadInput`` where its variable is not set."""
    if spec.url:
        return spec.url
    address = os.environ.get(spec.url_env, "")
    if not address:
        raise BadInput(f"connector {name!r}: set {spec.url_env} to the URL of its database.")
    return address
