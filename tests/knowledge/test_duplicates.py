"""Owners see what stands in several sources, above all where copies differ in a value."""

from __future__ import annotations

from typing import Any

from core.knowledge.duplicates import DuplicateGroup, duplicate_groups, passage_from
from core.models.access import SecurityContext
from core.models.source import Passage
from tests.fakes.memory_index import MemoryIndex
from tests.sources.builders import TENANT, passages

RULE = (
    "Coats bought in our stores or online may be returned within 45 days of delivery as long as "
    "their tags are still on and the receipt is at hand."
)


def a_context(*, tenant_id: str = TENANT, acl: tuple[str, ...] = ("public",)) -> SecurityContext:
    return SecurityContext(
        tenant_id=tenant_id,
        user_id="kim",
        roles=("knowledge_owner",),
        department="Customer service",
        permission_level="L3",
        allowed_acl_policy_ids=acl,
        allowed_classifications=("public", "internal"),
    )


def a_passage(name: str, text: str = RULE, **changes: Any) -> Passage:
    values = {"document_id": f"{name}-v1", "source_id": name, "title": name.title()} | changes
    (passage,) = passages(text, **values)
    return passage


def groups(*held: Passage) -> tuple[DuplicateGroup, ...]:
    return duplicate_groups(held, a_context())


def test_the_same_text_in_two_sources_is_one_group() -> None:
    (group,) = groups(
        a_passage("faq"),
        a_passage("policy", f"**{RULE}**", authority="official_policy"),
        a_passage("cards", "Gift cards never expire, whatever the season or the store."),
    )
    assert (group.kind, group.sources) == ("same", ("policy", "faq"))
    assert group.words == "2 sources hold the same text"
    assert [place.authority for place in group.wordings[0].places] == ["official_policy", "faq"]


def test_copies_that_differ_in_a_value_come_first_and_say_which() -> None:
    found = groups(
        a_passage("a", "Gift cards never expire, whatever the season or the store."),
        a_passage("b", "Gift cards never expire, whatever the season or the store."),
        a_passage("faq", RULE.replace("45", "60")),
        a_passage("policy", authority="official_policy"),
    )
    assert [group.kind for group in found] == ["differs_in_values", "same"]
    first, second = found[0].wordings
    assert first.places[0].source_id == "policy"
    assert second.differences == (("45 days", "60 days"),)
    assert found[0].words == "2 sources differ only in: 45 days / 60 days"


def test_a_changed_negation_or_modal_word_is_a_value_too() -> None:
    for changed in (RULE.replace("may be", "may not be"), RULE.replace("may be", "must be")):
        (group,) = groups(a_passage("policy"), a_passage("faq", changed))
        assert group.kind == "differs_in_values"


def test_other_words_for_the_same_are_told_apart_from_other_values() -> None:
    (reworded,) = groups(a_passage("a"), a_passage("faq", RULE.replace("receipt", "invoice")))
    assert (reworded.kind, reworded.words) == (
        "reworded",
        "2 sources say the same in other words: receipt / invoice",
    )
    (nearly,) = groups(a_passage("policy"), a_passage("faq", RULE.replace("45", "forty-five")))
    assert nearly.kind == "nearly_same"


def test_many_differences_are_named_in_part() -> None:
    rule = other = (
        f"{RULE} Bring the coat to any of our stores, or hand it to the carrier who calls."
    )
    for old, new in (
        ("45", "60"),
        ("Coats", "Hats of felt"),
        ("online", "abroad"),
        ("receipt", "invoice"),
    ):
        other = other.replace(old, new)
    (group,) = groups(a_passage("a", rule), a_passage("b", other))
    assert group.words.startswith("2 sources differ, among else in: ")
    assert group.words.endswith("; …")
    assert len(group.wordings[1].differences) == 4


def test_passages_as_the_index_returns_them_are_read_alike() -> None:
    index = MemoryIndex()
    held = [a_passage("faq", RULE.replace("45", "60")), a_passage("policy", owner="omar")]
    index.replace_documents([(passage.document_id, [passage]) for passage in held])
    again = [passage_from(c) for p in held for c in index.passages_of(p.document_id)]
    assert duplicate_groups(again, a_context()) == duplicate_groups(held, a_context())


def test_versions_of_one_source_and_retired_ones_are_no_duplicates() -> None:
    assert groups(a_passage("policy"), a_passage("policy", document_id="policy-v2")) == ()
    changed = RULE.replace("45", "60")
    assert groups(a_passage("policy"), a_passage("policy", changed, document_id="policy-v2")) == ()
    assert groups(a_passage("policy"), a_passage("old", changed, status="superseded")) == ()


def test_what_the_viewer_may_not_read_is_not_even_counted() -> None:
    secret = a_passage("hr", RULE.replace("45", "60"), acl_policy_id="hr-only")
    held = [a_passage("policy"), a_passage("faq"), secret]
    (group,) = duplicate_groups(held, a_context())
    assert (group.kind, group.sources) == ("same", ("faq", "policy"))
    (seen,) = duplicate_groups(held, a_context(acl=("public", "hr-only")))
    assert (seen.kind, len(seen.sources)) == ("differs_in_values", 3)
    assert duplicate_groups(held, a_context(tenant_id="other")) == ()
    assert duplicate_groups([a_passage("policy"), secret], a_context()) == ()


def test_every_group_is_found_among_many_passages() -> None:
    held = []
    for number in range(60):
        words = " ".join(_letters(number * 100 + n) for n in range(60))
        held += [
            a_passage(f"a{number}", f"{words} within {number} days of delivery."),
            a_passage(f"b{number}", f"{words} within {number + 100} days of delivery."),
        ]
    found = groups(*held)
    assert len(found) == 60
    assert {group.kind for group in found} == {"differs_in_values"}
    assert {len(group.sources) for group in found} == {2}


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:05d}")


def test_the_number_of_groups_is_limited_and_an_empty_shelf_has_none() -> None:
    assert groups() == ()
    held = [a_passage(f"{letter}{n}", f"{RULE} Case {n}.") for n in range(3) for letter in "ab"]
    assert len(duplicate_groups(held, a_context(), limit=1)) == 1
