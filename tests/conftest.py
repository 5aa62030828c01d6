"""Databases for the tests: every test that asks for one runs over SQLite and over PostgreSQL."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine, text

from core.adapters.sql_migrate import open_database
from tests import postgres

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server with a migrated template database; its URL names no database yet."""
    bindir = postgres.binaries()
    if bindir is None:
        if "postgres" in os.environ.get("COUNTERSIGN_TEST_REQUIRE", ""):
            pytest.fail(postgres.MISSING)
        pytest.skip(postgres.MISSING)
    with postgres.running_server(bindir) as url:
        _create_database(url, "template")
        open_database(f"{url}/template").dispose()
        yield url


def _create_database(url: str, name: str, *, template: str = "template0") -> None:
    engine = create_engine(f"{url}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'))
    engine.dispose()


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file to copy."""
    path: Path = tmp_path_factory.mktemp("template") / "template.db"
    open_database(f"sqlite:///{path}").dispose()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database that nobody opened yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'store' / 'countersign.db'}"
    server: str = request.getfixturevalue("postgres_url")
    name = f"test{next(_numbers)}"
    _create_database(server, name)
    return f"{server}/{name}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a migrated database of this test's own."""
    if request.param == "sqlite":
        path = tmp_path / "countersign.db"
        shutil.copy(request.getfixturevalue("migrated_sqlite"), path)
        return f"sqlite:///{path}"
    server: str = request.getfixturevalue("postgres_url")
    name = f"test{next(_numbers)}"
    _create_database(server, name, template="template")
    return f"{server}/{name}"


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An open, migrated database of this test's own."""
    opened = open_database(database_url)
    yield opened
    opened.dispose()


@pytest.fixture
def sqlite_engine(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Engine]:
    """An open SQLite database of this test's own, for tests that are not about databases."""
    path = tmp_path / "countersign.db"
    shutil.copy(migrated_sqlite, path)
    opened = open_database(f"sqlite:///{path}")
    yield opened
    opened.dispose()
