"""Reads governance fields as people write them: front matter keys or fields of a JSON row."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError

from core.errors import BadSource
from core.models.source import Governance
from core.text.language import detect_language

IDENTITY = frozenset({"id", "title", "source_id"})
_ALIASES = {"acl": "acl_policy_id"}
_DATES = frozenset({"valid_from", "valid_to", "last_reviewed"})
FIELDS = frozenset(Governance.model_fields) | frozenset(_ALIASES)
_CLASS_OF_TAG = {
    "PUBLIC": "public",
    "INTERNAL_ONLY": "internal",
    "CONFIDENTIAL_DEPT": "confidential",
    "PERSONAL_DATA_PII": "restricted",
}
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def read_governance(item: str, fields: Mapping[str, Any], *, owner: str, text: str) -> Governance:
    """The governance that ``fields`` state, safe where they are silent.

    Without an owner the ingesting user (``owner``) answers for the source; the language is
    detected; of classification and permission tag the one given decides the other. Raises
    ``BadSource`` naming ``item`` and the field.
    """
    given = {
        _ALIASES.get(key, key): value
        for key, value in fields.items()
        if key in FIELDS and value is not None
    }
    values = {key: _value(item, key, value) for key, value in given.items()}
    values.setdefault("owner", owner)
    values.setdefault("language", detect_language(text))
    _settle_access(values)
    try:
        return Governance.model_validate(values)
    except ValidationError as error:
        raise BadSource(item, *_explained(error, values)) from error


def suspicious_key(keys: Mapping[str, Any] | list[str]) -> tuple[str, str] | None:
    """A key that looks like a misspelt governance field, and the field it looks like."""
    known = FIELDS | IDENTITY
    for key in keys:
        near = get_close_matches(key.lower().replace("-", "_"), sorted(known), n=1, cutoff=0.85)
        if key not in known and near:
            return key, near[0]
    return None


def _value(item: str, key: str, value: Any) -> Any:
    if key in _DATES:
        return _date(item, key, value)
    if key == "signed":
        return _TRUTHS.get(str(value).strip().lower(), value)
    if key == "review_sla_days":
        return value
    if isinstance(value, (list, dict, bool)):
        raise BadSource(item, f"{key!r} must be one text, not {value!r}", f"write `{key}: text`")
    return str(value).strip()


def _date(item: str, key: str, value: Any) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value).strip())
    except ValueError as error:
        raise BadSource(
            item, f"{key!r} is not a date: {str(value)!r}", "write dates as YYYY-MM-DD"
        ) from error


def _settle_access(values: dict[str, Any]) -> None:
    """A tag without a class, or a class without a tag, must not leave the other one public."""
    tag, level = values.get("permission_tag"), values.get("classification")
    if tag and not level:
        stem = "CONFIDENTIAL_DEPT" if tag.startswith("CONFIDENTIAL_DEPT") else tag
        values["classification"] = _CLASS_OF_TAG.get(stem, "restricted")
    elif level and not tag and level != "public":
        department = str(values.get("department") or "GENERAL").upper().replace(" ", "_")
        values["permission_tag"] = (
            "INTERNAL_ONLY" if level == "internal" else f"CONFIDENTIAL_DEPT_{department}"
        )


def _explained(error: ValidationError, values: Mapping[str, Any]) -> tuple[str, str]:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    if not place:
        return "valid_to lies before valid_from", "put the dates in order"
    expected = first.get("ctx", {}).get("expected") or first["msg"].lower()
    return f"{place!r} cannot be {values.get(place)!r}", f"use {expected}"
