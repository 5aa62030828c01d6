"""The home and its records: the folder, the case store's database, and what read tools read."""

from __future__ import annotations

import tempfile
from functools import cached_property
from pathlib import Path
from threading import RLock

from sqlalchemy import Engine

from core.adapters.connectors import Connector, open_connectors
from core.adapters.records_build import build_records
from core.adapters.records_db import SqliteRecords
from core.adapters.sql_migrate import open_database
from core.adapters.sql_tool_log import SqlViolationLog
from core.adapters.system_clock import SystemClock
from core.adapters.ulid_ids import UlidIds
from core.errors import Unavailable
from core.settings import Settings
from core.tools.ports import ReadTool


class HomeParts:
    """What lies in a home. Safe to share between threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock, self.ids = SystemClock(), UlidIds()
        self._opening = RLock()

    def home_folder(self) -> Path:
        """The home, made if it is not there. Raises ``Unavailable`` where nothing can be kept."""
        home = self.settings.home
        try:
            home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=home):
                pass
        except OSError as error:
            raise Unavailable(
                f"nothing can be kept in {home} ({error.strerror}). "
                "Choose a folder that can be written: --home DIR or COUNTERSIGN_HOME."
            ) from error
        return home

    @cached_property
    def engine(self) -> Engine:
        """The case store's database, migrated to the present schema."""
        self.home_folder()
        return open_database(self.settings.sqlalchemy_url)

    @cached_property
    def records(self) -> SqliteRecords:
        """Orders and customers, read only."""
        return SqliteRecords(self.settings.home / "records.db")

    def build_records(self, customers: Path, orders: Path) -> tuple[int, int]:
        """Replace the records database by two CSV files; returns (customers, orders) written."""
        self.home_folder()
        return build_records(
            self.settings.home / "records.db",
            customers=customers,
            orders=orders,
            tenant_id=self.settings.tenant,
        )

    @cached_property
    def connectors(self) -> tuple[Connector, ...]:
        """Databases an administrator declared. Raises ``BadInput`` for what may not run."""
        return open_connectors(self.settings.connectors_file)

    def connector_tools(self) -> tuple[ReadTool, ...]:
        """Every declared query as a read tool."""
        return tuple(tool for connector in self.connectors for tool in connector.tools)

    @cached_property
    def tool_log(self) -> SqlViolationLog:
        """Keeps in the audit chain what a read tool must not have brought."""
        return SqlViolationLog(lambda: self.engine, self.clock)
