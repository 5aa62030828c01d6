"""The sentence that states the one value all passages give for a named thing."""

from __future__ import annotations

from collections.abc import Sequence

from core.models.evidence import EvidencePackage
from core.text.choose import Choice, Option
from core.text.contradictions import accounts_of
from core.text.disagreement import Said, disagree
from core.text.entities import asked_name


def with_agreed(
    choices: Sequence[Choice], pool: Sequence[Option], question: str, package: EvidencePackage
) -> tuple[Choice, ...]:
    """``choices``, where they miss the value all agree on the sentence that states it instead.

    Only for a question about a named thing, and never among official texts, whose wording is
    chosen by what it rules. Without a sentence in ``pool`` that states it nothing changes.
    """
    accounts = accounts_of(package)
    if not choices or not asked_name(question) or any(a.official for a in accounts):
        return tuple(choices)
    found = disagree(question, accounts)
    if found.pairs or found.readings or len(found.values) != 1:
        return tuple(choices)
    said = found.values[0].said
    if any(_states(choice.option, one) for choice in choices for one in said):
        return tuple(choices)
    stating = [option for one in said for option in pool if _states(option, one)]
    return (Choice(stating[0], choices[0].part_id),) if stating else tuple(choices)


def _states(option: Option, said: Said) -> bool:
    return option.evidence_id == said.name and said.value.casefold() in option.words.casefold()
