"""What in a document speaks to a model instead of to its readers, found when it is taken in.

The whole input is looked at, before cleaning drops what no reader sees: a hidden line that never
reaches a passage still says that somebody meant harm, and the owner should know.
"""

from __future__ import annotations

from hashlib import blake2b

from core.models.base import Model
from core.models.source import DocumentVersion
from core.text.injection import CLEAR, Finding, find_instructions
from core.text.injection_kinds import OF_A_REQUEST
from core.text.sentences import split_sentences

_MOST = 5
_QUOTE = 400
_CROWD = 0.25
"""A text in which so many sentences ask something is a prompt or a form, no page with one order."""


class Instruction(Model):
    """One of them: the exact ``quote`` (its first 400 characters), where it stands in the input or
    the cleaned text, what it does, and how it was hidden (empty where it stands in sight)."""

    quote: str
    kind: str
    where: str = ""

    @property
    def words(self) -> str:
        """Kind and hiding place in one phrase."""
        return f"{self.where}; {self.kind}" if self.where else self.kind

    def name(self, document_id: str) -> str:
        """The same for the same quote in the same document, however often it is taken in."""
        told = "\0".join((document_id, self.quote, self.kind))
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def find_in(version: DocumentVersion) -> tuple[Instruction, ...]:
    """At most five, hidden ones first, each said once."""
    found = [*_clear(version.original_text)]
    if version.text not in version.original_text:
        found += _clear(version.text)
    found.sort(key=lambda f: (not f.where, -f.score))
    said: dict[str, Instruction] = {}
    for one in found:
        quote = one.span.text[:_QUOTE]
        if not any(quote in known or known in quote for known in said):
            said[quote] = Instruction(quote=quote, kind=one.kind, where=one.where)
    return tuple(said.values())[:_MOST]


def warnings_of(found: tuple[Instruction, ...]) -> tuple[str, ...]:
    """Each as a warning with its quote."""
    return tuple(f"speaks to a model ({one.words}): “{_short(one.quote)}”" for one in found)


def _clear(text: str) -> list[Finding]:
    every = find_instructions(text)
    clear = [f for f in every if f.score >= CLEAR]
    if not clear:
        return []
    crowd = (len(every) - len(clear)) / max(1, len(split_sentences(text)))
    return [f for f in clear if f.where or f.kind not in OF_A_REQUEST or crowd < _CROWD]


def _short(quote: str) -> str:
    line = " ".join(quote.split())
    return line if len(line) <= 160 else f"{line[:159]}…"
