"""No bytes make a reader raise, and what is read can be cut into exact spans and led back."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadSource
from core.models.source import IngestFailure
from core.sources.chunk import chunk
from core.sources.documents import FoundDocument, Warned
from core.sources.readers import READERS
from core.sources.version import to_version
from core.sources.wire import pack, unpack
from tests.fakes.fixed_clock import FixedClock
from tests.sources.office_files import (
    Pdf,
    a_mail,
    a_pdf,
    a_word_file,
    a_workbook,
    attach,
    read_all,
    repacked,
)

PDF = Pdf(pageCompression=0)  # so that changes reach what is drawn
SEEDS: dict[str, bytes] = {
    ".md": "---\nid: a\nowner: dana\n---\n# T\n\n**b** <b hidden>x</b> `c` 退\n\n| a |\n".encode(),
    ".txt": "Käufe 退货 \u202e\u200b plain".encode(),
    ".html": b"<title>T</title><p hidden>x</p><table><tr><td>a<td>b</table>",
    ".jsonl": b'{"id": "a", "text": "Text.", "owner": "dana", "valid_from": "2026-01-01"}\n',
    ".csv": b'id,title,text\na,b,"c ""d"""\n',
    ".pdf": PDF.line("Title", size=20).line("A text.").table([["a", "b"], ["1", "2"]]).bytes(),
    ".docx": a_word_file(),
    ".xlsx": a_workbook(),
    ".eml": attach(attach(a_mail("> quoted"), a_pdf(), "a.pdf"), b"x,y\n1", "b.csv").as_bytes(),
}


def survives(name: str, data: bytes) -> None:
    found = read_all(name, data, seconds=5.0)
    assert found
    for thing in found:
        assert unpack(*pack(thing)) == thing
        if isinstance(thing, FoundDocument):
            cut_exactly(thing)
        else:
            assert isinstance(thing, (IngestFailure, Warned))


def cut_exactly(found: FoundDocument) -> None:
    try:
        version, _ = to_version(found, tenant_id="t", actor="dana", clock=FixedClock())
    except BadSource:
        return
    assert list(version.page_starts) == sorted(version.page_starts)
    for passage in chunk(version):
        assert passage.text == version.text[passage.char_start : passage.char_end]


@pytest.mark.parametrize("suffix", sorted(READERS))
@given(data=st.binary(min_size=1, max_size=300))
def test_any_bytes_are_read_or_refused(suffix: str, data: bytes) -> None:
    survives(f"a{suffix}", data)


@pytest.mark.parametrize("suffix", sorted(SEEDS))
@given(draw=st.data())
def test_a_good_file_gone_bad_is_read_or_refused(suffix: str, draw: st.DataObject) -> None:
    """Cut short, with bytes changed, or with a piece put in twice."""
    data = bytearray(SEEDS[suffix])
    places = st.integers(0, len(data) - 1)
    for place in draw.draw(st.lists(places, max_size=8)):
        data[place] = draw.draw(st.integers(0, 255))
    if draw.draw(st.booleans()):
        start, end = sorted(draw.draw(st.tuples(places, places)))
        data[start:start] = data[start:end]
    if draw.draw(st.booleans()):
        del data[draw.draw(places) :]
    if data:
        survives(f"a{suffix}", bytes(data))


@pytest.mark.parametrize(
    ("suffix", "part"),
    [
        (".docx", "word__document_dot_xml"),
        (".docx", "word__numbering_dot_xml"),
        (".xlsx", "xl__worksheets__sheet1_dot_xml"),
        (".xlsx", "xl__styles_dot_xml"),
    ],
)
@settings(max_examples=25)  # unpacking and parsing an Office file is slow
@given(draw=st.data())
def test_an_office_file_with_strange_parts_is_read_or_refused(
    suffix: str, part: str, draw: st.DataObject
) -> None:
    """The archive is whole; values and tags of one part are not what its reader expects."""
    name = part.replace("__", "/").replace("_dot_", ".")
    with zipfile.ZipFile(io.BytesIO(SEEDS[suffix])) as archive:
        xml = archive.read(name).decode()
    marks = [match.span(1) for match in re.finditer(r'="([^"]*)"', xml)]
    for start, end in sorted(draw.draw(st.lists(st.sampled_from(marks), max_size=4, unique=True)))[
        ::-1
    ]:
        value = draw.draw(
            st.sampled_from(["", "-1", "99999999999", "x", "A1:XFD9", "\u202e", "1e9"])
        )
        xml = xml[:start] + value + xml[end:]
    if draw.draw(st.booleans()):
        tags = [match.span() for match in re.finditer(r"<[^<>]*/>", xml)]
        for start, end in sorted(draw.draw(st.lists(st.sampled_from(tags), max_size=3)))[::-1]:
            xml = xml[:start] + xml[end:]
    survives(f"a{suffix}", repacked(SEEDS[suffix], **{part: xml.encode()}))
