"""The connectors of a home: every declared query as a read tool, and how each database is doing."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from core.adapters.connector_config import ConnectorSpec, address_of, load_connectors
from core.adapters.connector_database import Database, database_at
from core.adapters.connector_tool import QueryTool
from core.errors import BadInput, CountersignError, Unavailable


class Connector:
    """One declared database and its queries; opened on first use."""

    def __init__(self, name: str, spec: ConnectorSpec, folder: Path) -> None:
        self.name, self.description = name, spec.description
        self._spec, self._folder = spec, folder
        self.tools = tuple(
            QueryTool(query, declared, lambda: self._database, tenants=spec.tenants)
            for query, declared in spec.queries.items()
        )

    @cached_property
    def _database(self) -> Database:
        try:
            address = address_of(self.name, self._spec)
            return database_at(address, name=self.name, folder=self._folder)
        except BadInput as error:
            raise Unavailable(str(error)) from error

    def state(self) -> tuple[bool, str]:
        """Whether its database takes every query, in words."""
        kind = ""
        for tool in self.tools:
            try:
                kind = tool.check()
            except CountersignError as error:
                return False, f"{tool.name}: {error}"
        return True, f"{kind}; {', '.join(tool.name for tool in self.tools)}"

    def close(self) -> None:
        """Let go of its database."""
        if "_database" in self.__dict__:
            self._database.close()


def open_connectors(path: Path) -> tuple[Connector, ...]:
    """Every connector that the file at ``path`` declares; none without a file.

    Raises ``BadInput`` for a declaration that may not run, naming it and the remedy.
    """
    declared = load_connectors(path).connectors
    return tuple(Connector(name, spec, path.parent) for name, spec in declared.items())
