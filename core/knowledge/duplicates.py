"""What owners should know of texts that stand in several sources: copies, and near copies.

The telling ones say the same but for a value: "45 days" here, "60 days" there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, get_args

from core.identity.access import may_read
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.source import Authority, Governance, Passage
from core.text.fingerprint import written_tokens
from core.text.minhash import alike_pairs, frame_runs
from core.text.near_duplicates import ALIKE, Likeness, differences, likeness, text_key

DuplicateKind = Literal["differs_in_values", "reworded", "nearly_same", "same"]

MOST_GROUPS = 200
_SHOWN = 400  # characters of a passage
_DIFFERENCES = 6
_NAMED = 3
_BRIEF = 60  # characters of one side of a difference
_KINDS: tuple[DuplicateKind, ...] = get_args(DuplicateKind)
_GOVERNED = tuple(set(Governance.model_fields) & set(EvidenceCandidate.model_fields))
_AUTHORITIES: tuple[str, ...] = get_args(Authority)


class DuplicatePlace(Model):
    """Where a text stands."""

    chunk_id: str
    document_id: str
    source_id: str
    title: str
    version: str
    owner: str
    authority: Authority
    heading_path: tuple[str, ...]
    page: int | None


class DuplicateWording(Model):
    """One wording, everywhere it stands, and how it departs from the first wording of its group.

    Each difference is what the first one says and what this one says in its place, empty where one
    of them says nothing. ``text`` is cut to its beginning.
    """

    text: str
    places: tuple[DuplicatePlace, ...]
    kind: DuplicateKind
    differences: tuple[tuple[str, str], ...] = ()


class DuplicateGroup(Model):
    """Texts of two or more sources that say the same, or nearly; the highest authority first."""

    kind: DuplicateKind
    words: str
    wordings: tuple[DuplicateWording, ...]

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of its sources, each once."""
        ids = [place.source_id for wording in self.wordings for place in wording.places]
        return tuple(dict.fromkeys(ids))


def duplicate_groups(
    passages: Iterable[Passage], context: SecurityContext, *, limit: int = MOST_GROUPS
) -> tuple[DuplicateGroup, ...]:
    """Groups of passages in force that stand in several sources, those that differ in values first.

    Only what the viewer may read is looked at: nothing else is shown, counted or hinted at.
    Versions of one source are no duplicates of each other. At most ``limit`` groups.
    """
    readable = [
        passage
        for passage in passages
        if passage.governance.status == "active"
        and may_read(context, passage.tenant_id, passage.governance)
    ]
    readable.sort(key=_precedence)
    wordings = _by_wording(readable)
    firsts = [places[0] for places in wordings]
    neighbours = _neighbours(firsts)
    found = [
        group
        for leader, members in _led(firsts, neighbours)
        if (group := _group(wordings, leader, members)) is not None
    ]
    found.sort(key=lambda group: (_KINDS.index(group.kind), -len(group.sources)))
    return tuple(found[:limit])


def passage_from(candidate: EvidenceCandidate) -> Passage:
    """A passage as the index returns it, in the form that ``duplicate_groups`` takes."""
    shared = {key: getattr(candidate, key) for key in _GOVERNED}
    return Passage(
        chunk_id=candidate.chunk_id,
        document_id=candidate.document_id,
        source_id=candidate.source_id,
        tenant_id=candidate.tenant_id,
        ordinal=0,
        text=candidate.text,
        context="",
        title=candidate.source_title,
        heading_path=candidate.heading_path,
        char_start=candidate.char_start,
        char_end=candidate.char_end,
        page_start=candidate.page_start,
        page_end=candidate.page_end,
        content_hash="",
        text_key=candidate.text_key or text_key(candidate.text),
        governance=Governance.model_validate(shared),
    )


def _precedence(passage: Passage) -> tuple[object, ...]:
    governance = passage.governance
    return (
        _AUTHORITIES.index(governance.authority),
        not governance.signed,
        passage.source_id,
        passage.document_id,
        passage.char_start,
    )


def _by_wording(passages: Sequence[Passage]) -> list[list[Passage]]:
    by_key: dict[str, list[Passage]] = defaultdict(list)
    for passage in passages:
        if passage.text_key:
            by_key[passage.text_key].append(passage)
    return list(by_key.values())


def _neighbours(firsts: Sequence[Passage]) -> Mapping[int, list[int]]:
    near: dict[int, list[int]] = defaultdict(list)
    runs = [frame_runs(passage.text) for passage in firsts]
    for left, right, _ in alike_pairs(runs, least=ALIKE):
        near[left].append(right)
        near[right].append(left)
    return near


def _led(
    firsts: Sequence[Passage], near: Mapping[int, list[int]]
) -> Iterator[tuple[int, list[tuple[int, Likeness]]]]:
    """Each wording once, under the most authoritative one that it is like."""
    taken: set[int] = set()
    for leader, first in enumerate(firsts):
        if leader in taken:
            continue
        taken.add(leader)
        members: list[tuple[int, Likeness]] = []
        for other in sorted(near.get(leader, ())):
            if other in taken:
                continue
            alike = _likeness(first.text, firsts[other].text)
            if alike != "different":
                taken.add(other)
                members.append((other, alike))
        yield leader, members


def _likeness(a: str, b: str) -> Likeness:
    """As ``likeness``, without its costly reading of values where the figures already differ."""
    figures = [[t for t in written_tokens(text) if any(map(str.isdigit, t))] for text in (a, b)]
    if figures[0] != figures[1] and len(figures[0]) == len(figures[1]):
        near = likeness(a, b) if len(a) < _SHOWN else "differs_in_values"
        return near if near != "different" else "differs_in_values"
    return likeness(a, b)


def _group(
    wordings: Sequence[Sequence[Passage]], leader: int, members: Sequence[tuple[int, Likeness]]
) -> DuplicateGroup | None:
    first = wordings[leader]
    home = {passage.source_id for passage in first}
    shown = [_wording(first, "same", ())]
    for other, alike in members:
        if {passage.source_id for passage in wordings[other]} == home and len(home) == 1:
            continue  # a version of the same source, or the same page twice
        parts = differences(first[0].text, wordings[other][0].text)[:_DIFFERENCES]
        shown.append(_wording(wordings[other], _kind(alike), parts))
    group = DuplicateGroup(
        kind=min((w.kind for w in shown), key=_KINDS.index), words="", wordings=tuple(shown)
    )
    if len(group.sources) < 2:
        return None
    return group.model_copy(update={"words": _words(group)})


def _kind(alike: Likeness) -> DuplicateKind:
    return "reworded" if alike == "different" else alike


def _wording(
    passages: Sequence[Passage], kind: DuplicateKind, parts: Sequence[tuple[str, str]]
) -> DuplicateWording:
    return DuplicateWording(
        text=passages[0].text[:_SHOWN],
        places=tuple(_place(passage) for passage in passages),
        kind=kind,
        differences=tuple((left, right) for left, right in parts),
    )


def _place(passage: Passage) -> DuplicatePlace:
    return DuplicatePlace(
        chunk_id=passage.chunk_id,
        document_id=passage.document_id,
        source_id=passage.source_id,
        title=passage.title,
        version=passage.governance.version,
        owner=passage.governance.owner,
        authority=passage.governance.authority,
        heading_path=passage.heading_path,
        page=passage.page_start,
    )


def _words(group: DuplicateGroup) -> str:
    """The group in a sentence, such as ``2 sources differ only in: 45 days / 60 days``."""
    count = f"{len(group.sources)} sources"
    if group.kind == "same":
        return f"{count} hold the same text"
    if group.kind == "nearly_same":
        return f"{count} say the same in nearly the same words"
    told = [w for w in group.wordings if w.kind == group.kind]
    pairs = dict.fromkeys(
        f"{_brief(a)} / {_brief(b)}" for wording in told for a, b in wording.differences
    )
    listed = "; ".join(list(pairs)[:_NAMED]) + ("; …" if len(pairs) > _NAMED else "")
    few = group.kind == "differs_in_values" and len(pairs) <= _NAMED
    if group.kind == "reworded":
        return f"{count} say the same in other words: {listed}"
    return (
        f"{count} differ only in: {listed}" if few else f"{count} differ, among else in: {listed}"
    )


def _brief(said: str) -> str:
    return f"{said[:_BRIEF].rstrip()}…" if len(said) > _BRIEF else said or "nothing"
