"""Made-up Markdown documents of everyday length, for measuring an ingest.

Their words follow each other as in the texts they are made from (two words back), so that they are
tokenised like real prose while no two passages are alike. Everything follows from the seed.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*|\$?\d[\d,.]*|[.,;:]")
_OPENERS = ("This section says", "Note that", "As a rule,", "When asked,", "In any case")
_SECTIONS = (2, 4)
_PARAGRAPH_WORDS = (60, 95)
_FOLDERS = 50


class DocumentWriter:
    """Writes documents whose prose is drawn from ``texts``."""

    def __init__(self, texts: Sequence[str], *, seed: int = 7) -> None:
        self._seed = seed
        self._next: dict[tuple[str, str], list[str]] = defaultdict(list)
        for text in texts:
            words = _WORD.findall(text)
            for one, two, three in zip(words, words[1:], words[2:], strict=False):
                self._next[one, two].append(three)
        self._starts = sorted(pair for pair in self._next if pair[0][0].isupper())

    def write(self, folder: Path, count: int) -> None:
        """Documents 0 to ``count - 1``, one file each, in sub-folders."""
        for number in range(count):
            path = self.path(folder, number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._document(number), encoding="utf-8")

    def change(self, folder: Path, numbers: Sequence[int]) -> None:
        """Give these documents one more section."""
        for number in numbers:
            path = self.path(folder, number)
            rng = random.Random(f"{self._seed}/changed/{number}")  # noqa: S311 - made-up text
            more = f"\n## What changed\n\n{self._paragraph(rng)}\n"
            path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")

    def path(self, folder: Path, number: int) -> Path:
        """Where a document lies."""
        return folder / f"part-{number % _FOLDERS:02}" / f"guide-{number:05}.md"

    def _document(self, number: int) -> str:
        rng = random.Random(f"{self._seed}/{number}")  # noqa: S311 - made-up text, not a secret
        title = f"Guide {number}: {self._phrase(rng, 4)}"
        parts = [_front_matter(number, title), f"# {title}", self._paragraph(rng)]
        for section in range(rng.randint(*_SECTIONS)):
            parts += [f"## {section + 1}. {self._phrase(rng, 3)}", self._paragraph(rng)]
            parts.append(self._second(rng))
        return "\n\n".join(parts) + "\n"

    def _second(self, rng: random.Random) -> str:
        """What follows a section's first paragraph: another one, a list or a table."""
        kind = rng.random()
        if kind < 0.5:
            return self._paragraph(rng)
        if kind < 0.85:
            return "\n".join(f"- {self._phrase(rng, 12)}." for _ in range(rng.randint(3, 6)))
        rows = [
            f"| {self._phrase(rng, 3)} | ${rng.randint(1, 400)} | {rng.randint(1, 90)} days |"
            for _ in range(rng.randint(3, 8))
        ]
        return "\n".join(["| Item | Fee | Time |", "| --- | --- | --- |", *rows])

    def _paragraph(self, rng: random.Random) -> str:
        words = self._walk(rng, rng.randint(*_PARAGRAPH_WORDS))
        return f"{rng.choice(_OPENERS)} {words}."

    def _phrase(self, rng: random.Random, words: int) -> str:
        return re.sub(r"[.,;:|]+", "", self._walk(rng, words)).strip() or "General"

    def _walk(self, rng: random.Random, count: int) -> str:
        pair = rng.choice(self._starts)
        words = [*pair]
        while len(words) < count:
            follow = self._next.get(pair)
            if not follow or rng.random() < 0.06:  # now and then elsewhere: never a copied text
                pair = rng.choice(self._starts)
                words += pair
                continue
            pair = (pair[1], rng.choice(follow))
            words.append(pair[1])
        return re.sub(r"\s+([.,;:])", r"\1", " ".join(words)).rstrip(".,;:")


def _front_matter(number: int, title: str) -> str:
    quoted = title.replace('"', "'")
    return "\n".join(
        [
            "---",
            f'id: "guide-{number:05}"',
            f'source: "guide-{number:05}"',
            f'title: "{quoted}"',
            f'owner: "team-{number % 12}"',
            'authority: "approved_procedure"',
            'status: "active"',
            'version: "1.0"',
            "valid_from: 2026-01-01",
            "last_reviewed: 2026-11-01",
            'classification: "public"',
            'acl_policy_id: "public"',
            "---",
        ]
    )
