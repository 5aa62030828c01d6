"""``get_return_policy``: the rules in force for returning a kind of thing, as passages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from core.lookups.lookup import SEARCH_MS, AsOf, Lookup
from core.lookups.passages import PassagesInForce, governing
from core.models.access import SecurityContext
from core.models.base import Model
from core.models.evidence import EvidenceCandidate
from core.models.tool import ToolAccess, ToolAnswer, failed
from core.text.tokens import content_words
from core.tools.ports import ReadTool

POLICY = "get_return_policy"
PurchaseType = Literal["regular", "holiday", "final_sale", "online", "store"]
_ABOUT = re.compile(r"\breturn|\bexchang|\brefund|\bsen[dt] back\b|退货|退款|换货", re.IGNORECASE)
_TYPE_WORDS: dict[str, str] = {
    "regular": "standard return window",
    "holiday": "holiday returns period",
    "final_sale": "Final Sale items",
    "online": "online order",
    "store": "store purchase",
}
_MOST = 4
_ANYBODY = ToolAccess(action="ask")
"""Passages are filtered by the caller's own rights."""


class PolicyWanted(Model):
    """What is to be returned, how it was bought, and as of when."""

    category: Annotated[
        str,
        Field(
            min_length=2, max_length=80, description="a kind of thing such as cosmetics or coats"
        ),
    ]
    purchase_type: Annotated[
        PurchaseType, Field(description="regular, holiday, final_sale, online or store")
    ] = "regular"
    on: AsOf = None


def policy_lookup(passages: PassagesInForce, today: Callable[[], date]) -> ReadTool:
    """``get_return_policy(category, purchase_type)`` over the passages in force."""

    def answer(context: SecurityContext, wanted: PolicyWanted) -> ToolAnswer:
        on, kind = wanted.on or today(), _TYPE_WORDS[wanted.purchase_type]
        queries = (f"Can {wanted.category} be returned?", f"returns: {kind}")
        found = governing(passages(context, queries, on=on, most=2 * _MOST), on=on)
        rules = [p for p in found if _ABOUT.search(_read(p))]
        if not rules:
            return failed("not_found", "No policy in force says anything of returns.")
        naming = _naming(wanted.category, rules)
        typed = _naming(kind, rules)
        best = [*naming, *(p for p in typed if p not in naming)] or rules
        none = f"No rule in force names {wanted.category!r}; these are the general ones."
        return ToolAnswer(rows=tuple(best[:_MOST]), notes=() if naming else (none,))

    return Lookup(
        name=POLICY,
        description="The return rules in force today for a kind of thing, as passages to cite.",
        parameters=PolicyWanted,
        answer=answer,
        access=_ANYBODY,
        timeout_ms=SEARCH_MS,
    )


def _read(passage: EvidenceCandidate) -> str:
    return " ".join((passage.source_title, *passage.heading_path, passage.text))


def _naming(words: str, rules: Sequence[EvidenceCandidate]) -> list[EvidenceCandidate]:
    """Passages that hold every content word, those with the fewest other ones first no more than
    retrieval ranked them."""
    wanted = set(content_words(words))
    return [p for p in rules if wanted and wanted <= set(content_words(_read(p)))]
