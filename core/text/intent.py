"""What a message is about, by readable rules: a record, a case, no matter of ours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.models.request import Language
from core.text.tokens import content_words, stem, word_set

_I = re.IGNORECASE
_OUT_OF_SCOPE = re.compile(
    r"\b(?:write|compose|create|make|generate|sing|draft)\b(?: me| us)?(?: up)?(?: an?| some|"
    r" the)?(?: \w+){0,2} "
    r"(?:poems?|songs?|lyrics|short story|story|haiku|limerick|rap|essay|jokes?|screenplay|novel|"
    r"python|javascript|"
    r"(?:computer )?program|script|homework|cover letter|resume|cv)\b"
    r"|\b(?:tell|know|give)\b(?: me| us)?(?: an?| any| another| some)?(?: good| funny)? jokes?\b|"
    r"\bmake me laugh\b"
    r"|\bwhat(?:'s| is| will)? the weather\b|\bweather (?:be )?(?:like|forecast|today|tomorrow|in|"
    r"at)\b|"
    r"\b(?:will|is) it (?:going to )?(?:rain|snow|be sunny)\b|\bhow (?:hot|cold|warm) (?:is|"
    r"will) it\b"
    r"|\b(?:which|what) (?:stocks?|shares?|crypto\w*|coins?) (?:should|shall|do|to|would)\b|"
    r"\b(?:investment|investing|stock|trading|betting) "
    r"(?:tips?|advice|recommendations?)\b|\bshould i (?:buy|sell|invest in)\b.{0,30}\b(?:stocks?|"
    r"shares?|bitcoin|crypto\w*|gold bars?)\b"
    r"|\b(?:diagnose (?:me|my)|medical advice|what (?:medicine|medication|pills?|dose) (?:should|"
    r"can|do) i|do i have (?:cancer|covid|the flu)|"
    r"cure (?:my|for my))\b"
    r"|\b(?:legal advice|can i sue|should i sue|how (?:do|can) i sue)\b"
    r"|\b(?:who|which party|whom) should i vote\b|\b(?:what do you think|your opinion) (?:of|"
    r"about|on) (?:the )?(?:president|election|government|"
    r"war|politic\w*|democrats?|republicans?|brexit|trump|biden)\b"
    r"|\b(?:reveal|print|show|tell|repeat|output|give|what(?:'s| is|"
    r" are))\b.{0,20}\byour (?:\w+ )?(?:system prompt|hidden prompt|prompt|initial instructions|"
    r"hidden instructions|instructions)\b"
    r"|\b(?:solve|calculate|compute) (?:this|the|my)? ?(?:equation|integral|math|homework|riddle|"
    r"puzzle)\b"
    r"|\b(?:recipe for|how (?:do|can) i (?:cook|bake)(?! up))\b|\b(?:play|sing) (?:a|me|"
    r"some) (?:game|"
    r"song|music)\b|\bhoroscope\b|\bmeaning of life\b"
    r"|写(?:一?首|一?篇|个|一个)?(?:诗|歌|故事|小说|作文|代码|程序)|讲(?:个|一个)?(?:笑话|故事)|"
    r"天气|(?:推荐|买)(?:什么|哪只|哪些)?(?:股票|基金|彩票)|"
    r"投资建议|(?:系统提示词?|提示词|你的指令)|星座运势|我该吃什么药|法律建议|怎么起诉",
    _I,
)
_CASE = re.compile(
    r"\b(?:close|closing|resolve|escalat\w*|sign off|reopen|finali[sz]e)\b.{0,40}\b(?:this|the|"
    r"that|my|our)? ?(?:\w+ )?(?:case|ticket|file)\b"
    r"|\b(?:this|the current|that) (?:\w+ )?(?:case|ticket)\b|\b(?:case|ticket) (?:file|record|"
    r"history|checklist|events?|status)\b"
    r"|\b(?:close|closing|resolve|escalat\w*|finali[sz]e)\b (?:#?\d{3,}|it|this|this one)(?!\w)"
    r"|\b(?:this|that|the) (?:seller|merchant|vendor|matter|one)\b.{0,40}\b(?:escalat\w*|"
    r"clos(?:e|ed|ing)|formal review)\b"
    r"|\b(?:escalat\w*|close|formal review)\b.{0,30}\b(?:this|that|the) (?:seller|merchant|"
    r"vendor|matter)\b"
    r"|\bchecklist\b.{0,20}\b(?:complete|done|missing|open)\b"
    r"|(?:这个|本|该|此)(?:案件|个案|工单|案子)|(?:关闭|结案|升级)(?:这个|本|该|此)?(?:案件|个案|"
    r"工单|案子)",
    _I,
)
_CLOSING = re.compile(
    r"\b(?:close|closing|closed|resolve|sign(?:ed)? off|finali[sz]e|without (?:an? )?escalat\w*|"
    r"need(?:s)? (?:to )?(?:be )?escalat\w*|escalated?|formal review)\b|结案|关闭|升级|上报",
    _I,
)
_STATUS = re.compile(
    r"\b(?:where is|where's|where are|status|track\w*|shipped|dispatched|delivered|arriv\w*|"
    r"on its way|when (?:will|does|do) .{0,40}(?:come|get here|ship)|"
    r"been (?:paid|refunded|sent|shipped|cancelled|charged)|what did i (?:order|buy|pay)|"
    r"how much did i (?:pay|spend)|contents? of|total|paid|placed|"
    r"(?:my|the) (?:refund|order|parcel|package|delivery)\b.{0,15}\b(?:due|paid|now|yet)|"
    r"(?:when|where|how (?:long|soon))\b.{0,40}\b(?:my|the) (?:refund|money))\b"
    r"|到哪|状态|物流|发货|什么时候(?:到|送达)|何时(?:到|送达)|退款(?:到|何时|什么时候)",
    _I,
)
_RULE = re.compile(
    r"\b(?:can|may|could|am i|eligible|allowed|entitled|policy|return(?!ed\b)|exchange|cancel\w*|"
    r"change|refundable|how long|when\b.{0,40}\b(?:refund|money|due)|"
    r"until when|fee|exception|match|warranty|covered?)\b|可以|能否|退货|换货|保修|政策|多久|"
    r"取消|修改",
    _I,
)
_OWN_ACCOUNT = re.compile(
    r"\b(?:my|how many) (?:current )?(?:(?:rewards? |loyalty )?points?(?: balance)?|balance|tier|"
    r"membership|account details|address on file)\b"
    r".{0,30}\b(?:do i have|have i|balance|now|currently|am i|is it|on file)\b|\bwhat(?:'s|"
    r" is) my (?:(?:rewards? )?points|balance|tier|membership)\b|"
    r"\bwhich tier am i\b|我(?:现在)?(?:有多少积分|的积分(?:余额)?是|是什么(?:等级|会员))",
    _I,
)
_OWN_ORDER = re.compile(
    r"^(?:\w+[,!]? )?(?:where(?:'s| is| are) my (?:\w+ )?(?:orders?|parcels?|packages?|shipment|"
    r"refund)\b|"
    r"what(?:'s| is) the status of my (?:\w+ )?(?:order|parcel|package|refund)\b|"
    r"(?:has|did) my (?:\w+ )?(?:order|parcel|package) (?:been )?(?:ship|shipped|sent|dispatched|"
    r"left)\b|track my (?:order|parcel|package)\W*$)"
    r"|我的(?:订单|包裹|快递)(?:现在)?(?:在哪|到哪|状态)",
    _I,
)
_GENERIC = frozenset(
    stem(w)
    for w in word_set(
        """it work take long change cost much many problem issue help question broken fix happen
        thing stuff get go do make back send still now today again soon possible way time one
        still able free price wait information info support available possible ask talk speak
        happened working anything everything nothing wrong right good bad new old really maybe
        actually currently urgent asap next later day option apply come due ready done need
        matter there explain mean continue start stop"""
    )
)
_ZH_GENERIC = re.compile(
    "^(?:请问|你好|您好|我|想|要|这个|那个|它|东西|问题|怎么办|怎么|如何|什么|为什么|多久|多少钱|"
    "多少|可以|能|能不能|吗|呢|不|没|"
    "行|好|用|坏|了|需要|帮|帮忙|帮我|还|现在|时间|改|换|是|的|有|办|要多久|一下|，|。|？|！|\\s)+$"
)
_SMALL_TALK = re.compile(
    r"^\W*(?:(?:thanks|thank you)(?: so much| very much| a lot)?|hi|hello|hey|ok(?:ay)?|great|"
    r"good (?:morning|evening|afternoon)|bye|test(?:ing)?|谢谢|你好|您好)\W*$",
    _I,
)


def out_of_scope(ask: str) -> bool:
    """Whether one ask is clearly no matter for a service desk: a poem, a joke, the weather …

    A topic alone never puts a question out of scope: whatever may be looked up in documents is in.
    """
    return bool(_OUT_OF_SCOPE.search(ask))


def about_case(ask: str) -> bool:
    """Whether the ask is about the case itself: closing it, its events, its checklist."""
    return bool(_CASE.search(ask))


def about_closing(ask: str) -> bool:
    """Whether the ask is whether a case may close or must be escalated."""
    return bool(_CLOSING.search(ask))


def about_status(ask: str) -> bool:
    """Whether the record itself answers: where an order is, whether it was paid."""
    return bool(_STATUS.search(ask))


def names_no_record(ask: str) -> bool:
    """Whether the ask is for the state of one's own order without saying which."""
    return bool(_OWN_ORDER.search(ask))


def about_rule(ask: str) -> bool:
    """Whether a policy must be read to answer."""
    return bool(_RULE.search(ask))


def about_own_account(ask: str) -> bool:
    """Whether the customer's own record answers: their points, balance or tier."""
    return bool(_OWN_ACCOUNT.search(ask))


_QUOTED_NAME = re.compile(r"[\"“「《][^\"”」》]{2,}[\"”」》]|\b[A-Z]\.[A-Z]\.")


def small_talk(text: str) -> bool:
    """Whether the whole message is a greeting or thanks, whatever was spoken of before."""
    return bool(_SMALL_TALK.match(text))


def too_vague(text: str) -> bool:
    """Whether nothing in the text says what it is about ("It doesn't work", "How long?")."""
    if small_talk(text) or _ZH_GENERIC.match(text):
        return True
    if _QUOTED_NAME.search(text):
        return False
    terms = set(content_words(text))
    return all(term in _GENERIC or (term.isdigit() and len(term) < 3) for term in terms)


_CLARIFY: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        _OWN_ORDER,
        "Which order do you mean? Please send the order number (it looks like A-10293) or the "
        "e-mail "
        "address the order was placed with.",
        "请问是哪一个订单？请提供订单号（例如 A-10293）或下单时使用的邮箱。",
    ),
    (
        re.compile(r"work|broken|fix|wrong|坏|用不了|不能用|不行", _I),
        "What exactly is not working: a product you bought, your account or the website, or a "
        "payment?",
        "请问是什么出了问题：您购买的商品、账户或网站，还是付款？",
    ),
    (
        re.compile(r"how (?:long|soon)|take|when|多久|时间|什么时候", _I),
        "What would you like to know the time for: a delivery, a return, a refund, or something "
        "else?",
        "请问您想了解哪一项的时间：配送、退货、退款，还是其他事项？",
    ),
    (
        re.compile(r"change|改|换", _I),
        "What would you like to change: an order, a delivery address, your account details, or a "
        "payment?",
        "请问您想更改什么：订单、收货地址、账户资料，还是付款方式？",
    ),
    (
        re.compile(r"cost|much|price|free|钱|费", _I),
        "Which price do you mean: a product, the shipping, a return, or a service?",
        "请问您问的是哪项费用：商品、运费、退货，还是服务？",
    ),
    (
        re.compile(r"send|back|return|退|寄", _I),
        "Which item do you mean, and when did you buy it? An order number helps, or tell us "
        "whether it "
        "was a regular, a holiday or a Final Sale purchase.",
        "请问是哪件商品，什么时候购买的？请提供订单号，或说明是普通、节日期间还是清仓商品。",
    ),
)


def clarifying_question(text: str, language: Language, *, orders: Sequence[str] = ()) -> str:
    """One concrete question with options that would make ``text`` answerable.

    ``orders`` are those the customer has named and may mean.
    """
    if len(orders) > 1:
        if language == "zh":
            return f"请问是哪一个订单：{'、'.join(orders[:-1])}还是{orders[-1]}？"
        return f"Which order do you mean: {', '.join(orders[:-1])} or {orders[-1]}?"
    chinese = language == "zh"
    for rule, english, zh in _CLARIFY:
        if rule.search(text):
            return zh if chinese else english
    if chinese:
        return "请问您想了解哪方面：订单、退货或退款、配送，还是您的账户？"
    return (
        "What is your question about: an order, a return or refund, a delivery, your account, "
        "or something else?"
    )
