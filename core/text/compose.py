"""Lays chosen units out as the body of a reply, each factual sentence with its marker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from core.models.draft import Citation
from core.models.evidence import Evidence, EvidencePackage
from core.text.choose import Choice, Option
from core.text.deadline import days_counted_from_purchase, deadline_sentence
from core.text.language import cjk_share
from core.text.markers import with_markers
from core.text.sentences import split_sentences
from core.text.similarity import overlap

_INLINE_ITEMS, _INLINE_WORDS = 8, 6
_MAX_ITEMS = 10
_ENDS = (".", "!", "?", "。", "！", "？", "”", '"', ":", "：", ";", "；")


class Line(NamedTuple):
    """A piece of the body: its text without marker, the claim it makes, the evidence for it.

    ``glue`` says how it joins what stands before: a new paragraph, a new line or a space.
    """

    text: str
    claim: str
    evidence_ids: tuple[str, ...]
    glue: str
    spans: tuple[tuple[str, int, int], ...] = ()
    """Exact source spans behind the claim, as (evidence id, start, end)."""


def lines_of(choices: Sequence[Choice], *, quoted: frozenset[str] = frozenset()) -> list[Line]:
    """The lines of ``choices``; evidence in ``quoted`` (past versions) in quotation marks."""
    lines: list[Line] = []
    for choice in choices:
        option = choice.option
        block = _block(option)
        if option.evidence_id in quoted:
            block = [(f"“{text}”" if claim else text, claim, glue) for text, claim, glue in block]
        for text, claim, glue in block:
            after_list = bool(lines) and lines[-1].glue == "\n"
            joined = "\n\n" if after_list and glue == " " else glue
            ids = (option.evidence_id,) if claim else ()
            span = ((option.evidence_id, option.unit.start, option.unit.end),) if claim else ()
            lines.append(Line(text, claim, ids, joined, span))
    return lines


def with_last_days(
    lines: Sequence[Line], purchases: Mapping[str, date], language: str
) -> list[Line]:
    """The lines, a period counted from the one recorded purchase followed by its last day.

    ``purchases`` are the days by the evidence id of the record that states them.
    """
    if len(purchases) != 1:
        return list(lines)
    ((record_id, day),) = purchases.items()
    out: list[Line] = []
    for line in lines:
        out.append(line)
        days = days_counted_from_purchase(line.claim)
        if days and len(line.evidence_ids) == 1:
            text = deadline_sentence(day, days, language)
            out.append(Line(text, text, (*line.evidence_ids, record_id), " ", line.spans))
    return out


def body(lines: Sequence[Line]) -> str:
    """The lines as Markdown with a marker behind each claim."""
    out = ""
    for line in lines:
        text = with_markers(line.text, line.evidence_ids)
        out += f"{line.glue if out else ''}{text}"
    return out


def citations_of(lines: Sequence[Line], package: EvidencePackage) -> tuple[Citation, ...]:
    """A citation for each line and evidence, its quote an exact span of the passage."""
    by_id = package.by_id()
    return tuple(
        _citation(line, by_id[evidence_id]) for line in lines for evidence_id in line.evidence_ids
    )


def _citation(line: Line, item: Evidence) -> Citation:
    candidate = item.candidate
    return Citation(
        claim=line.claim,
        evidence_id=item.evidence_id,
        source_id=candidate.source_id,
        chunk_id=candidate.chunk_id,
        page_start=candidate.page_start,
        page_end=candidate.page_end,
        quote=_quote(line, item.evidence_id, candidate.text),
    )


def _quote(line: Line, evidence_id: str, text: str) -> str:
    """The claim itself where the passage says it word for word, else the unit it was cut from."""
    if line.claim in text:
        return line.claim
    spans = [(start, end) for i, start, end in line.spans if i == evidence_id]
    if spans:
        return text[spans[0][0] : spans[0][1]]
    # A conclusion drawn from several sources: the sentence of this one that it speaks of most.
    sentences = split_sentences(text)
    nearest = max(sentences, key=lambda s: overlap(line.claim, s.text), default=None)
    return nearest.text if nearest else text


def _block(option: Option) -> list[tuple[str, str, str]]:
    """(text, claim, glue) of one unit; a lead-in makes no claim."""
    unit = option.unit
    if unit.kind == "steps":
        return _numbered(unit.lead, unit.items)
    if unit.kind == "list" and unit.items:
        return _listed(unit.lead, unit.items)
    text = ended(unit.prose)
    return [(text, text, " ")]


def _numbered(lead: str, items: Sequence[str]) -> list[tuple[str, str, str]]:
    rows = [(lead, "", "\n\n")] if lead else []
    for number, item in enumerate(items[:_MAX_ITEMS], start=1):
        text = ended(item)
        glue = "\n\n" if number == 1 and not lead else "\n"
        rows.append((f"{number}. {text}", text, glue))
    return rows


def _listed(lead: str, items: Sequence[str]) -> list[tuple[str, str, str]]:
    short = all(len(item.split()) <= _INLINE_WORDS for item in items)
    if lead and short and len(items) <= _INLINE_ITEMS and not cjk_share("".join(items)) > 0.3:
        text = ended(f"{lead} {', '.join(item.rstrip('.;,') for item in items)}")
        return [(text, text, " ")]
    rows = [(lead, "", "\n\n")] if lead else []
    for number, item in enumerate(items[:_MAX_ITEMS]):
        text = ended(item)
        rows.append((f"- {text}", text, "\n\n" if number == 0 and not lead else "\n"))
    return rows


def ended(text: str) -> str:
    """``text`` with a full stop where it ends without one."""
    text = text.rstrip(" ,，")
    if not text or text.endswith(_ENDS):
        return text
    return text + ("。" if cjk_share(text) > 0.3 else ".")
