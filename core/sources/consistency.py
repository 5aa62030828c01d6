"""Whether the index holds what the registry says it should, and making it so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.models.index import Consistency, Repair
from core.ports import TokenCounter
from core.sources.chunk import chunk
from core.sources.intake import IntakeIndex, IntakeRegistry

Contents = tuple[Mapping[str, int], Sequence[str]]
"""How many passages each document has in the index, and which have some twice."""

_TOGETHER = 50


def compare(registry: IntakeRegistry, contents: Contents) -> Consistency:
    """Where the two disagree. Hold the writer's lock, or an ingest under way looks unfinished."""
    passages, doubled = contents
    states = registry.states()
    live = {state.document_id for state in states if not state.withdrawn}
    return Consistency(
        documents=len(live),
        orphaned=tuple(sorted(name for name in passages if name not in live)),
        missing=tuple(
            s.document_id
            for s in states
            if s.document_id in live and s.indexed and s.document_id not in passages
        ),
        unfinished=tuple(s.document_id for s in states if s.document_id in live and not s.indexed),
        doubled=tuple(name for name in doubled if name in live),
    )


def repair(
    registry: IntakeRegistry,
    index: IntakeIndex,
    contents: Callable[[], Contents],
    tokens: TokenCounter | None = None,
) -> Repair:
    """Take out what is orphaned, and write again what is missing, unfinished or doubled."""
    with index.writing():
        before = compare(registry, contents())
        for name in before.orphaned:
            index.remove_document(name)
        again = dict.fromkeys((*before.missing, *before.unfinished, *before.doubled))
        for name in before.doubled:
            index.remove_document(name)
        names = list(again)
        for start in range(0, len(names), _TOGETHER):
            _write(registry, index, names[start : start + _TOGETHER], tokens)
        after = compare(registry, contents())
    return Repair(before=before, after=after, removed=len(before.orphaned), indexed=len(again))


def _write(
    registry: IntakeRegistry,
    index: IntakeIndex,
    names: Sequence[str],
    tokens: TokenCounter | None,
) -> None:
    stored = [document for name in names if (document := registry.get(name)) is not None]
    index.replace_documents([(d.document_id, chunk(d, tokens)) for d in stored])
    registry.mark_indexed([d.document_id for d in stored], index.version())
