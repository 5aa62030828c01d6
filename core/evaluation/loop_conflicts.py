"""Measures the conflict finder alone: does it see that passages state two values, and which?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.evaluation.loop_report import LoopFigure
from core.models.base import Model
from core.text.answer_values import find_value_conflicts
from core.text.same_value import same_value

VERSIONS = "basecamp_policies"


class ConflictTally(Model):
    """``flagged`` rows, of which ``right`` truly state two values; ``real`` do. ``named`` of
    ``values`` stated in those are named."""

    group: str
    rows: int
    flagged: int
    right: int
    real: int
    named: int
    values: int

    def figures(self) -> tuple[LoopFigure, ...]:
        """Precision and recall of "two or more values", recall of the values."""
        return (
            _figure(f"conflict finder, precision ({self.group})", self.right, self.flagged),
            _figure(f"conflict finder, recall ({self.group})", self.right, self.real),
            _figure(f"conflict finder, values named ({self.group})", self.named, self.values),
        )

    def words(self) -> str:
        """The tally in one line."""
        shown = [figure.shown(figure.value) for figure in self.figures()]
        return (
            f"conflict finder, {self.group}: precision {shown[0]}, recall {shown[1]}, "
            f"values named {shown[2]} ({self.rows} rows)"
        )


class VersionConflicts(Model):
    """Changed paragraphs of real policies: pairs ``seen`` of ``pairs``, copies falsely flagged."""

    pairs: int = 0
    seen: int = 0
    both_named: int = 0
    copies: int = 0
    false_alarms: int = 0
    skipped: str = ""

    def figures(self) -> tuple[LoopFigure, ...]:
        """Changed values seen; copies of one version flagged."""
        if self.skipped:
            return ()
        return (
            LoopFigure(
                name="conflict: changed values seen, both named",
                value=self.both_named / self.pairs if self.pairs else None,
                aim=1.0,
                n=self.pairs,
            ),
            LoopFigure(
                name="conflict: copies of one version flagged",
                value=self.false_alarms / self.copies if self.copies else None,
                aim=0.0,
                direction="≤",
                n=self.copies,
            ),
        )

    def table(self) -> str:
        """Both counts in a line."""
        return self.skipped or (
            f"changed values: {self.both_named} of {self.pairs} seen with both values; "
            f"copies flagged: {self.false_alarms} of {self.copies}"
        )


def conflict_tally(group: str, rows: Sequence[dict[str, Any]]) -> ConflictTally:
    """Run the finder over rows with ``query``, ``passages`` and the ``values`` they state."""
    flagged = right = real = named = values = 0
    for row in rows:
        found = find_value_conflicts(row["query"], [(p["id"], p["text"]) for p in row["passages"]])
        disagree = len(row["values"]) >= 2
        flagged += bool(found)
        real += disagree
        right += bool(found) and disagree
        if disagree:
            values += len(row["values"])
            named += sum(any(same_value(v, g.value) for g in found) for v in row["values"])
    return ConflictTally(
        group=group,
        rows=len(rows),
        flagged=flagged,
        right=right,
        real=real,
        named=named,
        values=values,
    )


def run_version_conflicts(data: Path, *, copies: int = 60) -> VersionConflicts:
    """Old beside new paragraph must be flagged, a current policy beside itself never.

    The question is what the paragraph is about, its title; nothing in it hints at the value.
    """
    folder = data / VERSIONS
    if not (folder / "changed_values.jsonl").is_file():
        return VersionConflicts(skipped=f"skipped: {VERSIONS} is not in {data}")
    changed = _lines(folder / "changed_values.jsonl")
    seen = both = 0
    for row in changed:
        texts = [("old", row["old"]["text"]), ("new", row["new"]["text"])]
        found = find_value_conflicts(row["title"], texts)
        seen += bool(found)
        both += all(
            any(same_value(value, g.value) for g in found)
            for side in row["values"]
            for value in side
        )
    same = _lines(folder / "corpus.jsonl")[:copies]
    alarms = sum(
        bool(find_value_conflicts(row["title"], [("a", row["text"]), ("b", row["text"])]))
        for row in same
    )
    return VersionConflicts(
        pairs=len(changed), seen=seen, both_named=both, copies=len(same), false_alarms=alarms
    )


def _figure(name: str, part: int, whole: int) -> LoopFigure:
    return LoopFigure(name=name, value=part / whole if whole else None, n=whole)


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as stream:
        return [json.loads(line) for line in stream if line.strip()]
