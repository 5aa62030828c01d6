"""What the loop's bench found: figures with their aims, set by set, as tables and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from pydantic import Field

from core.evaluation.bench_tables import aligned
from core.models.base import Model

Unit = Literal["share", "points", "count", "ms"]


class LoopFigure(Model):
    """One figure, and what it should be. ``value`` is ``None`` where nothing could be counted.

    ``direction`` says on which side of ``aim`` it should lie; without an aim it is only reported.
    ``n`` is what it was counted over. ``published`` is a figure of somebody else on the same set,
    ``published_by`` whose. Shares are 0..1; ``points`` are hundredths of a share.
    """

    name: str
    value: float | None
    aim: float | None = None
    direction: Literal["≥", "≤", "<"] = "≥"
    n: int = 0
    note: str = ""
    unit: Unit = "share"
    published: float | None = None
    published_by: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the aim is reached; ``None`` where there is no aim. No value is a miss."""
        if self.aim is None:
            return None
        if self.value is None:
            return False
        if self.direction == "≥":
            return self.value >= self.aim
        return self.value <= self.aim if self.direction == "≤" else self.value < self.aim

    def shown(self, value: float | None) -> str:
        """A value of this figure as tables write it."""
        if value is None:
            return "–"
        if self.unit == "share":
            return f"{100 * value:.1f} %"
        if self.unit == "ms":
            return f"{value:,.0f} ms"
        return f"{value:.1f}" if self.unit == "points" else f"{value:g}"

    def aim_words(self) -> str:
        """``≥ 70.0 %, met``; empty without an aim."""
        if self.aim is None:
            return ""
        return f"{self.direction} {self.shown(self.aim)}, {'met' if self.met else 'missed'}"


class SetReport(Protocol):
    """What ``run_<set>`` returns: a model that knows its figures and its own table."""

    def figures(self) -> tuple[LoopFigure, ...]:
        """The figures the set is measured for."""
        ...

    def table(self) -> str:
        """The whole finding for a terminal."""
        ...


class LoopSection(Model):
    """One set: its figures and its own table, or in ``skipped`` why it was not measured."""

    name: str
    figures: tuple[LoopFigure, ...] = ()
    text: str = ""
    seconds: float = 0.0
    skipped: str = ""


class LoopReport(Model):
    """All sets of one run, on which machine (facts by name), from which data, on which day."""

    sections: tuple[LoopSection, ...]
    machine: dict[str, str] = Field(default_factory=dict)
    data: str = ""
    date: str = ""
    quick: bool = False

    def aims(self) -> tuple[LoopFigure, ...]:
        """The figures that have an aim, met or not."""
        return tuple(f for s in self.sections for f in s.figures if f.aim is not None)

    def table(self) -> str:
        """The figures with an aim first, then the others, then each set's own table."""
        parts = [self._head(), self._aims(), self._reported()]
        parts += [f"-- {s.name} ({s.seconds:.0f} s)\n{s.text}" for s in self.sections if s.text]
        parts.append(
            "\n".join(f"skipped: {s.name}: {s.skipped}" for s in self.sections if s.skipped)
        )
        return "\n\n".join(part for part in parts if part)

    def _head(self) -> str:
        sample = ", a sample of each set" if self.quick else ""
        return f"the loop, local, measured {self.date}{sample}" if self.date else ""

    def _aims(self) -> str:
        wanted = self.aims()
        if not wanted:
            return ""
        met = sum(bool(figure.met) for figure in wanted)
        head = (f"aims: {met} of {len(wanted)} met", "n", "figure", "aim", "published", "")
        return aligned(head, self._rows(with_aim=True), left=(0, 5))

    def _reported(self) -> str:
        rows = self._rows(with_aim=False)
        head = ("reported, without an aim", "n", "figure", "", "published", "")
        return aligned(head, rows, left=(0, 5)) if rows else ""

    def _rows(self, *, with_aim: bool) -> list[Sequence[str]]:
        return [
            (
                f"{section.name}: {figure.name}",
                str(figure.n),
                figure.shown(figure.value),
                figure.aim_words(),
                _published(figure),
                figure.note,
            )
            for section in self.sections
            for figure in section.figures
            if (figure.aim is not None) == with_aim
        ]


def _published(figure: LoopFigure) -> str:
    if figure.published is None:
        return ""
    by = f" ({figure.published_by})" if figure.published_by else ""
    return f"{figure.shown(figure.published)}{by}"
