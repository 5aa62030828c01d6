"""Bench results as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.evaluation.bench_sets import CHINESE_SETS
from core.evaluation.retrieval_bench import BenchReport, BenchRow, Comparison


def aligned(
    head: Sequence[str], rows: Iterable[Sequence[str]], *, left: Sequence[int] = (0,)
) -> str:
    """Columns under their heads; those at the places ``left`` to the left, all others right."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if place in left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def retrieval_text(report: BenchReport) -> str:
    """One table a set, then how the product stands against each peer and its own halves."""
    parts: list[str] = []
    for name in dict.fromkeys(row.dataset for row in report.rows):
        rows = [row for row in report.rows if row.dataset == name]
        parts.append(_set_table(rows))
        parts += [_comparison(c) for c in report.comparisons if c.dataset == name]
        if name in CHINESE_SETS:
            parts.append("  the encoder does not know Chinese: ours then answers by words alone")
        parts.append("")
    parts += [f"skipped: {reason}" for reason in report.skipped]
    parts += list(report.peers.values())
    return "\n".join(parts).rstrip()


def _set_table(rows: Sequence[BenchRow]) -> str:
    first = rows[0]
    head = (
        f"{first.dataset}: {first.documents} documents, {first.queries} questions",
        "pieces",
        "nDCG@10",
        "95 %",
        "R@5",
        "MRR",
        "p50 ms",
        "p95 ms",
    )
    return aligned(
        head,
        (
            (
                f"  {row.system}" if row.kind == "peer" else f"  ours: {row.system}",
                str(row.pieces),
                f"{row.ndcg_at_10:.3f}",
                f"{row.ndcg_low:.3f}-{row.ndcg_high:.3f}",
                f"{row.recall_at_5:.3f}",
                f"{row.mrr:.3f}",
                f"{row.ms_p50:.1f}",
                f"{row.ms_p95:.1f}",
            )
            for row in rows
        ),
    )


def _comparison(found: Comparison) -> str:
    return (
        f"  against {found.other}: {found.verdict} ({found.ours - found.theirs:+.3f} nDCG, "
        f"95 % {found.low:+.3f} to {found.high:+.3f}; R@5 "
        f"{found.recall_ours - found.recall_theirs:+.3f})"
    )
