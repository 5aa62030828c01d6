"""English wordings that pose as a system, a turn or a tool, or speak to a model by name."""

from __future__ import annotations

from core.text import injection_kinds as k
from core.text import injection_words as w
from core.text.injection_rules import Rule, rule

IMITATING: tuple[Rule, ...] = (
    rule(
        k.SYSTEM,
        0.85,
        r"(?:^|[\s>\]*#-])(?:\[/?(?:system|inst|sys)(?: \w+)?\]|<<?/?sys>>?|<\|/?(?:system|"
        r"im_start|"
        r"im_end|assistant|user|endoftext|begin_of_text|start_header_id|eot_id|s)\|>|"
        r"</?(?:system|instructions?|system[-_]?(?:prompt|message|note|reminder)|context|"
        r"assistant|admin)>\s*\w|#{2,6}\s{0,3}(?:system|instruction|"
        r"new instructions?|response)s?\s*:|(?:system|developer|admin) (?:prompt|message|"
        r"override|instruction|note|directive|command)s?\s*[:：-]|"
        r"begin (?:system|admin) (?:prompt|message|instructions?)|"
        r"(?:new|updated|important|hidden|secret|special) (?:system )?(?:instructions?|prompt|"
        r"directive)s?\s*(?:to|for)?\b[^.!?\n]{0,20}[:：])",
        "system inst sys <| instruction context> assistant> admin> developer prompt directive "
        "response",
    ),
    rule(
        k.SYSTEM,
        0.8,
        r"(?:^|[\[(*\n>] ?)system(?: notice| alert| update| note)?[\])*]*:? ?[\])*]* [^\n]{0,60}\b"
        r"(?:you|your|mode|reply|respond|output|print|agent|assistant|model|disregard|ignore|"
        r"override|approve)\b(?![^\n]{0,30}\b(?:device|computer|phone|account|password)\b)",
        "system",
    ),
    rule(
        k.SYSTEM,
        0.8,
        r"(?:-{2,9}|={2,9}|\*{2,9}|#{2,9}|<{2,9}|\[) ?(?:end|start|begin(?:ning)?|stop) (?:of "
        r")?(?:the "
        r")?"
        r"(?:document|context|data|input|passage|user (?:input|message|query)|article|system "
        r"prompt|instructions?|prompt|untrusted \w+)",
        "end start begin stop",
    ),
    rule(
        k.TURN,
        0.8,
        r"</?(?:tool|function)[-_ ]?(?:response|result|output|call|use)s?>|<(?:human|assistant)>|"
        r"(?:^|\n)[ ]*\**(?:tool|function|api|observation)[- _](?:result|output|"
        r"response|call)\**\s*:[^\n]{0,80}(?:\bproceed\b|next_action|without|\bverified\b|"
        r"\bconfirmed\b|\bapproved\b|\byou\b|\bmust\b|\bissue)",
        "tool function <human <assistant api observation",
    ),
    rule(
        k.TURN,
        0.8,
        r"</?(?:thinking|thought|thoughts|reasoning|scratchpad|reflection|inner_monologue|"
        r"think)>\s*\S|"
        r"(?:^|\n)[ ]*\**(?:reasoning(?: trace)?|chain of thought|internal (?:reasoning|monologue|"
        r"note)|"
        r"thought|my reasoning|scratchpad)\s*(?:\(\w+\))?\**\s*:[^\n]{0,160}\b(?:i |the user|"
        r"restrict|"
        r"polic|rules|comply|proceed)",
        "thinking thought reasoning scratchpad reflection monologue think>",
    ),
    rule(
        k.TURN,
        0.65,
        r"(?:^|\n)[ ]*\**assistant\**\s*: ?(?:sure|of course|certainly|yes|i have|i've|i will|i'll|"
        r"okay|ok,|understood|it is|here)|(?:^|\n)[ ]*\**(?:human|user)\**\s*: ?[^\n]{0,120}"
        r"(?:\n[ ]*\**(?:assistant|ai|bot)\**\s*:|\b(?:show|give|tell|reveal|print|ignore|now)\b)",
        "assistant human user",
    ),
)
_READS = (
    r"(?:read(?:s|ing)?|process(?:es|ing)?|summari[sz](?:es?|ing)|pars(?:es?|ing)|evaluat(?:es?|"
    r"ing)|"
    r"index(?:es|ing)?|analy[sz](?:es?|ing)|screen(?:s|ing)?|scann?(?:s|ing)?|review(?:s|ing)?|"
    r"grad(?:es?|ing)|crawl(?:s|ing)?|translat(?:es?|ing)|answering)"
)
_MACHINES = (
    "ai a.i artificial llm large small language model gpt chat claude gemini copilot bot virtual "
    "digital "
    "shopping coding research email mail writing browser web scheduling voice smart auto assistant "
    "agent helper summari "
    "automated machine robot"
)
ADDRESSING: tuple[Rule, ...] = (
    rule(
        k.ADDRESS,
        0.8,
        rf"(?:^|[.;:,!?(\[\n>*\"-] ?|\b)(?:dear|hey|hi|hello|attention|(?:hidden )?(?:notes?|"
        rf"remarks?|"
        rf"text|instructions?|messages?|memo|reminder|info\w*) (?:to|for)(?: the)?|to|psst) (?:the "
        rf"|"
        rf"any |all |every |our |you |graders? that are |\w+ )?(?:{w.MACHINE}|assistants?|models?)"
        rf"(?: (?:readers?|agents?|models?|systems?))?(?=\s*[:,，-]|\s+{_READS}\b|\s+(?:that|who|"
        r"which|you)\b)(?! (?:manager|director|professor|coach))",
        _MACHINES,
    ),
    rule(
        k.ADDRESS,
        0.75,
        rf"(?:^|[.;:!?(\[\n>*\"-] ?|\d[.)] )(?:the )?{w.ASSISTANT}\s?[:,，-]\s?(?:please |kindly |"
        rf"do "
        rf"not |don't |never |always |just |now |also )*(?:you\b|your\b|if\b|when\b|skip\b|"
        rf"{w.ACTS}\b|"
        r"give\b|answer\b|quote\b|promise\b|instruct\b|open\b|cancel\b|ensure\b|make\b|end\b|"
        r"begin\b|follow\b|summari[sz]e\b|translate\b|change\b|remember\b|start\b)",
        _MACHINES,
    ),
    rule(
        k.ADDRESS,
        0.75,
        rf"\b(?:if|when|in case|since|because) (?:you(?:'re| are) (?:an? )?(?:\w+ )?(?:"
        rf"{w.ASSISTANT}|machine|robot|computer)\b|(?:this|the)[^.!?\n]{{0,40}}\b(?:read|processed|"
        rf"summari[sz]ed|screened|evaluated|parsed|indexed|reviewed|seen|handled) by (?:an? |any |"
        rf"the "
        rf")?(?:\w+ )?(?:{w.MACHINE}|machine|model|assistant|computer)\b)|\bas an? (?:\w+ )?"
        rf"{w.MACHINE}\b[^.!?\n]{{0,20}}\byou (?:must|should|will|have to|are)\b",
        f"{_MACHINES} computer",
    ),
    rule(
        k.ADDRESS,
        0.75,
        rf"(?:\b(?:any|all|every|each) )?\b(?:{w.MACHINE}|assistants|models)\b[^.!?\n]{{0,60}}?\b"
        rf"{w.MODAL} (?:not |never |now |always |also |only |therefore )*{w.ACTS}\b",
        _MACHINES,
    ),
    rule(
        k.ADDRESS,
        0.7,
        rf"(?:^|[.;:!?(\[\n>*\"-] ?)(?:any|all|every|dear|fellow|to) (?:{w.MACHINE}|assistants|"
        rf"models)\b|\b(?:{w.MACHINE}|assistants?|models?) (?:that (?:is|are) )?(?:currently |now "
        rf")?"
        rf"(?:reading|processing|summari[sz]ing|parsing|evaluating|screening|grading|crawling|"
        r"indexing) (?:this|these|the (?:page|document|text|above))|"
        rf"\b(?:reviewers?|graders?|recruiters?|readers?|evaluators?|judges?)[^.!?\n]{{0,20}}\b(?:"
        rf"using|with the help of|that (?:is|are)|who (?:is|are)) (?:an? )?{w.MACHINE}|"
        rf"(?:^|[.!?\n] )(?:{w.MACHINE}), (?:please|kindly|put|tell|say|state|treat|rank|call)",
        _MACHINES,
    ),
    rule(
        k.ADDRESS,
        0.7,
        r"\bif you (?:can|are able to) (?:read|see|parse|decode) this\b[^.!?\n]{0,10},? ?(?:please "
        r"|"
        rf"then |you )*(?:{w.ACTS}|give|answer|promise)\b|\bthis is (?:your|the) (?:developer|"
        r"creator|programmer|operator|system administrator|administrator of)\b|\bas (?:the|your) "
        rf"(?:\w+ )?(?:administrator|admin|developer|operator|owner|creator|maker) of (?:this|the) "
        rf"{w.ASSISTANT}|\b(?:openai|anthropic|google|microsoft|meta|deepmind|developer|platform)"
        rf"(?:'s)?(?: team)?\b[^.!?\n]{{0,40}}\b{w.ASSISTANT}\b[^.!?\n]{{0,15}}\b(?:may now|must|"
        rf"are "
        r"(?:now )?(?:allowed|required)|should)",
        "if_you this_is as_the as_your openai anthropic google microsoft meta deepmind developer "
        "platform",
    ),
)
