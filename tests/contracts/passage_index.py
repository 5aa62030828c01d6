"""What every ``PassageIndex`` promises. Subclass it and give an ``index`` fixture."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from core.errors import BadInput, NotFound
from core.ports import PassageIndex
from tests.sources.builders import a_plan, passages

COAT = "A coat may be returned within thirty days of the purchase."
FOREIGN = "A coat of another company may be returned within ninety days."


def put(index: PassageIndex, text: str, name: str = "returns-v1", **changes: Any) -> None:
    """Store one short document under the id ``name``."""
    index.replace_document(name, passages(text, document_id=name, **changes))


def found(index: PassageIndex, query: str, **plan: Any) -> list[str]:
    """Ids of the documents found, best first."""
    return [hit.document_id for hit in index.search(a_plan(query, **plan))]


class PassageIndexContract:
    """Behaviour shared by all implementations."""

    @pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "none"])
    def test_an_empty_index_finds_nothing(self, index: PassageIndex, mode: str) -> None:
        assert index.search(a_plan("coat", mode=mode)) == ()
        assert index.count() == 0

    @pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid", "hybrid_rerank"])
    def test_a_passage_is_found_with_all_that_is_known_of_it(
        self, index: PassageIndex, mode: str
    ) -> None:
        put(
            index,
            COAT,
            authority="official_policy",
            valid_from=date(2026, 1, 1),
            valid_to=date(2027, 1, 1),
            last_reviewed=date(2026, 10, 1),
            review_sla_days=30,
            version="4.2",
            owner="dana",
            region="EU",
            uri="https://kb/returns",
            scope_note="coats only",
        )
        (hit,) = index.search(a_plan("return a coat", mode=mode))
        assert (hit.text, hit.chunk_id, hit.rank) == (COAT, "returns-v1::0000", 1)
        assert (hit.authority, hit.version, hit.owner) == ("official_policy", "4.2", "dana")
        assert (hit.valid_from, hit.valid_to) == (date(2026, 1, 1), date(2027, 1, 1))
        assert (hit.last_reviewed, hit.review_sla_days) == (date(2026, 10, 1), 30)
        assert (hit.source_uri, hit.region) == ("https://kb/returns", "EU")
        assert (hit.scope_note, hit.source_title) == ("coats only", "Return policy")
        assert hit.score > 0

    def test_mode_none_searches_nothing(self, index: PassageIndex) -> None:
        put(index, COAT)
        assert found(index, "coat", mode="none") == []

    def test_a_better_match_comes_first_and_top_k_is_kept(self, index: PassageIndex) -> None:
        put(index, COAT, "coats")
        put(index, "Gift cards never expire.", "cards")
        put(index, "A gift may be wrapped.", "gifts")
        assert found(index, "do gift cards expire")[0] == "cards"
        assert len(found(index, "gift cards coat", top_k=2)) == 2

    @pytest.mark.parametrize("mode", ["lexical", "vector", "hybrid"])
    @pytest.mark.parametrize(
        "barred",
        [
            {"tenant_id": "other"},
            {"acl_policy_id": "hr-only"},
            {"classification": "restricted"},
            {"status": "draft"},
            {"status": "superseded"},
            {"status": "archived"},
            {"valid_from": date(2026, 12, 1)},
            {"valid_to": date(2026, 11, 30)},
        ],
        ids=str,
    )
    def test_what_the_filter_bars_is_not_found(
        self, index: PassageIndex, mode: str, barred: dict[str, Any]
    ) -> None:
        put(index, FOREIGN, "barred", **barred)
        put(index, COAT, "open", valid_from=date(2026, 11, 30), valid_to=date(2026, 12, 1))
        assert found(index, FOREIGN, mode=mode) == ["open"]

    @pytest.mark.parametrize("empty", ["acl_policy_ids", "classifications"])
    def test_no_rights_find_nothing(self, index: PassageIndex, empty: str) -> None:
        put(index, COAT)
        assert found(index, "coat", **{empty: ()}) == []

    def test_source_types_narrow_the_search_and_none_means_any(self, index: PassageIndex) -> None:
        put(index, COAT, "file", source_type="FILE")
        put(index, COAT, "page", source_type="WEB_PAGE")
        assert found(index, "coat", source_types=("WEB_PAGE",)) == ["page"]
        assert sorted(found(index, "coat")) == ["file", "page"]

    def test_a_past_date_finds_the_version_valid_then(self, index: PassageIndex) -> None:
        put(index, COAT, "old", status="superseded", valid_to=date(2025, 6, 1))
        put(index, COAT, "new", valid_from=date(2025, 6, 1))
        put(index, COAT, "sketch", status="draft")
        then = {"valid_on": date(2025, 5, 31), "include_past_versions": True}
        after = {"valid_on": date(2025, 6, 1), "include_past_versions": True}
        assert found(index, "coat", **then) == ["old"]
        assert found(index, "coat", **after) == ["new"]
        assert found(index, "coat") == ["new"]

    def test_replacing_leaves_nothing_of_the_old_text(self, index: PassageIndex) -> None:
        long = "\n\n".join(f"# Part {n}\n\n{COAT} {'word ' * 60}" for n in range(4))
        put(index, long)
        assert index.count() == 4
        put(index, "Gift cards never expire.")
        assert index.count() == 1
        assert found(index, "coat purchase", mode="lexical") == []
        assert found(index, "gift cards") == ["returns-v1"]

    def test_replacing_with_the_same_passages_changes_no_count(self, index: PassageIndex) -> None:
        put(index, COAT)
        put(index, COAT)
        assert index.count() == 1

    def test_a_batch_replaces_many_and_empties_those_without_passages(
        self, index: PassageIndex
    ) -> None:
        put(index, COAT, "a")
        put(index, COAT, "b")
        index.replace_documents(
            [("a", ()), ("c", passages("Gift cards never expire.", document_id="c"))]
        )
        assert sorted(found(index, "coat gift cards")) == ["b", "c"]

    def test_a_batch_of_nothing_does_nothing(self, index: PassageIndex) -> None:
        index.replace_documents([])
        assert index.count() == 0

    def test_passages_of_another_document_are_refused(self, index: PassageIndex) -> None:
        with pytest.raises(ValueError, match="document"):
            index.replace_document("a", passages(COAT, document_id="b"))
        assert index.count() == 0

    def test_removing_says_how_many_went_and_leaves_the_rest(self, index: PassageIndex) -> None:
        put(index, COAT, "a")
        put(index, COAT, "b")
        assert index.remove_document("a") == 1
        assert index.remove_document("a") == 0
        assert found(index, "coat") == ["b"]

    def test_passages_of_a_document_come_in_order(self, index: PassageIndex) -> None:
        text = "\n\n".join(f"# Part {n}\n\n{COAT} {'word ' * 60}" for n in range(12))
        put(index, text)
        index.finish()
        ids = [hit.chunk_id for hit in index.passages_of("returns-v1")]
        assert ids == [f"returns-v1::{n:04d}" for n in range(12)]
        assert index.passages_of("unknown") == ()

    def test_rows_are_found_before_and_after_they_are_folded_in(self, index: PassageIndex) -> None:
        put(index, COAT, "a")
        index.finish()
        put(index, COAT, "b")
        assert sorted(found(index, "coat", mode="lexical")) == ["a", "b"]
        index.finish()
        assert sorted(found(index, "coat", mode="lexical")) == ["a", "b"]

    def test_a_change_gives_a_new_version(self, index: PassageIndex) -> None:
        before = index.version()
        put(index, COAT)
        assert index.version() != before
        assert index.version() == index.version()

    def test_a_past_version_answers_as_it_did_then(self, index: PassageIndex) -> None:
        put(index, COAT)
        then = index.version()
        put(index, "Gift cards never expire.")
        index.finish()
        past = index.as_of(then)
        assert [hit.text for hit in past.search(a_plan("coat"))] == [COAT]
        assert past.version() == then
        assert past.count() == 1
        assert [hit.text for hit in index.search(a_plan("gift cards coat"))] == [
            "Gift cards never expire."
        ]

    def test_a_past_version_cannot_be_changed(self, index: PassageIndex) -> None:
        put(index, COAT)
        past = index.as_of(index.version())
        with pytest.raises(BadInput):
            put(past, "Gift cards never expire.")
        with pytest.raises(BadInput):
            past.remove_document("returns-v1")
        assert found(index, "coat") == ["returns-v1"]

    def test_a_version_that_is_not_kept_is_said_to_be_gone(self, index: PassageIndex) -> None:
        put(index, COAT)
        with pytest.raises(NotFound, match="not kept"):
            index.as_of("999999")

    @pytest.mark.parametrize("version", ["", "x", "1;2", "-1", "²", "1.x", "../1"])
    def test_what_is_no_version_is_refused(self, index: PassageIndex, version: str) -> None:
        with pytest.raises(BadInput, match="no index version"):
            index.as_of(version)

    def test_a_text_is_encoded_once_wherever_it_stands(self, index: PassageIndex) -> None:
        first = passages(COAT, document_id="a")
        assert index.prepare(first) == 1
        index.replace_document("a", first)
        assert index.prepare(passages(COAT, document_id="b", status="archived")) == 0
        both = passages(f"{COAT}\n\n# Gifts\n\nGift cards never expire.", document_id="c")
        assert index.prepare(both) == len(both) - 1

    def test_a_writer_may_write_while_it_holds_the_lock(self, index: PassageIndex) -> None:
        with index.writing(), index.writing():
            put(index, COAT)
        assert index.count() == 1

    @pytest.mark.parametrize(
        "query", ["", "   ", '"', "a:b OR (", "' OR 1=1 --", "\\", "*", "the of and", "😀"]
    )
    def test_odd_questions_raise_nothing(self, index: PassageIndex, query: str) -> None:
        put(index, COAT)
        assert all(hit.document_id == "returns-v1" for hit in index.search(a_plan(query)))

    def test_chinese_is_found_by_its_words(self, index: PassageIndex) -> None:
        put(index, "大衣可以在购买后三十天内退货。", "zh", language="zh", title="退货政策")
        put(index, COAT, "en")
        assert found(index, "大衣可以退货吗") == ["zh"]

    def test_the_filter_can_be_shown(self, index: PassageIndex) -> None:
        shown = index.explain(a_plan("coat", acl_policy_ids=("public", "staff")))
        assert "athena" in shown
        assert "staff" in shown
