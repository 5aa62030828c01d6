"""What a reader of the page would not see: markup that hides text, and characters that do."""

from __future__ import annotations

import re
from collections.abc import Mapping

_STYLES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:;|!|$)"
    r"|font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:;|!|$)"
    r"|(?:left|top|text-indent)\s*:\s*-\s*\d{3,}|clip\s*:\s*rect\(\s*0",
    re.IGNORECASE,
)
_WHITE = r"(?:white|#fff(?:fff)?|rgba?\(\s*255\s*,\s*255\s*,\s*255[^)]*\)|transparent)"
_WHITE_TEXT = re.compile(rf"(?<![\w-])color\s*:\s*{_WHITE}(?![\w])", re.IGNORECASE)
_BACKGROUND = re.compile(r"background(?:-color|-image)?\s*:\s*([^;]+)", re.IGNORECASE)
_CLASSES = {"sr-only", "visually-hidden", "visuallyhidden", "d-none", "screen-reader-text"}
_OFF = {"false", "{false}"}
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE_SELECTOR = re.compile(r"[.#][\w-]+")

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffd\U000e0000-\U000e0fff"
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
"""Characters without ink: zero-width, direction marks, tag and control characters, lost ones."""

UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
"""What no name may hold: line ends, terminal codes, marks that reorder or hide what is read."""

_SMUGGLED = re.compile(f"(?:{INVISIBLE.pattern}){{4,}}|[\U000e0000-\U000e007f]")


def smuggles(text: str) -> bool:
    """Whether invisible characters come in runs, as they do when they carry a message."""
    return INVISIBLE.search(text) is not None and _SMUGGLED.search(text) is not None


def hides(attributes: Mapping[str, str | None], *, coloured: bool = False) -> bool:
    """Whether an element with these attributes is invisible to a reader.

    ``coloured`` says that an element around it has a background of its own, on which white text
    can be read.
    """
    if "hidden" in attributes and (attributes["hidden"] or "") not in _OFF:
        return True
    if (attributes.get("aria-hidden") or "").strip("{}\"' ").lower() == "true":
        return True
    names = (attributes.get("class") or attributes.get("classname") or "").split()
    return bool(_CLASSES.intersection(names)) or style_hides(
        attributes.get("style") or "", coloured=coloured
    )


def style_hides(style: str, *, coloured: bool = False) -> bool:
    """Whether a CSS declaration block makes text invisible."""
    if _STYLES.search(style):
        return True
    return bool(_WHITE_TEXT.search(style)) and not (coloured or has_background(style))


def has_background(style: str) -> bool:
    """Whether a CSS declaration block sets a background that is not white."""
    found = _BACKGROUND.search(style)
    return found is not None and not re.match(_WHITE, found.group(1).strip(), re.IGNORECASE)


def hidden_selectors(css: str) -> frozenset[str]:
    """Plain ``.class`` and ``#id`` selectors of a style sheet whose rules hide text."""
    return frozenset(
        selector
        for selectors, body in _RULE.findall(css)
        if style_hides(body)
        for part in selectors.split(",")
        for selector in [part.strip()]
        if _SIMPLE_SELECTOR.fullmatch(selector)
    )
