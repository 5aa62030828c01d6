"""Which cleaning a document gets: by what its text was when it was found."""

from __future__ import annotations

from core.sources.clean import Cleaned, clean_markdown, clean_plain
from core.sources.clean_html import read_page
from core.sources.documents import FoundDocument


def cleaned_text(found: FoundDocument) -> Cleaned:
    """The cleaned text of a document.

    What a reader rendered from a file that is no markup is plain: a ``<name>`` in a PDF is words.
    """
    if found.cleaned is not None:
        return found.cleaned
    if found.media_type == "text/html":
        return read_page(found.original).cleaned
    if found.media_type == "text/markdown":
        return clean_markdown(found.original, skip_to=found.body)
    return clean_plain(found.original)
