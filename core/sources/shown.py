"""A cell of a workbook as the sheet shows it: dates, money and percentages, not bare numbers."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from core.sources.render import one_line

_LITERAL = re.compile(r'\[\$([^\]\-]*)[^\]]*\]|"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]')
_DIGITS = re.compile(r"[#0?,]*[0#?](?:\.([0#?]+))?")
_MONEY = re.compile(r"[$€£¥₹₩₽元]|[A-Z]{3}")


def shown(cell: Any) -> str:
    """The value of an openpyxl cell as a person reads it; empty for an empty cell."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return number(value, getattr(cell, "number_format", None) or "General")
    if isinstance(value, datetime):
        day_only = (value.hour, value.minute, value.second) == (0, 0, 0)
        return value.date().isoformat() if day_only else value.strftime("%Y-%m-%d %H:%M")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        hours, rest = divmod(int(value.total_seconds()), 3600)
        return f"{hours}:{rest // 60:02}"
    return one_line(str(value))


def number(value: float, pattern: str) -> str:
    """``value`` by a number format: its decimals, its percent sign, its currency."""
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    positive = pattern.split(";")[0]
    around = _LITERAL.sub(lambda m: m.group(1) or m.group(2) or m.group(3) or "", positive)
    bare = _LITERAL.sub("", positive)
    digits = _DIGITS.search(bare)
    percent = "%" in bare
    if positive == "General" or digits is None or "E" in bare or "/" in bare:
        return plain_number(value)
    amount = Decimal(repr(value)) * (100 if percent else 1)
    decimals = len(digits.group(1) or "")
    exact = _rounded(amount, decimals)
    if percent:
        return f"{exact}%"
    money = _MONEY.search(around)
    if money is None:
        return exact
    before = around.find(money.group()) < (around.find("0") if "0" in around else len(around))
    sign, size = ("-", exact[1:]) if exact.startswith("-") else ("", exact)
    gap = " " if len(money.group()) > 1 else ""
    if before:
        return f"{sign}{money.group()}{gap}{size}"
    return f"{sign}{size} {money.group()}"


def plain_number(value: float) -> str:
    """Without the noise of binary fractions."""
    if isinstance(value, int) or value == int(value):
        return str(int(value))
    return format(value, ".15g")


def _rounded(amount: Decimal, decimals: int) -> str:
    step = Decimal(1).scaleb(-decimals)
    try:
        return str(amount.quantize(step, rounding=ROUND_HALF_UP))
    except ArithmeticError:
        return str(amount)
