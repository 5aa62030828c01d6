# ruff: noqa: E501 - word lists and patterns read better unbroken
"""What stands around a possible value and speaks for it: the wording of its relation, its company.

Two kinds: words before or after that the relation asked for is told with ("born on …", "directed by
…", "there were … people"), and how the value compares with what the other passages hold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORDS = r"\W+(?:[\w'’.-]+\W+){0,%d}$"
_BY = (
    r"\b(?:by|from|artists?|singers?|bands?|duo|group|rapper|musicians?|directors?|producers?|authors?|architects?|owners?|founders?|composers?)\b"
    + _WORDS % 6
)
_CUES: tuple[tuple[str, str, str], ...] = (
    # (asked for, told before the value, told after it)
    (r"\bborn\b|\bbirth", r"\bborn\b" + _WORDS % 3 + r"|\(\s*(?:born |b\. )?$|\bbirth(?:day|date| date)?\b" + _WORDS % 2, r"^\s*[–—-]\s"),
    (r"\bdied?\b|\bdeath\b", r"\b(?:died?|death)\b" + _WORDS % 3 + r"|[–—-]\s*$", r"^\s*\)"),
    (r"\b(?:establish|found|form|creat|open|built|build|construct|start|launch|beg[au]n|incorporat|erect)", r"\b(?:establish|found|form|creat|open|buil[td]|construct|start|launch|incorporat|beg[au]n|dat(?:es|ing) (?:from|back)|erect|complet|chartered|since)\w*" + _WORDS % 5, r"^\s*(?:establishments?|by)\b"),
    (r"\b(?:releas|publish|premier|issued|aired|come out)", r"\b(?:releas|publish|premier|issued|aired)\w*" + _WORDS % 5 + r"|\b(?:is|was) (?:an?|the)\s+(?:[\w-]+\s+){0,2}$|\(\s*$", r"^\s*(?:albums?|films?|songs?|novels?|singles?)\b|^\s*\)"),
    (r"\b(?:artist|singer|band|perform|record|direct|author|writ|wrote|produc|architect|design|compos|creat|founder|owner|publish|label)", _BY, r"^\W*(?:album|ep|film|song|discography|-produced|-directed)\b"),
    (r"\bpopulation\b|\binhabitants\b|\bpeople\b|\bresidents\b", r"\bpopulation\b" + _WORDS % 7 + r"|\bthere (?:were|are)\s+$|\btotal\b" + _WORDS % 2 + r"|\b(?:home to|had|has)\s+(?:about\s+|around\s+)?$", r"^\s*(?:people|inhabitants|residents|persons)\b"),
    (r"\bwhere\b|\blocat|\b(?:which|what) (?:city|country|state|place|county|town)\b|\bbased\b", r"\b(?:located|situated|based|lies|headquartered|city|town|village|station|school|community|stands|built)\b" + _WORDS % 5 + r"|\b(?:in|at|near|of)\s+(?:the\s+)?$", r"^\s*,\s*[A-Z]"),
    (r"\b(?:sport|play|position|profession|occupation|medium|genre|language|rank|party|instrument|known)\b", r"\b(?:is|was|are|were) (?:an?|the)\s+(?:[\w-]+\s+){0,4}$|\b(?:as|professional|former|played?|plays|retired)\s+(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,2}$|\(\s*(?:[\w-]+\s+){0,2}$", r"^[\s-]*(?:players?|team|club|coach|game|series|by|directed|written|tournament|league|language|manager|who|that)\b|^\s*\)"),
)  # fmt: skip
_COMPILED = tuple(
    (re.compile(asked, re.I), re.compile(f"(?:{before})", re.I), re.compile(after, re.I))
    for asked, before, after in _CUES
)
_NOT_ITS_DAY = re.compile(
    r"\b(?:retrieved|archived|edited|accessed|updated|modified|copyright|original|checked|©)\b[^.]{0,30}$",
    re.I,
)
_OTHER_MEASURE = re.compile(
    r"\b(?:density|per|area|elevation|altitude|of sections?|footnote|households|families)\W+(?:\w+\W+){0,3}$",
    re.I,
)
_COUNTED = re.compile(r"\bpopulation\b|\bhow many\b|\binhabitants\b|\bnumber of\b", re.I)
_NOT_A_PARTY = re.compile(
    r"(?:american|british|english|scottish|irish|welsh|canadian|australian|french|german|italian|spanish|portuguese|dutch|belgian|swiss|austrian|swedish|norwegian|danish|finnish|polish|russian|ukrainian|greek|turkish|indian|pakistani|bangladeshi|chinese|japanese|korean|thai|indonesian|filipino|mexican|brazilian|argentin(?:e|ian)|chilean|cuban|puerto rican|jamaican|nigerian|south african|israeli|iranian|hungarian|czech|romanian|icelandic|"
    r"ep|lp|cd|dvd|official charts?|billboard(?: hot \d+)?|wikipedia|allmusic|last|next|records?|released|album|film|song)",
    re.I,
)
_LONG_RUN = 5
_CLOSE_TO_NUMBER = re.compile(r"\d[\d.,%]*\W{0,4}$")
CUES = (
    "told_before",
    "told_after",
    "housekeeping",
    "in_a_row",
    "misfit",
    "long_run",
    "borne_elsewhere",
)


def cues(
    query: str, text: str, start: int, end: int, value: str, others: Sequence[str]
) -> tuple[float, ...]:
    """One number a name of ``CUES``. ``others`` are texts of other passages that are no copies."""
    left, right = text[max(0, start - 90) : start], text[end : end + 40]
    told = [(b, a) for asked, b, a in _COMPILED if asked.search(query)]
    bearing = sum(_holds(other, value) for other in others)
    return (
        float(any(b.search(left) for b, _ in told)),
        float(any(a.search(right) for _, a in told)),
        float(bool(_NOT_ITS_DAY.search(left))),
        float(bool(_CLOSE_TO_NUMBER.search(left[-8:]))),
        float(_misfit(query, left, value)),
        float(len(value.split()) >= _LONG_RUN),
        bearing / len(others) if others else 0.0,
    )


def _holds(text: str, value: str) -> bool:
    return bool(value) and value.casefold() in text.casefold()


def _misfit(query: str, left: str, value: str) -> bool:
    """A density where a count is asked for, a nationality where a person is."""
    if _NOT_A_PARTY.fullmatch(value.strip()):
        return True
    counted = bool(_COUNTED.search(query))
    return counted and ("." in value or bool(_OTHER_MEASURE.search(left[-40:])))
