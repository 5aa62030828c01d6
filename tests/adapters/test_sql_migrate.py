"""Opening a database: new, known, newer, by many at once, or not at all."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect

from core.adapters import sql_engine, sql_migrate
from core.adapters.sql_engine import reading, writing
from core.adapters.sql_migrate import open_database
from core.adapters.sql_schema import REVISIONS, metadata
from core.errors import BadInput, TryAgainLater, Unavailable

ROOT = Path(__file__).parents[2]


def test_the_migrations_build_exactly_the_tables_the_code_reads(engine: Engine) -> None:
    with reading(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        assert compare_metadata(context, metadata) == []
    assert set(metadata.tables) <= set(inspect(engine).get_table_names())


def test_every_revision_file_is_known_to_this_release() -> None:
    scripts = ScriptDirectory(str(Path(sql_migrate.__file__).parent / "migrations"))
    newest_first = [script.revision for script in scripts.walk_revisions()]
    assert tuple(reversed(newest_first)) == REVISIONS


def test_opening_again_changes_nothing(empty_database_url: str) -> None:
    for _ in range(2):
        opened = open_database(empty_database_url)
        with reading(opened) as connection:
            assert sql_migrate._revision(connection) == REVISIONS[-1]
        opened.dispose()


def test_processes_that_start_together_migrate_once(empty_database_url: str) -> None:
    code = "import sys; from core.adapters.sql_migrate import open_database as o; o(sys.argv[1])"
    starters = [
        subprocess.Popen([sys.executable, "-c", code, empty_database_url], cwd=ROOT)
        for _ in range(4)
    ]
    assert [starter.wait(timeout=60) for starter in starters] == [0, 0, 0, 0]


def test_a_database_of_a_newer_release_is_refused_and_left_alone(database_url: str) -> None:
    opened = open_database(database_url)
    with writing(opened) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    opened.dispose()
    with pytest.raises(Unavailable, match=r"newer release.*9999.*Install that release"):
        open_database(database_url)


@pytest.mark.parametrize(
    "url", ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://localhost/x"]
)
def test_a_url_that_names_no_usable_database_is_refused_with_the_remedy(url: str) -> None:
    with pytest.raises(BadInput, match="sqlite:///path"):
        open_database(url)


def test_a_file_that_is_no_database_is_unavailable(tmp_path: Path) -> None:
    file = tmp_path / "notes.db"
    file.write_text("these are notes, not a database " * 50)
    with pytest.raises(Unavailable, match="not a database"):
        open_database(f"sqlite:///{file}")
    assert file.read_text().startswith("these are notes")


def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="cannot be made"):
        open_database(f"sqlite:///{tmp_path / 'file' / 'sub' / 'a.db'}")


def test_a_server_that_does_not_answer_is_unavailable_and_its_password_stays_secret() -> None:
    with pytest.raises(Unavailable) as caught:
        open_database("postgresql://user:hunter2@127.0.0.1:1/nowhere")
    assert "hunter2" not in str(caught.value)


def test_a_writer_that_waits_too_long_is_told_to_try_again(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_engine, "WAIT_SECONDS", 0.1)
    opened = open_database(database_url)

    def write_too() -> None:
        with writing(opened):
            pytest.fail("two writers at once")

    with writing(opened), ThreadPoolExecutor(1) as another_thread:
        waiting = another_thread.submit(write_too)
        with pytest.raises(TryAgainLater, match="busy"):
            waiting.result()
    opened.dispose()


def test_a_write_inside_a_write_of_the_same_thread_fails_at_once(engine: Engine) -> None:
    with writing(engine), pytest.raises(RuntimeError, match="holds a write"), writing(engine):
        pytest.fail("two writers at once")
    with writing(engine):
        pass
