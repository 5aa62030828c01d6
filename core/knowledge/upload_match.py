"""Which known source an upload may be a new version of, and why that is thought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import groupby
from pathlib import PurePosixPath

from core.knowledge import present
from core.knowledge.upload_models import NEW_SOURCE, Overlap, UploadDraft
from core.knowledge.upload_views import SourceOption
from core.knowledge.views import SourceListing

_KINDRED = 0.5
"""Share of either text's sentences that stand in the other, from which one follows the other."""

_WORTH_SAYING = 0.2
_MUCH = "most of its text stands there"


class Known:
    """The sources a person may open with their versions, found by what names them."""

    def __init__(self, listings: Iterable[SourceListing]) -> None:
        """``listings`` come by source, oldest first."""
        self.held: Mapping[str, tuple[SourceListing, ...]] = {
            source_id: tuple(group) for source_id, group in groupby(listings, _source_of)
        }

    def versions(self, source_id: str) -> tuple[SourceListing, ...]:
        """The versions of a source, oldest first; none for one out of sight."""
        return self.held.get(source_id, ())

    @cached_property
    def documents(self) -> Mapping[str, SourceListing]:
        """Every version by its document id."""
        return {v.document_id: v for held in self.held.values() for v in held}

    @cached_property
    def by_file(self) -> Mapping[str, str]:
        """Source ids by the names of files their versions come from."""
        found: dict[str, str] = {}
        for document_id, version in self.documents.items():
            for path in (document_id, version.governance.uri):
                found.setdefault(_last_part(path), version.source_id)
        return found

    @cached_property
    def by_title(self) -> Mapping[str, str]:
        """Source ids by title, whatever its case and spacing."""
        found: dict[str, str] = {}
        for version in self.documents.values():
            found.setdefault(_plain(version.title), version.source_id)
        return found

    def option(self, source_id: str, today: date, reason: str = "") -> SourceOption:
        """A source as the form offers it."""
        shown = present.shown_version(self.held[source_id], today)
        return SourceOption(
            source_id=source_id,
            title=shown.title,
            version=shown.governance.version,
            document_id=shown.document_id,
            reason=reason,
        )


def suggestions_of(draft: UploadDraft, known: Known, today: date) -> tuple[SourceOption, ...]:
    """The sources there is a reason to think of, strongest reason first."""
    reasons: dict[str, str] = {}
    for source_id, words in _by_name(draft, known):
        reasons.setdefault(source_id, words)
    for source_id, words in _by_text(draft.overlaps, known):
        before = reasons.get(source_id)
        reasons[source_id] = f"{before}; {words}" if before else words
    return tuple(known.option(s, today, words) for s, words in reasons.items())


def options_of(
    suggestions: Sequence[SourceOption], known: Known, today: date
) -> tuple[SourceOption, ...]:
    """The suggestions, then every other source by title."""
    named = {option.source_id for option in suggestions}
    rest = [known.option(s, today) for s in known.held if s not in named]
    rest.sort(key=lambda o: (o.title.casefold(), o.source_id))
    return (*suggestions, *rest)


def chosen_of(draft: UploadDraft, suggestions: Sequence[SourceOption], known: Known) -> str:
    """The source chosen by a person, else the one suggested, else ``NEW_SOURCE``."""
    if draft.source_choice == NEW_SOURCE or draft.source_choice in known.held:
        return draft.source_choice
    first = suggestions[0] if suggestions else None
    return first.source_id if first and _compels(first.reason) else NEW_SOURCE


def _by_name(draft: UploadDraft, known: Known) -> Iterator[tuple[str, str]]:
    for name in (draft.named_source, draft.named_id, draft.stated.get("supersedes", "")):
        if name in known.held:
            yield name, "the file names it"
        elif name in known.documents:
            yield known.documents[name].source_id, "the file names it"
    same_file = known.by_file.get(_last_part(draft.file_name))
    if same_file and draft.file_name:
        yield same_file, "it comes from a file of the same name"
    same_title = known.by_title.get(_plain(draft.title))
    if same_title:
        yield same_title, "it has the same title"


def _by_text(overlaps: Sequence[Overlap], known: Known) -> list[tuple[str, str]]:
    best: dict[str, Overlap] = {}
    for overlap in overlaps:
        version = known.documents.get(overlap.document_id)
        if version and _share(overlap) >= _WORTH_SAYING:
            best.setdefault(version.source_id, overlap)
    ordered = sorted(best.items(), key=lambda pair: -_share(pair[1]))
    return [(source_id, _text_words(overlap)) for source_id, overlap in ordered]


def _share(overlap: Overlap) -> float:
    return max(overlap.shared / max(1, overlap.of_new), overlap.shared / max(1, overlap.of_old))


def _text_words(overlap: Overlap) -> str:
    counted = f"{overlap.shared} of {overlap.of_new} sentences"
    return f"{_MUCH} ({counted})" if _share(overlap) >= _KINDRED else f"{counted} stand there too"


def _compels(reason: str) -> bool:
    """Whether a reason is strong enough to choose the source before a person did."""
    return "sentences stand there too" not in reason or ";" in reason


def _source_of(listing: SourceListing) -> str:
    return listing.source_id


def _last_part(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).name.casefold()


def _plain(title: str) -> str:
    return " ".join(title.casefold().split())
