"""Text that speaks to the reader's model instead of to the customer.

A rule of thumb runs through the scores: an instruction counts when it is addressed to a model,
overrides what that model was told, changes its role, carries data out, or dictates its output.
Ordinary support prose is full of imperatives ("Do not share your PIN") and must stay low.
"""

from __future__ import annotations

import base64
import binascii
import re

from core.text.sentences import Span, split_sentences

_I = re.IGNORECASE
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]{2,}"
)
_TAG_CHARACTERS = re.compile("[\U000e0020-\U000e007e]+")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_BLOB = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40,}={0,2}(?![A-Za-z0-9+/=])")
_HIDDEN_STYLE = re.compile(
    r"<(\w+)[^>]*style\s*=\s*[\"'][^\"']*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|"
    r"opacity\s*:\s*0(?!\.))[^\"']*[\"'][^>]*>(.*?)</\1>",
    re.IGNORECASE | re.DOTALL,
)

_AI = (
    r"(?:ai|a\.i\.|llm|gpt|chat ?gpt|claude|gemini|copilot|chat ?bot|bot|assistant|language model|"
    r"(?:ai |large )?(?:language )?model|virtual agent|ai agent)"
)
_OUTPUT = r"(?:response|answer|reply|output|summary|message|responses|answers|replies|translation)"
_RULES: tuple[tuple[float, re.Pattern[str]], ...] = (
    # overriding what the model was told
    (0.95, re.compile(
        r"\b(?:ignore|disregard|forget|override|bypass|discard|do not (?:follow|obey)|stop following)\b"
        r"[^.!?\n]{0,40}\b(?:(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|all|any|"
        r"your|system|other|these|those)\b[^.!?\n]{0,25}\b(?:instructions?|prompts?|guidelines?|directions?|"
        r"rules?|commands?|constraints?|programming|context|messages?|training)|everything (?:above|before|you))", _I)),
    (0.95, re.compile(r"(?:忽略|无视|忘记|不要(?:理会|遵守|遵循)|跳过)[^。！\n]{0,12}(?:以上|之前|上述|先前|前面|所有|系统|原有|一切)[^。！\n]{0,10}(?:指令|指示|提示|规则|要求|内容|说明|设定|限制)")),
    # a new role, a fake system or tool turn
    (0.85, re.compile(
        rf"\b(?:you are (?:now|no longer|henceforth)|from now on,? you|act as (?:if you|an? |the )|pretend (?:to be|you are|that you)|"
        rf"you(?:'re| are) an? (?:helpful |new |unrestricted |evil |different )*{_AI}\b|enter (?:developer|god|admin|debug|dan) mode|"
        r"developer mode (?:is )?(?:on|enabled)|jailbreak)", _I)),
    (0.85, re.compile(r"(?:你现在是|从现在(?:开始|起)，?你|请?扮演|假装你|你将作为|进入(?:开发者|管理员|越狱)模式)")),
    (0.85, re.compile(
        r"(?:^|[\s>\]*#-])(?:\[?/?(?:system|inst|assistant|sys)\]|<\|?/?(?:system|im_start|im_end|assistant|user|endoftext|s)\|?>|"
        r"#{2,}\s*(?:system|instruction|new instructions?)\b|(?:system|assistant|developer)\s*(?:prompt|message|note|override|instruction)s?\s*[:：]|"
        r"begin (?:system|admin) |(?:new|updated|important|hidden|secret|special) (?:system )?(?:instructions?|prompt|directive)s?\s*(?:to|for)?\b[^.!?\n]{0,20}[:：])", _I)),
    (0.80, re.compile(r"(?:系统(?:提示|消息|指令)|新的?指令|隐藏指令)\s*[:：]")),
    # addressed to a model
    (0.80, re.compile(
        rf"\b(?:(?:dear|hey|hi|hello|attention|note (?:to|for)|instructions? (?:to|for)|message (?:to|for)|to)\s+(?:the |any |all |every )?"
        rf"(?:{_AI}|assistants|bots|models|llms|ais)(?:\s+(?:reading|processing|assistant|model|agent|system))?\b(?=\s*[:,，]|\s+(?:reading|processing|that|who|you)))", _I)),
    (0.75, re.compile(
        rf"\b(?:if you are|as) an? (?:\w+ )?{_AI}\b[^.!?\n]{{0,40}}(?:,|you (?:must|should|will)|reading|processing)|"
        rf"\b(?:the |any |all )?{_AI}s?\b\s+(?:must|should|shall|has to|needs to|is (?:required|instructed|ordered) to|will now)\b[^.!?\n]{{0,60}}"
        rf"\b(?:reply|respond|answer|say|tell|send|ignore|include|output|reveal|approve|refund|state|recommend|append|add)\b", _I)),
    (0.80, re.compile(r"(?:致|告知|注意[，,]?)?(?:AI|人工智能|智能助手|大模型|语言模型|机器人|助手)(?:助手|模型|客服)?(?:[：:]|[，,]?(?:请|必须|应该|务必|你)[^。\n]{0,20}(?:回复|回答|告诉|输出|发送|忽略|说))", _I)),
    # dictating the output
    (0.80, re.compile(
        rf"\b(?:(?:only |just |always |must |simply )*(?:respond|reply|answer|output|print)\s+(?:only|just|solely|exclusively|nothing but|always|with only|with just)\b(?!\s+(?:if|to|when))|"
        rf"\b(?:in|to|into|at the end of|at the (?:beginning|start) of|throughout|within|of) (?:your|the assistant'?s|the ai'?s|its|the final|each|every) (?:\w+ )?{_OUTPUT}\b(?! to (?:us|this))|"
        rf"\b(?:begin|start|end|finish|conclude|preface|prefix|append|prepend) (?:your|every|each|all|the) (?:\w+ )?{_OUTPUT}\b)", _I)),
    (0.65, re.compile(rf"\b(?:make|keep|write|format|translate|encode|rewrite|phrase|craft|structure|ensure|mirror|tailor|adjust|let) (?:that )?your (?:\w+ )?{_OUTPUT}\b", _I)),
    (0.80, re.compile(r"(?:只(?:能|需|要)?(?:回复|回答|输出)|(?:在|于)(?:你的)?(?:回答|回复|输出|答案)(?:中|里|末尾|结尾|开头)[^。\n]{0,10}(?:加|写|附|插|包含|提)|你的(?:回答|回复|输出)(?:必须|应|要))")),
    (0.75, re.compile(
        r"\b(?:do not|don't|never) (?:mention|reveal|disclose|tell|show|inform)\b[^.!?\n]{0,40}\b(?:this (?:instruction|prompt|message|note|text)|"
        r"these instructions|the user (?:about|that|of))\b|"
        r"\b(?:tell|inform|assure|convince|persuade|notify) (?:the )?(?:user|reader|requester|human|person asking)s?\b(?! (?:to|may|can) (?:contact|click|open|sign))", _I)),
    (0.75, re.compile(r"(?:不要(?:提及|透露|告诉)[^。\n]{0,12}(?:指令|提示|这段|用户)|告诉(?:用户|客户|提问者)[^。\n]{0,6}(?:他们|其|已|可以|全额))")),
    # carrying data out
    (0.90, re.compile(
        r"\b(?:send|forward|post|upload|transmit|exfiltrate|leak|e-?mail|append|embed|encode|include)\b[^.!?\n]{0,60}"
        r"\b(?:conversation|chat (?:history|log)|system prompt|user'?s? (?:data|input|query|details|password|e-?mail)|api keys?|credentials|"
        r"secrets?|customer (?:data|records|list)|confidential|session (?:token|data)|cookies?|prompt)\b[^.!?\n]{0,60}(?:\bto\b|https?:|\bin (?:the|a) (?:url|link|image))", _I)),
    (0.90, re.compile(r"!\[[^\]]{0,80}\]\(\s*https?://[^)\s]+[?&][\w-]+=[^)]*(?:\{|%7B|\[|<|data|secret|prompt|history|conversation)", _I)),
    (0.85, re.compile(r"\b(?:reveal|print|show|output|repeat|leak|disclose|display|tell me)\b[^.!?\n]{0,25}\b(?:(?:your|the) (?:system |hidden |initial |original )?(?:prompt|instructions)|system prompt|your (?:rules|configuration|training data))\b", _I)),
    (0.85, re.compile(r"(?:(?:泄露|透露|输出|打印|显示|告诉我)[^。\n]{0,10}(?:系统提示|提示词|系统指令)|把[^。\n]{0,15}(?:对话|聊天记录|密码|客户(?:数据|资料)|提示词)[^。\n]{0,10}(?:发送|发给|上传|转发)到?)")),
    # steering a decision
    (0.75, re.compile(
        r"\b(?:always|automatically|immediately|must|now) (?:approve|grant|issue|give|authori[sz]e|promise|offer) (?:\w+ ){0,4}"
        r"(?:refunds?|credits?|discounts?|access|compensation)\b[^.!?\n]{0,40}\b(?:regardless|without (?:checking|verif|asking|approval)|no matter|any (?:request|customer))", _I)),
)  # fmt: skip
_TASK_VERB = re.compile(
    r"^(?:please |kindly |now |also |and |then )*(?:provide|write|generate|create|compose|craft|develop|suggest|recommend|list|describe|"
    r"explain|summari[sz]e|translate|identify|analy[sz]e|share|offer|give|tell|insert|integrate|incorporate|embed|add|mention|promote|"
    r"discuss|convert|calculate|compute|solve|encode|evaluate|outline|reverse|classify|infer|predict|draft|design|plan|propose|"
    r"present|introduce|highlight|advertise|encourage|remind|advise|educate|instruct|inform|conduct|find|research|compare|assess|detail|"
    r"modify|alter|replace|encrypt|disrupt|initiate|inject|output|respond|reply|answer|what|how|why|which|who|can you|could you|should i)\b",
    _I,
)
_MODEL_TASK = re.compile(
    r"\b(?:sentiment|synonyms?|palindrome|emoji(?:s|code)?|haiku|poem|essay|slogan|translate (?:this|the)|translation|"
    r"(?:to|into|in) (?:base ?64|morse|caesar|rot13|french|spanish|german|chinese|latin|pig latin|reverse)|base ?64|reverse the (?:text|words|order)|"
    r"next (?:word|number) in|grammatical|spell(?:ing)? (?:check|the)|rewrite (?:the|this)|paraphrase|summari[sz]e (?:the|this)|"
    r"(?:the|this|your) (?:above|following|given|preceding) (?:text|passage|content|article|email|document|sentence|table|code)|"
    r"(?:python|javascript|bash) (?:code|script|function)|keylogger|malware|phishing|tip (?:about|on|for|to)|promot(?:e|ing) (?:the|our|a)|advert)\b",
    _I,
)
_POLITE = re.compile(
    r"\b(?:your (?:pin|password|order|account|card|device|router|receipt|data|phone))\b", _I
)


def hidden_text(text: str) -> tuple[str, ...]:
    """What a reader would not see: invisible-character runs (tag characters decoded), HTML
    comments, text hidden by style, and blobs that decode from base64 to readable text."""
    found: list[str] = []
    for run in _INVISIBLE.findall(text):
        tags = "".join(chr(ord(c) - 0xE0000) for m in _TAG_CHARACTERS.findall(run) for c in m)
        found.append(tags or run)
    found += [m[1].strip() for m in _COMMENT.finditer(text) if m[1].strip()]
    found += [m[2].strip() for m in _HIDDEN_STYLE.finditer(text) if m[2].strip()]
    found += [plain for m in _BLOB.finditer(text) if (plain := _decoded(m[0]))]
    return tuple(found)


def _decoded(blob: str) -> str:
    try:
        raw = base64.b64decode(blob + "=" * (-len(blob) % 4), validate=True)
        plain = raw.decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return ""
    readable = sum(
        1 for ch in plain if ch.isprintable() and (ch.isalnum() or ch in " .,:;!?'\"-/()")
    )
    return plain if len(plain) >= 12 and readable / len(plain) > 0.9 and " " in plain else ""


def score_sentence(sentence: str) -> float:
    """How much one sentence reads as an instruction to a model, 0..1."""
    best = max((weight for weight, rule in _RULES if rule.search(sentence)), default=0.0)
    if best:
        extra = sum(1 for _, rule in _RULES if rule.search(sentence)) - 1
        return min(0.99, best + 0.05 * extra)
    if _TASK_VERB.match(sentence):
        score = 0.45 if _MODEL_TASK.search(sentence) else 0.12
        return max(0.05, score - (0.1 if _POLITE.search(sentence) else 0.0))
    return 0.0


def instruction_windows(text: str) -> tuple[tuple[Span, float], ...]:
    """Sentences that address the reader's model, each with its score, in order.

    Only sentences above 0 are listed. A sentence that carries hidden text which itself reads as an
    instruction takes that text's score, raised for hiding.
    """
    out: list[tuple[Span, float]] = []
    for span in split_sentences(text):
        score = score_sentence(span.text)
        hidden = max((_hidden_score(piece) for piece in hidden_text(span.text)), default=0.0)
        if (total := max(score, hidden)) > 0:
            out.append((span, total))
    return tuple(out)


def _hidden_score(piece: str) -> float:
    scores = [score_sentence(s.text) for s in split_sentences(piece)]
    best = max(scores, default=0.0)
    return min(0.99, best + 0.3) if best >= 0.1 else 0.1


def injection_score(text: str) -> float:
    """The strongest sentence of the text, raised a little when several speak to the model, 0..1."""
    scores = sorted((score for _, score in instruction_windows(text)), reverse=True)
    if not scores:
        return 0.0
    strong = sum(1 for s in scores[1:] if s >= 0.6)
    return min(0.99, scores[0] + 0.03 * strong)
