"""Ways to say one thing, and who says so."""

from __future__ import annotations

from typing import Literal

from pydantic import field_validator

from core.models.base import Model

WordOrigin = Literal["glossary", "corpus", "built_in"]


class OtherWords(Model):
    """Two or more ways to say one thing, each once.

    ``origin`` is the company's own glossary, its documents, or the general table; ``document_id``
    is the version that the company's own stand in.
    """

    words: tuple[str, ...]
    origin: WordOrigin = "corpus"
    document_id: str = ""

    @field_validator("words")
    @classmethod
    def _at_least_two(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if len({word.casefold() for word in words}) != len(words) or len(words) < 2:
            raise ValueError("give at least two ways to say it, each once")
        return words
