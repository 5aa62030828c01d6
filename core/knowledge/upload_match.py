"""Which known source an upload may be a new version of, and why that is thought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import PurePosixPath

from core.knowledge import present
from core.knowledge.upload_models import NEW_SOURCE, Overlap, UploadDraft
from core.knowledge.upload_views import SourceOption
from core.knowledge.views import SourceListing

Versions = Mapping[str, Sequence[SourceListing]]
"""The versions of each source the reader may open, oldest first."""

_KINDRED = 0.5
"""Share of either text's sentences that stand in the other, from which one follows the other."""

_WORTH_SAYING = 0.2


def options_of(draft: UploadDraft, versions: Versions, today: date) -> tuple[SourceOption, ...]:
    """Every source the reader may open: those with a reason first, strongest reason first."""
    reasons = _reasons(draft, versions)
    offered = [
        _option(source_id, held, reasons.get(source_id, ""), today)
        for source_id, held in versions.items()
    ]
    rank = {source_id: number for number, source_id in enumerate(reasons)}
    offered.sort(key=lambda o: (rank.get(o.source_id, len(rank)), o.title.casefold(), o.source_id))
    return tuple(offered)


def chosen_of(draft: UploadDraft, options: Sequence[SourceOption]) -> str:
    """The source chosen by a person, else the one suggested, else ``NEW_SOURCE``."""
    if draft.source_choice == NEW_SOURCE:
        return NEW_SOURCE
    if any(option.source_id == draft.source_choice for option in options):
        return draft.source_choice
    first = options[0] if options else None
    return first.source_id if first and _compels(first.reason) else NEW_SOURCE


def _option(
    source_id: str, held: Sequence[SourceListing], reason: str, today: date
) -> SourceOption:
    shown = present.shown_version(held, today)
    return SourceOption(
        source_id=source_id,
        title=shown.title,
        version=shown.governance.version,
        document_id=shown.document_id,
        reason=reason,
    )


def _reasons(draft: UploadDraft, versions: Versions) -> dict[str, str]:
    """Why by source, strongest first."""
    found: dict[str, str] = {}
    for names, words in (
        (_named(draft, versions), "the file names it"),
        (_same_file(draft, versions), "it comes from a file of the same name"),
        (_same_title(draft, versions), "it has the same title"),
    ):
        for source_id in names:
            found.setdefault(source_id, words)
    for source_id, words in _by_text(draft.overlaps, versions):
        found[source_id] = f"{found[source_id]}; {words}" if source_id in found else words
    return found


def _named(draft: UploadDraft, versions: Versions) -> list[str]:
    stated = {draft.named_id, draft.named_source, draft.stated.get("supersedes", "")} - {""}
    return [
        source_id
        for source_id, held in versions.items()
        if source_id in stated or any(v.document_id in stated for v in held)
    ]


def _same_file(draft: UploadDraft, versions: Versions) -> list[str]:
    name = PurePosixPath(draft.file_name.replace("\\", "/")).name.casefold()
    return [
        source_id
        for source_id, held in versions.items()
        if any(
            _last_part(v.document_id) == name or _last_part(v.governance.uri) == name for v in held
        )
    ]


def _last_part(path: str) -> str:
    return PurePosixPath(path).name.casefold()


def _same_title(draft: UploadDraft, versions: Versions) -> list[str]:
    wanted = " ".join(draft.title.casefold().split())
    return [
        source_id
        for source_id, held in versions.items()
        if any(" ".join(v.title.casefold().split()) == wanted for v in held)
    ]


def _by_text(overlaps: Sequence[Overlap], versions: Versions) -> list[tuple[str, str]]:
    source_of = {v.document_id: s for s, held in versions.items() for v in held}
    best: dict[str, Overlap] = {}
    for overlap in overlaps:
        source_id = source_of.get(overlap.document_id)
        if source_id and source_id not in best and _share(overlap) >= _WORTH_SAYING:
            best[source_id] = overlap
    ordered = sorted(best.items(), key=lambda pair: -_share(pair[1]))
    return [(source_id, _text_words(overlap)) for source_id, overlap in ordered]


def _share(overlap: Overlap) -> float:
    return max(overlap.shared / max(1, overlap.of_new), overlap.shared / max(1, overlap.of_old))


_MUCH = "most of its text stands there"


def _text_words(overlap: Overlap) -> str:
    counted = f"{overlap.shared} of {overlap.of_new} sentences"
    return f"{_MUCH} ({counted})" if _share(overlap) >= _KINDRED else f"{counted} stand there too"


def _compels(reason: str) -> bool:
    """Whether a reason is strong enough to choose the source before a person did."""
    return bool(reason) and ("sentences stand there too" not in reason or ";" in reason)
