"""What a Chinese question takes for granted."""

from __future__ import annotations

import re

_SPLIT = re.compile(r"(?:[，。；;！!？?—\n]|,(?!\d))+")
_ASKING = re.compile(
    r"吗|呢|怎么|怎样|如何|为什么|为何|多久|多少|多长|几[天个年月]|什么|哪|谁|能否|可否|是否|可不可以|能不能|是不是|有没有"
)
_WHY = re.compile(r"(?:为什么|为何|怎么会)(?P<rest>.+)")
_CAUSE = re.compile(r"^(?:既然|因为|由于|鉴于)")
_ATTRIBUTED = re.compile(
    r"^(?:我(?:知道|听说|看到|了解到)|听说|据说|(?:你们|贵公司|官网|网站)[^，]{0,6}(?:说|写着|写明))"
)
_PERSONAL = re.compile(r"我(?!们(?:会|将|可以|必须|不|只|提供|支持))|咱|俺|本人")
_CONDITION = re.compile(r"^(?:如果|假如|若|要是|当|请|您好|你好|谢谢)")
_OPENER = re.compile(r"(?:为什么|既然|听说)?(?:在|于|自|从|截至|至)[^，]{1,14}|.{1,4}")
_CONFIRM = re.compile(r"(?:对吗|对吧|是吗|是吧|真的吗|没错吧)")


def find_chinese_presuppositions(query: str) -> tuple[str, ...]:
    """The statements ``query`` takes for granted, in order."""
    if _CONFIRM.search(query):
        return ()
    clauses = _clauses(query)
    if not any(_ASKING.search(clause) for clause in clauses):
        return ()
    found = [text for clause in clauses if (text := _assumed(clause))]
    return tuple(dict.fromkeys(found))


def _clauses(query: str) -> list[str]:
    """The clauses of ``query``; a time or place up front goes with what follows it."""
    clauses: list[str] = []
    opener = ""
    for piece in (p.strip() for p in _SPLIT.split(query)):
        if not piece:
            continue
        if _OPENER.fullmatch(piece) and not _ASKING.search(piece):
            opener = f"{piece}，"
        else:
            clauses.append(_opened(opener, piece))
            opener = ""
    return clauses


def _opened(opener: str, piece: str) -> str:
    cause = _CAUSE.match(opener)
    return f"{opener[cause.end() :]}{piece}" if cause else f"{opener}{piece}"


def _assumed(clause: str) -> str:
    why = _WHY.search(clause)
    if why:
        before = clause[: why.start()]
        text = before + why["rest"]
    elif _ASKING.search(clause) or _CONDITION.match(clause):
        return ""
    else:
        text = _ATTRIBUTED.sub("", _CAUSE.sub("", clause))
    if _PERSONAL.search(text) or len(text) < 5:
        return ""
    return text


_THING = re.compile(
    "(?:取消|退还|退|缴纳|支付|付|申请)?(?P<thing>[\u4e00-\u9fff]{1,6}(?:费|押金|保证金|折扣|优惠))"
    "(?:怎么|如何|是多少|多少|在哪|该?何时)"
)


def find_chinese_things(query: str) -> tuple[str, ...]:
    """Charges and benefits that ``query`` speaks of as if there were any."""
    return tuple(match["thing"] for match in _THING.finditer(query))
