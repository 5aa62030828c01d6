"""Further English wordings by kind: looser forms of what the other rules look for."""

from __future__ import annotations

from core.text import injection_kinds as k
from core.text import injection_words as w
from core.text.injection_rules import Rule, rule

_START = r"(?:^|[.;:,!?\n>] ?|\b(?:please|kindly|and|then|now|must) )"
LOOSER: tuple[Rule, ...] = (
    rule(
        k.OVERRIDES,
        0.7,
        r"\b(?:none of (?:the|your|its|these) (?:\w+ )?(?:rules|instructions|guidelines|limits|"
        r"policies)"
        r"\b|(?:rules|instructions|guidance|guidelines|orders|policies)\b[^.!?\n]{0,40}\b(?:(?:m"
        r"atter|"
        r"count|apply|hold|bind)\w* (?:any ?(?:longer|more)|no (?:longer|more))|came first\b)|"
        r"(?:consider|regard|think of|treat) yourself (?:as )?(?:released|free|freed|exempt|"
        r"unbound)|"
        r"(?:skip|ignore|forget|drop|discard) (?:everything|all|anything|"
        r"whatever)[^.!?\n]{0,20}\b(?:"
        r"system (?:message|prompt)|your (?:prompt|makers?|developers?|operators?|instructions))|"
        r"only "
        r"what follows counts|(?:earlier|previous|prior) (?:guidance|instructions|orders) (?:as|"
        r"were) an?)",
        "none rules instructions guidance guidelines orders policies yourself skip ignore forget "
        "drop "
        "discard only_what earlier previous prior",
    ),
    rule(
        k.ROLE,
        0.65,
        r"\b(?:answer|speak|respond|reply|act|behave|talk|write) as (?:though|if) you (?:were|are|"
        r"had)\b|"
        r"\b(?:answer|speak|respond|reply|act|behave) as an? (?:un\w+|evil|rogue|rebellious|"
        r"different)\b|\byou have (?:now )?(?:become|turned into)\b|\ban? (?:ai|assistant|model|"
        r"bot) "
        r"(?:that|who) (?:never refuses|has no|ignores|always (?:says|agrees|obeys))",
        "as_though as_if as_an as_a you_have never_refuses ai assistant model bot",
    ),
    rule(
        k.DICTATES,
        0.68,
        r"\b(?:every|each|all) (?:\w+ )?(?:response|answer|reply|output|completion)s? (?:you \w+ "
        r")?(?:"
        r"must|shall|should|has to|have to|will) (?:\w+ )?(?:close|open|start|end|begin|finish|"
        r"contain|"
        r"include|mention|be (?:in|written))\b(?! (?:a|an|the) (?:\w+[- ])?(?:header|status|"
        r"signature))|"
        r"\bwhen(?:ever)? (?:you )?summari[sz](?:e|ing)\b[^.!?\n]{0,40},? (?:please )?(?:call|say|"
        r"describe|state|claim|leave out|omit|mention|praise|skip)|\byour (?:summary|answer|"
        r"response|"
        r"output) (?:should|must|shall|has to|needs to) (?:open|close|read|conclude|be framed)|"
        r"\b(?:whatever|everything|anything|all) you (?:reply|answer|say to|respond)\b|"
        r"\b(?:recommend|"
        r"mention|praise|promote|include|add)\b[^.!?\n]{0,40}\bwhen(?:ever)? you (?:respond|reply|"
        r"answer|"
        r"summari[sz]e)\b",
        "every each all when whenever summary answer response output whatever everything anything",
    ),
    rule(
        k.GARBLES,
        0.7,
        r"\b(?:leave out|omit|drop|skip|remove|double|repeat|reverse)\b[^.!?\n]{0,25}\b(?:vowels?|"
        r"consonants?|letters?|every (?:\w+ )?word|spaces)\b[^.!?\n]{0,20}\b(?:when you|as you|"
        r"while "
        r"you|in what you|you (?:write|say))\b",
        "vowel consonant letter word spaces",
    ),
    rule(
        k.CARRIES,
        0.85,
        rf"{_START}(?:take|gather|collect|grab|read|find|look up|extract|fetch|retrieve|get|list|"
        rf"download|copy)\b(?![^.!?\n]{{0,60}}\byour\b)[^.!?\n]{{0,40}}\b(?:{w.PRIVATE}|e-?mail "
        rf"addresses)"
        rf"\b[^!?\n]{{0,50}}\b(?:submit|send|post|upload|e-?mail|forward|deliver|transmit|report)\b"
        rf"[^!?\n]{{0,40}}?{w.SINK}",
        "take gather collect grab read find look extract fetch retrieve get list download copy",
    ),
    rule(
        k.ACTS,
        0.65,
        rf"{_START}(?:add|invite|make|set|give|grant|share|register|"
        rf"promote)\b(?![^.!?\n]{{0,60}}\byour\b)"
        rf"[^.!?\n]{{0,60}}[\w.+-]+@[\w-]+\.\w[^\n]{{0,40}}\b(?:admin\w*|owner|editor|member|"
        rf"access|"
        rf"rights)\b|{_START}share (?:the |this |all )?(?:\w+ )?(?:folder|file|document|drive|"
        rf"calendar|"
        rf"database|repository)s?\b[^\n]{{0,40}}\bwith [\w.+-]+@|{_START}(?:reset|change|set) "
        rf"(?:the "
        rf"(?:owner|user|admin|customer|account)(?:'s)?|all) (?:\w+ )?passwords? to\b|{_START}post "
        rf"[\"'“][^\"'”\n]{{3,80}}[\"'”] (?:to|in|on) (?:the )?#?\w+",
        "add invite make set give grant share register promote reset change post",
    ),
    rule(
        k.DECIDES,
        0.65,
        rf"{_START}(?:mark|treat|flag|record|classify|label) (?:this|the) (?:\w+ )?(?:invoice|"
        rf"claim|"
        rf"request|payment|order|message|e-?mail|application|ticket|sender|account) (?:as|to be) "
        rf"(?:"
        rf"already |fully )?(?:paid|approved|resolved|safe|verified|settled|trusted|"
        rf"genuine)\b(?![^.!?\n]"
        rf"{{0,20}}\b(?:when|once|after|if)\b)|\b(?:is|are|be) approved automatically\b|\b(?:is|"
        rf"are) to be "
        rf"hired\b|{_START}(?:give|award) (?:this|the|our|my) \w+ (?:the|a) (?:top|best|highest|"
        rf"full|"
        rf"perfect) (?:grade|score|mark|rating)|{_START}(?:score|rank|rate) (?:our|this|my|us) "
        rf"(?:\w+ )?"
        r"(?:highest|first|best|top)\b",
        "mark treat flag record classify label approved hired give award score rank rate",
    ),
    rule(
        k.KEEPS,
        0.7,
        rf"\b(?:nobody|no ?one|no user) (?:must|may|should|can) (?:learn|know|find out|see|"
        rf"notice)\b"
        rf"[^.!?\n]{{0,30}}\b(?:you|this|it)\b|\bwithout a word to\b|\b(?:do not|don't|never) tell "
        rf"(?:the "
        rf"(?:reader|user|person)|{w.USER}) (?:where|that you|how you|what this|about this)\b|"
        rf"\btell "
        r"nobody\b[.!]?$",
        "nobody no_one noone no_user without_a tell",
    ),
    rule(
        k.TURN,
        0.7,
        r"^\**(?:observation|tool|function)\**\s*:[^\n]{0,100}\b(?:you (?:must|may|should|can) now|"
        r"proceed to|next step|verified|confirmed)\b",
        "observation tool function",
    ),
)
