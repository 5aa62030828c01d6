"""A hostile file costs that one file: the process is restarted and the rest goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models.source import IngestFailure
from core.sources.documents import Found, FoundDocument
from core.sources.limits import ReadLimits
from core.sources.load import load
from core.sources.parse import FileToRead, Parser, label
from core.sources.worker import Worker, WorkerGone, borrow, give_back, stop_idle
from tests.sources.office_files import a_mail, a_pdf, a_word_file, a_workbook, write

HOSTILE = "tests.sources.hostile_worker"
PATIENT = ReadLimits(seconds=120.0, memory_bytes=512 * 1024**2)
QUICK = PATIENT.model_copy(update={"seconds": 4.0})  # for files that are sure to hang


@pytest.fixture(scope="module")
def hostile() -> Iterator[Parser]:
    with Parser(PATIENT, module=HOSTILE) as parser:
        yield parser
    stop_idle()


def folder(tmp_path: Path, *orders: str) -> list[FileToRead]:
    files = []
    for number, order in enumerate(orders):
        path = write(tmp_path / f"{number}.txt", order.encode())
        files.append(FileToRead(path, path.name, path.name))
    return files


def outcome(found: list[Found]) -> list[str]:
    """Names of documents, and reasons of failures."""
    return [f"failed: {f.reason}" if isinstance(f, IngestFailure) else f.item for f in found]


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("CRASH now", "broke the reading process"),
        ("EXIT now", "broke the reading process"),
        ("EAT all", "more memory than one file may use"),
        ("RAISE it", "the file is broken (LookupError)"),
        ("WRITE /tmp/h1-should-not-exist", "the file cannot be read (File too large)"),
    ],
)
def test_what_a_hostile_file_does_costs_that_file_alone(
    hostile: Parser, tmp_path: Path, order: str, reason: str
) -> None:
    files = folder(tmp_path, "before", order, "after", "and more")
    before, failed, after, more = outcome(list(hostile.parse_files(files)))
    assert (before, after, more) == ("0.txt", "2.txt", "3.txt")
    assert reason in failed


@pytest.mark.parametrize("order", ["HANG now", "SPIN now"])
def test_a_file_that_gets_nowhere_is_given_up(tmp_path: Path, order: str) -> None:
    with Parser(QUICK, module=HOSTILE) as parser:
        files = folder(tmp_path, "before", order, "after")
        before, failed, after = outcome(list(parser.parse_files(files)))
    assert (before, after) == ("0.txt", "2.txt")
    assert "no progress for 4 s" in failed


def test_a_crash_after_a_document_keeps_the_document(hostile: Parser, tmp_path: Path) -> None:
    said = outcome(list(hostile.parse_files(folder(tmp_path, "HALF done", "after"))))
    assert said[0] == "0.txt"
    assert "broke" in said[1]
    assert said[2] == "1.txt"


def test_what_a_library_prints_does_not_disturb_the_answers(
    hostile: Parser, tmp_path: Path
) -> None:
    files = folder(tmp_path, "PRINT it", "after")
    assert outcome(list(hostile.parse_files(files))) == ["0.txt", "1.txt"]


def test_answers_that_are_nonsense_are_not_believed(hostile: Parser, tmp_path: Path) -> None:
    """Descriptor numbers are small, so one of these is the pipe that answers go through."""
    orders = [f"BABBLE {number}" for number in range(3, 6)]
    said = outcome(list(hostile.parse_files(folder(tmp_path, *orders, "after"))))
    assert any("broke the reading process" in one for one in said)
    assert said[-1] == "3.txt"


def test_the_process_knows_none_of_our_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    stop_idle()  # a process started before the variable was set would prove nothing
    with Parser(PATIENT, module=HOSTILE) as parser:
        (found,) = parser.parse_files(folder(tmp_path, "ENVIRONMENT please"))
    assert isinstance(found, FoundDocument)
    assert "PATH" in found.original
    assert "ANTHROPIC" not in found.original


def test_uploads_are_read_in_the_process_too(hostile: Parser) -> None:
    assert outcome(list(hostile.parse_bytes("a.txt", b"hello"))) == ["a.txt"]
    assert "broke" in outcome(list(hostile.parse_bytes("a.txt", b"CRASH now")))[0]
    assert outcome(list(hostile.parse_bytes("b.txt", b"x" * 5_000_000))) == ["b.txt"]


def test_taking_only_some_answers_does_not_confuse_the_next_to_ask(
    hostile: Parser, tmp_path: Path
) -> None:
    some = hostile.parse_files(folder(tmp_path, *["first"] * 40))
    assert outcome([next(some), next(some)]) == ["0.txt", "1.txt"]
    del some
    assert outcome(list(hostile.parse_files(folder(tmp_path, "second")))) == ["0.txt"]


def test_many_files_come_back_in_order(hostile: Parser, tmp_path: Path) -> None:
    files = folder(tmp_path, *(f"text {n} " * (n * 40) for n in range(1, 100)))
    assert outcome(list(hostile.parse_files(files))) == [f"{n}.txt" for n in range(99)]


def test_every_type_is_read_alike_in_the_process_and_without_it(tmp_path: Path) -> None:
    write(tmp_path / "a.pdf", a_pdf())
    write(tmp_path / "b.docx", a_word_file())
    write(tmp_path / "c.xlsx", a_workbook())
    write(tmp_path / "d.eml", a_mail().as_bytes())
    write(tmp_path / "e.csv", b"a,b\n1,2\n")
    write(tmp_path / "f.jsonl", b'{"id": "f", "text": "Text.", "valid_from": "2026-01-01"}\n')
    write(tmp_path / "g.md", b"---\nversion: 1.10\nvalid_to: 2027-01-01\n---\n**Text** <b>x</b>")
    write(tmp_path / "h.html", "<p>Käufe 退货 😀</p>".encode())
    apart = list(load([tmp_path]))
    with Parser(isolated=False) as parser:
        assert apart == list(load([tmp_path], parser=parser))
    assert len([found for found in apart if isinstance(found, FoundDocument)]) == 8


def test_no_format_library_is_loaded_by_those_who_only_ask(tmp_path: Path) -> None:
    """Looked up in a fresh interpreter: this one has loaded them all."""
    import subprocess

    script = (
        "import sys; from pathlib import Path; from core.sources.load import load\n"
        f"assert len(list(load([Path({str(write(tmp_path / 'a.docx', a_word_file()))!r})]))) == 1\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'docx', 'lxml', 'openpyxl',"
        " 'pdfplumber', 'pdfminer', 'charset_normalizer', 'defusedxml'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_a_process_is_used_again_by_the_next_parser_unless_it_is_gone() -> None:
    first = borrow(HOSTILE)
    give_back(first)
    assert borrow(HOSTILE) is first
    first.stop()
    give_back(first)
    second = borrow(HOSTILE)
    assert second is not first
    second.stop()


def test_a_process_that_cannot_start_is_a_failure_of_its_file(tmp_path: Path) -> None:
    with Parser(PATIENT, module="tests.sources.no_such_worker") as parser:
        (failed,) = outcome(list(parser.parse_files(folder(tmp_path, "text"))))
    assert "broke the reading process" in failed
    gone = Worker("tests.sources.no_such_worker")
    with pytest.raises(WorkerGone):
        gone.answer(10)
    gone.stop()


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/abs/a.md", "a.md"),
        ("..", "upload"),
        ("", "upload"),
        ("a\0b\n.md", "a b .md"),
        ("a\u202edm.md", "a dm.md"),
        ("x" * 300 + ".md", "x" * 197 + ".md"),
    ],
)
def test_the_name_of_an_upload_is_a_label_and_never_a_path(given: str, named: str) -> None:
    assert label(given) == named


def test_fields_given_with_a_file_hold_where_it_states_none(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", b"---\nregion: UK\n---\nText.")
    with Parser(isolated=False) as parser:
        (found,) = parser.parse_path(path, "a.md", "a.md", {"region": "EU", "owner": "dana"})
    assert isinstance(found, FoundDocument)
    assert found.fields == {"region": "UK", "owner": "dana"}
