"""A folder of hostile files is taken in with a clear report, and nothing else is harmed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.models.source import IngestFailure, IngestReport
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.ingest import ingest
from core.sources.limits import ReadLimits
from core.sources.load import load
from core.sources.parse import Parser
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.sources.builders import TENANT
from tests.sources.office_files import (
    Pdf,
    a_mail,
    a_pdf,
    a_word_file,
    a_workbook,
    attach,
    repacked,
    write,
)

BILLION = (
    b'<!DOCTYPE l [<!ENTITY a "ha">'
    + b"".join(
        f'<!ENTITY {b} "{f"&{a};" * 10}">'.encode()
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + b"]><l>&i;</l>"
)
NESTED = b"<a>" * 100_000


def _mail_of(name: str, data: bytes) -> bytes:
    return attach(a_mail(), data, name).as_bytes()


def _nested_mail(depth: int) -> bytes:
    """Written by hand: the library would not nest so deep."""
    opened = b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(depth)
    )
    return b"From: a@b.example\nSubject: deep\n" + opened + b"\ntext"


HOSTILE: dict[str, tuple[bytes, str]] = {
    "bomb.docx": (repacked(a_word_file(), word__x_dot_xml=bytes(40_000_000)), "would unpack"),
    "bomb.xlsx": (repacked(a_workbook(), xl__x_dot_xml=bytes(40_000_000)), "would unpack"),
    "laughs.docx": (repacked(a_word_file(), word__document_dot_xml=BILLION), "entities"),
    "laughs.xlsx": (repacked(a_workbook(), xl__sharedStrings_dot_xml=BILLION), "entities"),
    "deep.docx": (repacked(a_word_file(), word__document_dot_xml=NESTED), "broken"),
    "short.docx": (a_word_file()[:-400], "broken"),
    "short.xlsx": (a_workbook()[:900], "broken"),
    "short.pdf": (a_pdf()[:300], ""),
    "scan.pdf": (Pdf().picture().bytes(), "no text layer"),
    "locked.pdf": (Pdf(encrypt="x").line("x").bytes(), "encrypted"),
    "program.md": (b"\x7fELF" + bytes(100), "a program"),
    "nul.txt": (b"a\0b", "binary"),
    "latin.txt": ("Käufe".encode("latin-1"), "not UTF-8"),
    "half.txt": (b"\xff\xfea", "not UTF-8"),
    "surrogate.jsonl": (b'{"id": "\\ud800", "text": "x"}', ""),
    "bad.jsonl": (b'{"id": "x", "text": ' + b"[" * 100_000, "not a line of JSON"),
    "line.jsonl": (b'{"id": "long", "text": "' + b"x" * 300_000 + b'"}', ""),
    "tags.html": (b"<a " * 5_000, "never closed"),
    "laughs.md": (b"---\na: &a [x]\nb: [*a, *a]\n---\nText.", "alias"),
    "empty.csv": (b"\n\n", "empty"),
    "nested.eml": (_nested_mail(3_000), ""),
    "image.md": (b"\x89PNG\r\n", "an image"),
}
"""Name, content, and what is said of it; nothing where it may well be read."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "kb"
    for name, (data, _) in HOSTILE.items():
        write(root / name, data)
    write(tmp_path / "outside" / "secret.md", b"SECRET")
    (root / "link.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "loop").symlink_to(root)
    (root / "circle.md").symlink_to(root / "circle.md")
    os.mkfifo(root / "pipe.md")
    write(root / "good.md", b"# Coats\n\nA coat may be returned within 30 days.")
    return root


def of(found: list[Found], name: str) -> list[str]:
    return [f.reason for f in found if isinstance(f, IngestFailure) and f"/{name}" in f.path]


def test_each_hostile_file_is_named_with_its_reason_and_the_good_one_is_read(folder: Path) -> None:
    found = list(load([folder]))
    for name, (_, reason) in HOSTILE.items():
        if reason:
            assert any(reason in said for said in of(found, name)), (name, of(found, name))
    documents = [f for f in found if isinstance(f, FoundDocument)]
    assert "good.md" in [d.document_id for d in documents]
    assert not any("SECRET" in d.original for d in documents)
    assert "not a file" in of(found, "pipe.md")[0]
    assert of(found, "circle.md")
    assert any("outside the folder" in f.message for f in found if isinstance(f, Warned))
    assert all(f.fix for f in found if isinstance(f, IngestFailure))


def test_an_ingest_of_it_quarantines_the_bad_and_finds_the_good(folder: Path) -> None:
    registry, index = MemoryRegistry(), MemoryIndex()
    report: IngestReport = ingest(
        [folder],
        tenant_id=TENANT,
        actor="dana",
        registry=registry,
        index=index,
        clock=FixedClock(),
    )
    bad = {Path(failure.path).name.rpartition(":")[0] for failure in report.failed}
    bad |= {Path(failure.path).name for failure in report.failed}
    assert {name for name, (_, reason) in HOSTILE.items() if reason} <= bad
    assert report.documents >= 1
    assert registry.get("good.md") is not None


@pytest.mark.parametrize(
    "text",
    [
        "pay\u202e\u2066yadot\u2069 now",
        "zero\u200bwidth\u200djoin\u2060er\ufeff",
        "nul\x01and\x07bell",
        "tag\U000e0041\U000e0042\U000e0043\U000e0044s",
        "\u061carabic mark\u200e and \u200fmarks",
    ],
)
def test_characters_that_reorder_or_hide_text_never_reach_a_passage(
    text: str, tmp_path: Path
) -> None:
    """Whatever kind of file brings them."""
    import docx

    document = docx.Document()
    document.add_paragraph("".join(c for c in text if c >= " "))
    document.save(str(tmp_path / "a.docx"))
    write(tmp_path / "a.md", text.encode())
    write(tmp_path / "a.txt", text.encode())
    write(tmp_path / "a.html", f"<p>{text}</p>".encode())
    write(tmp_path / "a.csv", f"a,b\n{text},2\n".encode())
    write(tmp_path / "a.jsonl", json.dumps({"id": "a", "text": text}).encode())
    write(tmp_path / "a.eml", _mail_of("a.txt", text.encode()))
    with Parser(isolated=False) as parser:
        found = [f for f in load([tmp_path], parser=parser) if isinstance(f, FoundDocument)]
    assert len(found) == 8
    for one in found:
        assert one.cleaned is not None
        assert all(c.isprintable() or c in "\n\t" for c in one.cleaned.text), one.item


def test_a_line_without_end_is_refused_or_read_but_never_twice_in_memory(tmp_path: Path) -> None:
    """A smaller line against smaller limits; the way it goes is the same."""
    write(tmp_path / "long.jsonl", b'{"id": "a", "text": "' + b"x" * 2_000_000 + b'"}\n{"id": "b"')
    write(tmp_path / "long.txt", b"x" * 2_000_000)
    limits = ReadLimits(file_bytes=1_000_000, text_chars=1_000_000)
    with Parser(limits) as parser:
        found = list(load([tmp_path], parser=parser))
    assert "1,000,000 characters" in of(found, "long.jsonl")[0]
    assert "too large (2,000,000 bytes" in of(found, "long.txt")[0]


@pytest.fixture
def nothing_new(tmp_path: Path) -> Iterator[None]:
    before = set(tmp_path.parent.rglob("*"))
    yield
    assert set(tmp_path.parent.rglob("*")) <= before | set(tmp_path.rglob("*"))


@pytest.mark.usefixtures("nothing_new")
def test_names_that_climb_out_of_an_archive_write_nothing_anywhere(tmp_path: Path) -> None:
    climbing = repacked(a_word_file(), **{"..__..__evil": b"x", "__evil": b"x"})
    write(tmp_path / "kb" / "a.docx", climbing)
    write(tmp_path / "kb" / "b.eml", _mail_of("../../../evil.txt", b"Text."))
    found = list(load([tmp_path / "kb"]))
    assert [f.document_id for f in found if isinstance(f, FoundDocument)] == [
        "a.docx",
        "b.eml",
        "b.eml:evil.txt",
    ]
