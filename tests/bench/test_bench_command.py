"""The command runs the sections it is asked for and keeps what they found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.cli import main
from core.commands import bench_sections
from core.commands.bench_sections import Found, Options


def run(tmp_path: Path, *words: str) -> int:
    home = ("--home", str(tmp_path / "home"))
    return main([*home, "bench", "--out", str(tmp_path / "out"), *words])


def recording(seen: list[tuple[str, Options]], name: str) -> bench_sections.Section:
    def section(office: object, options: Options, tell: object) -> Found:
        seen.append((name, options))
        return Found({"name": name}, f"table of {name}")

    return section


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Options]]:
    seen: list[tuple[str, Options]] = []
    for name in bench_sections.SECTIONS:
        monkeypatch.setitem(bench_sections.SECTIONS, name, recording(seen, name))
    return seen


def test_all_sections_run_in_one_order_and_are_kept(
    tmp_path: Path, seen: list[tuple[str, Options]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path) == 0
    assert [name for name, _ in seen] == list(bench_sections.SECTIONS)
    assert {options.documents for _, options in seen} == {5_000}
    assert {options.max_passages for _, options in seen} == {1_000_000}
    kept = json.loads((tmp_path / "out" / "bench.json").read_text())
    assert set(kept) == {"machine", *bench_sections.SECTIONS}
    assert kept["machine"]["lancedb"]
    text = (tmp_path / "out" / "bench.txt").read_text()
    assert "== scale\ntable of scale" in text
    assert text.strip() == capsys.readouterr().out.strip()


def test_sections_and_sizes_can_be_chosen(tmp_path: Path, seen: list[tuple[str, Options]]) -> None:
    assert (
        run(tmp_path, "--only", "ingest, scale", "--quick", "--documents", "20", "--sets", "clapnq")
        == 0
    )
    assert [name for name, _ in seen] == ["scale", "ingest"]
    assert seen[0][1].max_passages == 10_000
    assert seen[0][1].documents == 20
    assert seen[0][1].sets == ("clapnq",)


def test_an_unknown_section_is_refused_with_those_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(tmp_path, "--only", "speed")
    assert stopped.value.code == 2
    assert "retrieval, chunking, scale, ingest, drafts, startup" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        run(tmp_path, "--sets", "clapnq,nothing")
    assert "supabase_auth, clapnq" in capsys.readouterr().err


def test_what_was_found_is_kept_though_a_later_section_fails(
    tmp_path: Path, seen: list[tuple[str, Options]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(office: object, options: Options, tell: object) -> Found:
        raise RuntimeError("out of disk")

    monkeypatch.setitem(bench_sections.SECTIONS, "scale", broken)
    with pytest.raises(RuntimeError, match="out of disk"):
        run(tmp_path, "--only", "retrieval,scale")
    assert "retrieval" in json.loads((tmp_path / "out" / "bench.json").read_text())
