"""Draws the growth of cost with the number of passages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("agg")  # no screen needed; before pyplot is imported

from matplotlib import pyplot as plt

from core.errors import BadInput

Point = tuple[int, dict[str, float]]
"""Number of passages, and a value for each line's name."""

_INK, _GRID, _PAPER = "#1a2024", "#dde2de", "#ffffff"
_COLOURS = ("#14625a", "#b3541e", "#3b5b92", "#8a5a83")
_MARKS = ("o", "s", "^", "D")


def draw_scaling(
    points: Sequence[Point], panels: Sequence[tuple[str, Sequence[str]]], path: Path
) -> None:
    """One log-log panel for each ``(unit, line names)``, as a PNG at ``path``.

    Raises ``BadInput`` for fewer than two sizes: there is no growth in one.
    """
    if len(points) < 2:
        raise BadInput("a plot of growth needs at least two sizes: raise --max-passages.")
    figure, axes = plt.subplots(
        1, len(panels), figsize=(5.2 * len(panels), 4.2), dpi=150, facecolor=_PAPER
    )
    for axis, (unit, names) in zip(axes, panels, strict=True):
        _panel(axis, points, unit, names)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, facecolor=_PAPER, metadata={"Software": None})
    plt.close(figure)


def _panel(axis: Any, points: Sequence[Point], unit: str, names: Sequence[str]) -> None:
    sizes = [size for size, _ in points]
    for number, name in enumerate(names):
        values = [values[name] for _, values in points]
        colour = _COLOURS[number % len(_COLOURS)]
        axis.plot(sizes, values, marker=_MARKS[number % len(_MARKS)], color=colour, label=name)
        axis.annotate(
            f"{values[-1]:,.0f}",
            (sizes[-1], values[-1]),
            xytext=(6, 0),
            textcoords="offset points",
            color=colour,
            va="center",
        )
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlim(sizes[0] * 0.7, sizes[-1] * 2.4)
    axis.set_xlabel("passages", color=_INK)
    axis.set_title(unit, color=_INK, loc="left", fontsize=11)
    axis.set_facecolor(_PAPER)
    axis.grid(visible=True, which="major", color=_GRID, linewidth=0.8)
    axis.tick_params(colors=_INK)
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}")
    for spine in axis.spines.values():
        spine.set_color(_GRID)
    axis.legend(frameon=False, fontsize=9, labelcolor=_INK)
