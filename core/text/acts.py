"""Who acts in a statement: what the customer must do by when, or what the company then does.

"A refund must be requested within 30 days" and "a refund is paid out within 5 days" set two
periods of one refund; neither denies the other.
"""

from __future__ import annotations

import re
from typing import Literal

Actor = Literal["customer", "company", ""]

_CUSTOMER = re.compile(
    r"\b(?:request(?:ed|s)?|appl(?:y|ied|ies)|claim(?:ed|s)?|report(?:ed|s)?|notif(?:y|ied)|submit\w*"
    r"|filed?|returned|send back|sent back|ask(?:ed)? for|contact us|tell us|let us know|object\w*"
    r"|appeal(?:ed)?)\b|申请|提出|告知|联系我们|退回",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r"\b(?:issued?|process(?:ed|es|ing)?|paid out|pays? out|pay back|paid back|credited|reimbursed"
    r"|respond(?:ed|s)?|repl(?:y|ies|ied)|answer(?:ed|s)?|review(?:ed|s)?|dispatch(?:ed|es)?"
    r"|shipped|delivered|arrives?|investigat\w+|appears? on)\b|处理|到账|退还|答复|审核|发货|送达",
    re.IGNORECASE,
)


def actor(clause: str) -> Actor:
    """Whose act the clause times; empty where it names none, or both."""
    customer, company = bool(_CUSTOMER.search(clause)), bool(_COMPANY.search(clause))
    if customer == company:
        return ""
    return "customer" if customer else "company"
