"""Reader for EML: the mail, and each attachment by its own reader as a document of its own."""

from __future__ import annotations

import email
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage
from typing import cast

from core.models.source import IngestFailure
from core.sources.documents import Found, FoundDocument, Source, Warned
from core.sources.hidden import UNPRINTABLE
from core.sources.mail_text import body_of, header, header_lines, with_history_marked
from core.sources.read_files import title_from

_PRIVATE = {"authority": "user_upload", "classification": "internal"}
"""Anybody can write a mail, and it names people: no policy for the public, unless stated."""
_ROWS = (".jsonl", ".ndjson")
_LONGEST_NAME = 120


def read_mail(source: Source) -> Iterator[Found]:
    """The mail and what is attached to it. Raises ``BadSource``."""
    data = source.bytes(source.limits.binary_bytes)
    message = email.message_from_bytes(data, policy=policy.default)
    yield from _mail(source, message)


def _mail(source: Source, message: EmailMessage) -> Iterator[Found]:
    body = body_of(source.item, message)
    subject = header(message, "Subject")
    lines = header_lines(message)
    if not lines:
        yield IngestFailure(
            path=source.item, reason="the file is not a mail", fix="save the mail as .eml"
        )
        return
    text = "\n".join(lines) + "\n\n" + with_history_marked(body.text)
    yield FoundDocument(
        item=source.item,
        document_id=source.name,
        source_id=source.name,
        title=subject or title_from(source.name),
        original=text.strip(),
        media_type="message/rfc822",
        fallback=_PRIVATE,
        warnings=body.warnings,
    )
    yield from _attachments(source, message)


def _attachments(source: Source, message: EmailMessage) -> Iterator[Found]:
    taken: set[str] = set()
    for number, part in enumerate(message.iter_attachments(), start=1):
        if number > source.limits.attachments:
            yield Warned(
                item=source.item,
                message=f"only the first {source.limits.attachments} attachments were read",
            )
            return
        name = _unused(_name(part, number), taken)
        yield from _attachment(source, part, name)
        source.alive()


def _attachment(source: Source, part: EmailMessage, name: str) -> Iterator[Found]:
    from core.sources.readers import read, reader_for  # a reader that calls readers

    item = f"{source.item}:{name}"
    if reader_for(name) is None or name.lower().endswith(_ROWS):
        yield Warned(item=item, message="the attachment was not read: it is of no type for that")
        return
    if source.depth + 1 >= source.limits.depth and name.lower().endswith(".eml"):
        yield Warned(item=item, message="a mail inside too many mails was not read")
        return
    inner = Source(
        item,
        f"{source.name}:{name}",
        _bytes(part),
        source.limits,
        alive=source.alive,
        depth=source.depth + 1,
    )
    for found in read(inner):
        yield _as_attachment(found, inner) if isinstance(found, FoundDocument) else found


def _as_attachment(found: FoundDocument, inner: Source) -> FoundDocument:
    """What a stranger attaches may not name itself, nor say who answers for it or may read it."""
    if found.media_type == "message/rfc822" or found.item != inner.item:
        return found  # a mail in the mail, or what is attached to that: seen to already
    said = ("what it says of its own governance was left out",) if found.fields else ()
    return found.model_copy(
        update={
            "document_id": inner.name,
            "source_id": inner.name,
            "fields": {},
            "fallback": _PRIVATE,
            "warnings": found.warnings + said,
        }
    )


def _bytes(part: EmailMessage) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        if isinstance(inner, list) and inner:
            return cast(EmailMessage, inner[0]).as_bytes()
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _name(part: EmailMessage, number: int) -> str:
    """The name of an attachment without folders and tricks: it is a label, never a path."""
    try:
        given = part.get_filename() or ""
    except (ValueError, IndexError, AttributeError, TypeError, LookupError):
        given = ""
    last = given.replace("\\", "/").rstrip("/").rpartition("/")[2]
    name = UNPRINTABLE.sub("", last).replace(":", "_").strip()[-_LONGEST_NAME:]
    if not name.strip("."):
        name = f"attachment-{number}"
    is_mail = part.get_content_type() == "message/rfc822" and not name.lower().endswith(".eml")
    return f"{name}.eml" if is_mail else name


def _unused(name: str, taken: set[str]) -> str:
    stem, dot, suffix = name.rpartition(".")
    unused, number = name, 2
    while unused in taken:
        unused = f"{stem}-{number}{dot}{suffix}" if dot else f"{name}-{number}"
        number += 1
    taken.add(unused)
    return unused
