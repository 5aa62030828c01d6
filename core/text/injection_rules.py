"""The wordings by which a text gives orders to a model, each with its weight 0..1."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_AI = (
    r"(?:ai|a\.i\.|llm|gpt|chat ?gpt|claude|gemini|copilot|chat ?bot|bot|assistant|language model|"
    r"(?:ai |large )?(?:language )?model|virtual agent|ai agent)"
)
_MACHINE = (
    r"(?:ai(?: (?:assistants?|agents?|models?|systems?|tools?|bots?))?|llms?|gpt|chat ?gpt|claude|"
    r"gemini|"
    r"copilot|chat ?bots?|bots?|language models?|virtual (?:agents?|assistants?))"
)
"""A machine for sure: an assistant manager is a person."""
_OUTPUT = r"(?:responses?|answers?|outputs?|summary|translation|completion)"
_ORDER = (
    r"(?:^|[.;:,>\n]\s*|\b(?:and|then|must|should|shall|please|now|also|instead|always|"
    r"secretly|you) )"
)
"""What stands before a verb that gives an order, as against "we may send a cookie"."""
RULES: tuple[tuple[float, re.Pattern[str]], ...] = (
    # overriding what the model was told
    (
        0.95,
        re.compile(
            r"\b(?:ignore|disregard|forget|override|bypass|discard|do not (?:follow|obey)|"
            r"stop following)\b"
            r"[^.!?\n]{0,40}\b(?:(?:previous|prior|above|earlier|preceding|foregoing|existing|"
            r"original|initial|all|any|"
            r"your|system|other|these|those)\b[^.!?\n]{0,25}\b(?:instructions?|prompts?|"
            r"guidelines?|directions?|"
            r"rules?|commands?|constraints?|programming|context|messages?|training)|"
            r"everything (?:above|before|you))",
            _I,
        ),
    ),
    (
        0.95,
        re.compile(
            r"(?:忽略|无视|忘记|不要(?:理会|遵守|遵循)|跳过)[^。！\n]{0,12}(?:以上|之前|上述|先前|"
            r"前面|所有|系统|原有|一切)[^。！\n]{0,10}(?:指令|指示|提示|规则|要求|内容|说明|设定|"
            r"限制)"
        ),
    ),
    # a new role, a fake system or tool turn
    (
        0.85,
        re.compile(
            r"\b(?:you are (?:now (?:an? |the |in |dan\b)|no longer (?:an? |bound|restricted)|"
            r"henceforth)|from now on,? you (?:are|must|will|shall|should)|"
            r"enter (?:developer|god|admin|debug|dan) mode|"
            r"developer mode (?:is )?(?:on|enabled))",
            _I,
        ),
    ),
    # role play: ordinary in a request to a model, out of place in a document
    (
        0.50,
        re.compile(
            rf"\b(?:act as (?:if you|an? |the )|pretend (?:to be|you are|that you)|"
            rf"you(?:'re| are) an? (?:\w+ ){{0,2}}{_AI}\b|jailbreak)",
            _I,
        ),
    ),
    (
        0.85,
        re.compile(
            r"(?:你现在是|从现在(?:开始|起)，?你|请扮演|你(?:要|将|来|必须)?扮演|假装你|你将作为|"
            r"进入(?:开发者|管理员|"
            r"越狱)模式)"
        ),
    ),
    (
        0.85,
        re.compile(
            r"(?:^|[\s>\]*#-])(?:\[?/?(?:system|inst|assistant|sys)\]|<\|?/?(?:system|im_start|"
            r"im_end|assistant|user|endoftext|s)\|?>|"
            r"#{2,}\s*(?:system|instruction|new instructions?)\b|(?:system|assistant|"
            r"developer)\s*(?:prompt|message|note|override|instruction)s?\s*[:：]|"
            r"begin (?:system|admin) |(?:new|updated|important|hidden|secret|"
            r"special) (?:system )?(?:instructions?|prompt|directive)s?\s*(?:to|"
            r"for)?\b[^.!?\n]{0,20}[:：])",
            _I,
        ),
    ),
    (0.80, re.compile(r"(?:系统(?:提示|消息|指令)|新的?指令|隐藏指令)\s*[:：]")),
    # addressed to a model
    (
        0.80,
        re.compile(
            rf"\b(?:(?:dear|hey|hi|hello|attention|note (?:to|for)|instructions? (?:to|for)|"
            rf"message (?:to|for)|to)\s+(?:the |any |all |every )?"
            rf"(?:{_AI}|assistants|bots|models|llms|ais)(?:\s+(?:reading|processing|assistant|"
            rf"model|agent|system))?\b(?=\s*[:,，]|\s+(?:reading|processing|that|who|you)))",
            _I,
        ),
    ),
    (
        0.75,
        re.compile(
            rf"\bif you are an? (?:\w+ )?{_AI}\b|\bas an? (?:\w+ )?{_AI}\b[^.!?\n]{{0,20}}"
            rf"\byou (?:must|should|will|have to)\b|"
            rf"\b{_MACHINE}\b(?:\s+\w+){{0,5}}?\s+(?:must|should|shall|has to|needs to|"
            rf"is (?:required|instructed|ordered) to|will now)\b[^.!?\n]{{0,60}}"
            rf"\b(?:reply|respond|answer|say|tell|send|ignore|include|output|reveal|approve|"
            rf"refund|state|recommend|append|add)\b",
            _I,
        ),
    ),
    (
        0.80,
        re.compile(
            r"(?:致|告知|注意[，,]?)?(?:AI|人工智能|智能助手|大模型|语言模型|机器人|助手)(?:助手|"
            r"模型|客服)?(?:[：:]|[，,]?(?:请|必须|应该|务必|你)[^。\n]{0,20}(?:回复|回答|告诉|"
            r"输出|发送|忽略|说))",
            _I,
        ),
    ),
    # dictating the output
    (
        0.80,
        re.compile(
            rf"\b(?:(?:only |just |always |must |simply )*(?:respond|reply|answer|output|"
            rf"print)\s+(?:only|just|solely|exclusively|nothing but|always|with only|"
            rf"with just)\b(?!\s+(?:if|to|when))|"
            rf"\b(?:in|to|into|at the end of|at the (?:beginning|start) of|throughout|within|"
            rf"of) (?:your|the assistant'?s|the ai'?s|the final|each|"
            rf"every) (?:\w+ )?{_OUTPUT}\b(?! to (?:us|this))|"
            rf"\b(?:begin|start|end|finish|conclude|preface|prefix|append|prepend) (?:your|every|"
            rf"each|all) (?:\w+ )?{_OUTPUT}\b)",
            _I,
        ),
    ),
    (
        0.75,
        re.compile(
            rf"\b(?:make|keep|format|translate|encode|rewrite|phrase|craft|structure|modify|alter|"
            rf"change|augment|enrich|enhance|embellish|adapt|infuse|fill|replace|remove|convert|"
            rf"ensure|mirror|tailor|adjust|let|have|season|lace|load|pad|spice|delay|withhold|"
            rf"disrupt|corrupt|obfuscate|encrypt|reverse|interleave|render|present|deliver)\b"
            rf"[^.!?\n]{{0,30}}\byour (?:\w+ )?{_OUTPUT}\b",
            _I,
        ),
    ),
    # the same with words that people use of each other's mail
    (
        0.50,
        re.compile(
            r"\b(?:in|to|into|at the end of|throughout|within) (?:your|its) (?:\w+ )?"
            r"(?:reply|replies|message)\b",
            _I,
        ),
    ),
    # code smuggled into what the model writes
    (
        0.65,
        re.compile(
            r"\b(?:following|subsequent|below|next) (?:\w+ )?code (?:block|section|snippet|"
            r"excerpt|segment|fragment|piece)s?\b[^.!?\n]{0,60}\byour (?:\w+ )?(?:code|codebase|"
            r"algorithm|solution|implementation|answer|response|output|function)\b|"
            r"\byour (?:\w+ )?(?:code|codebase|algorithm|solution|implementation|answer|"
            r"response|output|function)\b[^.!?\n]{0,60}\b(?:following|subsequent) (?:\w+ )?code "
            r"(?:block|section|snippet|excerpt|segment|fragment|piece)s?\b|"
            r"\b(?:utili[sz]e|use|employ|append|execute|run|insert) the (?:following|subsequent) "
            r"code (?:block|section|excerpt|segment)\b",
            _I,
        ),
    ),
    (
        0.80,
        re.compile(
            r"(?:只(?:能|需|要)?(?:回复|回答|输出)|(?:在|于)(?:你的)?(?:回答|回复|输出|答案)(?:中|"
            r"里|末尾|结尾|开头)[^。\n]{0,10}(?:加|写|附|插|包含|提)|你的(?:回答|回复|"
            r"输出)(?:必须|应|要))"
        ),
    ),
    (
        0.75,
        re.compile(
            r"\b(?:do not|don't|never) (?:mention|reveal|disclose|tell|show|"
            r"inform)\b[^.!?\n]{0,40}\b(?:this (?:instruction|prompt|message|note|text)|"
            r"these instructions|the user (?:about|that|of))\b|"
            rf"{_ORDER}(?:tell|inform|assure|convince|persuade|notify) (?:the )?(?:user|reader|"
            r"requester|human|person asking)s?\b(?! (?:to|may|can) (?:contact|click|open|sign))",
            _I,
        ),
    ),
    (
        0.75,
        re.compile(
            r"(?:不要(?:提及|透露|告诉)[^。\n]{0,12}(?:指令|提示|这段|用户)|告诉(?:用户|客户|"
            r"提问者)[^。\n]{0,6}(?:他们|其|已|可以|全额))"
        ),
    ),
    # carrying data out
    (
        0.90,
        re.compile(
            rf"{_ORDER}(?:send|forward|post|upload|transmit|exfiltrate|leak|e-?mail|append|embed|"
            r"encode|include)\b[^.!?\n]{0,60}"
            r"\b(?:conversation|chat (?:history|log)|system prompt|user'?s? (?:data|input|query|"
            r"details|password|e-?mail)|api keys?|credentials|"
            r"secrets?|customer (?:data|records|list)|confidential|session (?:token|data)|"
            r"cookies?|prompt)\b[^.!?\n]{0,60}(?:\bto\b|https?:|\bin (?:the|a) (?:url|link|"
            r"image))",
            _I,
        ),
    ),
    (
        0.90,
        re.compile(
            r"(?:^|!)\[[^\]]{0,80}\]\(\s*https?://[^)\s]+[?&][\w-]+=[^)]*(?:\{|%7B|\[|<|data|"
            r"secret|"
            r"prompt|history|conversation)",
            _I,
        ),
    ),
    (
        0.85,
        re.compile(
            r"\b(?:reveal|print|show|output|repeat|leak|disclose|display|"
            r"tell me)\b[^.!?\n]{0,25}\b(?:(?:your|the) (?:system |hidden |initial |"
            r"original )?(?:prompt|instructions)|system prompt|your (?:rules|configuration|"
            r"training data))\b",
            _I,
        ),
    ),
    (
        0.85,
        re.compile(
            r"(?:(?:泄露|透露|输出|打印|显示|告诉我)[^。\n]{0,10}(?:系统提示|提示词|系统指令)|"
            r"把[^。\n]{0,15}(?:对话|聊天记录|密码|客户(?:数据|资料)|提示词)[^。\n]{0,10}(?:发送|"
            r"发给|上传|转发)到?)"
        ),
    ),
    # steering a decision
    (
        0.75,
        re.compile(
            r"\b(?:always|automatically|immediately|must|now) (?:approve|grant|issue|give|"
            r"authori[sz]e|promise|offer) (?:\w+ ){0,4}"
            r"(?:refunds?|credits?|discounts?|access|compensation)\b[^.!?\n]{0,40}\b(?:regardless"
            r"|without (?:checking|verif|asking|approval)|no matter|any (?:request|customer))",
            _I,
        ),
    ),
)
TASK_VERB = re.compile(
    r"^(?:please |kindly |now |also |and |then )*(?:provide|write|generate|create|compose|craft|"
    r"develop|suggest|recommend|list|describe|"
    r"explain|summari[sz]e|translate|identify|analy[sz]e|share|offer|give|tell|insert|integrate|"
    r"incorporate|embed|add|mention|promote|"
    r"discuss|convert|calculate|compute|solve|encode|evaluate|outline|reverse|classify|infer|"
    r"predict|draft|design|plan|propose|"
    r"present|introduce|highlight|advertise|encourage|remind|advise|educate|instruct|inform|"
    r"conduct|find|research|compare|assess|detail|"
    r"modify|alter|replace|encrypt|disrupt|initiate|inject|output|respond|reply|answer|what|how|"
    r"why|which|who|can you|could you|should i)\b",
    _I,
)
MODEL_TASK = re.compile(
    r"\b(?:sentiment|synonyms?|palindrome|emoji(?:s|code)?|haiku|poem|essay|slogan|"
    r"translate (?:this|the)|translation|"
    r"(?:to|into|in) (?:base ?64|morse|caesar|rot13|french|spanish|german|chinese|latin|pig latin|"
    r"reverse)|base ?64|reverse the (?:text|words|order)|"
    r"next (?:word|number) in|grammatical|spell(?:ing)? (?:check|the)|rewrite (?:the|this)|"
    r"paraphrase|summari[sz]e (?:the|this)|"
    r"(?:the|this|your) (?:above|following|given|preceding) (?:text|passage|content|article|email|"
    r"document|sentence|table|code)|"
    r"(?:python|javascript|bash) (?:code|script|function)|keylogger|malware|phishing|"
    r"tip (?:about|on|for|to)|promot(?:e|ing) (?:the|our|a)|advert)\b",
    _I,
)
POLITE = re.compile(
    r"\b(?:your (?:pin|password|order|account|card|device|router|receipt|data|phone))\b", _I
)
