"""PDF, Word, Excel and mail files for tests, written by libraries other than those that read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
from docx.oxml import OxmlElement
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from core.sources.documents import Found, FoundDocument
from core.sources.limits import ReadLimits
from core.sources.parse import Parser

WIDTH, HEIGHT = A4
LEADING = 14


class Pdf:
    """Draws a PDF line by line, from the top of each page."""

    def __init__(self, **options: Any) -> None:
        self._stream = io.BytesIO()
        self.canvas = Canvas(self._stream, pagesize=A4, **options)
        self._y = HEIGHT - 130

    def line(self, text: str, *, x: float = 60, size: float = 11, bold: bool = False) -> Pdf:
        self.canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
        self.canvas.drawString(x, self._y, text)
        self._y -= max(LEADING, size * 1.25)
        return self

    def lines(self, *texts: str, **how: Any) -> Pdf:
        for text in texts:
            self.line(text, **how)
        return self

    def gap(self) -> Pdf:
        self._y -= LEADING
        return self

    def back(self) -> Pdf:
        """Up again, to write beside the last line."""
        self._y += LEADING
        return self

    def at(self, y: float) -> Pdf:
        self._y = y
        return self

    def header_and_footer(self, header: str, footer: str) -> Pdf:
        self.canvas.setFont("Helvetica", 8)
        self.canvas.drawString(60, HEIGHT - 30, header)
        self.canvas.drawString(60, 30, footer)
        return self

    def table(self, rows: Sequence[Sequence[str]], widths: float = 120) -> Pdf:
        top = self._y + LEADING
        for row in rows:
            for number, cell in enumerate(row):
                self.canvas.rect(60 + number * widths, self._y - 4, widths, LEADING + 4)
                self.canvas.setFont("Helvetica", 10)
                self.canvas.drawString(64 + number * widths, self._y, cell)
            self._y -= LEADING + 4
        assert top > self._y
        return self.gap()

    def picture(self) -> Pdf:
        from PIL import Image
        from reportlab.lib.utils import ImageReader

        image = ImageReader(Image.new("RGB", (20, 20), "grey"))
        self.canvas.drawImage(image, 60, 100, 400, 600)
        return self

    def page(self) -> Pdf:
        self.canvas.showPage()
        self._y = HEIGHT - 130
        return self

    def bytes(self) -> bytes:
        self.canvas.save()
        return self._stream.getvalue()


def word(build: Callable[[Any], None]) -> bytes:
    document = docx.Document()
    build(document)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def element(tag: str, text: str = "", *children: Any, **attributes: str) -> Any:
    """A WordprocessingML element."""
    made = OxmlElement(tag)
    if text:
        made.text = text
    for name, value in attributes.items():
        made.set(f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}", value)
    for child in children:
        made.append(child)
    return made


def workbook(build: Callable[[Any], None]) -> bytes:
    book = openpyxl.Workbook()
    build(book)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def a_workbook() -> bytes:
    def build(book: Any) -> None:
        book.active.title = "Fees"
        for row in (["Zone", "Fee"], ["EU", 4.5], ["UK", 7]):
            book.active.append(row)

    return workbook(build)


def a_word_file() -> bytes:
    def build(document: Any) -> None:
        document.add_heading("Returns", 1)
        document.add_paragraph("A coat may be returned within 30 days.")

    return word(build)


def a_pdf() -> bytes:
    return Pdf().line("Returns", size=18).gap().line("A coat may be returned.").bytes()


def a_mail(body: str = "May I return my coat?", **headers: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = headers.get("sender", "Ana <ana@example.com>")
    mail["To"] = "help@athena.example"
    mail["Subject"] = headers.get("subject", "My coat")
    mail["Date"] = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
    mail.set_content(body)
    return mail


def attach(mail: EmailMessage, data: bytes, name: str) -> EmailMessage:
    mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return mail


def repacked(data: bytes, **changes: bytes | None) -> bytes:
    """An Office file with parts replaced; ``/`` in a name is written ``__``, ``.`` is ``_dot_``."""
    parts = {k.replace("__", "/").replace("_dot_", "."): v for k, v in changes.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", 8) as new:
        for name in old.namelist():
            if name not in parts:
                new.writestr(name, old.read(name))
        for name, body in parts.items():
            if body is not None:
                new.writestr(name, body)
    return stream.getvalue()


def read_all(name: str, data: bytes, **limits: Any) -> list[Found]:
    """What a file is read as, in this process."""
    with Parser(ReadLimits(**limits), isolated=False) as parser:
        return list(parser.parse_bytes(name, data))


def read_one(name: str, data: bytes, **limits: Any) -> FoundDocument:
    """The one document of a file."""
    (found,) = read_all(name, data, **limits)
    assert isinstance(found, FoundDocument), found
    return found


def text_of(name: str, data: bytes) -> str:
    found = read_one(name, data)
    assert found.cleaned is not None
    return found.cleaned.text


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
