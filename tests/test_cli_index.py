"""The index from the command line: state, upkeep, repair, erasing, pruning, past versions."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.cli import main
from core.commands.progress import in_words, progress_to
from core.models.source import IngestProgress
from core.wiring import Office
from tests.company import open_at

Run = Callable[..., tuple[int, Any, str]]
GIFTS = "gift-cards-1.6"


@pytest.fixture
def run(
    home: Path,
    model_cache: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Runs a command with ``--json`` on a copy of the demo company; exit code, object, stderr."""
    monkeypatch.setenv("COUNTERSIGN_MODEL_CACHE", str(model_cache))

    def call(*words: str) -> tuple[int, Any, str]:
        capsys.readouterr()
        code = main(["--home", str(home), *words, "--json"])
        out = capsys.readouterr()
        return code, json.loads(out.out) if out.out else None, out.err

    return call


def found(run: Run, query: str, *words: str) -> set[str]:
    return {hit["document_id"] for hit in run("search", query, "-k", "20", *words)[1]["results"]}


def test_status_shows_the_index_and_that_it_agrees_with_the_documents(run: Run) -> None:
    code, status, _ = run("index", "status")
    assert code == 0
    assert status["consistency"]["agree"]
    assert status["passages"] >= status["documents"] > 0
    assert status["version"]
    assert {"encoder", "chunker", "analyser", "schema"} == set(status["built_by"])


def test_a_disagreement_is_an_exit_code_and_repair_ends_it(
    run: Run, home: Path, model_cache: Path
) -> None:
    office: Office = open_at(home, model_cache)
    office.index.remove_document(GIFTS)
    office.close()
    code, status, _ = run("index", "status")
    assert (code, status["consistency"]["missing"]) == (1, [GIFTS])
    code, status, _ = run("index", "status", "--repair")
    assert (code, status["repaired"]["indexed"]) == (0, 1)
    assert GIFTS in found(run, "gift card amounts")


def test_maintenance_keeps_what_answers_were_given_on(run: Run) -> None:
    version = run("index", "status")[1]["version"]
    code, upkeep, _ = run("index", "maintain")
    assert code == 0
    assert upkeep["cleaned"]["versions_removed"] == 0
    assert upkeep["cleaned"]["answers_unreplayable"] == 0
    assert found(run, "gift card amounts", "--at-index", version)


def test_only_an_administrator_takes_away_what_answers_were_given_on(run: Run) -> None:
    code, _, error = run("index", "maintain", "--keep-days", "0")
    assert code == 1
    assert "--as" in error
    assert run("index", "maintain", "--keep-days", "0", "--as", "ada")[0] == 0


def test_an_index_that_lost_files_is_not_called_sound(run: Run, home: Path) -> None:
    for file in (home / "index").rglob("*.lance"):
        if file.is_file():
            file.unlink()
    code, _, error = run("index", "status")
    assert code == 3
    assert "ingest --rebuild" in error
    assert run("ingest", "--rebuild")[0] == 0
    assert GIFTS in found(run, "gift card amounts")


def test_a_vague_question_is_searched_in_its_own_words(run: Run) -> None:
    hits = run("search", "price?", "-k", "3")[1]["results"]
    assert hits
    assert not any("passage" in str(hit["why"]) for hit in hits)


def test_a_withdrawal_is_proven_by_probe_queries(run: Run) -> None:
    code, done, _ = run("source", "withdraw", GIFTS, "--reason", "replaced", "--as", "kim")
    assert code == 0
    assert done["proof"]["hits"] == 0
    assert done["proof"]["queries"] >= 2 * done["proof"]["passages"] > 0


def test_a_past_version_of_the_index_can_be_searched(run: Run) -> None:
    before = run("index", "status")[1]["version"]
    run("source", "supersede", GIFTS, "--by", "holiday-returns-2026", "--as", "kim")
    assert found(run, "gift card amounts", "--at-index", before)
    code, _, error = run("search", "gift", "--at-index", "99999")
    assert (code, "not kept" in error) == (1, True)
    code, _, error = run("search", "gift", "--at-index", "yesterday")
    assert (code, "no index version" in error) == (2, True)


def test_an_answer_is_replayed_on_the_index_it_was_given_on(run: Run) -> None:
    trace = run("ask", "What gift card amounts are there?")[1]["trace_id"]
    run("source", "withdraw", GIFTS, "--reason", "replaced", "--as", "kim")
    code, replay, error = run("audit", "replay", trace, "--as", "sam")
    assert code == 0, error
    assert replay["agrees"]
    used = [p for p in replay["passages"] if p["evidence_id"]]
    assert used
    assert all(p["standing"] == "word for word" for p in used)
    assert run("audit", "replay", "trace_unknown", "--as", "sam")[0] == 1


def test_erasing_needs_a_reason_says_what_is_kept_and_ends_replay(run: Run) -> None:
    before = run("index", "status")[1]["version"]
    assert run("index", "erase", GIFTS, "--reason", " ", "--as", "ada")[0] == 2
    code, erasure, _ = run("index", "erase", GIFTS, "--reason", "asked to", "--as", "ada")
    assert code == 0
    assert erasure["proof"]["hits"] == 0
    assert any("hash" in kept for kept in erasure["kept"])
    assert GIFTS not in found(run, "gift card amounts")
    assert run("search", "gift", "--at-index", before)[0] == 1
    assert run("audit", "verify")[1]["ok"]
    assert run("index", "status")[1]["consistency"]["agree"]
    assert run("index", "erase", "nothing", "--reason", "asked to", "--as", "ada")[0] == 1


def test_only_its_owner_or_an_administrator_erases_a_document(run: Run) -> None:
    why = ("--reason", "asked to")
    for who in ((), ("--as", "ana"), ("--as", "omar"), ("--as", "sam")):
        code, _, error = run("index", "erase", GIFTS, *why, *who)
        assert code == 1
        unknown = run("index", "erase", "nothing", *why, *who)[2]
        assert error.replace(GIFTS, "nothing") == unknown, "it tells what documents there are"
    assert GIFTS in found(run, "gift card amounts")
    assert run("index", "erase", GIFTS, *why, "--as", "kim")[0] == 0
    assert GIFTS not in found(run, "gift card amounts")


def test_a_withdrawn_document_that_comes_back_changed_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mugs.md"
    file.write_text("---\nowner: kim\n---\nMugs are glazed twice.\n", encoding="utf-8")
    run("ingest", str(file))
    assert run("source", "withdraw", "mugs.md", "--reason", "wrong", "--as", "kim")[0] == 0
    assert run("ingest", str(file))[1]["warnings"] == []
    file.write_text("---\nowner: kim\n---\nMugs are glazed once.\n", encoding="utf-8")
    (warning,) = run("ingest", str(file))[1]["warnings"]
    assert "was withdrawn and is back" in warning
    assert "source withdraw mugs.md" in warning


def test_pruning_needs_paths_and_names_what_it_withdrew(run: Run, tmp_path: Path) -> None:
    assert run("ingest", "--prune", "--rebuild")[0] == 2
    folder = tmp_path / "kb"
    folder.mkdir()
    for name in ("lockers", "benches"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nThe {name} open at nine.")
    run("ingest", str(folder))
    (folder / "lockers.md").unlink()
    assert run("ingest", str(folder))[1]["missing"] == ["lockers.md"]
    assert "lockers.md" in found(run, "lockers open")
    report = run("ingest", str(folder), "--prune")[1]
    assert report["withdrawn"] == ["lockers.md"]
    assert "lockers.md" not in found(run, "lockers open")


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


HALF = IngestProgress(
    documents=50,
    total=100,
    passages=210,
    encoded=200,
    unchanged=3,
    failed=1,
    seconds=7.0,
    passages_per_second=30.0,
    seconds_left=95.0,
)


def test_progress_says_rate_and_time_left() -> None:
    assert in_words(HALF) == (
        "50 of 100 documents, 3 unchanged, 1 not taken in, "
        "210 passages (200 newly encoded), 30/s, 1:35 left"
    )
    long = HALF.model_copy(update={"seconds_left": 3_725.0})
    assert in_words(long).endswith("1:02:05 left")


def test_a_terminal_shows_one_line_that_changes_and_clears_it() -> None:
    screen = _Terminal()
    tell = progress_to(screen)
    assert tell is not None
    tell(HALF)
    tell(HALF.model_copy(update={"seconds": 7.05, "documents": 51}))
    tell(HALF.model_copy(update={"phase": "finishing"}))
    tell(HALF.model_copy(update={"phase": "done"}))
    written = screen.getvalue()
    assert "\n" not in written
    assert "51 of" not in written
    assert written.endswith("\r\x1b[K")


def test_elsewhere_lines_come_every_few_seconds_and_json_stays_alone() -> None:
    log = io.StringIO()
    tell = progress_to(log)
    assert tell is not None
    for second in range(12):
        tell(HALF.model_copy(update={"seconds": float(second)}))
    assert log.getvalue().count("\n") == 2
    assert progress_to(log, enabled=False) is None


def test_an_interrupted_command_says_so_in_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Office, "ingest", stop)
    code, out, error = run("ingest", str(tmp_path))
    assert (code, out) == (130, None)
    assert error == "countersign: interrupted. Run it again to go on.\n"
