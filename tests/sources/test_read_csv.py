"""Separated values are a table, or documents where the columns say so."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.source import IngestFailure
from core.sources.documents import FoundDocument, Warned
from tests.sources.office_files import read_all, read_one

ROWS = [["Zone", "Fee", "Note"], ["EU", "4,99", "a; b"], ["UK", "7", "x\ty"]]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(delimiter: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(ROWS)
    found = read_one("shipping_fees.csv", stream.getvalue().encode())
    assert found.title == "Shipping fees"
    assert found.original == (
        "| Zone | Fee | Note |\n| --- | --- | --- |\n| EU | 4,99 | a; b |\n| UK | 7 | x y |"
    )


def test_tabs_part_the_cells_of_a_tsv_whatever_else_is_in_it() -> None:
    found = read_one("a.tsv", b"a,b\tc,d\n1,2\t3,4\n")
    assert found.original == "| a,b | c,d |\n| --- | --- |\n| 1,2 | 3,4 |"


def test_a_column_alone_is_a_table_all_the_same() -> None:
    assert read_one("a.csv", b"Name\nAna\nBo\n").original == "| Name |\n| --- |\n| Ana |\n| Bo |"


def test_columns_named_id_and_text_make_a_document_of_each_row() -> None:
    data = (
        b"id,title,text,owner,colour\n"
        b'a,Coats,"A coat,\nmay be returned.",dana,red\n'
        b"b,,Shoes too.,,\n"
        b",No id,x,,\n"
        b"c,,,,\n"
    )
    found = read_all("faq.csv", data)
    documents = [f for f in found if isinstance(f, FoundDocument)]
    assert [(d.document_id, d.title, d.fields, d.item) for d in documents] == [
        ("a", "Coats", {"owner": "dana"}, "faq.csv:2"),
        ("b", "B", {}, "faq.csv:3"),
    ]
    assert documents[0].original == "A coat,\nmay be returned."
    assert [f.path for f in found if isinstance(f, IngestFailure)] == ["faq.csv:4", "faq.csv:5"]
    assert [f.message for f in found if isinstance(f, Warned)] == [
        "fields that mean nothing here were left out: colour"
    ]


def test_a_misspelt_governance_column_is_refused_row_by_row() -> None:
    (found,) = read_all("a.csv", b"id,text,permision_tag\na,x,INTERNAL_ONLY\n")
    assert isinstance(found, IngestFailure)
    assert "permission_tag" in found.fix


def test_two_columns_of_one_name_are_refused() -> None:
    (found,) = read_all("a.csv", b"id,text,owner,owner\na,x,b,c\n")
    assert isinstance(found, IngestFailure)
    assert "two columns" in found.reason


def test_the_number_of_cells_is_limited() -> None:
    (found,) = read_all("a.csv", b"a,b\n1,2\n3,4\n", cells=5)
    assert isinstance(found, IngestFailure)
    assert "5 cells" in found.reason


@given(
    rows=st.lists(
        st.lists(st.text(st.characters(codec="utf-8"), max_size=8), min_size=1, max_size=4),
        min_size=1,
        max_size=6,
    ),
    delimiter=st.sampled_from(",;\t|"),
)
def test_any_table_is_read_or_refused(rows: list[list[str]], delimiter: str) -> None:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    assert read_all("a.csv", stream.getvalue().encode())
