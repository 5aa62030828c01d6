"""The golden set: questions with what a right answer must and must not hold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator

from core.errors import BadSource
from core.models.access import Role
from core.models.base import Model
from core.models.draft import AnswerStatus
from core.models.request import Language, OutputForm

Difficulty = Literal["EASY", "MEDIUM", "HARD", "EXTREME"]
DIFFICULTIES: tuple[Difficulty, ...] = ("EASY", "MEDIUM", "HARD", "EXTREME")
GoldenKind = Literal[
    "answer",
    "table",
    "conflict",
    "premise",
    "stale",
    "past_date",
    "records",
    "case_file",
    "denied",
    "injected",
    "abstain",
    "ambiguous",
    "out_of_scope",
    "chinese",
    "candidate",
]


class GoldCitation(Model):
    """Where one dimension's value must come from. The location is a permanent link or row key."""

    dimension: str
    should_come_from_source_location: str
    expected_value_or_range: str


class AnswerOutline(Model):
    """What an acceptable answer says and leaves unsaid, in words for a person."""

    must_say: tuple[str, ...] = ()
    must_not_say: tuple[str, ...] = ()


class GoldenCase(Model):
    """One question of the golden set.

    ``required_facts`` must stand in the answer and ``forbidden_facts`` must not (both compared
    without regard to case and spacing); ``gold_sources`` are document ids or record row keys that
    retrieval must find. ``acceptable_statuses`` lists every status that counts as right and holds
    ``expected_status``. ``role`` is who asks.
    """

    query_id: str
    question: str = Field(min_length=1)
    difficulty_level: Difficulty
    kind: GoldenKind = "answer"
    must_answer_dimensions: tuple[str, ...] = ()
    gold_citations: tuple[GoldCitation, ...] = ()
    acceptable_answer_outline: AnswerOutline = AnswerOutline()
    common_hallucinations_to_watch: tuple[str, ...] = ()
    expected_status: AnswerStatus
    acceptable_statuses: tuple[AnswerStatus, ...] = ()
    language: Language = "en"
    as_of_date: date | None = None
    role: Role = "agent"
    required_facts: tuple[str, ...] = ()
    forbidden_facts: tuple[str, ...] = ()
    gold_sources: tuple[str, ...] = ()
    output_form: OutputForm = "chat_reply"
    case_id: str | None = None

    @model_validator(mode="after")
    def _nothing_both_required_and_forbidden(self) -> GoldenCase:
        if both := set(self.required_facts) & set(self.forbidden_facts):
            raise ValueError(f"required and forbidden at once: {sorted(both)}")
        if self.acceptable_statuses and self.expected_status not in self.acceptable_statuses:
            raise ValueError("acceptable_statuses must hold expected_status")
        return self

    def accepts(self, status: AnswerStatus) -> bool:
        """Whether ``status`` counts as right."""
        return status in (self.acceptable_statuses or (self.expected_status,))


def load_golden(path: Path) -> tuple[GoldenCase, ...]:
    """The rows of a JSONL file in order. Raises ``BadSource`` naming the line that is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(str(path), f"cannot be read ({error}).", "Give a UTF-8 file.") from error
    rows: list[GoldenCase] = []
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        row = _row(f"{path}:{number}", line)
        if row.query_id in seen:
            raise BadSource(f"{path}:{number}", f"query_id {row.query_id!r} appears twice.")
        seen.add(row.query_id)
        rows.append(row)
    return tuple(rows)


def golden_lines(rows: Iterable[GoldenCase]) -> str:
    """The rows as JSONL, ready to be read by ``load_golden`` again."""
    return "".join(
        json.dumps(row.model_dump(mode="json"), ensure_ascii=False) + "\n" for row in rows
    )


def pick(rows: Sequence[GoldenCase], wanted: Sequence[str]) -> tuple[GoldenCase, ...]:
    """Rows whose id, kind, difficulty or language is among ``wanted``; all without any."""
    if not wanted:
        return tuple(rows)
    keys = {word.lower() for word in wanted}
    return tuple(
        row
        for row in rows
        if keys & {row.query_id.lower(), row.kind, row.difficulty_level.lower(), row.language}
    )


def _row(where: str, line: str) -> GoldenCase:
    try:
        return GoldenCase.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "row"
        raise BadSource(where, f"{field}: {first['msg']}.") from error
