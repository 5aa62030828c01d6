"""Index and stored documents are compared, and repair makes them agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.models.index import Consistency
from core.sources.consistency import Contents, compare, repair
from tests.sources.builders import passages
from tests.sources.knowledge import Knowledge


@pytest.fixture
def knowledge(tmp_path: Path) -> Knowledge:
    made = Knowledge()
    for name in ("coats", "cards", "shoes"):
        (tmp_path / f"{name}.md").write_text(f"# {name}\n\nA rule about {name} and returns.")
    made.take(tmp_path)
    return made


def contents(knowledge: Knowledge) -> Contents:
    return knowledge.index.counts(), ()


def test_after_an_ingest_the_two_agree(knowledge: Knowledge) -> None:
    check = compare(knowledge.registry, contents(knowledge))
    assert check == Consistency(documents=3)
    assert check.agree


def test_what_is_withdrawn_or_unknown_must_not_lie_in_the_index(knowledge: Knowledge) -> None:
    knowledge.registry.withdraw("coats.md")
    knowledge.index.replace_document("ghost", passages("Boo.", document_id="ghost"))
    check = compare(knowledge.registry, contents(knowledge))
    assert check.orphaned == ("coats.md", "ghost")
    assert not check.agree
    done = repair(knowledge.registry, knowledge.index, lambda: contents(knowledge))
    assert (done.removed, done.indexed, done.after) == (2, 0, Consistency(documents=2))
    assert knowledge.found("rule ghost boo coats") == ["cards.md", "shoes.md"]


def test_what_lost_its_passages_or_was_taken_in_half_is_written_again(
    knowledge: Knowledge,
) -> None:
    knowledge.index.remove_document("coats.md")
    half = knowledge.registry.get("cards.md")
    assert half is not None
    knowledge.registry.put([half], actor="dana")
    check = compare(knowledge.registry, contents(knowledge))
    assert (check.missing, check.unfinished) == (("coats.md",), ("cards.md",))
    done = repair(knowledge.registry, knowledge.index, lambda: contents(knowledge))
    assert (done.indexed, done.after.agree) == (2, True)
    assert sorted(knowledge.found("rule coats cards")) == ["cards.md", "coats.md", "shoes.md"]


def test_what_lies_there_twice_is_written_once(knowledge: Knowledge) -> None:
    seen = [("coats.md",), ()]
    done = repair(
        knowledge.registry, knowledge.index, lambda: (knowledge.index.counts(), seen.pop(0))
    )
    assert done.before.doubled == ("coats.md",)
    assert (done.indexed, done.after.agree) == (1, True)
    assert knowledge.found("coats")[0] == "coats.md"
