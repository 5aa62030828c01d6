"""The words by which policies deny, allow, ask for approval, and set conditions."""

# ruff: noqa: E501 - patterns read better unbroken
from __future__ import annotations

import re

_I = re.IGNORECASE
DENIES = re.compile(
    r"\b(?:cannot|can not|can['’]t|mustn['’]t|shan['’]t|shouldn['’]t|won['’]t|don['’]t|doesn['’]t|isn['’]t|aren['’]t|"
    r"(?:(?:may|must|shall|should|will|do|does|is|are)\s+)?not(?!\s+(?:only|more|less|later|just|even)\b)|never|"
    r"no longer|prohibited|forbidden|excluded|declin(?:e|ed)|den(?:y|ied)|refus(?:e|ed)|ineligible|"
    r"non-?\s?(?=refundable|transferable|returnable|exchangeable|negotiable|cancell?able)|"
    r"unavailable|impossible)\b|\bnon-"
    r"|\bno\s+(?!later|more than|less than|problem|matter|longer|need)(?=\w)"
    r"|不能|不得|不予|不可|不允许|不支持|不接受|不提供|不办理|禁止|无法|概不|谢绝|恕不|不(?=退|换|补|赔)",
    _I,
)
NO_RULE = re.compile(
    r"\b(?:do(?:es)? not|don['’]t|doesn['’]t) (?:need|have to|check|know|require|affect|apply to|change that|proactively)\b"
    r"|\bmake (?:sure|up any)\b|\bno need\b|\bnot be able to\b|\btool calls?\b|transfer_to|\byou can (?:also |only )?help\b|\byou also handle\b|\bAPI\b"
    r"|\bagainst (?:this|these|the|our) (?:policy|policies|rules)\b|^(?:for example|note)\b|\be\.g\.[^)]*$(?<!\))",
    _I,
)
"""Remarks on how the desk works, and on what does not matter: they bind no customer."""
ALLOWS = re.compile(
    r"\b(?:can|may|could|(?:is|are) (?:allowed|permitted|eligible|entitled|possible|free)|possible|enables?|"
    r"entitles?|at any time)\b|可以|允许|可(?=[^能是])|支持",
    _I,
)
STATES = re.compile(
    r"\b(?:is|are|will be|gets?|has to be|must be)\s+(?:\w+\s+)?\w+(?:ed|en)\b|收取", _I
)
MODAL = re.compile(r"\b(?:can|cannot|may|must|only|not|never|no)\b|可|能|须", _I)
_BODY = r"[\w-]+(?:\s+(?:manager|team|lead|desk|department|office|holders?))?"
APPROVAL = re.compile(
    r"\b(?:needs?|requires?|only with|without|with|subject to|after|unless|until|pending)\b[^.;]{0,30}?\b(?:approvals?|"
    r"authori[sz]ation|sign-?off|permission|decision|consent)\b"
    rf"(?:\s+(?:of|from|by)\s+(?:the\s+|an?\s+)?(?P<of>{_BODY}))?"
    rf"|\b(?:must|has to|have to|needs? to) be (?:approved|authori[sz]ed|decided|signed off) by (?:the\s+|an?\s+)?(?P<by>{_BODY})"
    r"|\b(?:is|are) (?:escalated|handed|referred|passed)(?: on)? to (?:the\s+|an?\s+)?(?P<to>[\w-]+(?:\s+(?:manager|team|lead|desk|department|office))?)"
    r"|^\W*(?:escalate|refer|hand|pass)\b[^.;]{0,30}?\bto (?:the\s+|an?\s+)?(?P<send>[\w-]+(?:\s+(?:manager|team|lead|desk|department|office))?)"
    r"|\b(?:record|obtain|get|await|wait for|without)\b[^.;]{0,20}?\b(?P<whose>supervisor|manager|team lead|director)(?:['’]s)? (?:decision|approval)"
    r"|(?:需|须|应)?经(?P<zh>[\u4e00-\u9fff]{1,6}?)(?:批准|同意|审批)",
    _I,
)
STAFF = re.compile(
    r"supervisor|manager|team|lead|director|department|desk|office|head|management|senior|店长|经理|主管|部",
    _I,
)
ANY_OF = re.compile(r"\b(?:any|one) of (?:the following|these)\b|以下(?:任一|任何)", _I)
ALL_OF = re.compile(r"\b(?:all|each) of (?:the following|these)\b|以下全部|同时满足", _I)
PARTIAL = re.compile(
    r"\bjust one\b|\bonly one of\b|\bonly (?:some|part)\b|\bpart(?:ial(?:ly)?|s? of)\b|\bcannot be split\b|"
    r"\bsame (?:\w+ )?(?:across|for|on|in) (?:all|every)\b|\bmust (?:all )?(?:have|be|remain) the same\b|"
    r"\bindividual(?:ly)? (?:items?|segments?)\b|\bas a whole\b|部分",
    _I,
)
_QUOTED = re.compile(r"'[^']{2,40}'|\"[^\"]{2,40}\"|“[^”]{2,40}”")


def denial(statement: str) -> re.Match[str] | None:
    """The word by which ``statement`` denies; a quoted value denies nothing."""
    bare = _QUOTED.sub(lambda m: "·" * len(m[0]), statement)
    return DENIES.search(bare)
