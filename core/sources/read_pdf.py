"""Reader for PDF: text with its pages, ruled tables, headings by the size of their print."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import Any

from core.errors import BadSource
from core.sources.documents import Found, FoundDocument, Source
from core.sources.pdf_flow import Flow, flow
from core.sources.pdf_page import PageContent, page_content
from core.sources.read_files import title_from

_OCR = "run OCR on it first, so that it has a text layer"
_MOST_NAMED = 10


def read_pdf(source: Source) -> Iterator[Found]:
    """The document that a PDF is. Raises ``BadSource`` for what has no text to read."""
    import pdfplumber  # in the parsing process only

    logging.getLogger("pdfminer").setLevel(logging.CRITICAL)
    data = source.bytes(source.limits.binary_bytes)
    if b"%PDF" not in data[:1024]:
        raise BadSource(source.item, "the file is not a PDF", "give it the suffix of its type")
    try:
        pdf = pdfplumber.open(io.BytesIO(data))
    except Exception as error:
        if _is_locked(error):
            raise BadSource(
                source.item, "the PDF is encrypted", "save it without a password"
            ) from error
        raise
    with pdf:
        pages = _pages(source, pdf)
    yield _document(source, pages)


def _pages(source: Source, pdf: Any) -> list[PageContent]:
    pages = pdf.pages
    if len(pages) > source.limits.pages:
        raise BadSource(
            source.item,
            f"the PDF has {len(pages):,} pages; the limit is {source.limits.pages:,}",
            "split it into documents",
        )
    read = []
    for page in pages:
        read.append(page_content(page))
        page.close()
        source.alive()
    return read


def _document(source: Source, pages: list[PageContent]) -> FoundDocument:
    read = flow(pages)
    letters = sum(letter.isalnum() for letter in read.text)
    if not letters:
        why = "no text layer" if any(page.scanned for page in pages) else "there is no text in it"
        raise BadSource(source.item, f"the PDF cannot be read: {why}", _OCR)
    if read.text.count("\ufffd") > letters / 4:
        raise BadSource(source.item, "the PDF does not say which letters its signs stand for", _OCR)
    return FoundDocument(
        item=source.item,
        document_id=source.name,
        source_id=source.name,
        title=read.title or title_from(source.name),
        original=read.text,
        media_type="application/pdf",
        page_starts=read.page_starts,
        warnings=tuple(_warnings(pages, read)),
    )


def _warnings(pages: list[PageContent], read: Flow) -> Iterator[str]:
    if scanned := [number for number, page in enumerate(pages, start=1) if page.scanned]:
        named = ", ".join(map(str, scanned[:_MOST_NAMED]))
        more = " and more" if len(scanned) > _MOST_NAMED else ""
        yield f"pages without a text layer were not read: {named}{more}; {_OCR}"
    if read.left_out:
        named = "; ".join(repr(line[:60]) for line in read.left_out[:_MOST_NAMED])
        yield f"what repeats on pages or lists them was left out: {named}"
    if any(page.hidden for page in pages):
        yield "hidden text was dropped"
    if any(page.rotated for page in pages):
        yield "rotated text was left out"
    if "\ufffd" in read.text:
        yield "some signs could not be told and were left out"


def _is_locked(error: BaseException) -> bool:
    """The library wraps what went wrong in another error."""
    causes = [error, *error.args, error.__cause__, error.__context__]
    return any("Password" in type(c).__name__ or "Encryption" in type(c).__name__ for c in causes)
