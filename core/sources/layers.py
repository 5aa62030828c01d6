"""Governance fields said in several places: which one holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.sources.governance import canonical

_ACCESS = frozenset({"classification", "permission_tag"})
"""Two words for one thing: whoever says one of them decides both."""


def stated(nearer: Mapping[str, Any], farther: Mapping[str, Any]) -> dict[str, Any]:
    """``nearer``, and from ``farther`` what it leaves open.

    A field without a value leaves it open. Keys come out under their full names.
    """
    said = canonical(nearer)
    rest = canonical(farther)
    if _ACCESS.intersection(said):
        rest = {key: value for key, value in rest.items() if key not in _ACCESS}
    return rest | said
