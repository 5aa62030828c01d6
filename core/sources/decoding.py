"""From bytes to text: UTF-8 and UTF-16 by right, other encodings only where there is no doubt."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from core.errors import BadSource

_MAGIC = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a ZIP or Office file",
    b"\xd0\xcf\x11\xe0": "an old Office file",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"\x7fELF": "a program",
    b"\x1f\x8b": "a compressed file",
}
_AS_TEXT = "save it as Markdown, HTML or plain text, or give it the suffix of its type"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAMPLE = 60_000  # bytes that are looked at to tell an encoding
_FEWEST_MARKS = 5  # letters beyond ASCII, below which any guess is a bet
_FEWEST_UNPROVEN = 40  # bytes beyond ASCII that make up for a language that was not recognised
_CLEAR = 0.05  # disorder up to which a rival reading is still possible
_LEAD = 0.08  # by how much the best reading must look more like a language than its rivals


class Decoded(NamedTuple):
    """A text, and the name of the encoding where it had to be guessed."""

    text: str
    guessed: str = ""


def decode(item: str, data: bytes) -> Decoded:
    """The text of a file. Raises ``BadSource`` for binary data and doubtful encodings."""
    if not data.strip():
        raise BadSource(item, "the file is empty", "add the text or delete the file")
    refuse_binary(item, data)
    wide = data.startswith(_WIDE)
    try:
        return Decoded(data.decode("utf-16" if wide else "utf-8-sig"))
    except UnicodeDecodeError as error:
        guessed = "" if wide else _guessed(data)
        if guessed:
            return Decoded(data.decode(guessed, "strict"), guessed)
        raise BadSource(
            item, f"the file is not UTF-8 (byte {error.start})", "save it as UTF-8"
        ) from error


def refuse_binary(item: str, data: bytes) -> None:
    """Raises ``BadSource`` where ``data`` is the beginning of something that is not text."""
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise BadSource(item, f"the file is {what}, not text", _AS_TEXT)
    if b"\0" in data and not data.startswith(_WIDE):
        raise BadSource(item, "the file is binary, not text", _AS_TEXT)


def is_wide(head: bytes) -> bool:
    """Whether a file that begins with ``head`` is UTF-16 with its mark."""
    return head.startswith(_WIDE)


def guess_note(encoding: str) -> str:
    """What is said of a text whose encoding was guessed."""
    return f"read as {encoding.replace('_', '-')}: save it as UTF-8 to be sure of every letter"


def _guessed(data: bytes) -> str:
    """An encoding that all of ``data`` can be read in and no other reading comes near; else ""."""
    from charset_normalizer import from_bytes  # slow to import, and hardly ever needed

    if sum(byte > 0x7F for byte in data[:_SAMPLE]) < _FEWEST_MARKS:
        return ""
    matches = list(from_bytes(data[:_SAMPLE]))
    if not matches or matches[0].chaos > 0:
        return ""
    best, text = matches[0], str(matches[0])
    rivals = [m.coherence for m in matches[1:] if m.chaos <= _CLEAR and str(m) != text]
    if rivals and best.coherence - max(rivals) < _LEAD:
        return ""
    marks = sum(byte > 0x7F for byte in data[:_SAMPLE])
    if not best.coherence and (marks < _FEWEST_UNPROVEN or rivals):
        return ""
    return best.encoding if _fits(data, best.encoding) else ""


def _fits(data: bytes, encoding: str) -> bool:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return False
    return not any("\x80" <= letter <= "\x9f" or letter == "\ufffd" for letter in text)
