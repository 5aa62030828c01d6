"""One fresh bureau for each test, over a real SQLite file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from core.adapters.sql_migrate import open_database
from tests.review.builders import Bureau, approve


@pytest.fixture
def bureau(migrated_sqlite: Path, tmp_path: Path) -> Iterator[Bureau]:
    """An office with one new case, 1042."""
    path = tmp_path / "countersign.db"
    shutil.copy(migrated_sqlite, path)
    engine = open_database(f"sqlite:///{path}")
    office = Bureau(engine)
    office.take_in()
    yield office
    engine.dispose()


@pytest.fixture
def approved(bureau: Bureau) -> Bureau:
    """The case 1042 approved, its undo window over."""
    desk = bureau.desk()
    approve(desk, desk.open("1042"))
    bureau.later(seconds=11)
    return bureau


@pytest.fixture
def house(engine: Engine) -> Bureau:
    """An office with one new case, 1042, on each database."""
    office = Bureau(engine)
    office.take_in()
    return office
