"""Personal data in a text, by pattern and checksum, and masking it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple


class PiiMatch(NamedTuple):
    """Personal data at ``text[start:end]``: a card, iban, ssn, cn_id, email, phone or ip."""

    kind: str
    start: int
    end: int
    text: str


def _digits(text: str) -> str:
    return "".join(ch for ch in text if ch.isascii() and ch.isdigit())


def _luhn(text: str) -> bool:
    digits = _digits(text)
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = 0
    for place, ch in enumerate(reversed(digits)):
        value = int(ch) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _iban(text: str) -> bool:
    bare = re.sub(r"[ -]", "", text).upper()
    if not 15 <= len(bare) <= 34:
        return False
    moved = bare[4:] + bare[:4]
    return int("".join(str(int(ch, 36)) for ch in moved)) % 97 == 1


def _ssn(text: str) -> bool:
    area, group, serial = re.split(r"[- ]", text)
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def _cn_id(text: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    check = sum(int(ch) * w for ch, w in zip(text[:17], weights, strict=True)) % 11
    return "10X98765432"[check] == text[17].upper()


def _ip(text: str) -> bool:
    return all(part == "0" or (part[0] != "0" and int(part) <= 255) for part in text.split("."))


def _phone(text: str) -> bool:
    digits = _digits(text)
    return 8 <= len(digits) <= 15 and len(set(digits)) > 1


_L, _R = r"(?<![0-9A-Za-z_])", r"(?![0-9A-Za-z_])"
_RECOGNISERS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    (
        "email",
        re.compile(
            r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,"
            r"62}"
            r"[A-Za-z0-9])?(?:\.[A-Za-z]{2,24}|\.[A-Za-z0-9-]{1,62}){1,4}(?![A-Za-z0-9-])"
        ),
        lambda _: True,
    ),
    ("iban", re.compile(rf"{_L}[A-Z]{{2}}[0-9]{{2}}(?:[ -]?[A-Z0-9]{{2,4}}){{3,8}}{_R}"), _iban),
    ("cn_id", re.compile(rf"{_L}[1-9][0-9]{{16}}[0-9Xx]{_R}"), _cn_id),
    ("card", re.compile(rf"{_L}[0-9](?:[ -]?[0-9]){{12,18}}{_R}"), _luhn),
    ("ssn", re.compile(rf"{_L}(?<!-)[0-9]{{3}}([- ])[0-9]{{2}}\1[0-9]{{4}}{_R}(?!-)"), _ssn),
    ("ip", re.compile(rf"{_L}(?<!\.)[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}{_R}(?!\.[0-9])"), _ip),
    ("phone", re.compile(rf"{_L}(?<![-.])1[3-9][0-9](?:[ -]?[0-9]{{4}}){{2}}{_R}"), _phone),
    (
        "phone",
        re.compile(
            rf"(?<![0-9A-Za-z_+])\+[0-9]{{1,3}}[ .-]?(?:\(?[0-9]{{1,4}}\)?[ "
            rf".-]?){{2,5}}[0-9]{{2,4}}{_R}"
        ),
        _phone,
    ),
    (
        "phone",
        re.compile(
            rf"(?<![0-9A-Za-z_.-])(?:\([0-9]{{3}}\) ?|[0-9]{{3}}[ .-])[0-9]{{3}}[ .-][0-9]{{4}}{_R}"
        ),
        _phone,
    ),
    ("phone", re.compile(rf"{_L}0[0-9]{{2,3}}[- ][0-9]{{7,8}}{_R}"), _phone),
)


def find_pii(text: str) -> tuple[PiiMatch, ...]:
    """Personal data in order of appearance; overlapping readings keep the stronger recogniser."""
    found: list[PiiMatch] = []
    for kind, pattern, valid in _RECOGNISERS:
        for match in pattern.finditer(text):
            start, end = match.span()
            if any(start < f.end and f.start < end for f in found) or not valid(match[0]):
                continue
            found.append(PiiMatch(kind, start, end, match[0]))
    return tuple(sorted(found, key=lambda f: f.start))


def mask(kind: str, text: str) -> str:
    """What stands in for a match: a card keeps its last four digits, the rest keep nothing."""
    if kind == "card":
        return f"[card ending {_digits(text)[-4:]}]"
    return f"[{kind.replace('_', ' ')} removed]"


def redact_pii(
    text: str, *, keep: frozenset[str] = frozenset()
) -> tuple[str, tuple[PiiMatch, ...]]:
    """The text with every match masked, and what was masked (offsets of the text as given).

    ``keep`` names exact texts that may stay, such as the company's own contact address.
    """
    matches = tuple(m for m in find_pii(text) if m.text not in keep)
    out, position = [], 0
    for match in matches:
        out += [text[position : match.start], mask(match.kind, match.text)]
        position = match.end
    return "".join([*out, text[position:]]), matches
