"""Whether a sentence takes one side of a conflict, whoever says it and in whatever words."""

from __future__ import annotations

from core.models.judgement import ClaimSide
from core.text.polarity import negated
from core.text.quantities import find_quantities, same_quantity
from core.text.same_value import same_value
from core.text.similarity import overlap, term_coverage

_ABOUT_THE_SAME = 0.2
_NEARLY_ALL = 0.5
_ANSWERS = {"no": True, "yes": False}
_LISTED = ("lists ", "does not list ")


def takes_side(sentence: str, side: ClaimSide) -> bool:
    """Whether ``sentence`` repeats the value of ``side`` about the same matter."""
    if side.quote and side.quote in sentence:
        return True
    if side.value in _ANSWERS:
        same_turn = negated(sentence) == _ANSWERS[side.value]
        return same_turn and term_coverage(side.quote, sentence) >= _NEARLY_ALL
    if side.value.startswith(_LISTED):
        return _says_of_list(sentence, side.value)
    said, quote = _without_values(sentence), _without_values(side.quote)
    about = max(overlap(said, quote), 0.5 * term_coverage(said, quote))
    return about >= _ABOUT_THE_SAME and _names(sentence, side.value)


def _without_values(text: str) -> str:
    """The matter alone: that two sentences count days makes them no kin."""
    for quantity in reversed(find_quantities(text)):
        text = f"{text[: quantity.start]} {text[quantity.end :]}"
    return text


def _names(sentence: str, value: str) -> bool:
    wanted = find_quantities(value)
    if not wanted:
        return bool(value) and value.casefold() in sentence.casefold()
    found = find_quantities(sentence)
    return any(same_quantity(a, b) == "same" for a in found for b in wanted) or any(
        same_value(q.text, value) for q in found
    )


def _says_of_list(sentence: str, value: str) -> bool:
    listed = value.startswith(_LISTED[0])
    item = value.removeprefix(_LISTED[0]).removeprefix(_LISTED[1])
    return item.casefold() in sentence.casefold() and negated(sentence) != listed
