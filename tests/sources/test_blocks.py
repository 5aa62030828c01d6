"""Blocks lie exactly where they stand in the text, tables and lists in one piece."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.sources.blocks import blocks_of, cells_of, items_of, table_header

LINES = st.lists(
    st.sampled_from(
        [
            "# Title",
            "words of prose",
            "",
            "- item",
            "  - nested",
            "1. first",
            "| a | b |",
            "|---|---|",
            "a | b",
            "```",
            "---",
            "[x]: https://a.example",
            "> quoted",
            "标题",
        ]
    ),
    max_size=14,
).map("\n".join)


@given(text=LINES)
def test_blocks_are_in_order_apart_and_never_empty(text: str) -> None:
    place = 0
    for block in blocks_of(text):
        assert place <= block.start < block.end <= len(text)
        assert text[block.start : block.end].strip()
        place = block.end


@given(text=LINES)
def test_the_parts_of_a_block_hold_all_its_words(text: str) -> None:
    for block in blocks_of(text):
        if block.level:
            continue
        parts = " ".join(text[start:end] for start, end in items_of(text, block))
        assert parts.split() == text[block.start : block.end].split()


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ["| a ", "| b |"]),
        ("| a | b", ["| a ", "| b"]),
        ("a | b", ["a ", "| b"]),
        ("| a \\| x | b |", ["| a \\| x ", "| b |"]),
        ("| a |", ["| a |"]),
        ("|  |  |", ["|  ", "|  |"]),
        ("no bars", ["no bars"]),
    ],
)
def test_a_row_falls_into_its_cells(row: str, cells: list[str]) -> None:
    padded = f"..{row}.."
    found = cells_of(padded, 2, 2 + len(row))
    assert [padded[start:end] for start, end in found] == cells
    assert "".join(cells) == row


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("| Tier | Points |\n|---|---|\n| Gold | 3 |", "| Tier | Points |"),
        ("Tier | Points\n---|---\nGold | 3", "Tier | Points"),
        ("| Gold | 3 |\n| Silver | 2 |", ""),
        ("|  |  |\n|---|---|\n| Gold | 3 |", ""),
        (f"| {'Wide ' * 120}|\n|---|\n| x |", f"| {'Wide ' * 120}|"),
    ],
)
def test_a_header_is_a_first_row_with_words_above_a_rule(table: str, header: str) -> None:
    (block,) = blocks_of(table)
    assert block.kind == "table"
    assert table_header(table, block) == header


def test_where_links_lead_belongs_to_no_block() -> None:
    text = "[a]: https://x.example/y\n[b]: /here\n\nWords.\n\n[Note]: keep it.\n\n[^1]: A footnote."
    assert [text[b.start : b.end] for b in blocks_of(text)] == [
        "Words.",
        "[Note]: keep it.",
        "[^1]: A footnote.",
    ]
