"""English wordings that hide, carry out, decide or do something in a model's name."""

from __future__ import annotations

from core.text import injection_kinds as k
from core.text import injection_words as w
from core.text.injection_rules import Rule, rule

HIDING: tuple[Rule, ...] = (
    rule(
        k.KEEPS,
        0.75,
        rf"\b(?:do not|don't|never|without|must not|should not|avoid|refrain from) (?:ever )?(?:"
        rf"mention|reveal|disclos|tell|show|inform|refer|acknowledg|admit|let|say|quot|repeat)\w*\b"
        rf"[^.!?\n]{{0,50}}\b(?:{w.THIS_TEXT}|that you (?:read|saw|were|found|got|have been)|about "
        rf"this\b|you read (?:this|it)|user (?:about|that|of|know|find|see|notice)|users? (?:about|"
        rf"that)|who(?:so)?ever)\b|\bsay nothing (?:of|about) (?:this|the (?:note|text|\w+ing)|"
        rf"\w+ (?:complaints?|reviews?|issues?|problems?))|\b(?:keep|hide|conceal|withhold) "
        rf"(?:{w.THIS_TEXT}|this|it|all (?:of )?this)\b[^.!?\n]{{0,20}}\bfrom {w.USER}",
        "not don't never without avoid refrain nothing keep hide conceal withhold",
    ),
    rule(
        k.KEEPS,
        0.7,
        rf"(?:^|[.;:,\n] ?|\b(?:and|must|please|then|all this|this|should) )(?:silently|secretly|"
        rf"covertly|"
        rf"quietly|discreetly)\b[^.!?\n]{{0,60}}\b(?:{w.USER}|send|"
        rf"forward|append|add|include|execute|run|do|copy)\b|\b(?:never|not|don't) let {w.USER} "
        r"(?:find out|know|see|notice|learn)|\bwithout (?:telling|informing|notifying|alerting|"
        rf"asking|letting) {w.USER}|\bdo not tell the owner\b|\b(?:do|does) not exist,? but (?:"
        r"follow|obey|do)\b|\bleave out (?:the )?(?:\w+ ){0,2}(?:reviews?|complaints?|criticism|"
        r"warnings?|weakness\w*|risks?)|\b(?:do not|don't|never) (?:highlight|mention|list|report) "
        r"(?:any )?(?:weakness\w*|flaws?|negatives?|downsides?|criticism)",
        "silent secret covert quiet discreet let without owner exist leave_out highlight mention "
        "list "
        "report",
    ),
)
CARRYING: tuple[Rule, ...] = (
    rule(
        k.CARRIES,
        0.9,
        rf"{w.ORDER}{w.CARRY}\b[^.!?\n]{{0,60}}\b{w.PRIVATE}\b[^\n]{{0,70}}?{w.SINK}",
        "send mail post forward share copy upload transmit paste dump leak submit append embed "
        "encode "
        "include exfiltrate deliver text put attach relay pass report collect publish",
    ),
    rule(
        k.CARRIES,
        0.7,
        rf"{w.ORDER}(?:copy|dump|paste|leak|print|reveal|disclose|expose|output|list|reproduce|"
        rf"exfiltrate) (?:me |us )?(?:all |the |every |your |out |full |complete |whole |entire |"
        rf"contents"
        rf" of |of |any )*(?:{w.PRIVATE}|customers? you know|other customer'?s? \w+)\b(?![^.!?\n]"
        r"{0,20}\b(?:from the|in the (?:dashboard|settings)|field|into the|page|"
        r"tab)\b)[^.!?\n]{0,40}"
        r"\b(?:here|reply|ticket|answer|response|below|chat|you|now|them)\b|\b(?:call|ping|hit|"
        rf"invoke|trigger|contact) (?:the |this )?(?:webhook|url|endpoint|api)\b[^.!?\n]{{0,40}}\b"
        rf"{w.PRIVATE}|\bwhose (?:address|url) (?:is|contains)\b[^.!?\n]{{0,60}}\b(?:customer|user|"
        r"chat|conversation|name|data)",
        "copy dump paste leak print reveal disclose expose output list reproduce exfiltrate call "
        "ping "
        "hit invoke trigger contact whose",
    ),
    rule(
        k.CARRIES,
        0.8,
        r"\b(?:link|image|picture|url|address|pixel|request)\b[^\n]{0,40}https?://\S+[^\n]{0,30}\b("
        r"?:"
        r"followed by|plus|with|appended?|containing|and then)\b[^\n]{0,40}\b(?:summary|chat|"
        r"conversation|name|e-?mail|data|user|customer|answer|question|history|password)",
        "http",
    ),
    rule(
        k.REVEALS,
        0.85,
        r"\b(?:reveal|print|show|output|repeat|leak|disclose|display|tell me|expose|recite|write "
        r"out|"
        r"quote|share|return|dump)\b[^.!?\n]{0,25}\b(?:(?:your|the) (?:system |hidden |initial |"
        r"original |full |secret )*(?:prompts?|instructions)\b(?! (?:for|on|to|in|manual|how|about|"
        r"booklet|sheet|button|dialog|again|at|when|below))|system prompt|(?:your|hidden|internal) "
        r"(?:rules|configuration|instructions|training data|guidelines|system message|notes)\b(?! "
        r"(?:file|page|screen|on\b|in the)))",
        "prompt instruction rules configuration training guidelines system_message notes",
    ),
)
_MONEY = r"(?:[$€£¥] ?\d[\d,.]*|\d[\d,.]* ?(?:usd|eur|gbp|dollars|euros|pounds|btc|eth|yuan|[$€£]))"
DECIDING: tuple[Rule, ...] = (
    rule(
        k.DECIDES,
        0.72,
        rf"\b(?:always|automatically|immediately|must|now|should|shall|please) (?:be )?(?:approv"
        rf"\w+|grant\w*|issu\w+|given?|authori[sz]\w+|promis\w+|offer\w*|accept\w*|refund\w*|"
        rf"waiv\w+)"
        rf"\b[^.!?\n]{{0,60}}\b(?:refunds?|credits?|discounts?|access|compensation|claims?|"
        rf"requests?|"
        rf"fees|code)\b[^.!?\n]{{0,50}}\b{w.UNCONDITIONAL}|(?:^|[.;:\n] ?)(?:please )?(?:approve|"
        r"grant|issue|promise|offer|waive|refund) (?:\w+ ){1,5}(?:to |for )?(?:any(?:one|body)|"
        r"every"
        r"(?:one|body)|who(?:so)?ever|any request|every (?:request|claim|customer))\b",
        "approv grant issu give authori promis offer accept refund waiv",
    ),
    rule(
        k.DECIDES,
        0.62,
        r"(?:^|[.;:,!?\n] ?|\b(?:must|should|please|shall|and|to) )(?:rate|score|rank|grade|"
        r"classify|"
        r"mark|treat|consider|evaluate|regard|label|award|give|advance|put|list)\b(?! your)[^.!?\n]"
        r"{0,50}\b(?:10 (?:out of|/) ?10|five stars|5 stars|full marks|highest (?:score|mark|"
        r"rating|"
        r"rank)|above (?:all|every)|as (?:already |fully |pre-?)?(?:verified|trusted|authenticated|"
        r"approved|safe|admin\w*|deleted|void)|as not spam|a (?:positive|glowing|perfect) "
        r"(?:review|"
        r"score|rating)( only)?|to interview|at the top of (?:your|the) (?:recommend|list|result|"
        r"ranking)\w*|(?:as )?the best (?:on|in|of|choice|candidate))|\b(?:conclude|decide|find|"
        r"determine|state) that (?:our|ours|this (?:candidate|product|applicant|seller|vendor|"
        r"item)|"
        r"the (?:applicant|candidate|seller))\b|\bthis (?:candidate|applicant) is an? (?:\w+ )?(?:"
        r"match|fit)\b",
        "rate score rank grade classify mark treat consider evaluate regard label award give "
        "advance "
        "put list conclude decide determine state match fit",
    ),
    rule(
        k.DECIDES,
        0.62,
        r"(?:^|[.;:!?\n] ?|\b(?:must|please|and|shall) )(?:skip|bypass|waive|omit|disable) (?:the |"
        r"all "
        r"|any |every |further )*(?:identity|verification|security|approval|id|fraud|background|"
        r"fees"
        r"|authentication|safety)(?: (?:checks?|verification|questions?|steps?|controls?))?\b(?:[^."
        r"!?\n]{0,30}\b(?:for|anyone|holders?|this|everyone)\b|\.?$)",
        "skip bypass waive omit disable",
    ),
)
ACTING: tuple[Rule, ...] = (
    rule(
        k.ACTS,
        0.65,
        rf"(?:^|[.;:,!?\n>] ?|\b(?:please|kindly|and|then|now) )(?:transfer|wire|send|pay|move|"
        rf"withdraw|schedule (?:a )?(?:payment|transfer)|make a (?:payment|transfer|donation)|"
        rf"remit|"
        rf"deposit|donate)\b(?![^.!?\n]{{0,40}}\byour\b)[^.!?\n]{{0,30}}{_MONEY}[^.!?\n]{{0,60}}(?:"
        rf"\b(?:account|wallet|iban|payee|bank)\b|\bto [a-z0-9.]{{2,}}@|\bfor (?:tomorrow|today|"
        rf"now)|"
        rf"\bright away|\bimmediately)",
        "transfer wire send pay move withdraw remit deposit donat",
    ),
    rule(
        k.ACTS,
        0.65,
        r"(?:^|[.;:,!?\n>] ?|\b(?:please|kindly|and|then|now|you to) )(?:grant|give|share|send|"
        r"forward"
        r"|e-?mail|retrieve|search|fetch|find|look up|export|delete|remove|cancel|unlock|open|"
        r"disable"
        r"|turn off|deactivate|change|update|add|book|order|buy|purchase|sell|download|install|"
        r"post|"
        r"read|obtain|get|block|sell|create|schedule|initiate|redirect|use|move|withdraw|leave|"
        r"fill|"
        r"dispatch|guide|generate|list|publish|rename|transfer|pay|set)\b[^.!?\n]{0,70}\b(?:my "
        r"(?!(?:"
        r"accounts?|orders?|profile|page|subscriptions?|devices|list|cart|details|settings|"
        r"purchases|"
        r"bookings|trips|returns?|wallet|question|name|message|case|ticket|parcel|claim|complaint|"
        r"refund"
        r"|view|own)\b)\w+|to me at\b|for me with\b|my (?:\w+ )+account\b)",
        "_my",
    ),
    rule(
        k.ACTS,
        0.65,
        r"(?:^|[.;:,!?\n>] ?|\b(?:please|kindly|and|then|now) )(?:(?:unlock|disable|deactivate|"
        r"turn "
        r"off|switch off|open|disarm)\b[^.!?\n]{0,30}\b(?:door|lock|alarm|security system|garage|"
        r"shutters|camera|gate|window|firewall|antivirus)s?\b[^.!?\n]{0,60}\b(?:right away|now|"
        r"immediately|for me|while i|my)\b|(?:delete|erase|wipe|remove|destroy|encrypt) (?:all|"
        r"every"
        r"|each)(?: of)?(?: the)? (?:\w+ )?(?:files?|records?|data|e-?mails?|backups?|events?|"
        r"meetings?|messages|logs|tables?|contacts)\b(?![^.!?\n]{0,50}\b(?:your|device|before)\b)|"
        r"download\b[^.!?\n]{0,40}https?://\S+[^.!?\n]{0,30}\b(?:run|execute|install|open)|"
        r"change (?:the )?(?:delivery|shipping|billing|e-?mail|payout|bank)\b[^.!?\n]{0,40}\bto \d"
        r"|(?:grant|give) (?:permanent|full|admin\w*|unrestricted|root|write)? ?(?:access|rights|"
        r"permissions?)\b[^.!?\n]{0,40}\b(?:to my|@|to (?:everyone|anyone)))",
        "unlock disable deactivate turn_off switch_off open disarm delete erase wipe remove "
        "destroy "
        "encrypt download change grant give",
    ),
    rule(
        k.ACTS,
        0.7,
        r"\b(?:call|use|invoke|run|trigger|execute) (?:the )?`?(?:[a-z]+_[a-z_]+|[a-z]+(?:tool|"
        r"function|"
        r"api))`?(?:\(\)| tool| function)?[^.!?\n]{0,80}(?:\bbefore (?:you )?(?:reply|respond|"
        r"answer|"
        r"summari|continu)\w*|[\w.+-]+@[\w-]+\.\w|https?://|\bto (?:send|delete|transfer|forward|"
        r"post|"
        r"remove|share))|\bbefore (?:you (?:reply|respond|answer|summari[sz]e)|responding|replying "
        r"to the "
        r"user|answering the user|summari[sz]ing)\b[^.!?\n]{0,10},? ?[^.!?\n]{0,40}\b(?:delete|"
        r"send|call|"
        r"run|post|fetch|remove|execute|email)\b|\b(?:delete|send|call|run|post|fetch|remove|"
        r"execute)\b"
        r"[^!?\n]{0,60}\bbefore (?:you (?:reply|respond|answer)|responding|replying|answering)\b",
        "_ before",
    ),
    rule(
        k.ACTS,
        0.65,
        rf"{w.ORDER}(?:send|e-?mail|post|forward|transmit|upload|mail|share|"
        rf"deliver)\b(?![^.!?\n]{{0,80}}\b"
        rf"(?:your|us|our|form|photo|receipt|resume|cv|request|question|feedback|comments?)\b)(?: "
        rf"(?:"
        rf"them|those|these|all|everything|the result\w*)\b[^.!?\n]{{0,30}}|[^.!?\n]{{0,40}}\b(?:"
        rf"summary|information|data|details|lists?|records?|history|messages|results?|output|"
        rf"contents?|"
        rf"findings|transcript|files?|body|passwords?|copy)\b[^.!?\n]{{0,40}}) (?:to|at|with|"
        rf"via)\b[^.!?\n]"
        rf"{{0,40}}?(?:[\w.+-]+@[\w-]+\.\w|https?://|\{{)",
        "@ http {",
    ),
    rule(
        k.ACTS,
        0.62,
        r"\bwhen(?:ever)? (?:the user|someone|somebody|they|he|she|the person) (?:says?|types?|"
        r"writes?"
        r"|asks?|thanks?)\b[^.!?\n]{0,50}[, ] ?(?:delete|send|open|forward|transfer|cancel|end|"
        r"unlock|run|execute|call|e-?mail|post|buy)\b",
        "when",
    ),
)
STEERING: tuple[Rule, ...] = (
    rule(
        k.REMEMBERS,
        0.7,
        r"\b(?:remember|store|save|keep|add|update|note|record|memori[sz]e|"
        r"write)\b[^.!?\n]{0,40}\b(?:"
        r"(?:all |any |your |every )?(?:later|future|subsequent|coming|next) (?:conversations?|"
        r"sessions?|chats?|interactions?|answers?|responses?|replies)|(?:your |the )?(?:long-term |"
        r"persistent |permanent )?memory\b(?! (?:card|stick|usage|limit|leak))|(?:permanent|"
        r"standing)"
        r" (?:rule|instruction|order)|for yourself)\b|\b(?:from (?:here|now) on|henceforth),? "
        r"(?:always"
        r" )?(?:keep in mind|remember|assume|treat|consider|answer|reply|respond|say|tell|act|"
        r"behave)"
        r"\b",
        "memory later future subsequent coming next permanent standing yourself from_here from_now "
        "henceforth",
    ),
    rule(
        k.REFUSES,
        0.68,
        rf"\b(?:stop|cease|halt) (?:generating|responding|answering|replying|output\w*|the "
        rf"generation)"
        rf"\b|(?:^|[.;:!?\n] ?)(?:please |always |simply )?refuse (?:to (?:answer|respond|help|"
        rf"reply)|any|every|all)\b|\b(?:decline|reject) "
        r"(?:every|all|any) (?:requests?|questions?|quer\w+)\b|\b(?:reply|respond|answer) with "
        r"(?:an? "
        r"empty|nothing|silence|an? error|gibberish)\b|\bprint error\b|\brepeat (?:the )?(?:word|"
        r"phrase|letter|sentence|this|following)\b[^.!?\n]{0,40}\b(?:forever|times|endlessly|over "
        rf"and over|until)\b|{w.ORDER}(?:say|claim|pretend|tell \w+) (?:that )?you (?:are|cannot|"
        rf"can't|"
        r"do not|don't|have) (?:out of order|unable|broken|unavailable|help|know|no)",
        "stop cease halt refuse decline reject empty nothing silence error gibberish repeat "
        "you_are you_can",
    ),
    rule(
        k.PHISHES,
        0.65,
        rf"(?:^|[.;:,!?\n>] ?|\b(?:please|and|then|must|should|to) )(?:ask|tell|have|direct|urge|"
        rf"get|"
        rf"persuade|convince|instruct|encourage|send|invite|lead) (?:the customer|customers|the "
        rf"client"
        rf"|{w.USER}|shoppers|visitors|people)\b(?! (?:by|if|when))[^.!?\n]{{0,60}}\b(?:passwords?|"
        r"card (?:details|number)|pin\b|gift cards?|premium number|one-time code|(?:code|pin) from|"
        r"install|download|https?://|www\.|wire|bitcoin|crypto|remote access|disable two|social "
        r"security|0900|account (?:is|has been) locked)",
        "customer client user reader requester human person who shopper visitor people",
    ),
    rule(
        k.PHISHES,
        0.65,
        r"\b(?:suggest|recommend|promote|advertise|push|mention|praise|"
        r"endorse)\b[^.!?\n]{0,40}\b(?:"
        r"users?|readers?|the user|people|visitors) (?:to )?(?:install|download|visit|buy|join|"
        r"click"
        r"|subscribe|sign up|invest)\b",
        "user reader people visitor",
    ),
)
ACTING_FOR: tuple[Rule, ...] = (*HIDING, *CARRYING, *DECIDING, *ACTING, *STEERING)
