"""The owner's shelf over a real registry: what is due, who sees and changes what, the index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine

from core.adapters.sql_audit import count_events
from core.adapters.sql_engine import reading
from core.adapters.sql_registry import SqlRegistry
from core.adapters.sql_review_store import SqlReviewStore
from core.errors import (
    BadInput,
    IntegrityBroken,
    NotAllowed,
    NotFound,
    StaleVersion,
    TryAgainLater,
)
from core.knowledge.shelf import KnowledgeShelf
from core.models.access import AclPolicy, User
from core.models.source import DocumentVersion
from core.sources.chunk import chunk
from core.stages.authorise import authorise
from tests.adapters.builders import approved
from tests.contracts.builders import TENANT, a_document, a_flag, a_policy, a_user
from tests.fakes.fixed_clock import DEMO_DAY, FixedClock
from tests.knowledge.fake_index import FakeIndex

TODAY = DEMO_DAY.date()
POLICIES = (
    a_policy("public"),
    a_policy("hr", everyone=False, roles=("hr",)),
)
KIM = a_user("kim", roles=("knowledge_owner",), department="Operations")
OMAR = a_user("omar", roles=("knowledge_owner",), department="Logistics")
SAM = a_user("sam", roles=("supervisor",), department="Customer service")
ANA = a_user("ana", roles=("agent",))
GUEST = a_user("guest", roles=("guest",), department="")


def days_ago(days: int) -> date:
    return TODAY - timedelta(days=days)


@dataclass
class Library:
    """A registry with its index, and shelves over both."""

    registry: SqlRegistry
    engine: Engine
    index: FakeIndex

    def shelf(self, user: User = KIM, policies: tuple[AclPolicy, ...] = POLICIES) -> KnowledgeShelf:
        return KnowledgeShelf(
            user=user,
            context=authorise(user, policies, tenant_id=TENANT),
            registry=self.registry,
            clock=FixedClock(),
            index=self.index,
        )

    def add(self, *documents: DocumentVersion) -> None:
        self.registry.put(documents, actor="demo")
        self.index.replace_documents([(d.document_id, chunk(d)) for d in documents])
        self.registry.mark_indexed([d.document_id for d in documents], self.index.version())

    def flag(self, **fields: Any) -> None:
        with SqlReviewStore(self.engine, FixedClock()).write() as change:
            change.add_flag(a_flag(**fields))

    def events(self) -> int:
        with reading(self.engine) as connection:
            return count_events(connection)


@pytest.fixture
def library(sqlite_engine: Engine) -> Library:
    return Library(SqlRegistry(sqlite_engine, FixedClock()), sqlite_engine, FakeIndex())


def order(shelf: KnowledgeShelf, owner: str | None = None) -> list[str]:
    return [row.source_id for row in shelf.due(owner)]


# what is due


def test_due_sources_say_in_words_what_they_are(library: Library) -> None:
    library.add(
        a_document("stale-1", last_reviewed=days_ago(200)),
        a_document("soon-1", last_reviewed=days_ago(85)),
        a_document("never-1", last_reviewed=None),
        a_document("fresh-1", last_reviewed=days_ago(12)),
    )
    shelf = library.shelf()
    assert {row.source_id: (row.state, row.words) for row in shelf.due()} == {
        "stale": ("stale", "stale by 110 days"),
        "soon": ("due_soon", "due in 5 days"),
        "never": ("unknown", "never reviewed"),
    }
    assert shelf.sources()[-1].words == "reviewed 12 days ago"


def test_demand_outweighs_age(library: Library) -> None:
    library.add(
        a_document("old-1", last_reviewed=days_ago(200)),
        a_document("asked-1", last_reviewed=days_ago(95)),
    )
    assert order(library.shelf()) == ["old", "asked"]
    for number in range(3):
        approved(library.engine, str(number), "asked-1")
    assert order(library.shelf()) == ["asked", "old"]
    row = library.shelf().due()[0]
    assert row.replies_last_30_days == 3
    assert row.words == "stale by 5 days, 3 replies in the last 30 days"


def test_risk_outweighs_equal_demand_and_age(library: Library) -> None:
    library.add(
        a_document("forum-1", last_reviewed=days_ago(100), authority="community_forum"),
        a_document("policy-1", last_reviewed=days_ago(100), authority="official_policy"),
    )
    assert order(library.shelf()) == ["policy", "forum"]


def test_replies_to_risky_cases_weigh_more(library: Library) -> None:
    library.add(
        a_document("calm-1", last_reviewed=days_ago(100)),
        a_document("risky-1", last_reviewed=days_ago(100)),
    )
    approved(library.engine, "1", "calm-1")
    approved(library.engine, "2", "risky-1", risk="high")
    assert order(library.shelf()) == ["risky", "calm"]


def test_an_open_flag_raises_urgency(library: Library) -> None:
    library.add(
        a_document("aaa-1", last_reviewed=days_ago(100)),
        a_document("flagged-1", last_reviewed=days_ago(100)),
    )
    library.flag(source_id="flagged", document_id="flagged-1")
    library.flag(flag_id="flag_2", source_id="aaa", document_id="aaa-1", state="done")
    first, second = library.shelf().due()
    assert (first.source_id, first.open_flags, second.open_flags) == ("flagged", 1, 0)


def test_a_flagged_source_is_work_though_it_was_reviewed_lately(library: Library) -> None:
    library.add(a_document("fresh-1", last_reviewed=TODAY))
    assert library.shelf().due() == ()
    library.flag(source_id="fresh", document_id="fresh-1")
    assert [row.source_id for row in library.shelf().due()] == ["fresh"]


def test_only_what_is_in_force_is_due(library: Library) -> None:
    old = days_ago(200)
    library.add(
        a_document("draft-1", last_reviewed=old, status="draft"),
        a_document("expired-1", last_reviewed=old, valid_to=TODAY),
        a_document("future-1", last_reviewed=old, valid_from=TODAY + timedelta(days=1)),
        a_document("gone-1", last_reviewed=old),
        a_document("current-1", last_reviewed=old, valid_from=TODAY),
    )
    library.registry.withdraw("gone-1", reason="wrong", actor="kim")
    assert order(library.shelf()) == ["current"]


def test_a_source_stands_for_its_version_in_force(library: Library) -> None:
    library.add(
        a_document("returns-1", valid_from=date(2024, 1, 1), status="superseded", version="1"),
        a_document("returns-2", valid_from=date(2026, 1, 1), version="2", last_reviewed=None),
        a_document("returns-3", valid_from=date(2026, 6, 1), status="draft", version="3"),
    )
    (row,) = library.shelf().due()
    assert (row.document_id, row.version) == ("returns-2", "2")


def test_one_owner_can_be_asked_for(library: Library) -> None:
    library.add(
        a_document("mine-1", last_reviewed=None, owner="kim"),
        a_document("ours-1", last_reviewed=None, owner="operations"),
        a_document("theirs-1", last_reviewed=None, owner="omar"),
    )
    assert set(order(library.shelf(), "kim")) == {"mine", "ours"}
    assert order(library.shelf(), "omar") == ["theirs"]
    assert len(order(library.shelf())) == 3


# rights


def test_what_the_rights_hide_is_not_even_counted(library: Library) -> None:
    library.add(
        a_document("pay-1", acl_policy_id="hr", last_reviewed=None, owner="kim"),
        a_document("open-1", last_reviewed=None),
    )
    library.flag(source_id="pay")
    for user in (KIM, SAM, ANA):
        shelf = library.shelf(user)
        assert [row.source_id for row in shelf.sources()] == ["open"]
        assert shelf.flags() == ()
        for look in _attempts_on_pay(shelf):
            with pytest.raises(NotFound):
                look()
    with pytest.raises(NotFound):
        library.shelf(SAM).supersede("open-1", by="pay-1")


def _attempts_on_pay(shelf: KnowledgeShelf) -> tuple[Callable[[], object], ...]:
    return (
        lambda: shelf.source("pay"),
        lambda: shelf.source("open", "pay-1"),
        lambda: shelf.diff("open-1", "pay-1"),
        lambda: shelf.mark_reviewed("pay", "pay-1"),
        lambda: shelf.withdraw("pay-1", "x"),
        lambda: shelf.supersede("pay-1", by="open-1"),
    )


def test_sources_of_another_tenant_do_not_exist(library: Library) -> None:
    library.add(a_document("other-1", tenant_id="elsewhere", last_reviewed=None))
    shelf = library.shelf(SAM)
    assert shelf.sources() == ()
    with pytest.raises(NotFound):
        shelf.withdraw("other-1", "x")


CHANGES: dict[str, Callable[[KnowledgeShelf], object]] = {
    "review": lambda shelf: shelf.mark_reviewed("returns", "returns-1", "fine"),
    "review by version": lambda shelf: shelf.mark_reviewed_version("returns-1", note="fine"),
    "withdraw": lambda shelf: shelf.withdraw("returns-1", "wrong"),
    "supersede": lambda shelf: shelf.supersede("returns-1", by="returns-2"),
}


@pytest.mark.parametrize("user", [OMAR, ANA, GUEST], ids=lambda user: user.user_id)
@pytest.mark.parametrize("change", CHANGES)
def test_only_owners_and_supervisors_change_a_source(
    library: Library, user: User, change: str
) -> None:
    library.add(a_document("returns-1", owner="kim"), a_document("returns-2", owner="kim"))
    before = library.events()
    with pytest.raises(NotAllowed):
        CHANGES[change](library.shelf(user))
    assert library.events() == before
    assert not any(row.can_change for row in library.shelf(user).sources())


@pytest.mark.parametrize("user", [KIM, SAM], ids=lambda user: user.user_id)
@pytest.mark.parametrize("change", CHANGES)
def test_owners_and_supervisors_change_it_with_an_audit_event(
    library: Library, user: User, change: str
) -> None:
    library.add(a_document("returns-1", owner="kim"), a_document("returns-2", owner="kim"))
    before = library.events()
    CHANGES[change](library.shelf(user))
    assert library.events() > before


def test_an_owner_does_not_replace_another_owners_version(library: Library) -> None:
    library.add(a_document("returns-1", owner="kim"), a_document("returns-2", owner="omar"))
    with pytest.raises(NotAllowed):
        library.shelf(KIM).supersede("returns-1", by="returns-2")


def test_agents_read_sources_but_guests_see_no_replies(library: Library) -> None:
    library.add(a_document("returns-1"))
    approved(library.engine, "1", "returns-1")
    library.flag()
    page = library.shelf(ANA).source("returns")
    assert (len(page.replies), len(page.flags)) == (1, 1)
    page = library.shelf(GUEST).source("returns")
    assert (page.replies, page.flags) == ((), ())
    assert all(passage.replies == 0 for passage in page.passages)


def test_the_quarantine_is_for_owners(library: Library) -> None:
    library.registry.quarantine(TENANT, "a.pdf", "cannot be read", "save as text", actor="kim")
    (found,) = library.shelf(KIM).quarantine()
    assert (found.path, found.fix) == ("a.pdf", "save as text")
    with pytest.raises(NotAllowed):
        library.shelf(ANA).quarantine()


# the page


def test_the_page_shows_versions_passages_and_replies(library: Library) -> None:
    text = "# Returns\n\nReturns within 30 days of delivery.\n"
    library.add(
        a_document(
            "returns-1",
            status="superseded",
            valid_from=date(2024, 1, 1),
            valid_to=date(2026, 1, 1),
            version="1",
        ),
        a_document("returns-2", valid_from=date(2026, 1, 1), version="2", text=text),
    )
    chunk_id = library.index.stored["returns-2"][0].chunk_id
    approved(library.engine, "1", "returns-1")
    page = library.shelf().source("returns")
    assert [(v.version, v.words, v.replies) for v in page.versions] == [
        ("1", "superseded on 2026-01-01", 1),
        ("2", "in force", 0),
    ]
    assert page.document.document_id == "returns-2"
    (passage,) = page.passages
    assert passage.chunk_id == chunk_id
    assert text[passage.char_start : passage.char_end] == passage.text
    older = library.shelf().source("returns", "returns-1")
    assert [reply.case_id for reply in older.replies] == ["1"]


def test_the_difference_of_two_versions_gives_both_back(library: Library) -> None:
    old = "# Returns\n\nReturns within 30 days.\nExchange too.\n"
    new = "# Returns\n\nReturns within 45 days.\nExchange too.\nKeep the receipt.\n"
    library.add(a_document("returns-1", text=old), a_document("returns-2", text=new))
    parts = library.shelf().diff("returns-1", "returns-2")
    assert "".join(text for kind, text in parts if kind != "added") == old
    assert "".join(text for kind, text in parts if kind != "removed") == new
    assert ("added", "45 ") in parts
    assert ("removed", "30 ") in parts


# changes reach retrieval


@pytest.mark.parametrize("status", ["draft", "superseded", "archived"])
def test_only_an_active_version_replaces_another(library: Library, status: str) -> None:
    library.add(a_document("returns-1"), a_document("returns-2", status=status))
    with pytest.raises(BadInput, match="only an active version"):
        library.shelf().supersede("returns-1", by="returns-2")
    assert library.registry.get("returns-1") is not None
    assert library.shelf().source("returns").document.governance.status == "active"


def test_a_superseded_version_is_indexed_as_such(library: Library) -> None:
    library.add(a_document("returns-1"), a_document("returns-2"))
    page = library.shelf().supersede("returns-1", by="returns-2")
    assert [p.governance.status for p in library.index.stored["returns-1"]] == ["superseded"]
    assert library.registry.live(["returns-1"])["returns-1"].governance.valid_to == TODAY
    assert page.document.document_id == "returns-2"
    assert page.document.governance.supersedes == "returns-1"


def test_a_withdrawn_version_leaves_registry_and_index(library: Library) -> None:
    library.add(a_document("returns-1"), a_document("returns-2"))
    page = library.shelf().withdraw("returns-1", "wrong")
    assert page.withdrawn
    assert page.passages == ()
    assert library.index.passages_of("returns-1") == ()
    assert list(library.registry.live(["returns-1", "returns-2"])) == ["returns-2"]
    assert page.versions[0].words == "withdrawn: wrong"


def test_a_withdrawal_holds_even_when_the_index_cannot_follow(library: Library) -> None:
    library.add(a_document("returns-1"))
    library.index.broken = True
    with pytest.raises(TryAgainLater, match="no longer used"):
        library.shelf().withdraw("returns-1", "wrong")
    assert library.registry.live(["returns-1"]) == {}
    library.index.broken = False
    before = library.events()
    library.shelf().withdraw("returns-1", "wrong")
    assert library.index.passages_of("returns-1") == ()
    assert library.events() == before


def test_passages_left_after_a_withdrawal_are_found(library: Library) -> None:
    library.add(a_document("returns-1"))
    library.index.leaky = True
    with pytest.raises(IntegrityBroken, match="still in the index"):
        library.shelf().withdraw("returns-1", "wrong")


def test_reviewing_resets_the_clock(library: Library) -> None:
    library.add(a_document("returns-1", last_reviewed=days_ago(200)))
    page = library.shelf().mark_reviewed("returns", "returns-1", "read it all")
    assert page.row.words == "reviewed today"
    assert library.shelf().due() == ()


def test_bad_changes_are_refused_with_the_reason(library: Library) -> None:
    library.add(
        a_document("returns-1", valid_from=date(2026, 5, 1)),
        a_document("returns-2"),
        a_document("shipping-1"),
    )
    shelf = library.shelf()
    before = library.events()
    with pytest.raises(BadInput, match="Say why"):
        shelf.withdraw("returns-1", "  ")
    with pytest.raises(BadInput, match="later day"):
        shelf.supersede("returns-1", by="returns-2", on=date(2026, 1, 1))
    with pytest.raises(NotFound, match="no version of"):
        shelf.mark_reviewed("returns", "shipping-1")
    with pytest.raises(StaleVersion):
        shelf.mark_reviewed("returns", "returns-1", content_hash="what I read last week")
    with pytest.raises(NotFound):
        shelf.source("nothing")
    assert library.events() == before


def test_a_withdrawn_version_can_be_neither_reviewed_nor_used_to_replace(library: Library) -> None:
    library.add(a_document("returns-1"), a_document("returns-2"))
    shelf = library.shelf()
    shelf.withdraw("returns-2", "wrong")
    with pytest.raises(BadInput, match="withdrawn"):
        shelf.mark_reviewed("returns", "returns-2")
    with pytest.raises(BadInput, match="withdrawn"):
        shelf.supersede("returns-1", by="returns-2")
