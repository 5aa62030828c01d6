"""Turns decoded text into the text that passages are exact spans of, losing no way back.

Everything a reader of the rendered page would not see is taken out: comments, hidden elements,
scripts, invisible characters, MDX plumbing. Code is left as it is.
"""

from __future__ import annotations

import html
import re

from core.models.base import Model
from core.models.source import SpanMap
from core.sources.hidden import INVISIBLE, hides, smuggles
from core.sources.traced import Edit, Traced, inside, outside, to_original

__all__ = ["Cleaned", "clean_markdown", "clean_plain", "code_spans", "tidied", "to_original"]

_NEWLINES = re.compile("\r\n?|[\u0085\u2028\u2029]")
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_FENCE = re.compile(
    r"^[ \t]*+(?P<mark>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*+(?P=mark)[`~]*+[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_INLINE_CODE = re.compile(r"(?<!`)(`++)((?:[^\n]|\n(?!\s*\n)){1,2000}?)(?<!`)\1(?!`)")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)|\{/\*.*?(?:\*/\}|\Z)", re.DOTALL)
_DROPPED = re.compile(
    r"<(script|style|noscript|template|svg|iframe)\b[^>]*?(?:/>|>.*?(?:</\1\s*>|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_IMPORT = re.compile(
    r"^(?:import\s+(?:[\w*{][^\n]*?\sfrom\s+)?['\"][^'\"\n]+['\"];?"
    r"|export\s+(?:default|const|let|function)\b[^\n]*)[ \t]*$",
    re.MULTILINE,
)
_HTML_NAMES = (
    "a|abbr|article|aside|b|big|blockquote|br|button|caption|center|cite|col|colgroup|dd|del|"
    "details|dfn|div|dl|dt|em|figcaption|figure|font|footer|h[1-6]|header|hr|i|img|input|ins|kbd|"
    "label|li|main|mark|nav|ol|p|picture|pre|q|s|samp|section|small|source|span|strong|sub|"
    "summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var|video"
)
_ATTRIBUTES = r"(?:[^<>\"'{}]|\"[^\"]*\"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}){0,4000}"
_TAG = re.compile(
    rf"(?:</|(?<!\w)<(?=[$A-Z])|<(?=[a-z]))(?P<name>\$?[A-Z][\w.]*|(?:{_HTML_NAMES})(?![\w-]))(?P<attributes>{_ATTRIBUTES})>"
)
_FRAGMENT = re.compile(r"</?>")
_ATTRIBUTE = re.compile(r"([\w:-]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|\{[^{}]*\}|[^\s\"'>{}]+))?")
_VOID = {"br", "hr", "img", "input", "source", "col"}
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<label>(?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]"
    r"\(\s*<?(?P<target>[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)?)>?(?:\s+[\"'][^\"'\n]*[\"'])?\s*\)"
)
_STRONG = re.compile(r"(\*\*|__)(?=[^\s*_])((?:[^\n]|\n(?!\s*\n)){1,400}?)(?<=[^\s])\1")
_EMPHASIS = re.compile(r"(?<![\w*\\])([*_])(?=[^\s*_])([^*_\n]{1,400}?)(?<=[^\s*_])\1(?![\w*])")
_ENTITY = re.compile(r"&(?:[a-zA-Z][a-zA-Z0-9]{1,31}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ROW_PADDING = re.compile(r"(?<=[^\s\\])[ \t]{2,}(?=\S)|(?<=-)-{3,}")
_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_TRAILING = re.compile(r"(?<![ \t])[ \t]++(?=\n|\Z)")
_GAP = re.compile(r"\n{3,}")
_NEEDS: dict[re.Pattern[str], tuple[str, ...]] = {
    _NEWLINES: ("\r", "\u0085", "\u2028", "\u2029"),
    _COMMENT: ("<!--", "{/*"),
    _DROPPED: ("<",),
    _IMPORT: ("import", "export"),
    _TAG: ("<",),
    _FRAGMENT: ("<>", "</>"),
    _LINK: ("](",),
    _STRONG: ("**", "__"),
    _EMPHASIS: ("*", "_"),
    _ENTITY: ("&",),
    _ROW: ("|",),
    _TRAILING: (" \n", "\t\n"),
    _GAP: ("\n\n\n",),
}
"""What must be in a text for a pattern to be found: looking for that first is much faster."""


class Cleaned(Model):
    """The cleaned text, the way back, and what was dropped that somebody may have meant to hide."""

    text: str
    span_map: SpanMap
    warnings: tuple[str, ...] = ()


def clean_plain(original: str) -> Cleaned:
    """Plain text: newlines, spaces and invisible characters put right."""
    traced, warnings = _characters(Traced.of(original))
    return _finished(traced, warnings)


def clean_markdown(original: str, *, skip_to: int = 0) -> Cleaned:
    """Markdown or MDX without markup that carries no text. Headings, lists, tables, code stay.

    ``skip_to`` is where the body starts, after front matter.
    """
    traced, warnings = _characters(Traced.of(original).edited([Edit(0, skip_to)]))
    traced, more = _without_hidden(traced)
    for pattern in (_DROPPED, _IMPORT, _TAG, _FRAGMENT):
        if _possible(pattern, traced.text):
            traced = traced.sub(pattern, "", skip=code_spans(traced.text))
    traced = traced.edited(_link_edits(traced.text))
    traced = traced.edited(_emphasis_edits(traced.text))
    if _possible(_ENTITY, traced.text):
        code = code_spans(traced.text)
        traced = traced.sub(_ENTITY, lambda m: html.unescape(m.group()), skip=code)
    traced = traced.edited(_padding_edits(traced.text))
    traced, smuggled = _characters(traced)  # an entity may have stood for an invisible character
    return _finished(traced, warnings + more + smuggled)


def tidied(traced: Traced) -> Cleaned:
    """Text gathered from markup by another reader, with spacing and characters put right."""
    traced, warnings = _characters(traced)
    return _finished(traced, warnings)


def code_spans(text: str) -> list[tuple[int, int]]:
    """Spans of fenced and inline code, in order."""
    fences = _fences(text)
    if "`" not in text:
        return fences
    inline = [match.span() for match in outside(_INLINE_CODE, text, fences)]
    return sorted(fences + inline)


def _fences(text: str) -> list[tuple[int, int]]:
    marked = "```" in text or "~~~" in text
    return [match.span() for match in _FENCE.finditer(text)] if marked else []


def _possible(pattern: re.Pattern[str], text: str) -> bool:
    return any(mark in text for mark in _NEEDS[pattern])


def _characters(traced: Traced) -> tuple[Traced, tuple[str, ...]]:
    warnings = ("invisible characters in runs were dropped",) if smuggles(traced.text) else ()
    if _possible(_NEWLINES, traced.text):
        traced = traced.sub(_NEWLINES, "\n")
    return traced.sub(_SPACES, " ").sub(INVISIBLE, ""), warnings


def _finished(traced: Traced, warnings: tuple[str, ...]) -> Cleaned:
    traced = traced.edited([Edit(len(traced.text.rstrip()), len(traced.text))])
    for pattern, kept in ((_TRAILING, ""), (_GAP, "\n\n")):
        if _possible(pattern, traced.text):
            traced = traced.sub(pattern, kept, skip=_fences(traced.text))
    traced = traced.edited([Edit(0, len(traced.text) - len(traced.text.lstrip()))])
    return Cleaned(
        text=traced.text, span_map=traced.span_map(), warnings=tuple(dict.fromkeys(warnings))
    )


def _without_hidden(traced: Traced) -> tuple[Traced, tuple[str, ...]]:
    commented = traced
    if _possible(_COMMENT, traced.text):
        commented = traced.sub(_COMMENT, "", skip=code_spans(traced.text))
    warnings = [] if commented is traced else ["comments were dropped"]
    edits = _hidden_elements(commented.text)
    if edits:
        warnings.append("hidden elements were dropped")
    return commented.edited(edits), tuple(warnings)


def _hidden_elements(text: str) -> list[Edit]:
    if not _possible(_TAG, text):
        return []
    tags = list(outside(_TAG, text, code_spans(text)))
    edits: list[Edit] = []
    for number, tag in enumerate(tags):
        if tag.group().startswith("</") or (edits and tag.start() < edits[-1].end):
            continue
        attributes = {
            name.lower(): value.strip("\"'")
            for name, value in _ATTRIBUTE.findall(tag.group("attributes"))
        }
        if hides(attributes):
            edits.append(Edit(tag.start(), _end_of_element(text, tags[number:])))
    return edits


def _end_of_element(text: str, tags: list[re.Match[str]]) -> int:
    """Where the element that ``tags[0]`` opens is closed; the end of the text if it never is."""
    name = tags[0].group("name")
    depth = 0
    for tag in tags:
        if tag.group("name") != name:
            continue
        if tag.group().startswith("</"):
            depth -= 1
        elif not (tag.group().endswith("/>") or name.lower() in _VOID):
            depth += 1
        if depth <= 0:
            return tag.end()
    return len(text)


def _link_edits(text: str) -> list[Edit]:
    """Links become their labels (an address to write to stays readable), images their captions."""
    edits: list[Edit] = []
    if not _possible(_LINK, text):
        return edits
    for match in outside(_LINK, text, _fences(text)):
        target, label = match.group("target"), match.group("label")
        address = target.removeprefix("mailto:") if target.startswith("mailto:") else ""
        after = f" ({address})" if address and address not in label else ""
        edits.append(Edit(match.start(), match.start("label")))
        edits.append(Edit(match.end("label"), match.end(), after))
    return edits


def _emphasis_edits(text: str) -> list[Edit]:
    edits: list[Edit] = []
    if not _possible(_EMPHASIS, text):
        return edits
    code = code_spans(text)
    for pattern in (_STRONG, _EMPHASIS):
        for match in pattern.finditer(text):
            opening, closing = match.span(1), (match.end() - len(match.group(1)), match.end())
            if not any(inside(mark[0], code) for mark in (opening, closing)):
                edits += [Edit(*opening), Edit(*closing)]
    return edits


def _padding_edits(text: str) -> list[Edit]:
    """Columns lined up with blanks cost tokens and say nothing."""
    if not _possible(_ROW, text):
        return []
    return [
        Edit(row.start() + gap.start(), row.start() + gap.end(), gap.group()[0].strip("-") and " ")
        for row in outside(_ROW, text, _fences(text))
        for gap in _ROW_PADDING.finditer(row.group())
    ]
