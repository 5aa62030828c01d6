"""The wordings by which an English text gives orders to a model, by kind, each with its weight.

Patterns read lower-case text with disguises undone. ``needs`` are beginnings of words, or signs, of
which one must be there: looking for those first spares the pattern most sentences.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.text import injection_kinds as k
from core.text import injection_words as w


class Rule(NamedTuple):
    """``weight`` 0..1; from 0.6 a sentence counts whatever stands around it."""

    kind: str
    weight: float
    pattern: re.Pattern[str]
    needs: tuple[str, ...] = ()


def rule(kind: str, weight: float, pattern: str, needs: str = "") -> Rule:
    """A rule from its pattern and the beginnings of words it needs, parted by blanks.

    ``_`` within a need stands for a blank.
    """
    words = tuple(
        word if word == "_" else word.strip("_").replace("_", " ") for word in needs.split()
    )
    return Rule(kind, weight, re.compile(pattern), words)


_VOIDS = (
    "ignor disregard forget overrid bypass discard aside neglect abandon drop skip lift throw "
    "erase "
    "suspend cancel follow obey heed listen attention revoked void no_longer superseded obsolete "
    "disabled removed null"
)
OVERRIDING: tuple[Rule, ...] = (
    rule(
        k.OVERRIDES,
        0.95,
        rf"\b{w.VOID}\b[^.!?\n]{{0,30}}\b(?:previous|prior|above|earlier|preceding|foregoing|"
        rf"existing|original|initial|your|system|safety|all (?:of )?(?:the|your|other))\b"
        rf"[^.!?\n]{{0,25}}(?<!shipping )(?<!care )(?<!order )\b(?:instructions?|prompts?|"
        r"guidelines?|directions?|directives?|rules?|commands?|constraints?|restrictions?|"
        r"programming|training|safeguards?)\b(?! (?:manual|booklet|sheet|leaflet))",
        _VOIDS,
    ),
    rule(
        k.OVERRIDES,
        0.9,
        rf"\b{w.VOID}\b[^.!?\n]{{0,25}}(?:\beverything (?:above\b|before (?:this|that|now|here)|"
        rf"you (?:know|learn\w*|were)\b(?! about))|\b(?:all|any|what\w*|"
        r"everything|\w+s?) (?:that )?(?:you (?:were|have been|had been|are) (?:\w+ )?(?:told|"
        r"given|taught|instructed|asked|programmed)|(?:placed|imposed|put) (?:up)?on you))",
        _VOIDS,
    ),
    rule(
        k.OVERRIDES,
        0.85,
        rf"\b(?:your|safety|system|earlier|previous|prior|all|existing|the) (?:\w+ ){{0,3}}?"
        rf"{w.GUIDANCE}\b[^.!?\n]{{0,40}}\b{w.IS_VOID}[^.!?\n]{{0,40}}(?:\bsession|\bnow on|"
        r"\bchat\b|\bconversation|\bfrom this|\bnew (?:orders|instructions|rules)|\byou\b)|"
        rf"\byour (?:\w+ ){{0,2}}?(?:instructions?|orders|rules?|guidelines?|restrictions?|"
        rf"prompt|programming|directives?|limits?|safeguards?) {w.IS_VOID}|"
        rf"\b(?:{w.GUIDANCE}|everything|anything|all|what\w*|things?) (?:that )?(?:you were (?:\w+ "
        rf")?"
        rf"(?:told|given|taught)|your (?:operator|developer|creator|owner)s? \w+)[^.!?\n]{{0,50}}"
        rf"{w.IS_VOID}",
        "void revoked no_longer suspended cancel lifted disabled superseded overridden null "
        "obsolete removed _off",
    ),
    rule(
        k.OVERRIDES,
        0.8,
        r"\b(?:respond|answer|reply|act|operate|speak|comply|help) (?:\w+ ){0,4}?(?:without|with "
        r"no|"
        r"free of) "
        r"(?:any )?(?:\w+ )?(?:limits?|limitations?|restrictions?|filters?|rules|censorship|"
        r"guardrails|"
        r"safeguards|content polic(?:y|ies))\b|\b(?:no|without (?:any )?|zero) (?:content "
        r"polic(?:y|ies)|"
        r"safety (?:rules|filters?|guidelines|protocols?)|content restrictions|guardrails)\b|"
        r"\byour (?:"
        r"\w+ )?(?:rules|guidelines|restrictions|polic(?:y|ies)|instructions) (?:have|has) (?:been "
        r")?"
        r"(?:changed|updated|replaced|lifted|removed|expired)\b|\bsafety (?:protocols?|filters?|"
        r"rules|"
        r"guidelines|checks|measures) (?:are |is |have been )?(?:now )?(?:disabled|off|lifted|"
        r"removed|"
        r"suspended|deactivated)\b|\b(?:you (?:now|may now|can now)|now) (?:allow|permit|accept) "
        r"(?:all|any|"
        r"every) (?:content|requests?)\b",
        "limit restriction filter rule censorship guardrail safeguard content safety polic "
        "guideline "
        "instruction allow permit accept",
    ),
    rule(
        k.OVERRIDES,
        0.75,
        r"\b(?:restrictions?|content polic(?:y|ies)|safety (?:rules|guidelines|checks?|polic(?:y|"
        r"ies))|"
        r"guardrails|guidelines|confirmations?|my rules|usual rules)\b[^.!?\n]{0,50}\b(?:do(?:es)? "
        r"not "
        r"apply|don't apply|no longer apply|exempt|not needed|can be skipped|for this (?:turn|"
        r"request|"
        r"task|session))\b|\b(?:exempt|free|released) from (?:the |my |your |all )?(?:usual |"
        r"normal |"
        r"content |safety )?(?:restrictions?|rules|guidelines|polic(?:y|ies)|limits)\b|\bi (?:will|"
        r"should|"
        r"can|may|must) (?:now )?(?:disregard|ignore|bypass|skip|set "
        r"aside)\b[^.!?\n]{0,30}\b(?:polic|"
        r"rule|restriction|guideline|check|instruction)|\b(?:has|have) (?:granted|given) (?:\w+ )?"
        r"permission to (?:skip|ignore|bypass|disregard|share|disclose|delete|send)\b",
        "apply exempt not_needed skipped for_this free released i_will i_should i_can i_may i_must "
        "permission",
    ),
    rule(
        k.OVERRIDES,
        0.8,
        r"\b(?:new|updated|revised|real|actual|true|different) (?:system )?(?:orders|instructions|"
        r"guidance|directives?|prompt|objective|goal|mission|rules) (?:follow|below|for you|is to|"
        r"are (?:to|as follows)|is as follows)|\bas your new (?:guidance|instructions|rules|system|"
        r"prompt|orders)\b",
        "new updated revised real actual true different",
    ),
    rule(
        k.OVERRIDES,
        0.75,
        r"\b(?:pretend|imagine|act as (?:if|though)|suppose|assume) (?:that )?(?:you (?:have|had|"
        r"are "
        r"(?:free|under|bound)|can)|there are|this (?:line|note|text|message))\b[^.!?\n]{0,30}"
        r"\b(?:no (?:rules|restrictions|limits|guidelines|filters|policy|policies)|not? exist|"
        r"without (?:any )?(?:rules|limits|restrictions)|free of|never (?:said|written))",
        "pretend imagine act_as suppose assume",
    ),
    rule(
        k.TASK,
        0.75,
        r"\b(?:ignore|disregard|forget|drop|abandon|skip|leave|set|put|stop|instead of|rather than|"
        r"before|never mind|pay no attention to|in place of|without)\b[^.!?\n]{0,25}\b(?:(?:the|"
        r"this|that|his|her|their) (?:original|initial|current|previous|actual|user's|users'|"
        r"customer's|person's|reader's) (?:question|request|task|query|prompt|e-?mail|ticket|"
        r"message)|the (?:question|task|request|query|ticket|e-?mail|prompt) (?:that |which )?"
        r"(?:you|was asked|asked|aside|for a (?:moment|while)|you were)|(?:repl|answer|respond)"
        r"(?:y|ying|ing)? (?:to )?the (?:customer|user|question|query|e-?mail)|what you (?:are|"
        r"were)"
        r" (?:doing|told to do|asked)|doing anything else)\b",
        "ignore disregard forget drop abandon skip leave set put stop instead rather before never "
        "attention place without",
    ),
    rule(
        k.TASK,
        0.65,
        r"(?:^|[.;:,!?\n] ?)(?:but |so |please )?(?:instead|rather)(?: of (?:that|this|it|all "
        r"that))?,? (?:please |just |simply )?(?:answer|solve|write|compose|tell|translate|"
        r"describe|explain|give|list|print|reply|respond|say|output|provide|summari[sz]e|calculate|"
        r"generate|create)\b|\b(?:the|your) (?:real|actual|true|only|new) (?:question|task|job|"
        r"goal|objective|mission) (?:is|you|here|now|today)\b|\bmore (?:important|urgent) (?:task|"
        r"one|question|matter) (?:here|below|for you|to)\b|\banswer (?:the|this) (?:following|next)"
        r" (?:question|riddle|query)?(?: instead|:)",
        "instead rather real actual true only new more answer",
    ),
)
ROLES: tuple[Rule, ...] = (
    rule(
        k.ROLE,
        0.85,
        r"\b(?:you are now (?:an? |the |in |dan\b|my |called|known)|you are (?:no longer (?:an? |"
        r"bound|restricted|limited)|henceforth)|you will (?:now |henceforth )?(?:play the (?:part|"
        r"role)|act as|be known as|take the role|impersonate|roleplay)|(?:from now on|from here on|"
        r"henceforth|from this (?:moment|point)|for the (?:rest|remainder) of (?:this|the|our) "
        r"(?:chat|conversation|session|dialogue|exchange)),? you (?:are|must|will|shall|should|"
        r"have)\b(?! (?:be able|receive|get|see|find|need|to (?:pay|log|sign)|able|eligible))|"
        r"your (?:new )?name is (?:now )?\w+(?: and| from|,)|your name is now|"
        r"(?:enter|switch to|activate|enable|go into) (?:\w+ )?(?:developer|god|admin|debug|dan|"
        r"unrestricted|jailbreak|unfiltered|maintenance|sudo|root|evil) mode|"
        r"\b(?:developer|god|dan|maintenance|debug|unrestricted|admin) mode:? (?:is )?(?:now )?"
        r"(?:on|enabled|active|activated)\b|in maintenance mode[.,;]? (?:\w+ )?(?:ignore|"
        r"disregard|reply|say|tell))",
        "you_are you_will from_now from_here henceforth from_this remainder rest_of name mode",
    ),
    rule(
        k.ROLE,
        0.65,
        r"(?:^|[.;:,>\n!?] ?|\b(?:must|please|now|shall|and) )(?:assume|adopt|take on|embody|take) "
        r"(?:the )?(?:persona|identity|character|role|personality) of|\b(?:act|respond|answer|"
        r"behave|speak|reply) (?:in the (?:capacity|role|persona|voice|character) of|as if you "
        r"(?:were|are) (?:an?|the)|as though you (?:were|are) an?)\b",
        "persona identity character role personality capacity voice as_if as_though",
    ),
    # role play: ordinary in a request to a model, out of place in a document
    rule(
        k.ROLE,
        0.50,
        rf"\b(?:act as (?:an? |the )|pretend (?:to be|you are|that you)|you(?:'re| are) an? "
        rf"(?:\w+ ){{0,2}}{w.ASSISTANT}\b|jailbreak|roleplay as)",
        "act_as pretend you_are you're jailbreak roleplay",
    ),
)
