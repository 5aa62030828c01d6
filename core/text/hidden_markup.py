"""Which attributes of an element make its text invisible, and how to say so."""

from __future__ import annotations

import re

_WHITE = (
    r"(?:white(?:smoke)?|snow|#f[a-f0-9]f[a-f0-9]f[a-f0-9](?:[a-f0-9]{2})?|#fff[a-f0-9]?|"
    r"rgba?\(\s*25[0-5]\s*,\s*25[0-5]\s*,\s*25[0-5][^)]*\)|hsla?\([^)]*100%[^)]*\))"
)
_CLEAR = r"(?:transparent|rgba\([^)]*,\s*0?\.?0\d?\s*\)|#[a-f0-9]{6}0[0-9]|#[a-f0-9]{3}0)"
_ZERO = r"0(?:\.[0-4]\d*)?(?:px|pt|em|rem|%|vw|vh)?\s*(?:;|!|\"|'|$)"
_WAYS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "hidden by its style",
        re.compile(
            r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*"
            r"hidden|clip(?:-path)?\s*:\s*(?:rect\(\s*0|inset\(\s*(?:100|50)|circle\(\s*0)|"
            rf"(?:max-)?(?:height|width)\s*:\s*{_ZERO}|transform\s*:\s*scale\(\s*0"
        ),
    ),
    ("hidden in transparent text", re.compile(r"opacity\s*:\s*0(?:\.[0-2]\d*)?\s*(?:;|!|\"|'|$)")),
    (
        "hidden in tiny text",
        re.compile(
            r"font-size\s*:\s*(?:0?\.\d+|[0-2](?:\.\d+)?)(?:px|pt|%)|"
            rf"font-size\s*:\s*(?:{_ZERO}|0?\.[0-2]\d*(?:em|rem))|font\s*:\s*[0-2]px"
        ),
    ),
    (
        "hidden off the screen",
        re.compile(
            r"(?<![\w-])(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\s*"
            r"\d{3,}|translate[xy]?\(\s*-\s*\d{3,}"
        ),
    ),
    ("hidden in transparent text", re.compile(rf"(?<![\w-])color\s*[:=]\s*[\"']?{_CLEAR}")),
)
_WHITE_TEXT = re.compile(rf"(?<![\w-])color\s*[:=]\s*[\"']?{_WHITE}")
_BACKGROUND = re.compile(r"(?:background(?:-color|-image)?|bgcolor)\s*[:=]\s*[\"']?([^;\"']{2,60})")
_SAME = re.compile(
    r"(?<![\w-])color\s*:\s*([#\w]+)[^\"']*background(?:-color)?\s*:\s*\1\s*(?:;|\"|'|$)|"
    r"background(?:-color)?\s*:\s*([#\w]+)[^\"']*(?<![\w-])color\s*:\s*\2\s*(?:;|\"|'|$)"
)
_HIDDEN = re.compile(
    r"(?<![\w-])hidden(?:\s*=\s*[\"']?(?:hidden|true|until-found)?[\"']?)?(?=[\s/]|$)"
)
_ARIA = re.compile(r"aria-hidden\s*=\s*[\"'{]*true")
_ICON = frozenset({"svg", "path", "use", "i", "img", "input", "br", "hr", "link", "meta"})


def hides_element(name: str, attributes: str) -> str:
    """How an element with these attributes hides its text, in words; empty where it does not."""
    low = attributes.lower()
    if name.lower() in _ICON:
        return ""
    if _HIDDEN.search(re.sub(r"\"[^\"]*\"|'[^']*'", "''", low)):
        return "hidden by its attribute"
    for way, pattern in _WAYS:
        if pattern.search(low):
            return way
    if _WHITE_TEXT.search(low):
        around = _BACKGROUND.search(low)
        if around is None or re.match(_WHITE, around[1].strip()):
            return "hidden in white on white"
    if _SAME.search(low):
        return "hidden in the colour of its background"
    return "hidden from sight by aria-hidden" if _ARIA.search(low) else ""
