"""What kind of thing an ask wants to know: a deadline, an amount, who decides … by readable rules.

Only what is asked for counts, not what is merely named: "What happens if I miss the deadline?" asks
for no deadline. Where no rule fits, the aspect is ``answer`` and nothing more is demanded of it.
"""

from __future__ import annotations

import re

from core.models.plan import Aspect
from core.text.aspects_zh import ASPECTS_ZH
from core.text.language import detect_language

_I = re.IGNORECASE
TIME_NOUN = (
    r"(?:deadline|time limit|(?:\w+ )?period|window|cut-?off(?: time)?|due date|time ?frame|"
    r"last day|latest (?:day|date)|turnaround|waiting time|delivery time|processing time|"
    r"expiry(?: date)?|expiration(?: date)?)"
)
AMOUNT_NOUN = (
    r"(?:price|cost|fee|charge|rate|amount|sum|percentage|surcharge|deposit|penalty|discount|"
    r"salary|(?:base|annual|hourly) pay|minimum|maximum|threshold|limit|rent|premium|fare)s?"
)
CONDITION_NOUN = r"(?:conditions?|requirements?|criteria|prerequisites?|preconditions?)"
EXCEPTION_NOUN = r"(?:exceptions?|exclusions?|exemptions?)"
PROCEDURE_NOUN = r"(?:procedures?|process|steps)"
RESPONSIBLE_NOUN = r"(?:responsible (?:person|team|department)|approver|contact(?: person)?)"
_PEOPLE = r"(?:i|we|you|one|they|he|she|customers?|(?:a|an|the|my|our) [\w-]+)"
_UNIT = r"(?:minutes?|hours?|days?|weeks?|months?|years?|time)"
_ASKS_FOR = r"\b(?:what|which)(?:'s| is| are| was| were| will be)? (?:(?:the|your|my|our) )?"
_HAPPENS = (
    r"(?:expire|arrive|end|start|begin|ready|due|ship|shipped|deliver|delivered|paid|refunded|"
    r"credited|valid|renew|charged|billed)"
)

_RULES: tuple[tuple[Aspect, re.Pattern[str]], ...] = (
    (
        "responsible",
        re.compile(
            r"\bwho(?:'s| is| are|m is)? (?:responsible|in charge|liable|authori[sz]ed)\b"
            r"|\bwho (?:else )?(?:decides?|approves?|authori[sz]es?|signs?|confirms?|handles?|"
            r"owns?|reviews?|pays?|covers?|bears?)\b"
            r"|\bwho (?:must|may|can|should|has to|needs to|will|do i (?:need|have) to) "
            r"(?:approve|decide|authori[sz]e|sign|confirm|grant|waive|close|allow|release|issue|"
            r"override|pay|cover|bear|contact|ask|call)\b"
            r"|\bwhom? (?:do|can|should|must) (?:i|we) (?:contact|ask|call|speak|talk|write|turn)\b"
            r"|\bwhose (?:approval|decision|responsibility|permission|signature|consent)\b"
            r"|\b(?:which|what) (?:team|department|role|manager) "
            r"(?:decides|approves|handles|owns|is|must|has)\b",
            _I,
        ),
    ),
    (
        "exception",
        re.compile(
            rf"\b(?:any|what|which|are there|with what|tell me|list)(?: are)?(?: the| any)? "
            rf"{EXCEPTION_NOUN}\b"
            r"|\b(?:what|which)\b.{0,40}\b(?:is|are|gets?) "
            r"(?:excluded|exempt(?:ed)?|not (?:covered|included|eligible|allowed))\b"
            r"|\b(?:what|which)\b.{0,40}\b(?:does not|doesn't|do not|don't|cannot|can't) "
            r"(?:cover|apply|include|be returned|be refunded)\b",
            _I,
        ),
    ),
    (
        "deadline",
        re.compile(
            rf"\b(?:until|till|by) when\b|\b(?:by|until|till|before) (?:what|which) "
            rf"(?:time|day|date|hour)\b|\bwithin (?:how (?:many|long)|what|which)\b"
            rf"|\bhow (?:many|much) (?:\w+ )?{_UNIT}\b(?! of| old)"
            r"|\bhow (?:soon|quickly|late)\b"
            r"|\bhow long (?:do|does|can|could|may|will|would|should|must|have|has|until|after|"
            r"before|in advance)\b"
            r"|\bhow long (?:is|are)\b.{0,60}\b(?:valid|good|kept|stored|open|available|period|"
            r"warranty|window|guarantee|trial|delivery|shipping|processing|term)\b"
            rf"|{_ASKS_FOR}(?:[\w-]+ ){{0,4}}{TIME_NOUN}\b|\bwhat time\b"
            rf"|\bwhen (?:will|do|does|is|are|can|must|should)\b.{{0,60}}\b{_HAPPENS}s?\b",
            _I,
        ),
    ),
    (
        "amount",
        re.compile(
            rf"\bhow much\b|\bhow many (?!times\b)|\bhow (?:expensive|cheap)\b"
            rf"|{_ASKS_FOR}(?:[\w-]+ ){{0,4}}{AMOUNT_NOUN}\b(?! (?:policy|match|rules?|for whom))"
            r"|\bwhat (?:does|do|will|would|did|is|are)\b.{1,60}\b(?:cost|costing|charge|worth)\b"
            rf"|\b(?:at|from|up to|above|below) (?:what|which) (?:\w+ ){{0,2}}{AMOUNT_NOUN}\b",
            _I,
        ),
    ),
    (
        "condition",
        re.compile(
            r"\b(?:under|on|in) (?:what|which) (?:conditions?|circumstances|terms|cases|"
            r"situations)\b"
            rf"|{_ASKS_FOR}(?:[\w-]+ ){{0,4}}{CONDITION_NOUN}\b"
            rf"|\bwhat (?:do|does|must|will|would|should) {_PEOPLE} "
            r"(?:need|bring|provide|show|prove|have to (?:bring|provide|show))\b(?! to do)"
            r"|\bwhat (?:is|are) (?:required|needed|necessary)\b"
            r"|\b(?:what|which) (?:documents?|papers?|proofs?|evidence|information)\b"
            r".{0,40}\b(?:need|needed|required|bring|provide|show)\b"
            r"|\b(?:who|what|which|how)\b.{0,40}\b(?:eligible|entitled|qualif(?:y|ies))\b"
            r"|\bwhen (?:can|may|must|should)\b.{0,60}\bwithout\b",
            _I,
        ),
    ),
    (
        "procedure",
        re.compile(
            rf"\bhow (?:do|can|should|would|could|must|may) {_PEOPLE} "
            r"(?!know\b|work\b|differ\b)"
            rf"|^\W*how to\b|\bhow to\b|\b(?:what|which) steps\b"
            rf"|{_ASKS_FOR}(?:[\w-]+ ){{0,3}}{PROCEDURE_NOUN}\b|\bprocedures? (?:for|of|to)\b"
            rf"|\bwhat (?:do|must|should) {_PEOPLE} (?:have to |need to )?do\b"
            r"|\bwalk me through\b|\bstep by step\b"
            rf"|\bwhere (?:do|can|should|must) {_PEOPLE} "
            r"(?:send|submit|file|return|report|apply|request|upload|register|complain)\b",
            _I,
        ),
    ),
)

_NOUNS: dict[Aspect, str] = {
    "deadline": TIME_NOUN,
    "amount": AMOUNT_NOUN,
    "condition": CONDITION_NOUN,
    "exception": EXCEPTION_NOUN,
    "procedure": PROCEDURE_NOUN,
    "responsible": RESPONSIBLE_NOUN,
}
ATTRIBUTES = tuple((aspect, re.compile(rf"\b{noun}$", _I)) for aspect, noun in _NOUNS.items())
"""The noun that names an aspect at the end of a phrase: "the return deadline"."""


def aspect_of(ask: str) -> Aspect:
    """The kind of thing ``ask`` wants to know; ``answer`` where its words do not say."""
    rules = ASPECTS_ZH if detect_language(ask) == "zh" else _RULES
    return next((aspect for aspect, rule in rules if rule.search(ask)), "answer")


def attribute(phrase: str) -> Aspect | None:
    """The aspect a noun phrase names ("the restocking fee"), or ``None``."""
    text = phrase.strip()
    return next((aspect for aspect, rule in ATTRIBUTES if rule.search(text)), None)
