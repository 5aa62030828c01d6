"""How evidence, conflicts, claims, differences and tables look, wherever they appear."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal
from urllib.parse import urlencode

from core.models.draft import GeneratedClaim
from core.models.judgement import Ambiguity, Reading
from core.review.views import ConflictCard, EvidenceCard, LeftOutCard
from pages.components.untrusted import Html, Piece, el, join, marked, spans_of
from pages.components.words import CLAIM_WORDS

Diff = Sequence[tuple[Literal["same", "added", "removed"], str]]
_LONG, _SHORT = 420, 200


def tag(words: str, tone: str = "", title: str | None = None) -> Html:
    """A small rounded word."""
    return el("span", words, cls=f"cs-tag {tone}".strip(), title=title)


def chip(word: str, *, record: bool = False) -> Html:
    """A citation chip such as ``E1``."""
    return el("span", word, cls="cs-chip record" if record else "cs-chip")


def source_line(title: str, section: str) -> Html:
    """``Return policy › Holiday returns``."""
    under = el("span", f" › {section}", cls="sec") if section else None
    return el("span", title, under, cls="cs-src")


def evidence_body(card: EvidenceCard, spans: Sequence[tuple[int, int]] = ()) -> Html:
    """Label, title, the text with the deciding words marked, and the trust words."""
    shown = spans or spans_of(card.text, card.quotes)
    return el(
        "div",
        el(
            "div",
            chip(card.label, record=card.is_record),
            source_line(card.title, card.section),
            cls="cs-card-head",
        ),
        quoted(card.text, shown, _LONG if shown else _SHORT),
        el("div", join(tag(words, _tone(words)) for words in card.trust), cls="cs-trust"),
        cls="cs-hover",
    )


def quoted(text: str, spans: Sequence[tuple[int, int]], long: int = _LONG) -> Html:
    """The text with marks; a long one is cut around the marks, the whole of it one click away."""
    if len(text) <= long:
        return el("div", marked(text, spans), cls="cs-quote")
    first = min((start for start, _ in spans), default=0)
    last = max((end for _, end in spans), default=0)
    start = max(0, first - 120)
    end = min(len(text), max(start + long, last + 60))
    inner = [(a - start, b - start) for a, b in spans]
    window = join(
        (
            "… " if start else None,
            marked(text[start:end], inner),
            " …" if end < len(text) else None,
        )
    )
    return el("div", window, cls="cs-quote")


def conflict_body(card: ConflictCard) -> Html:
    """Both sides, what decided, and what is left to ask."""
    conflict = card.conflict
    premise = conflict.kind == "premise"
    won = _winner(card)
    sides = el(
        "div",
        _side(
            card.title_a,
            card.value_a or conflict.side_a,
            card.quote_a,
            card.since_a,
            won=won == "a",
        ),
        _side(
            card.title_b,
            card.value_b or conflict.side_b,
            card.quote_b,
            card.since_b,
            won=won == "b",
        ),
        cls="cs-sides",
    )
    about = card.about or ("" if conflict.dimension[1:].isdigit() else conflict.dimension)
    head = _premise_head(card) if premise else f"Conflict: {about}" if about else "Conflict"
    rule = _rule(card)
    steps = [el("li", step) for step in card.steps if step != rule]
    questions = join(el("li", question) for question in card.questions)
    return join(
        (
            el(
                "div",
                tag(
                    "⚖ decided" if conflict.decided else "⚠ needs a person",
                    "good" if conflict.decided else "warn",
                ),
                el("span", head, cls="cs-src"),
                cls="cs-card-head",
            ),
            sides,
            el("div", rule, cls="cs-rule"),
            el("ul", join(steps), cls="cs-small") if steps else None,
            el("div", "Ask the owner", cls="cs-cap") if card.questions else None,
            el("ul", questions, cls="cs-small") if card.questions else None,
            _task(card),
        )
    )


def _rule(card: ConflictCard) -> str:
    """The step that decided, or that none did; a resolution of one line says it itself."""
    resolution = card.conflict.resolution
    return card.steps[-1] if "\n" in resolution and card.steps else resolution


def _task(card: ConflictCard) -> Html | None:
    if not card.task:
        return None
    address = "/knowledge?" + urlencode({"view": "Flags"})
    return el("div", tag("⚑ " + card.task, "warn"), " ", el("a", "Open the tasks", href=address))


def readings_body(found: Ambiguity, labels: Mapping[str, str]) -> Html:
    """What a name may mean, and what the evidence says of each thing; no conflict."""
    return join(
        (
            el(
                "div",
                tag("≠ not a conflict"),
                el("span", _things(found), cls="cs-src"),
                cls="cs-card-head",
            ),
            el("div", join(_reading(r, labels) for r in found.readings), cls="cs-sides"),
        )
    )


def _things(found: Ambiguity) -> str:
    number = len(found.readings)
    things = "Two things" if number == 2 else f"{number} things"
    if not found.term:
        return f"{things} may be meant"
    return f"{things} {'goes' if number == 1 else 'go'} by this name: “{found.term}”"


def _reading(reading: Reading, labels: Mapping[str, str]) -> Html:
    chips = join(chip(labels.get(i, i)) for i in reading.evidence_ids)
    return el(
        "div",
        el("div", reading.entity or "which one is not said", cls="cs-soft"),
        el("div", reading.value, cls="val"),
        el("div", f"“{reading.quote}”", cls="cs-small") if reading.quote else None,
        el("div", chips),
        cls="cs-side",
    )


def left_out_body(card: LeftOutCard) -> Html:
    """Why it was left out, then what it says."""
    return join(
        (
            el("div", tag(card.reason, "" if card.can_use else "bad"), cls="cs-trust"),
            el("div", source_line(card.title, card.section), cls="cs-card-head"),
            quoted(card.text, (), 260),
        )
    )


def claim_line(claim: GeneratedClaim, labels: Mapping[str, str], *, on: bool = False) -> Html:
    """Sign, sentence, its evidence, and why it is not verified when it is not."""
    sign, word, tone = CLAIM_WORDS[claim.support_status]
    why = "; ".join(claim.reasons) if claim.support_status != "supported" else ""
    chips = join(
        chip(labels.get(i, i), record=labels.get(i, "").startswith("R")) for i in _cited(claim)
    )
    return el(
        "div",
        el("span", sign, cls=f"cs-{tone}", title=word),
        el(
            "span",
            claim.text,
            " ",
            el("span", f"· {word}", cls=f"cs-{tone} cs-small") if why or tone != "good" else None,
            el("div", why, cls="why") if why else None,
            tag("inference, not in the sources", "warn") if claim.is_inference else None,
        ),
        el("span", "← " if claim.evidence_ids else "", chips),
        cls="cs-claim cs-hover on" if on else "cs-claim cs-hover",
    )


def claim_summary(claims: Sequence[GeneratedClaim]) -> Html:
    """``5 verified · 1 contradicted``."""
    pieces: list[Piece] = []
    for status, (sign, word, tone) in CLAIM_WORDS.items():
        number = sum(c.support_status == status for c in claims)
        if number:
            pieces.append(tag(f"{sign} {number} {word}", tone))
    if not claims:
        pieces.append(tag("no factual sentence"))
    return join(pieces)


def diff_body(diff: Diff) -> Html:
    """Words added and removed, in place."""
    tags = {"added": "ins", "removed": "del"}
    return el(
        "div",
        join(el(tags[op], words) if op in tags else el("span", words) for op, words in diff),
        cls="cs-diff",
    )


def table(
    head: Sequence[str], rows: Iterable[Sequence[Piece]], numbers: Sequence[int] = ()
) -> Html:
    """A plain table; ``numbers`` are the columns set flush right."""
    cls = dict.fromkeys(numbers, "num")
    body = [
        el("tr", join(el("td", cell, cls=cls.get(i)) for i, cell in enumerate(row))) for row in rows
    ]
    if not body:
        return el("div", "Nothing here yet.", cls="cs-soft")
    heads = el("tr", join(el("th", name, cls=cls.get(i)) for i, name in enumerate(head)))
    return el(
        "div",
        el("table", el("thead", heads), el("tbody", join(body)), cls="cs-table"),
        cls="cs-scroll",
    )


def source_address(source_id: str, document_id: str = "", chunk_id: str = "") -> str:
    """Where the knowledge screen shows a source, one of its versions, one of its passages."""
    named = {"source": source_id, "document": document_id, "passage": chunk_id}
    return "/knowledge?" + urlencode({k: v for k, v in named.items() if v})


def _side(title: str, value: str, quote: str, since: str, *, won: bool) -> Html:
    return el(
        "div",
        el("div", "✔ " if won else None, title, cls="cs-soft"),
        el("div", since, cls="cs-soft cs-small") if since else None,
        el("div", value, cls="val"),
        el("div", f"“{quote}”", cls="cs-small") if quote and quote != value else None,
        cls="cs-side won" if won else "cs-side lost",
    )


def _premise_head(card: ConflictCard) -> str:
    return "Asked, and not so" if card.title_a == "The question asks" else "False premise"


def _winner(card: ConflictCard) -> str:
    winner = card.conflict.winner_evidence_id
    if not card.conflict.decided or winner is None:
        return ""
    ids = card.conflict.evidence_ids
    return "a" if ids and ids[0] == winner and card.conflict.kind == "sources" else "b"


def _cited(claim: GeneratedClaim) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*claim.evidence_ids, *(s.evidence_id for s in claim.spans))))


def _tone(words: str) -> str:
    low = words.lower()
    if any(w in low for w in ("past its review", "stale", "superseded", "unsigned", "disagree")):
        return "warn"
    return "good" if "quote found" in low or "agree" in low else ""
