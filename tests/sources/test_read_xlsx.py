"""A workbook reads as its sheets show: a section a sheet, dates and money as written."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.source import IngestFailure
from core.sources.shown import number
from tests.sources.office_files import a_workbook, read_all, read_one, repacked, text_of, workbook


def failure(data: bytes, **limits: int) -> IngestFailure:
    (found,) = read_all("a.xlsx", data, **limits)
    assert isinstance(found, IngestFailure)
    return found


def test_each_sheet_is_a_section_with_its_table() -> None:
    def build(book: Any) -> None:
        book.active.title = "Fees"
        for row in (["Fees of 2026"], [], ["Zone", "Fee"], ["EU", 4.5], [], ["To May."]):
            book.active.append(row)
        sheet = book.create_sheet("Contacts")
        sheet.append([None, "Team", "Mail"])
        sheet.append([None, "Claims", "c@a.example"])

    found = read_one("shipping-fees.xlsx", workbook(build))
    assert found.title == "Shipping fees"
    assert found.original == (
        "## Fees\n\nFees of 2026\n\n| Zone | Fee |\n| --- | --- |\n| EU | 4.5 |\n\nTo May.\n\n"
        "## Contacts\n\n| Team | Mail |\n| --- | --- |\n| Claims | c@a.example |"
    )


@pytest.mark.parametrize(
    ("value", "pattern", "read"),
    [
        (date(2026, 1, 5), "DD/MM/YYYY", "2026-01-05"),
        (datetime.fromisoformat("2026-01-05T09:30"), "DD/MM/YYYY HH:MM", "2026-01-05 09:30"),
        (timedelta(hours=30, minutes=5), "[h]:mm", "30:05"),
        (True, "General", "TRUE"),
        (4, "General", "4"),
        (0.1 + 0.2, "General", "0.3"),
        (4.5, '"$"#,##0.00', "$4.50"),
        (-4.5, "[$£-809]#,##0.00", "-£4.50"),
        (1234.5, "#,##0.00 [$€-407]", "1234.50 €"),
        (99, "[$USD] 0", "USD 99"),
        (0.125, "0.0%", "12.5%"),
        (0.5, "0%", "50%"),
        ("two\nlines | one", "General", "two lines \\| one"),
    ],
)
def test_values_read_as_the_sheet_shows_them(value: object, pattern: str, read: str) -> None:
    def build(book: Any) -> None:
        book.active.append(["What", "Value"])
        book.active.append(["it", value])
        book.active["B2"].number_format = pattern

    assert f"| it | {read} |" in text_of("a.xlsx", workbook(build))


@given(value=st.floats(allow_nan=True, allow_infinity=True), pattern=st.text(max_size=12))
def test_no_number_format_is_too_strange(value: float, pattern: str) -> None:
    assert "\n" not in number(value, pattern.replace("\n", ""))


def test_formulas_nobody_computed_are_named() -> None:
    def build(book: Any) -> None:
        book.active.append(["Zone", "Sum"])
        book.active.append(["EU", "=1+1"])

    found = read_one("a.xlsx", workbook(build))
    assert "Sheet!B2" in found.warnings[0]
    assert "open it in Excel and save it" in found.warnings[0]


def test_hidden_sheets_are_left_out_and_said() -> None:
    def build(book: Any) -> None:
        book.active.append(["Open", "1"])
        hidden = book.create_sheet("Plans")
        hidden.append(["SECRET", "2"])
        hidden.sheet_state = "veryHidden"

    found = read_one("a.xlsx", workbook(build))
    assert "SECRET" not in found.original
    assert found.warnings == ("hidden sheets were left out: 'Plans'",)


def test_the_number_of_cells_is_limited_whatever_the_sheet_says_of_its_size() -> None:
    assert "more than 3 cells" in failure(a_workbook(), cells=3).reason
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        b'<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1" t="inlineStr"><is>'
        b"<t>Only one</t></is></c></row></sheetData></worksheet>"
    )
    lying = repacked(a_workbook(), xl__worksheets__sheet1_dot_xml=sheet)
    assert text_of("a.xlsx", lying) == "## Fees\n\nOnly one"


def test_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><x>&b;</x>'
    assert "entities" in failure(repacked(a_workbook(), xl__workbook_dot_xml=bomb)).reason


def test_what_is_no_workbook_is_refused() -> None:
    assert "not a workbook" in failure(repacked(a_workbook(), xl__workbook_dot_xml=None)).reason
    assert failure(b"text").path == "a.xlsx"
