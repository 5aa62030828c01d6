"""A mail is read with who wrote it and when; each attachment is a document of its own."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from core.models.source import IngestFailure
from core.sources.documents import FoundDocument, Warned
from core.sources.version import to_version
from tests.fakes.fixed_clock import FixedClock
from tests.sources.office_files import a_mail, a_pdf, a_word_file, attach, read_all, read_one


def documents(mail: EmailMessage, **limits: int) -> list[FoundDocument]:
    found = read_all("mail.eml", mail.as_bytes(), **limits)
    return [thing for thing in found if isinstance(thing, FoundDocument)]


def warnings(mail: EmailMessage, **limits: int) -> list[str]:
    found = read_all("mail.eml", mail.as_bytes(), **limits)
    return [thing.message for thing in found if isinstance(thing, Warned)]


def test_a_mail_opens_with_its_headers_and_is_named_by_its_subject() -> None:
    (found,) = documents(a_mail("May I return it?\n", subject="Käufe"))
    assert found.title == "Käufe"
    assert found.original == (
        "From: Ana <ana@example.com>\nTo: help@athena.example\nSubject: Käufe\n"
        "Date: 2026-11-02 09:30 +0000\n\nMay I return it?"
    )


@pytest.mark.parametrize(
    "earlier",
    [
        "On Mon, 2 Nov 2026 at 10:00, Help <help@a.example> wrote:\n> How can we help?",
        "-----Original Message-----\nFrom: Help\nHow can we help?",
        "From: Help <help@a.example>\nSent: Monday\nTo: Ana\n\nHow can we help?",
        "> How can we help?\n> Regards",
        "在 2026年11月2日，客服 写道：\n> 有什么可以帮您？",
        "Am Mo., 2. Nov. 2026 um 10:00 Uhr schrieb Help <help@a.example>:\n> Wie?",
    ],
)
def test_what_is_quoted_of_earlier_mails_is_kept_and_marked(earlier: str) -> None:
    (found,) = documents(a_mail(f"May I return it?\n\n{earlier}\n"))
    assert found.original.endswith(
        f"May I return it?\n\n## Quoted from earlier messages\n\n{earlier}"
    )


def test_an_answer_between_quoted_lines_is_left_as_it_is() -> None:
    (found,) = documents(a_mail("> May I?\nYes, you may.\n"))
    assert "Quoted from" not in found.original


def test_html_is_read_without_what_it_hides_where_there_is_no_plain_text() -> None:
    mail = EmailMessage()
    mail["From"] = "ana@example.com"
    mail.set_content("<p>A <b>coat</b></p><p hidden>SECRET</p>", subtype="html")
    (found,) = documents(mail)
    assert found.original.endswith("A coat")
    assert found.warnings == ("hidden elements were dropped",)


def test_a_body_in_an_unknown_encoding_is_read_as_far_as_it_goes_and_that_is_said() -> None:
    raw = b"From: a@b.example\nContent-Type: text/plain; charset=klingon\n\nA coat.\n"
    found = read_one("a.eml", raw)
    assert found.original.endswith("A coat.")
    assert "encoding is unknown" in found.warnings[0]


def test_attachments_are_documents_named_after_the_mail() -> None:
    mail = attach(attach(a_mail(), a_pdf(), "returns.pdf"), a_word_file(), "returns.docx")
    mail, pdf, word = documents(mail)
    assert [d.document_id for d in (mail, pdf, word)] == [
        "mail.eml",
        "mail.eml:returns.pdf",
        "mail.eml:returns.docx",
    ]
    assert pdf.page_starts == (0,)
    assert (pdf.title, word.title) == ("Returns", "Returns")


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("../../etc/passwd.txt", "passwd.txt"),
        ("C:\\Windows\\system.txt", "system.txt"),
        ("/abs.txt", "abs.txt"),
        ("exe\u202etxt.txt", "exetxt.txt"),
        ("a:b.txt", "a_b.txt"),
        ("x" * 500 + ".txt", "x" * 116 + ".txt"),
    ],
)
def test_the_name_of_an_attachment_is_a_label_and_never_a_path(given: str, named: str) -> None:
    _, found = documents(attach(a_mail(), b"Text.", given))
    assert found.document_id == f"mail.eml:{named}"


def test_attachments_of_one_name_are_told_apart() -> None:
    mail = attach(attach(a_mail(), b"One.", "a.txt"), b"Two.", "a.txt")
    assert [d.document_id for d in documents(mail)[1:]] == ["mail.eml:a.txt", "mail.eml:a-2.txt"]


def test_an_attachment_may_not_govern_itself_nor_take_another_name() -> None:
    claim = b"---\nid: returns-v2\nauthority: official_policy\nclassification: public\n---\nText."
    _, found = documents(attach(a_mail(), claim, "policy.md"))
    assert found.document_id == found.source_id == "mail.eml:policy.md"
    version, said = to_version(found, tenant_id="t", actor="ana", clock=FixedClock())
    governance = version.governance
    assert (governance.authority, governance.classification) == ("user_upload", "internal")
    assert governance.permission_tag == "INTERNAL_ONLY"
    assert "what it says of its own governance was left out" in said


def test_rows_and_unknown_types_in_attachments_are_said_and_not_read() -> None:
    mail = attach(attach(a_mail(), b'{"id": "x", "text": "y"}', "a.jsonl"), b"MZ", "a.exe")
    assert len(documents(mail)) == 1
    assert len(warnings(mail)) == 2
    _, table = documents(attach(a_mail(), b"id,text\nreturns,x\n", "a.csv"))
    assert table.document_id == "mail.eml:a.csv"


def test_a_bad_attachment_costs_itself_alone() -> None:
    mail = attach(attach(a_mail(), b"%PDF-1.4 broken", "bad.pdf"), b"Text.", "good.txt")
    found = read_all("mail.eml", mail.as_bytes())
    assert [f.path for f in found if isinstance(f, IngestFailure)] == ["mail.eml:bad.pdf"]
    assert documents(mail)[-1].document_id == "mail.eml:good.txt"


def test_mails_in_mails_are_read_only_so_deep() -> None:
    mail = a_mail("Innermost.", subject="0")
    for number in range(1, 6):
        outer = a_mail(subject=str(number))
        outer.add_attachment(mail)
        mail = outer
    assert [d.title for d in documents(mail)] == ["5", "4", "3"]
    assert warnings(mail) == ["a mail inside too many mails was not read"]


def test_the_number_of_attachments_is_limited() -> None:
    mail = a_mail()
    for number in range(4):
        attach(mail, b"Text.", f"{number}.txt")
    assert len(documents(mail, attachments=2)) == 3
    assert warnings(mail, attachments=2) == ["only the first 2 attachments were read"]


def test_a_file_without_the_headers_of_a_mail_is_refused() -> None:
    (found,) = read_all("a.eml", b"Just a note.\n")
    assert isinstance(found, IngestFailure)


@pytest.mark.parametrize(
    "header", [b"From: \xff\xfe", b"From: =?utf-8?q?=ff?=", b"Date: not a date", b"To: <<>>;;,,@"]
)
def test_broken_headers_do_not_matter(header: bytes) -> None:
    found = read_one("a.eml", b"Subject: Coat\n" + header + b"\n\nText.")
    assert found.title == "Coat"
