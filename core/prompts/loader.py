"""Loads the prompt of a stage from its file."""

from __future__ import annotations

import hashlib
import tomllib
from functools import lru_cache
from pathlib import Path

from core.models.base import Model

_FOLDER = Path(__file__).parent


class PromptQuestion(Model):
    """One question put to a model, and what counts as yes and as no."""

    name: str
    instructions: str
    yes: str
    no: str


class StagePrompt(Model):
    """Everything said to a model at one stage. ``fingerprint`` changes with any word of it."""

    stage: str
    fingerprint: str
    system: str
    task: str
    data: str
    questions: tuple[PromptQuestion, ...]

    def rubric(self) -> str:
        """System words and questions as one text: the same for every request, so it is cached."""
        asked = "\n\n".join(
            f'"{q.name}": {q.instructions}\nTowards 1: {q.yes}\nTowards 0: {q.no}'
            for q in self.questions
        )
        return f"{self.system}\n\n{asked}\n\n{self.task}"


@lru_cache
def load_prompt(stage: str) -> StagePrompt:
    """The prompt in ``<stage>.toml`` beside this module."""
    raw = (_FOLDER / f"{stage}.toml").read_bytes()
    read = tomllib.loads(raw.decode("utf-8"))
    questions = tuple(
        PromptQuestion(name=name, **{key: words.strip() for key, words in asked.items()})
        for name, asked in read["questions"].items()
    )
    return StagePrompt(
        stage=stage,
        fingerprint=hashlib.sha256(raw).hexdigest()[:12],
        system=read["system"].strip(),
        task=read["task"].strip(),
        data=read["data"].strip(),
        questions=questions,
    )
