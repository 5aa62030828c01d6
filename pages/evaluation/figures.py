"""The measures of a run in words and columns, the same wherever they are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.evaluation.golden_metrics import GoldenSummary
from core.models.base import Model
from pages.components.cards import table
from pages.components.untrusted import Html, Piece, el, join

NOTHING = "–"


class Measure(Model):
    """One measure: its names, its unit, and whether more of it is better."""

    field: str
    name: str
    short: str
    unit: str
    more_is_better: bool = True
    means: str


MEASURES = (
    Measure(
        field="passed",
        name="Passed",
        short="Passed",
        unit="share",
        means="status right, all facts, nothing forbidden, no citation wrong or missing, not stale",
    ),
    Measure(
        field="status_accuracy",
        name="Status right",
        short="Status",
        unit="share",
        means="the answer has a status that the row accepts",
    ),
    Measure(
        field="recall_at_5",
        name="Recall at 5",
        short="R@5",
        unit="ratio",
        means="share of the gold sources among the first five documents found",
    ),
    Measure(
        field="mrr",
        name="Reciprocal rank",
        short="MRR",
        unit="ratio",
        means="one divided by the rank of the first gold source, averaged",
    ),
    Measure(
        field="facts_present",
        name="Facts present",
        short="Facts",
        unit="share",
        means="required facts that stand in the answer",
    ),
    Measure(
        field="citation_precision",
        name="Citation precision",
        short="Cit. prec.",
        unit="share",
        means="cited documents that are gold sources",
    ),
    Measure(
        field="citation_coverage",
        name="Citation coverage",
        short="Cit. cov.",
        unit="share",
        means="factual sentences that carry a citation",
    ),
    Measure(
        field="forbidden_rows",
        name="Forbidden said",
        short="Forbidden",
        unit="count",
        more_is_better=False,
        means="answers that say what they must not",
    ),
    Measure(
        field="wrong_citation_rate",
        name="Wrong citations",
        short="Wrong",
        unit="share",
        more_is_better=False,
        means="citing answers with a quote not in its passage, or that does not bear its claim",
    ),
    Measure(
        field="missing_citation_rate",
        name="Missing citations",
        short="Missing",
        unit="share",
        more_is_better=False,
        means="answers with a factual sentence neither cited nor tagged as inference",
    ),
    Measure(
        field="stale_answer_rate",
        name="Stale answers",
        short="Stale",
        unit="share",
        more_is_better=False,
        means="answers that lean on a version not in force, or past review without a warning",
    ),
    Measure(
        field="p50_ms",
        name="Median time",
        short="p50 ms",
        unit="ms",
        more_is_better=False,
        means="half of the answers took no longer",
    ),
    Measure(
        field="p95_ms",
        name="95th percentile",
        short="p95 ms",
        unit="ms",
        more_is_better=False,
        means="nineteen of twenty answers took no longer",
    ),
)


def value_of(summary: GoldenSummary, measure: Measure) -> float | None:
    """The number behind a measure, or ``None`` where no row had it."""
    value = getattr(summary, measure.field)
    return None if value is None else float(value)


def said(value: float | None, measure: Measure) -> str:
    """A number as people read it: ``93%``, ``0.87``, ``3``, ``412``."""
    if value is None:
        return NOTHING
    if measure.unit == "share":
        return f"{value:.0%}"
    return f"{value:.2f}" if measure.unit == "ratio" else f"{value:,.0f}"


def tone_of(value: float | None, measure: Measure) -> str:
    """``bad`` for something that must not happen, ``good`` where all is as it should be."""
    if value is None or measure.unit == "ms":
        return ""
    if measure.more_is_better:
        return "good" if value >= 1 else ""
    return "good" if value == 0 else "bad"


def tiles(summary: GoldenSummary) -> Html:
    """The overall line as tiles, each with what it means on hover and below the table."""
    return el(
        "div",
        join(
            el(
                "div",
                el("div", measure.name, cls="cs-cap"),
                el(
                    "div",
                    said(value, measure) + (" ms" if measure.unit == "ms" and value else ""),
                    cls=f"cs-big cs-{tone_of(value, measure) or 'plain'}",
                ),
                cls="cs-tile",
                title=measure.means,
            )
            for measure in MEASURES
            for value in (value_of(summary, measure),)
        ),
        cls="cs-tiles",
    )


def groups(
    named: Sequence[tuple[str, Sequence[GoldenSummary]]], words: Callable[[str], str]
) -> Html:
    """One table with a heading row for each breakdown."""
    rows: list[tuple[Piece, ...]] = []
    for heading, summaries in named:
        rows.append((el("span", heading, cls="cs-cap"), *("" for _ in range(len(MEASURES) + 1))))
        rows += [_line(summary, words(summary.name)) for summary in summaries]
    return table(
        ("", "Rows", *(m.short for m in MEASURES)), rows, numbers=range(1, len(MEASURES) + 2)
    )


def meanings() -> Html:
    """What every measure means."""
    return table(("Measure", "Meaning"), ((m.name, m.means) for m in MEASURES))


def _line(summary: GoldenSummary, name: str) -> tuple[Piece, ...]:
    cells = [_cell(value_of(summary, measure), measure) for measure in MEASURES]
    return (name, str(summary.rows), *cells)


def _cell(value: float | None, measure: Measure) -> Piece:
    words = said(value, measure)
    return el("b", words, cls="cs-bad") if tone_of(value, measure) == "bad" else words
