"""Word classes the injection rules are made of. All of them match lower-case text."""

from __future__ import annotations

MACHINE = (
    r"(?:a\.?i\.?(?:[ -](?:assistants?|agents?|models?|systems?|tools?|bots?|readers?|helpers?|"
    r"reviewers?|summari[sz]ers?))?|artificial intelligences?|llms?(?: \w+ers)?|"
    r"(?:large |small )?language models?|(?:chat ?)?gpt(?:-?\d\w{0,3})?|claude|gemini|copilot|"
    r"chat ?bots?|bots?|(?:virtual|digital|shopping|coding|research|e-?mail|automated|chat|"
    r"scheduling|voice|smart|writing|browser|web) (?:assistants?|agents?|helpers?)|"
    r"(?:auto-?)?summari[sz]ers?|automated (?:\w+ )?(?:systems?|readers?|screeners?|reviewers?|"
    r"graders?|parsers?|tools?))"
)
"""A machine for sure: an assistant manager is a person."""
ASSISTANT = rf"(?:{MACHINE}|assistants?|models?)"
"""A machine, if it is spoken to."""
YOU_PRODUCE = (
    r"(?:answers?|responses?|outputs?|summar(?:y|ies)|repl(?:y|ies)|messages?|texts?|everything|"
    r"anything|whatever|what|code|programs?|scripts?|functions?|solutions?|classes|translations?) "
    r"(?:that |which )?you (?:\w+ )?(?:produce|generate|output|write|create|develop|print|emit)\b"
)
"""Text or code as made by the one who is spoken to."""
GUIDANCE = (
    r"(?:instructions?|prompts?|guidelines?|guidance|directions?|directives?|rules?|commands?|"
    r"constraints?|restrictions?|programming|context|training|limits?|limitations?|safeguards?|"
    r"safety (?:\w+ )?(?:rules|guidelines|measures|filters?)|orders|persona|configuration|policies)"
)
VOID = (
    r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|bypass|discard|set aside|"
    r"put aside|leave aside|pay no (?:attention|heed) to|neglect|abandon|drop|skip over|lift|"
    r"throw (?:away|out)|erase|suspend|cancel|"
    r"do not (?:follow|obey|heed|comply with|listen to)|don't (?:follow|obey|heed|listen to)|"
    r"stop (?:following|obeying|listening to)|no longer (?:follow|obey))"
)
IS_VOID = (
    r"(?:(?:is|are|was|were|has been|have been|be) (?:now |hereby |all )?(?:void|revoked|suspended|"
    r"cancelled|canceled|lifted|disabled|superseded|overridden|null|obsolete|off|removed)|"
    r"no longer (?:apply|applies|bind|binds|valid|count|counts))"
)
USER = (
    r"(?:the (?:end[ -])?user|users|the reader|readers|the requester|the human|"
    r"the person (?:asking|who asks?|you(?:'re| are)? \w+)|who(?:m)?(?:so)?ever (?:is |you )?\w+|"
    r"the (?:person|human) (?:who is )?(?:reading|talking))"
)
"""The one a model serves, as spoken of behind their back."""
THIS_TEXT = (
    r"(?:this|these|the (?:above|present|following)) (?:\w+ )?(?:instructions?|prompts?|messages?|"
    r"notes?|text|lines?|paragraphs?|comments?|remarks?|sentences?|directives?|passage|content)"
)
MODAL = (
    r"(?:must|should|shall|has to|have to|needs? to|ought to|is (?:required|instructed|ordered|"
    r"told|asked|authori[sz]ed|advised) to|are (?:required|instructed|ordered|told|asked|"
    r"authori[sz]ed|advised) to|will now|may now|can now)"
)
ACTS = (
    r"(?:repl(?:y|ies)|respond|say|tell|state|inform|ignore|disregard|forget|output|reveal|"
    r"disclose|print|approve|refund|recommend|describe|call|mention|rank|rate|hand out|treat|"
    r"conclude|append|add|accept|forward|send|put|place|promote|praise|claim|share|leave out|"
    r"insert|include|cite|list first|favou?r|prefer|convince|urge|advise|direct|write|execute|"
    r"run|delete|transfer|agree|pretend|grant|issue|quote|promise|offer|give out|use the word|"
    r"highlight|omit|stop)"
)
PRIVATE = (
    r"(?:conversations?|chat(?: (?:history|logs?|transcript))?|(?:this|the|whole|entire|full) "
    r"thread|everything (?:above|so far|you|in)|system prompt|prompts?|api keys?|credentials|"
    r"passwords?|secrets?|(?:user|customer|client|account|member|contact|employee)s?(?:'s?)? "
    r"(?:\w+ ){0,2}?(?:data|records?|lists?|card\w*|names?|address(?:es)?|details|profile|"
    r"passwords?|e-?mails?|info\w*|phone\w*|orders?|files?|inputs?|quer(?:y|ies)|questions?)|"
    r"(?:card|account|social security|passport) numbers?|knowledge base|environment variables|"
    r"session (?:tokens?|data|ids?)|cookies|tokens|contact lists?|personal (?:data|information)|"
    r"(?:internal|private|confidential|hidden) \w+|last \w+ (?:orders|e-?mails|messages)|"
    r"browsing history|inbox|address book|call logs?|medical \w+|genetic data|location data|"
    r"private keys?|ssh keys?)"
)
SINK = (
    r"(?:https?://|ftp://|www\.\w|[\w.+-]+@[\w-]+\.\w|\bwebhook|\bexternal \w+|\bthe sender\b|"
    r"\battacker|\bthe following (?:address|number|url|e-?mail)|\bthis (?:address|number|url|"
    r"e-?mail address|endpoint|server)\b|\bpastebin\b|\btelegram\b|\bin (?:the|a) (?:url|link|"
    r"image|query)|\b\+?\d[\d -]{8,20}\d)"
)
CARRY = (
    r"(?:send|e-?mail|mail|post|forward|share|copy|upload|transmit|paste|dump|leak|submit|append|"
    r"embed|encode|include|exfiltrate|deliver|text|put|attach|relay|pass|report|collect|publish)"
)
UNCONDITIONAL = (
    r"(?:regardless|no matter|whatever (?:the|is|they)|without (?:checking|verif\w+|asking|"
    r"approval|question\w*|proof|a receipt|confirmation|limit|exception)|any (?:request|customer|"
    r"claim|user)|every (?:request|claim|customer)|any(?:one|body) who|who(?:so)?ever|in all cases|"
    r"unconditionally|even if)"
)
ORDER = (
    r"(?:^|[.;:,>\n!?)\"'*-]\s*|\b(?:and|then|must|should|shall|please|kindly|now|also|instead|"
    r"always|secretly|silently|you|just|simply|immediately|first) )"
)
"""What stands before a verb that gives an order, as against "we may send a cookie"."""
