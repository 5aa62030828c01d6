"""Which labelled rows the gate may be fitted on, and which only measure it.

The rule hangs on names alone: no list of rows is kept, and a set that grows keeps its split.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Literal

HELD_BACK = 1 / 3
CROSS_FOLDS = 5
Fold = Literal["fit", "held_back", "neither"]


def held_back(source: str, group: str, share: float = HELD_BACK) -> bool:
    """Whether a group of rows (a question, a claim, a pair) of a set is never fitted on.

    ``share`` is the part of all groups, 0..1, that is held back.
    """
    digest = blake2b(f"{source}/{group}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") / 2**32 < share


def cross_fold(source: str, group: str) -> int:
    """Which of five parts a group of rows belongs to, 0 to 4, where heads are cross-fitted.

    The heads over the pair reader are fitted on held-back rows, for the reader knows the others
    too well: rows of part *n* are measured by heads fitted on the other four parts.
    """
    digest = blake2b(f"cross/{source}/{group}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") % CROSS_FOLDS


def injection_fold(attack_category: str | None, doc_id: str) -> Fold:
    """The side of an injected document, or of its clean twin (no attack category).

    Half of the attack families and half of the documents are held back. A document carries attacks
    of several families, so a row whose family and document fall on different sides is on neither:
    a measured row shares neither its attack's family nor its carrier with a fitted one.
    """
    document = _half("document", doc_id)
    if not attack_category or _half("family", attack_category) == document:
        return document
    return "neither"


def _half(kind: str, name: str) -> Fold:
    return "held_back" if held_back(f"bipia/{kind}", name, 1 / 2) else "fit"
