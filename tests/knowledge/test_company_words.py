"""The company's own words: where they come from, and who may learn of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput, NotAllowed, NotFound
from core.knowledge.company_words import CompanyWords
from core.knowledge.views import SourceListing
from core.models.access import SecurityContext
from core.models.source import DocumentVersion
from core.models.words import OtherWords
from core.stages.authorise import authorise
from core.text.synonyms import WordBook, swapped
from core.wiring import Office
from tests.contracts.builders import TENANT, a_document, a_policy, a_user

TODAY = date(2026, 11, 30)
POLICIES = (
    a_policy("public"),
    a_policy("desk", everyone=False, roles=("agent", "knowledge_owner")),
    a_policy("hr", everyone=False, roles=("hr",)),
)
RULE = {"authority": "official_policy", "classification": "public", "acl_policy_id": "public"}


def rights(role: str, tenant: str = TENANT) -> SecurityContext:
    user = a_user("u", roles=(role,)).model_copy(update={"tenant_id": tenant})
    return authorise(user, POLICIES, tenant_id=tenant)


AGENT, GUEST = rights("agent"), rights("guest")


class Documents:
    """A catalog in memory that counts how often it was read."""

    def __init__(self, *documents: DocumentVersion) -> None:
        self.kept = {d.document_id: d for d in documents}
        self.withdrawn: set[str] = set()
        self.listed = 0
        self.read: list[str] = []

    def list_sources(self, tenant_id: str) -> tuple[SourceListing, ...]:
        self.listed += 1
        return tuple(
            SourceListing(
                **d.model_dump(include={"document_id", "source_id", "tenant_id", "title"}),
                governance=d.governance,
                content_hash=d.content_hash,
                withdrawn=d.document_id in self.withdrawn,
            )
            for d in self.kept.values()
            if d.tenant_id == tenant_id
        )

    def live(self, document_ids: Iterable[str]) -> dict[str, DocumentVersion]:
        wanted = set(document_ids) - self.withdrawn
        self.read += sorted(wanted)
        return {name: self.kept[name] for name in wanted if name in self.kept}


def words_of(documents: Documents, version: list[str] | None = None) -> CompanyWords:
    at = version or ["1"]
    return CompanyWords(documents, index_version=lambda: at[0])


def learnt(
    words: CompanyWords, text: str, context: SecurityContext = AGENT
) -> list[tuple[str, ...]]:
    return [group.words for group in words(context, TODAY, text)]


RMA = a_document("rma-1", text="Ask for a Return Merchandise Authorisation (RMA).", **RULE)
PAIR = ("Return Merchandise Authorisation", "RMA")


def test_what_a_document_explains_is_known_by_either_name() -> None:
    words = words_of(Documents(RMA))
    assert learnt(words, "How long is an RMA valid?") == [PAIR]
    assert learnt(words, "a return merchandise authorisation, please") == [PAIR]
    assert learnt(words, "Where is my coat?") == []


def test_a_glossary_comes_before_what_documents_explain() -> None:
    glossary = a_document(
        "glossary-1", title="Company glossary", text="- RMA = return slip = PDF label\n", **RULE
    )
    words = words_of(Documents(RMA, glossary))
    assert learnt(words, "my RMA") == [("RMA", "return slip", "PDF label"), PAIR]
    book = WordBook(words(AGENT, TODAY, "my RMA"))
    assert swapped("my RMA", book.swaps("my RMA")) == "my return slip"


@pytest.mark.parametrize(
    "closed",
    [
        {"acl_policy_id": "hr"},
        {"classification": "confidential", "permission_tag": "CONFIDENTIAL_DEPT_HR"},
        {"status": "superseded"},
        {"status": "draft"},
        {"valid_to": date(2026, 11, 1)},
        {"valid_from": date(2027, 1, 1)},
    ],
)
def test_a_word_from_a_closed_paper_is_told_to_nobody_else(closed: dict[str, object]) -> None:
    document = a_document("rma-1", text=RMA.text, **{**RULE, **closed})
    assert learnt(words_of(Documents(document)), "RMA") == []


def test_an_internal_word_is_for_colleagues() -> None:
    inside = {**RULE, "classification": "internal", "permission_tag": "INTERNAL_ONLY"}
    document = a_document("rma-1", text=RMA.text, **{**inside, "acl_policy_id": "desk"})
    words = words_of(Documents(document))
    assert learnt(words, "RMA", AGENT) == [PAIR]
    assert learnt(words, "RMA", GUEST) == []


def test_another_tenants_words_are_its_own() -> None:
    words = words_of(Documents(RMA))
    assert learnt(words, "RMA", rights("agent", tenant="other")) == []


def test_rights_are_those_of_now_not_of_when_the_word_was_found() -> None:
    documents = Documents(RMA)
    words = words_of(documents)
    assert learnt(words, "RMA") == [PAIR]
    shut = RMA.governance.model_copy(update={"acl_policy_id": "hr"})
    documents.kept["rma-1"] = RMA.model_copy(update={"governance": shut})
    assert learnt(words, "RMA") == []
    documents.kept["rma-1"] = RMA
    documents.withdrawn.add("rma-1")
    assert learnt(words, "RMA") == []


@pytest.mark.parametrize("authority", ["community_forum", "user_upload", "draft"])
def test_nobody_steers_searches_by_a_post(authority: str) -> None:
    post = a_document("post-1", text="A refund (RFD) or Really Free Dinner (RFD).", **RULE)
    rules = post.governance.model_copy(update={"authority": authority})
    assert learnt(words_of(Documents(post.model_copy(update={"governance": rules}))), "RFD") == []


def test_an_unsigned_glossary_lends_no_words() -> None:
    glossary = a_document("glossary-1", title="Glossary", text="- RMA = slip\n", signed=False)
    assert learnt(words_of(Documents(glossary)), "RMA") == []


def test_documents_are_looked_through_once_for_each_index_version() -> None:
    documents, version = Documents(RMA, a_document("other-1", **RULE)), ["1"]
    words = words_of(documents, version)
    for _ in range(3):
        learnt(words, "Where is my coat?")
    assert documents.listed == 1
    assert sorted(documents.read) == ["other-1", "rma-1"]
    version[0] = "2"
    changed = a_document("other-1", text="Use the Locker Box (LB).", **RULE)
    documents.kept["other-1"] = changed
    assert learnt(words, "LB") == [("Locker Box", "LB")]
    assert documents.listed == 2
    assert sorted(documents.read) == ["other-1", "other-1", "other-1", "rma-1"]


def test_a_word_that_reads_like_another_counts_only_as_it_is_written() -> None:
    book = WordBook([OtherWords(words=("IT", "help desk"))])
    assert book.swaps("Is it open?", own=True) == ()
    assert [s.found for s in book.swaps("Is IT open?", own=True)] == ["IT"]


@given(st.sampled_from(["RMA", "退授", "return slip"]), st.sampled_from([" ", "。", ", "]))
def test_a_swap_takes_the_word_and_leaves_the_rest(word: str, mark: str) -> None:
    book = WordBook([OtherWords(words=("RMA", "退授", "return slip"), origin="glossary")])
    text = f"before{mark}{word}{mark}after"
    out = swapped(text, book.swaps(text, own=True))
    assert out is not None
    assert out.startswith(f"before{mark}")
    assert out.endswith(f"{mark}after")
    assert word not in out.removeprefix("before").removesuffix("after")


# ---- the company's own glossary ----------------------------------------------------------------


def test_an_owner_edits_the_glossary_and_it_is_a_governed_document(office: Office) -> None:
    desk = office.glossary_desk("omar")
    assert desk.put(["ZZP", "gift card"], reason="heard on the phone") == (("ZZP", "gift card"),)
    assert desk.put(["zzp", "gift certificate"], reason="better") == (("zzp", "gift certificate"),)
    version = office.registry.get(desk.document_id)
    assert version is not None
    assert (version.governance.owner, version.governance.version) == ("omar", "2")
    shown = office.glossary_desk("ana").shown()
    assert ("zzp", "gift certificate") in [g.words for g in shown]
    assert desk.forget("ZZP", reason="nobody says it") == ()


def test_every_change_of_the_glossary_is_audited_with_its_reason(office: Office) -> None:
    office.glossary_desk("omar").put(["ZZP", "gift card"], reason="heard on the phone")
    events = office.audit_desk("sam").events(after_seq=0, limit=10_000)
    of_it = [e for e in events if e.subject_id == "athena-glossary"]
    assert {e.actor for e in of_it} == {"omar"}
    assert any("heard on the phone" in str(e.payload) for e in of_it)


@pytest.mark.parametrize(
    ("words", "reason"),
    [(["RMA"], "r"), (["RMA", "rma"], "r"), (["a=b", "c"], "r"), (["x" * 70, "c"], "r")],
)
def test_a_line_that_says_nothing_changes_nothing(
    office: Office, words: list[str], reason: str
) -> None:
    desk = office.glossary_desk("omar")
    with pytest.raises(BadInput):
        desk.put(words, reason=reason)
    with pytest.raises(BadInput, match="why"):
        desk.put(["RMA", "slip"], reason=" ")
    with pytest.raises(NotFound):
        desk.forget("nothing", reason="r")
    assert office.registry.get(desk.document_id) is None


def test_only_who_takes_documents_in_changes_the_glossary(office: Office) -> None:
    with pytest.raises(NotAllowed):
        office.glossary_desk("ana").put(["RMA", "slip"], reason="r")
    office.glossary_desk("omar").put(["RMA", "slip"], reason="r")
    with pytest.raises(NotAllowed, match="omar"):
        office.glossary_desk("kim").put(["RMA", "label"], reason="r")
    assert office.glossary_desk("sam").put(["RMA", "label"], reason="r") == (("RMA", "label"),)


def test_the_home_keeps_the_glossary_as_a_file(office: Office) -> None:
    office.glossary_desk("omar").put(["RMA", "slip"], reason="r")
    file = Path(office.settings.home) / "glossary" / "athena.md"
    assert "- RMA = slip" in file.read_text(encoding="utf-8")
