"""Answers about a case itself: may it close, what stands against it, what comes next.

The conclusion is ours, so it is tagged as inference and names all its evidence; the rule, the
events and the open items are quoted from policy and case record.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from core.models.evidence import Evidence, EvidencePackage
from core.models.plan import QueryPlan
from core.text.choose import Choice, Option, Part, choose
from core.text.compose import Line, ended, lines_of
from core.text.dates import find_dates
from core.text.extract import units
from core.text.markers import INFERENCE_TAGS
from core.text.provenance import day_words
from core.text.reply import standing
from core.text.window import Event, WindowRule, densest, window_rules

_OPEN = re.compile(
    r"\b(?:not (?:yet )?(?:done|complete[d]?|received|recorded)|missing|incomplete|outstanding|open"
    r"|pending|to do)\b|\[ \]|[:：]\s*no\b|未完成|缺(?:少|失)",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"\bnone\b|\bnot (?:recorded|found)\b|\bno \w+(?: \w+)? (?:is |has been )?recorded\b"
    r"|无记录|未记录",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b((?:\w+ )?(?:decision|approval|sign-off|authori[sz]ation))\b"
    r"|((?:主管|经理)?(?:决定|批准|审批))",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\bclos(?:e|ed|ing)\b|\bescalat\w+\b|\bformal review\b|结案|关闭|升级", re.IGNORECASE
)
_BARS = re.compile(
    r"not\b|n't\b|\bonly\b|\bmust\b|\bforces?\b|\brequire[ds]?\b|\bneeds?\b|不|必须|须|才",
    re.IGNORECASE,
)
_NEXT = re.compile(r"\bnext\b|\bhow to\b|\bsteps?\b|下一步|步骤", re.IGNORECASE)


class _Record(NamedTuple):
    events: tuple[Event, ...]
    open_items: tuple[Event, ...]
    absences: tuple[Event, ...]
    text: str


class _State(NamedTuple):
    """Whether the rule applies to the densest run of events, and whether anything bars closing."""

    rule: WindowRule | None
    run: tuple[Event, ...]
    open_items: tuple[Event, ...]
    applies: bool
    blocked: bool


def case_lines(
    package: EvidencePackage,
    pool: Sequence[Option],
    question: str,
    plan: QueryPlan,
    language: str,
) -> list[Line]:
    """The body of the answer, or nothing when there is no case record or no rule to hold it to."""
    record = _record([e for e in package.selected_evidence if _is_case(e)], plan)
    policy = [o for o in pool if not _is_case(package.by_id()[o.evidence_id])]
    rules = window_rules([(o.evidence_id, o.words) for o in policy])
    if not (record.events or record.open_items) or not (rules or _CLOSING.search(question)):
        return []
    state = _state(rules[0] if rules else None, record)
    lines = [_conclusion(state, language)]
    lines += _policy_lines(policy, state, question)
    lines += _record_lines([*(state.run if state.applies else record.events), *record.open_items])
    lines += _decision_lines(policy, record, language, applies=state.applies)
    return lines + (_next_lines(policy, language) if state.blocked else [])


def _state(rule: WindowRule | None, record: _Record) -> _State:
    run = densest(record.events, rule.days) if rule else record.events
    applies = rule is not None and len(run) >= rule.needed
    return _State(rule, run, record.open_items, applies, applies or bool(record.open_items))


def _is_case(item: Evidence) -> bool:
    return item.candidate.retrieval_source == "case_file"


def _record(items: Sequence[Evidence], plan: QueryPlan) -> _Record:
    events: list[Event] = []
    open_items: list[Event] = []
    absences: list[Event] = []
    today = plan.temporal.asked_date
    for item in items:
        for unit in units(item.candidate.text):
            for text in _rows(unit.prose if not unit.items else "\n".join(unit.items)):
                dates = [d for d in find_dates(text, today=today) if d.start == d.end]
                event = Event(item.evidence_id, dates[0].start if dates else today, text)
                if _ABSENT.search(text):
                    absences.append(event)
                elif len(dates) == 1:
                    events.append(event)
                elif _OPEN.search(text):
                    open_items.append(event)
    text = "\n".join(item.candidate.text for item in items)
    return _Record(tuple(events), tuple(open_items), tuple(absences), text)


def _rows(prose: str) -> list[str]:
    return [row.strip() for row in re.split(r"\n|;\s(?=[A-Z])", prose) if row.strip()]


def _conclusion(state: _State, language: str) -> Line:
    """What rule and record come to, tagged as ours, with every piece of evidence it joins."""
    rule_ids = (state.rule.evidence_id,) if state.rule else ()
    record_ids = tuple(e.evidence_id for e in (*state.run, *state.open_items))
    text = (_zh if language == "zh" else _en)(state)
    return Line(text, text, tuple(dict.fromkeys(rule_ids + record_ids)), " ")


def _en(state: _State) -> str:
    days = [day_words(e.on, "en") for e in state.run]
    count = f"{len(days)} event{'s' if len(days) != 1 else ''}"
    window = f" within {state.rule.days} days" if state.rule else ""
    on = f" ({', '.join(days)})" if days else ""
    items = len(state.open_items)
    left = f"{items or 'no'} open checklist item{'s' if items != 1 else ''}"
    if state.applies:
        verdict = "This case is not ready to close without escalation"
    elif state.blocked:
        verdict = "This case is not ready to close"
    else:
        may = "As far as the record goes, this case may be closed without escalation"
        verdict = may if state.rule else "On record"
    return f"{INFERENCE_TAGS[0]} {verdict}: there {_be(len(days))} {count}{window}{on} and {left}."


def _be(count: int) -> str:
    return "is" if count == 1 else "are"


def _zh(state: _State) -> str:
    days = [day_words(e.on, "zh") for e in state.run]
    window = f"{state.rule.days}天内" if state.rule else ""
    on = f"（{'、'.join(days)}）" if days else ""
    verdict = "根据记录，此案件无需升级即可结案" if state.rule else "根据记录"
    if state.blocked:
        verdict = "未经升级，此案件尚不能结案" if state.applies else "此案件尚不能结案"
    return (
        f"{INFERENCE_TAGS[2]}{verdict}：{window}有{len(days)}起事件{on}，"
        f"未完成的清单项目{len(state.open_items)}个。"
    )


def _policy_lines(policy: Sequence[Option], state: _State, question: str) -> list[Line]:
    """The rule itself, then what bars closing the case, or what allows it when nothing does."""
    rule_text = state.rule.text if state.rule else ""
    on_rule = [o for o in policy if o.words == rule_text]
    rest = [
        o
        for o in policy
        if o.words != rule_text and o.unit.kind != "steps" and _CLOSING.search(o.words)
    ]
    barring = [o for o in rest if _BARS.search(o.words)]
    allowing = [o for o in rest if o not in barring]
    if state.blocked:
        more = _nearest(question, barring, 2)
    else:
        more = (*_nearest(question, allowing, 1), *_nearest(question, barring, 1))
    first = [Choice(o, "D") for o in on_rule[:1]] if state.applies else []
    lines = lines_of((*first, *more))
    return [lines[0]._replace(glue="\n\n"), *lines[1:]] if lines else []


def _nearest(question: str, options: Sequence[Option], count: int) -> tuple[Choice, ...]:
    ids = frozenset(o.evidence_id for o in options)
    # Asked more than once, the choice gives as many different sentences.
    parts = [Part(f"P{n}", question, ids) for n in range(count)]
    return choose(question, parts, options, limit=count)


def _record_lines(rows: Sequence[Event]) -> list[Line]:
    lines = []
    for number, row in enumerate(dict.fromkeys(rows)):
        text = ended(row.text)
        glue = "\n\n" if number == 0 else "\n"
        lines.append(Line(f"- {text}", text, (row.evidence_id,), glue))
    return lines


def _decision_lines(
    policy: Sequence[Option], record: _Record, language: str, *, applies: bool
) -> list[Line]:
    """The decision the policy asks for, when the record has none."""
    wanted = next((m for o in policy for m in _DECISION.finditer(o.words)), None)
    if wanted is None or not applies:
        return []
    name = wanted.group(0)
    stated = [a for a in record.absences if _DECISION.search(a.text)]
    if stated:
        text = ended(stated[0].text)
        return [Line(f"- {text}", text, (stated[0].evidence_id,), "\n")]
    if name.casefold() in record.text.casefold():
        return []
    return [Line(standing("absent", language, name), "", (), "\n\n")]


def _next_lines(policy: Sequence[Option], language: str) -> list[Line]:
    steps = [o for o in policy if o.unit.kind == "steps"]
    steps.sort(key=lambda o: not _NEXT.search(f"{o.unit.heading} {o.unit.lead}"))
    if not steps:
        return []
    lead = steps[0].unit.lead or standing("next", language)
    first = steps[0]
    return lines_of([Choice(first._replace(unit=first.unit._replace(lead=lead)), "D")])
