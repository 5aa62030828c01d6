"""What the process that asks and the process that parses say to each other.

Frames: one byte for the kind, four for the length, then JSON. Nothing is ever unpickled, and what
the parsing process says is taken only as far as it validates.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

from core.models.base import Model
from core.models.source import IngestFailure
from core.sources.documents import Found, FoundDocument, Warned
from core.sources.limits import ReadLimits

ASK, DOCUMENT, FAILURE, WARNING = b"A", b"D", b"F", b"W"
READY, ALIVE, DONE, LAST = b"R", b"P", b"E", b"L"
"""``READY`` is said once, when the process has started. After ``LAST``, a ``DONE``, it ends."""
MAX_FRAME = 1_000_000_000  # bytes
_HEAD = struct.Struct(">cI")
_MODELS: dict[bytes, type[FoundDocument] | type[IngestFailure] | type[Warned]] = {
    DOCUMENT: FoundDocument,
    FAILURE: IngestFailure,
    WARNING: Warned,
}


class Request(Model):
    """A file to parse: at ``path``, or ``length`` bytes that follow the request."""

    item: str
    name: str
    path: str | None = None
    length: int = 0
    limits: ReadLimits = ReadLimits()


class BrokenFrame(Exception):
    """The other side said something that is not of this protocol."""


def write_frame(stream: BinaryIO, kind: bytes, body: bytes = b"") -> None:
    """One frame, whole. Raises ``OSError`` when the other side is gone."""
    stream.write(_HEAD.pack(kind, len(body)) + body)


def read_frame(stream: BinaryIO) -> tuple[bytes, bytes] | None:
    """The next frame; ``None`` at the end. Raises ``BrokenFrame``."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, length = _HEAD.unpack(head)
    if length > MAX_FRAME:
        raise BrokenFrame(f"a frame of {length:,} bytes")
    body = stream.read(length)
    return (kind, body) if len(body) == length else None


def pack_request(request: Request) -> bytes:
    """File names may hold bytes that are no text: JSON spells them in ASCII."""
    return json.dumps(request.model_dump(mode="python")).encode("ascii")


def unpack_request(body: bytes) -> Request:
    """The inverse of ``pack_request``."""
    values: dict[str, Any] = json.loads(body)
    values["limits"] = ReadLimits.model_validate(values["limits"])
    return Request.model_construct(**values)


def pack(found: Found) -> tuple[bytes, bytes]:
    """Kind and body for something found; what cannot be spelled becomes a failure saying so."""
    kind = next(kind for kind, model in _MODELS.items() if isinstance(found, model))
    try:
        return kind, found.model_dump_json().encode("utf-8")
    except ValueError:
        item = found.path if isinstance(found, IngestFailure) else found.item
        failure = IngestFailure(
            path=item.encode("utf-8", "replace").decode(),
            reason="it holds characters that cannot be stored",
            fix="save it as UTF-8",
        )
        return FAILURE, failure.model_dump_json().encode("utf-8")


def unpack(kind: bytes, body: bytes) -> Found:
    """The inverse of ``pack``. Raises ``BrokenFrame``."""
    model = _MODELS.get(kind)
    if model is None:
        raise BrokenFrame(f"a frame of kind {kind!r}")
    try:
        return model.model_validate_json(body)
    except ValueError as error:
        raise BrokenFrame("a frame that does not validate") from error
