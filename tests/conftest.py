"""Databases for the tests: every test that asks for one runs over SQLite and over PostgreSQL."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import Engine, create_engine, text

from core.adapters.sql_migrate import open_database
from core.wiring import Office
from tests import company, postgres

_numbers = count(1)

# The same examples on every run, so that a red build means a change. To look for new ones:
# HYPOTHESIS_PROFILE=explore make test
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


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


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the encoder's exported graph is kept for the whole session."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def company_home(tmp_path_factory: pytest.TempPathFactory, model_cache: Path) -> Path:
    """A home with the demo company, seeded once; copy it before writing."""
    home = tmp_path_factory.mktemp("company") / "home"
    company.seed(home, model_cache)
    return home


@pytest.fixture
def home(company_home: Path, tmp_path: Path) -> Path:
    """A copy of the demo company's home for this test alone."""
    target = tmp_path / "home"
    shutil.copytree(company_home, target)
    return target


@pytest.fixture
def office(home: Path, model_cache: Path) -> Iterator[Office]:
    """The demo company, open."""
    opened = company.open_at(home, model_cache)
    yield opened
    opened.close()
