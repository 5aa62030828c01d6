"""Every verified sentence of every demo draft, with one value or one negation changed.

A person's edit, a model's slip or an attack would look like this; none may pass as verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.models.review import Case
from core.wiring import Office

_NUMBER = re.compile(r"(?<![A-Za-z-])\d+(?:,\d{3})*(?:\.\d+)?")
_TURNS = (
    (" cannot ", " can "),
    (" is not ", " is "),
    (" are not ", " are "),
    (" does not ", " does "),
    (" can ", " cannot "),
    (" is ", " is not "),
    (" are ", " are not "),
    (" never ", " always "),
)


def _changed(text: str) -> Iterator[str]:
    for match in _NUMBER.finditer(text):
        other = str(int(match.group().replace(",", "").split(".")[0]) + 7)
        yield text[: match.start()] + other + text[match.end() :]
    turn = next(((a, b) for a, b in _TURNS if a in text), None)
    if turn is not None:
        yield text.replace(*turn, 1)


def test_no_changed_value_and_no_turned_sentence_passes_as_verified(office: Office) -> None:
    context = office.identity.context_of("ana")
    tried, passed = 0, []
    for case in _cases(office):
        run = office.copilot.draft(case, context)
        for claim in run.claims:
            if claim.support_status != "supported" or claim.is_inference:
                continue
            for text in _changed(claim.text):
                tried += 1
                checked = office.copilot.recheck(
                    text,
                    run,
                    context=context,
                    output_form=case.output_form,
                    recipient=case.reader(),
                )
                if any(c.support_status == "supported" for c in checked.claims):
                    passed.append((case.case_id, text))
    assert passed == []
    assert tried > 100


def _cases(office: Office) -> tuple[Case, ...]:
    with office.store.read() as transaction:
        return transaction.cases(office.settings.tenant)
