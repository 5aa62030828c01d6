"""A PDF reads as its reader sees it: in order, page by page, with tables and headings."""

from __future__ import annotations

import pytest

from core.models.source import IngestFailure
from core.sources.version import to_version
from tests.fakes.fixed_clock import FixedClock
from tests.sources.office_files import Pdf, read_all, read_one, text_of

LOREM = (
    "A coat may be returned within thirty days of delivery when it is unworn",
    "and carries its tags, unless it was sold in a final sale, in which case",
    "it stays with the customer for good.",
)


def failure(data: bytes, **limits: int) -> IngestFailure:
    (found,) = read_all("a.pdf", data, **limits)
    assert isinstance(found, IngestFailure)
    return found


def test_lines_become_paragraphs_and_large_or_bold_lines_headings() -> None:
    pdf = Pdf().line("Return policy", size=20).gap().lines(*LOREM).gap()
    pdf.line("Fees", size=14).gap().line("A return is free.").gap()
    pdf.line("Gift cards", bold=True).line("Gift cards are not refunded.")
    assert text_of("a.pdf", pdf.bytes()) == (
        f"# Return policy\n\n{' '.join(LOREM)}\n\n## Fees\n\nA return is free.\n\n"
        "### Gift cards\n\nGift cards are not refunded."
    )


def test_a_title_as_large_as_the_headings_below_it_stands_above_them() -> None:
    pdf = Pdf().line("Return policy", size=18).gap().line("Scope", size=18).gap().lines(*LOREM)
    pdf.gap().line("Fees", size=18).gap().line("A return is free.")
    found = read_one("a.pdf", pdf.bytes())
    assert found.title == "Return policy"
    assert "# Return policy\n\n## Scope\n\n" in found.original
    assert "\n\n## Fees\n\n" in found.original


def test_a_centred_title_and_a_heading_right_below_it_are_two() -> None:
    from io import BytesIO

    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    styles, buffer = getSampleStyleSheet(), BytesIO()
    parts = (("Trade-in programme", "Title"), ("Who can trade in", "Heading1"))
    story = [Paragraph(text, styles[style]) for text, style in parts]
    long = "Terms for customers who bring their worn winter clothing back to a store of theirs"
    story += [Paragraph(" ".join(LOREM), styles["Normal"]), Paragraph(long, styles["Heading1"])]
    story.append(Paragraph(" ".join(LOREM), styles["Normal"]))
    SimpleDocTemplate(buffer).build(story)

    found = read_one("a.pdf", buffer.getvalue())

    assert found.title == "Trade-in programme"
    assert found.original.startswith("# Trade-in programme\n\n## Who can trade in\n\n")
    assert f"\n\n## {long}\n\n" in found.original


def test_the_largest_heading_names_the_document_else_its_file_does() -> None:
    assert read_one("a.pdf", Pdf().line("Rules", size=20).gap().lines(*LOREM).bytes()).title == (
        "Rules"
    )
    assert read_one("gift_cards.pdf", Pdf().lines(*LOREM).bytes()).title == "Gift cards"


def test_ruled_tables_stay_tables_where_they_stood() -> None:
    pdf = Pdf().line("The fees:").table([["Tier", "Fee"], ["Gold", "$0"], ["Base", "$5"]])
    pdf.line("They hold for 2026.")
    assert text_of("a.pdf", pdf.bytes()) == (
        "The fees:\n\n| Tier | Fee |\n| --- | --- |\n| Gold | $0 |\n| Base | $5 |\n\n"
        "They hold for 2026."
    )


def test_a_table_that_runs_over_a_page_is_one_table_with_one_header() -> None:
    pdf = Pdf().line("The fees:").table([["Tier", "Fee"], ["Gold", "$0"]])
    pdf.page().table([["Tier", "Fee"], ["Base", "$5"]]).line("Done.")
    found = read_one("a.pdf", pdf.bytes())
    assert found.original.count("Tier") == 1
    assert found.original[found.page_starts[1] :].startswith("| Base | $5 |")


def test_pages_begin_where_the_text_of_their_first_line_does() -> None:
    pdf = Pdf().lines(*LOREM[:2]).page().lines(LOREM[2], "").gap().line("New.").page().page()
    pdf.line("Last page.")
    found = read_one("a.pdf", pdf.bytes())
    assert found.original.startswith(" ".join(LOREM)), "a sentence runs on over the page"
    begun = [found.original[start:][:4] for start in found.page_starts]
    assert begun == ["A co", "it s", "Last", "Last"]
    version, _ = to_version(found, tenant_id="t", actor="a", clock=FixedClock())
    assert [version.text[start:][:4] for start in version.page_starts] == begun


def test_running_headers_footers_and_page_numbers_are_left_out_and_said() -> None:
    pdf = Pdf()
    for number in range(1, 4):
        pdf.header_and_footer("Athena Coats", f"Page {number} of 3").line(f"Rule {number} holds.")
        pdf.page()
    found = read_one("a.pdf", pdf.bytes())
    assert found.original == "Rule 1 holds.\n\nRule 2 holds.\n\nRule 3 holds."
    (warning,) = found.warnings
    assert "Athena Coats" in warning


def test_headers_that_change_with_the_chapter_go_by_their_page_number() -> None:
    pdf = Pdf()
    for number in range(1, 7):
        pdf.header_and_footer(f"Chapter {'ABC'[number // 3]} {number}", "").line(f"Rule {number}.")
        pdf.page()
    assert "Chapter" not in read_one("a.pdf", pdf.bytes()).original


def test_rows_that_differ_in_their_numbers_alone_are_no_running_lines() -> None:
    pdf = Pdf()
    for page in range(4):
        pdf.at(790).line(f"Tier {page * 7 + 11} costs ${page * 13 + 4}.50 a year").page()
    assert read_one("a.pdf", pdf.bytes()).original.count("Tier") == 4


def test_a_table_of_contents_is_left_out_and_said() -> None:
    pdf = (
        Pdf().line("Contents", size=16).lines("Scope . . . . . . . 2", "Fees ........... 3").page()
    )
    pdf.line("Scope", size=16).gap().lines(*LOREM)
    found = read_one("a.pdf", pdf.bytes())
    assert found.original.startswith("# Scope")
    assert "table of contents" in found.warnings[0]


def test_lines_of_code_keep_their_ends() -> None:
    pdf = Pdf().line("Run this:").gap()
    pdf.canvas.setFont("Courier", 11)
    for number, line in enumerate(("pip install coats", "coats --return")):
        pdf.canvas.drawString(60, 600 - 14 * number, line)
    assert "pip install coats\ncoats --return" in text_of("a.pdf", pdf.bytes())


def test_a_line_at_the_edge_of_one_page_only_is_kept() -> None:
    pdf = Pdf().header_and_footer("Valid from May", "3").line("A return is free.")
    assert text_of("a.pdf", pdf.bytes()) == "Valid from May\n\nA return is free."


def test_words_cut_at_a_line_end_are_joined_but_compounds_keep_their_hyphen() -> None:
    pdf = Pdf().lines("The self-service page takes a re-", "turn, and so does the self-")
    pdf.lines("service desk.")
    assert text_of("a.pdf", pdf.bytes()) == (
        "The self-service page takes a return, and so does the self-service desk."
    )


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"left line {n} goes on and on here" for n in range(1, 11)]
    right = [f"right line {n} goes on and on too" for n in range(1, 11)]
    pdf = Pdf().line("A wide line over both columns of the page, as titles are, all across it")
    for one, other in zip(left, right, strict=True):
        pdf.line(one).back().line(other, x=320)
    text = text_of("a.pdf", pdf.bytes())
    assert text.index("right line 1 ") > text.index("left line 10 ")
    assert "left line 1 goes on and on here left line 2" in text


def test_labels_and_values_side_by_side_stay_in_their_rows() -> None:
    pdf = Pdf()
    for tier in range(12):
        pdf.line(f"Tier {tier}").back().line(f"${tier}.50", x=380)
    assert "Tier 3 $3.50" in text_of("a.pdf", pdf.bytes())


def test_lists_are_lists() -> None:
    pdf = Pdf().lines("You need:", "• your receipt", "• the coat, with its", "  tags", "• time")
    text = text_of("a.pdf", pdf.bytes())
    assert "- your receipt\n- the coat, with its tags\n- time" in text


def test_what_nobody_can_see_on_the_page_is_dropped_and_said() -> None:
    pdf = Pdf().line("A return is free.")
    pdf.canvas.setFillColorRGB(1, 1, 1)
    pdf.line("SECRET in white")
    pdf.canvas.setFillColorRGB(0, 0, 0)
    pdf.line("SECRET off the page", x=-900).line("SECRET in tiny print", size=0.5)
    pdf.canvas.setFillColorRGB(0, 0, 0.5)
    pdf.canvas.rect(50, 300, 300, 40, fill=1)
    pdf.canvas.setFillColorRGB(1, 1, 1)
    pdf.at(310).line("White on blue is fine.")
    found = read_one("a.pdf", pdf.bytes())
    assert "SECRET" not in found.original
    assert "White on blue is fine." in found.original
    assert "hidden text was dropped" in found.warnings


def test_a_scan_is_refused_and_a_scanned_page_is_named() -> None:
    assert "no text layer" in failure(Pdf().picture().bytes()).reason
    assert "OCR" in failure(Pdf().picture().bytes()).fix
    found = read_one("a.pdf", Pdf().line("Text.").page().picture().bytes())
    assert found.original == "Text."
    assert "not read: 2;" in found.warnings[0]


def test_an_empty_pdf_is_refused() -> None:
    assert "no text" in failure(Pdf().page().bytes()).reason


def test_an_encrypted_pdf_is_refused_with_the_remedy() -> None:
    locked = Pdf(encrypt="secret").line("Text.").bytes()
    assert failure(locked).reason == "the PDF is encrypted"
    assert "without a password" in failure(locked).fix


def test_the_number_of_pages_is_limited() -> None:
    pdf = Pdf().line("1").page().line("2").page().line("3")
    assert "3 pages; the limit is 2" in failure(pdf.bytes(), pages=2).reason


@pytest.mark.parametrize("data", [b"not a pdf at all", b"%PDF-1.7\n%%EOF", b"%PDF-1.4\n1 0 obj"])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    assert failure(data).path == "a.pdf"
