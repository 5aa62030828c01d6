"""A Word file reads as the document shows: no deletions, no hidden text, lists with their marks."""

from __future__ import annotations

from typing import Any

import pytest
from docx.enum.text import WD_BREAK
from docx.shared import Pt, RGBColor

from core.models.source import IngestFailure
from tests.sources.office_files import (
    a_word_file,
    element,
    read_all,
    read_one,
    repacked,
    text_of,
    word,
)


def failure(data: bytes, **limits: int) -> IngestFailure:
    (found,) = read_all("a.docx", data, **limits)
    assert isinstance(found, IngestFailure)
    return found


def test_headings_paragraphs_lists_and_tables_come_in_order() -> None:
    def build(document: Any) -> None:
        document.add_heading("Price list", 0)
        document.add_heading("Coats", 1)
        document.add_paragraph("Choose one:")
        for name in ("Wool", "Down"):
            document.add_paragraph(name, style="List Bullet")
        for name in ("Order", "Pay"):
            document.add_paragraph(name, style="List Number")
        table = document.add_table(rows=2, cols=2)
        for cell, said in zip(table._cells, ("Coat", "Price", "Parka | long", "$120"), strict=True):
            cell.text = said
        document.add_heading("Returns", 2)
        document.add_paragraph("Within 30 days.")

    found = read_one("a.docx", word(build))
    assert found.title == "Price list"
    assert found.original == (
        "# Price list\n\n## Coats\n\nChoose one:\n\n- Wool\n- Down\n\n1. Order\n2. Pay\n\n"
        "| Coat | Price |\n| --- | --- |\n| Parka \\| long | $120 |\n\n"
        "### Returns\n\nWithin 30 days."
    )


def test_short_bold_lines_are_headings_where_nobody_used_heading_styles() -> None:
    def build(document: Any) -> None:
        document.add_paragraph().add_run("Returns").bold = True
        document.add_paragraph("Within 30 days.")
        document.add_paragraph().add_run("A bold sentence ends with its stop.").bold = True
        document.add_paragraph("Half ").add_run("bold").bold = True
        document.add_paragraph(style="List Bullet").add_run("Bold item").bold = True

    assert text_of("a.docx", word(build)) == (
        "# Returns\n\nWithin 30 days.\n\nA bold sentence ends with its stop.\n\nHalf bold\n\n"
        "- Bold item"
    )


def test_merged_cells_say_in_each_row_what_they_say_beside_it() -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=3, cols=2)
        for cell, said in zip(table._cells, ("Tier", "Fee", "Gold", "$0", "", "$1"), strict=True):
            cell.text = said
        table.cell(1, 0).merge(table.cell(2, 0))

    assert "| Gold | $0 |\n| Gold | $1 |" in text_of("a.docx", word(build))


def test_a_table_of_one_column_is_layout_and_reads_as_text() -> None:
    def build(document: Any) -> None:
        document.add_table(rows=1, cols=1).cell(0, 0).text = "A note in a frame."

    assert text_of("a.docx", word(build)) == "A note in a frame."


def test_deleted_hidden_and_commented_text_is_dropped_and_said() -> None:
    def build(document: Any) -> None:
        paragraph = document.add_paragraph("A return is ")
        gone = element("w:del", "", element("w:r", "", element("w:delText", "SECRET never ")))
        paragraph._p.append(gone)
        paragraph._p.append(element("w:ins", "", element("w:r", "", element("w:t", "free"))))
        paragraph.add_run(" SECRET").font.hidden = True
        paragraph.add_run(" SECRET").font.color.rgb = RGBColor(255, 255, 255)
        paragraph.add_run(" SECRET").font.size = Pt(1)
        run = paragraph.add_run(".")
        document.add_comment(run, text="SECRET", author="x")

    found = read_one("a.docx", word(build))
    assert found.original == "A return is free."
    assert set(found.warnings) == {
        "tracked deletions were dropped",
        "hidden text was dropped",
        "comments were dropped",
    }


def test_page_headers_and_footers_are_left_out_and_said() -> None:
    def build(document: Any) -> None:
        document.add_paragraph("Text.")
        document.sections[0].footer.paragraphs[0].text = "Company secret"

    found = read_one("a.docx", word(build))
    assert found.original == "Text."
    assert found.warnings == ("page headers and footers were left out: 'Company secret'",)


def test_text_inside_content_controls_and_text_boxes_is_read() -> None:
    def build(document: Any) -> None:
        inner = element("w:p", "", element("w:r", "", element("w:t", "In a control.")))
        control = element("w:sdt", "", element("w:sdtContent", "", inner))
        document.element.body.insert(0, control)
        boxed = element("w:p", "", element("w:r", "", element("w:t", "In a box.")))
        holder = document.add_paragraph("Beside.")
        holder._p.append(
            element("w:r", "", element("w:pict", "", element("w:txbxContent", "", boxed)))
        )

    assert text_of("a.docx", word(build)) == "In a control.\n\nBeside.\n\nIn a box."


def test_a_table_of_contents_is_left_out_and_said() -> None:
    def build(document: Any) -> None:
        from docx.enum.style import WD_STYLE_TYPE

        style = document.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
        document.add_paragraph("Returns\t3", style=style)
        document.add_heading("Returns", 1)

    found = read_one("a.docx", word(build))
    assert found.original == "# Returns"
    assert found.warnings == ("the table of contents was left out",)


def test_numbered_headings_and_nested_lists_are_counted_as_word_does() -> None:
    def build(document: Any) -> None:
        numbering = document.part.numbering_part.element
        levels = [
            element(
                "w:lvl",
                "",
                element("w:start", val="1"),
                element("w:numFmt", val=kind),
                element("w:lvlText", val=shown),
                ilvl=str(depth),
            )
            for depth, (kind, shown) in enumerate(
                [("decimal", "%1."), ("lowerLetter", "(%2)"), ("decimal", "%1.%3")]
            )
        ]
        numbering.insert(0, element("w:abstractNum", "", *levels, abstractNumId="77"))
        numbering.append(element("w:num", "", element("w:abstractNumId", val="77"), numId="78"))
        for depth in (0, 1, 1, 2, 0, 1):
            paragraph = document.add_paragraph(f"depth {depth}")
            paragraph._p.get_or_add_pPr().append(
                element(
                    "w:numPr", "", element("w:ilvl", val=str(depth)), element("w:numId", val="78")
                )
            )

    assert text_of("a.docx", word(build)) == (
        "1. depth 0\n  (a) depth 1\n  (b) depth 1\n    1.1 depth 2\n2. depth 0\n  (a) depth 1"
    )


def test_a_line_break_stays_a_break() -> None:
    def build(document: Any) -> None:
        run = document.add_paragraph("One").add_run()
        run.add_break(WD_BREAK.LINE)
        run.add_text("two")

    assert text_of("a.docx", word(build)) == "One\ntwo"


def test_a_zip_that_is_no_word_file_is_refused() -> None:
    assert "not a Word document" in failure(repacked(b_zip(), hello_dot_txt=b"x")).reason
    assert "broken" in failure(b"PK\x03\x04 and then nothing").reason


def b_zip() -> bytes:
    import io
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w"):
        pass
    return stream.getvalue()


def test_old_and_encrypted_office_files_are_refused_with_the_remedy() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    assert failure(ole).fix == "save it as .docx or .xlsx"
    assert failure(ole + "EncryptedPackage".encode("utf-16-le")).reason == "the file is encrypted"


@pytest.mark.parametrize("part", ["word__document_dot_xml", "word__styles_dot_xml"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_that_unfold_are_refused_before_they_do(part: str, encoding: str) -> None:
    lines = [f'<?xml version="1.0" encoding="{encoding}"?>', "<!DOCTYPE x [", '<!ENTITY a "ha">']
    lines += [
        f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    bomb = "\n".join([*lines, "]>", "<x>&i;</x>"]).encode(encoding)
    refused = failure(repacked(a_word_file(), **{part: bomb}))
    assert "entities" in refused.reason


def test_archives_that_unfold_without_end_are_refused_before_they_do() -> None:
    bomb = repacked(a_word_file(), word__media__a_dot_xml=b"\0" * 30_000_000)
    assert "would unpack to 30," in failure(bomb).reason
    many = repacked(a_word_file(), **{f"word__a{n}": b"x" for n in range(50)})
    assert "parts; the limit is 20" in failure(many, packed_entries=20).reason
    large = repacked(a_word_file(), word__a=bytes(range(256)) * 2_000)
    assert "would unpack" in failure(large, unpacked_bytes=100_000).reason
