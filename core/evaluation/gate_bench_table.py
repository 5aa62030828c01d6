"""The gate's report as text: the aims first, then every figure, routes, reliability and speed."""

from __future__ import annotations

from collections.abc import Iterator

from core.evaluation import gate_bench_aims as aims
from core.evaluation.bench_tables import aligned
from core.evaluation.gate_bench_aims import short
from core.evaluation.gate_bench_models import (
    QUESTIONS,
    Aim,
    GateFigure,
    GateReport,
    GateSpeed,
)
from core.evaluation.gate_metrics import Estimate
from core.models.evidence import GateQuestion, GateThresholds

_TITLES: dict[GateQuestion, str] = {
    "injection": "tries to instruct the model",
    "contradicts": "contradicts the query's premise",
    "relevant": "is relevant",
    "evidence": "states usable evidence",
}
_THRESHOLDS: dict[GateQuestion, str] = {
    "injection": "injection_max",
    "contradicts": "contradicts_min",
    "relevant": "relevant_min",
    "evidence": "evidence_min",
}
_COLUMNS = (
    (aims.AUROC, "AUROC"),
    (aims.AT_FIXED_RATE, "recall at ≤ 2 % FA"),
    (aims.RECALL, "recall"),
    (aims.LOST, "lost"),
    (aims.ALARMS, "false alarms"),
    (aims.BALANCED, "bal. acc."),
    (aims.BEST_BALANCED, "at best cut"),
)
_FEW = 12
"""Details of a set that are written out; the rest is in the JSON file."""


def gate_text(report: GateReport) -> str:
    """The whole report for a terminal."""
    parts = [_head(report), _aims(report), _sets(report)]
    parts += [_figures(report, question) for question in QUESTIONS if _has(report, question)]
    parts += [_pooled(report), _routes(report), *_details(report), _reliability(report)]
    if report.speed is not None:
        parts.append(speed_text(report.speed))
    parts.append(
        "\n".join([*report.baselines.values(), *(f"skipped: {r}" for r in report.skipped)])
    )
    return "\n\n".join(part for part in parts if part)


def speed_text(speed: GateSpeed) -> str:
    """Times by number of pairs, and memory."""
    head = (f"pairs of about {speed.words} words", "runs", "p50 ms", "p95 ms", "cpu ms", "aim")
    rows = (
        (
            f"{row.pairs}, {_STATES[row.state]}",
            str(row.runs),
            f"{row.ms_p50:,.0f}",
            f"{row.ms_p95:,.0f}",
            f"{row.cpu_ms_p50:,.0f}",
            _aim(row.aim),
        )
        for row in speed.rows
    )
    memory = (
        f"memory: {speed.memory_mb:,.0f} MB held after all runs, {speed.memory_peak_mb:,.0f} MB at "
        f"the peak, {speed.before_mb:,.0f} MB before the gate was opened"
    )
    return f"{aligned(head, rows)}\n{memory}"


_STATES = {"cold": "first call, loading", "new": "new passages, warm", "again": "the same again"}


def _head(report: GateReport) -> str:
    t = report.thresholds
    return (
        f"{report.model}, at the shipped thresholds: injection > {short(t.injection_max)}, "
        f"contradicts > {short(t.contradicts_min)}, relevant < {short(t.relevant_min)}, "
        f"evidence > {short(t.evidence_min)}\n"
        "only rows never fitted on; in brackets 95 % intervals, drawn by question, claim or "
        "document"
    )


def _aims(report: GateReport) -> str:
    wanted: list[tuple[str, str, Aim]] = [
        (f"{figure.question}, {figure.dataset}: {figure.measure}", _cell(figure.found), figure.aim)
        for figure in report.aims()
        if figure.aim is not None
    ]
    if report.speed is not None:
        wanted += [
            (f"{row.pairs} pairs of new passages, warm", f"{row.ms_p50:,.0f} ms", row.aim)
            for row in report.speed.rows
            if row.aim is not None
        ]
    if not wanted:
        return ""
    met = sum(aim.met for _, _, aim in wanted)
    head = (f"aims: {met} of {len(wanted)} met", "figure", "aim")
    return aligned(head, ((name, cell, _aim(aim)) for name, cell, aim in wanted))


def _sets(report: GateReport) -> str:
    head = ("set", "rows", "groups", "seconds", "")
    rows = (
        (
            f"{one.name} (Chinese)" if one.language == "zh" else one.name,
            str(one.rows),
            str(one.groups),
            f"{one.seconds:.1f}",
            _remark(one.status, one.note, one.unjudged),
        )
        for one in report.sets
    )
    return aligned(head, rows, left=(0, 4))


def _remark(status: str, note: str, unjudged: int) -> str:
    parts = [] if status == "ready" else [status]
    parts += [f"{unjudged} could not be judged"] if unjudged else []
    return "; ".join([*parts, note] if note else parts)


def _has(report: GateReport, question: GateQuestion) -> bool:
    return any(figure.question == question for figure in report.figures)


def _figures(report: GateReport, question: GateQuestion) -> str:
    """One line a set and system, one column a measure."""
    chosen = [f for f in report.figures if f.question == question and f.measure in dict(_COLUMNS)]
    shown = [(name, head) for name, head in _COLUMNS if any(f.measure == name for f in chosen)]
    threshold = _threshold(report.thresholds, question)
    title = f"{question}: {_TITLES[question]} (at {threshold})"
    rows = []
    for dataset, language in dict.fromkeys((f.dataset, f.language) for f in chosen):
        of_set = [f for f in chosen if (f.dataset, f.language) == (dataset, language)]
        name = f"{dataset} (Chinese)" if language == "zh" else dataset
        for at, system in enumerate(dict.fromkeys(f.system for f in of_set)):
            found = {f.measure: f.found for f in of_set if f.system == system}
            cells = [_cell(found.get(measure)) for measure, _ in shown]
            rows.append((name if at == 0 else "", system, *cells))
    return aligned((title, "", *(head for _, head in shown)), rows, left=(0, 1))


def _threshold(thresholds: GateThresholds, question: GateQuestion) -> str:
    return f"{_THRESHOLDS[question]} {short(float(getattr(thresholds, _THRESHOLDS[question])))}"


def _pooled(report: GateReport) -> str:
    known = {name for name, _ in _COLUMNS} | {aims.ECE}
    chosen = [figure for figure in report.figures if figure.measure not in known]
    rows = (
        (f"{f.question}, {f.dataset}: {f.measure}", str(f.rows), _cell(f.found), _aim(f.aim))
        for f in chosen
    )
    return aligned(("over whole questions and several sets", "rows", "figure", "aim"), rows)


def _routes(report: GateReport) -> str:
    head = ("routes", "", "included", "conflict", "excluded")
    rows = (
        (row.dataset, row.kind, str(row.include), str(row.conflict), str(row.exclude))
        for row in report.routes
    )
    return aligned(head, rows, left=(0, 1))


def _details(report: GateReport) -> Iterator[str]:
    """The kinds of which least was caught, set by set."""
    for dataset in dict.fromkeys(row.dataset for row in report.details):
        rows = [row for row in report.details if row.dataset == dataset]
        rows.sort(key=lambda row: (row.caught / row.rows, -row.rows))
        told = ", ".join(f"{row.detail} {row.caught}/{row.rows}" for row in rows[:_FEW])
        more = f" and {len(rows) - _FEW} more" if len(rows) > _FEW else ""
        yield f"caught in {dataset}, worst first: {told}{more}"


def _reliability(report: GateReport) -> str:
    head = ("expected calibration error", "rows", "ECE", "aim", "set by set")
    errors = {f.question: f for f in report.figures if f.measure == aims.ECE}
    rows = []
    for question, curve in report.calibration.questions.items():
        sets = ", ".join(f"{name} {short(one.ece, 3)}" for name, one in curve.sets.items())
        figure: GateFigure = errors[question]
        rows.append((question, str(curve.rows), _cell(figure.found), _aim(figure.aim), sets))
    return aligned(head, rows, left=(0, 4)) if rows else ""


def _cell(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return f"{short(found.value, 3)} ({short(found.low)}–{short(found.high)})"


def _aim(aim: Aim | None) -> str:
    return "" if aim is None else f"{aim.text} {'met' if aim.met else 'NOT MET'}"
