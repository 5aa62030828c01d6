"""One governance value as people write it, read into what the model holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from core.models.base import Model
from core.sources.governance_fields import LONGEST_SLA, choices_of, department_tag

Severity = Literal["refused", "warning"]

DATES = frozenset({"valid_from", "valid_to", "last_reviewed"})
_EARLIEST, _LATEST = 1900, 9999
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_LANGUAGES = {"english": "en", "chinese": "zh", "mandarin": "zh", "中文": "zh", "英文": "en"}
_LANGUAGE_CODE = re.compile(r"([a-z]{2})(?:[-_][a-z0-9]{2,8})*")
_TAG = re.compile(r"PUBLIC|INTERNAL_ONLY|PERSONAL_DATA_PII|CONFIDENTIAL_DEPT_\w+")
_LINK = re.compile(r"(?:https?|file|ftp|sftp|mailto|kb|s3|sharepoint|salesforce)://?\S", re.I)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LONGEST = 500  # characters


class GovernanceProblem(Model):
    """What is wrong with one field, and what to do. ``warning`` is said, and nothing refused."""

    field: str
    reason: str
    fix: str
    severity: Severity = "refused"


def read_value(name: str, value: Any) -> Any | GovernanceProblem:
    """The value as the model holds it, or the problem with it."""
    if name in DATES:
        return _date(name, value)
    if name == "signed":
        found = _TRUTHS.get(str(value).strip().lower())
        return (
            found if found is not None else _no(name, f"cannot be {value!r}", "use true or false")
        )
    if name == "review_sla_days":
        return _days(name, value)
    if isinstance(value, (list, tuple, dict, bool)):
        return _no(name, f"must be one text, not {value!r}", f"write `{name}: text`")
    text = str(value).strip()
    if len(text) > _LONGEST or not text.isprintable():
        return _no(
            name, f"is too long or cannot be printed: {text[:40]!r}", f"use {_LONGEST} letters"
        )
    return _text(name, text)


def _text(name: str, text: str) -> str | GovernanceProblem:
    if name == "language":
        return _language(text)
    if name == "permission_tag":
        return _tag(text)
    if name == "uri":
        return _uri(text)
    if choices := choices_of(name):
        return _choice(name, text, choices)
    return text


def _choice(name: str, text: str, choices: tuple[str, ...]) -> str | GovernanceProblem:
    """``Official policy`` and ``official-policy`` are ``official_policy``."""
    plain = "_".join(re.split(r"[\s_-]+", text.casefold()))
    found = next((choice for choice in choices if choice.casefold() == plain), None)
    return found or _no(
        name, f"cannot be {text!r}", f"use {', '.join(choices[:-1])} or {choices[-1]}"
    )


def _date(name: str, value: Any) -> date | GovernanceProblem:
    found = _as_date(value)
    if found is None:
        return _no(name, f"is not a date: {str(value)[:40]!r}", "write dates as YYYY-MM-DD")
    if not _EARLIEST <= found.year <= _LATEST:
        return _no(name, f"lies too far from today: {found}", "check the year")
    return found


def _as_date(value: Any) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return datetime.fromisoformat(str(value).strip()).date()
    except ValueError:
        return None


def _days(name: str, value: Any) -> int | GovernanceProblem:
    text = str(value).strip().lower().removesuffix("days").strip()
    whole = text.removesuffix(".0")
    if not isinstance(value, bool) and whole.isdecimal() and 1 <= int(whole[:9]) <= LONGEST_SLA:
        return int(whole)
    return _no(
        name, f"cannot be {value!r}", f"use a whole number of days from 1 to {LONGEST_SLA}, or 90"
    )


def _language(text: str) -> str | GovernanceProblem:
    plain = text.casefold()
    if plain in _LANGUAGES:
        return _LANGUAGES[plain]
    code = _LANGUAGE_CODE.fullmatch(plain)
    if code is None:
        return (
            "other"
            if plain == "other"
            else _no("language", f"cannot be {text!r}", "use en, zh or other, or leave it out")
        )
    return code[1] if code[1] in ("en", "zh") else "other"


def _tag(text: str) -> str | GovernanceProblem:
    plain = "_".join(re.split(r"[\s_-]+", text.upper()))
    if _TAG.fullmatch(plain):
        return plain
    return _no(
        "permission_tag",
        f"cannot be {text!r}",
        f"use PUBLIC, INTERNAL_ONLY, PERSONAL_DATA_PII or {department_tag('hr')} for a department",
    )


def _uri(text: str) -> str | GovernanceProblem:
    """A link people will click must lead to a place, never run anything."""
    if _SCHEME.match(text) and not _LINK.match(text):
        return _no("uri", f"is not a link to a place: {text[:40]!r}", "use an https link or none")
    return text


def values_of(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[GovernanceProblem]]:
    """All values that can be read, and the problems with the rest. Empty texts say nothing."""
    values: dict[str, Any] = {}
    problems: list[GovernanceProblem] = []
    for name, value in given.items():
        if isinstance(value, str) and not value.strip():
            continue
        found = read_value(name, value)
        if isinstance(found, GovernanceProblem):
            problems.append(found)
        else:
            values[name] = found
    return values, problems


def _no(name: str, reason: str, fix: str) -> GovernanceProblem:
    return GovernanceProblem(field=name, reason=f"{name!r} {reason}", fix=fix)
