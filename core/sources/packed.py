"""Office files are ZIP archives of XML: what is looked at before anything is unpacked."""

from __future__ import annotations

import io
import zipfile
from xml.etree.ElementTree import ParseError

from core.errors import BadSource
from core.sources.documents import Source

_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_XML = (".xml", ".rels")
_ALWAYS_FINE = 1_000_000  # bytes; a small part may be packed as tightly as it likes


def checked_archive(source: Source) -> bytes:
    """The bytes of an Office file that is safe to unpack. Raises ``BadSource`` for any other.

    Sizes are what the archive says of itself; unpacking stops there, so a lie breaks the file.
    """
    data = source.bytes(source.limits.binary_bytes)
    if data.startswith(_OLD):
        raise BadSource(source.item, *_old_or_locked(data))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_sizes(source, archive.infolist(), len(data))
            _check_entities(source, archive)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        if isinstance(error, RuntimeError) and "encrypted" in str(error):
            raise BadSource(
                source.item, "the archive is encrypted", "save it without a password"
            ) from error
        raise BadSource(
            source.item,
            "the archive it is made of is broken",
            "open it in its own program and save it again",
        ) from error
    return data


def _old_or_locked(data: bytes) -> tuple[str, str]:
    if _ENCRYPTED in data:
        return "the file is encrypted", "save it without a password"
    return "the file has an old Office format", "save it as .docx or .xlsx"


def _check_sizes(source: Source, entries: list[zipfile.ZipInfo], length: int) -> None:
    limits = source.limits
    if len(entries) > limits.packed_entries:
        raise BadSource(
            source.item,
            f"the archive has {len(entries):,} parts; the limit is {limits.packed_entries:,}",
            "save it again without what is embedded in it",
        )
    total = sum(entry.file_size for entry in entries)
    steep = any(
        entry.file_size > max(_ALWAYS_FINE, entry.compress_size * limits.packed_ratio)
        for entry in entries
    )
    if total > limits.unpacked_bytes or steep:
        raise BadSource(
            source.item,
            f"the archive would unpack to {total:,} bytes from {length:,}",
            "split the document; a file like this is often made to exhaust its reader",
        )


def _check_entities(source: Source, archive: zipfile.ZipFile) -> None:
    """Office programs never define entities; who does wants a few bytes to become gigabytes."""
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    for entry in archive.infolist():
        if not entry.filename.lower().endswith(_XML):
            continue
        try:
            with archive.open(entry) as part:
                for _ in iterparse(part, events=("start",), forbid_dtd=True):
                    break  # a document type stands before the first element or nowhere
        except DefusedXmlException as error:
            raise BadSource(
                source.item,
                f"its part {entry.filename[:80]!r} defines entities, which can unfold without end",
                "save it again in its own program",
            ) from error
        except ParseError:
            continue  # the reader will say what it cannot read
        source.alive()
