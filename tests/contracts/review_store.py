"""What every ``ReviewStore`` promises."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.errors import BadInput, Conflicted, NotFound, StaleVersion
from core.review.chain import GENESIS, verify, verify_stored
from core.review.store import ReviewStore
from tests.contracts.builders import (
    TENANT,
    a_case,
    a_disposition,
    a_draft,
    a_flag,
    a_lease,
    a_working_edit,
    an_action,
    an_escalation,
    an_outbox_item,
)
from tests.fakes.fixed_clock import DEMO_DAY

AUDIT: dict[str, Any] = {
    "tenant_id": TENANT,
    "actor": "ana",
    "kind": "case.opened",
    "subject_kind": "case",
    "subject_id": "1042",
}


class ReviewStoreContract:
    """Subclasses give an empty ``store``."""

    @pytest.fixture
    def with_case(self, store: ReviewStore) -> ReviewStore:
        with store.write() as change:
            change.add_case(a_case())
        return store

    # cases

    def test_a_case_comes_back_as_it_was_stored(self, store: ReviewStore) -> None:
        case = a_case(fields={"order": "A-1\0\u2028"}, risk="high")
        with store.write() as change:
            change.add_case(case)
        with store.read() as look:
            assert look.case("1042") == case
            assert look.case("9999") is None

    def test_the_same_case_id_cannot_be_stored_twice(self, with_case: ReviewStore) -> None:
        with pytest.raises(BadInput, match="1042"), with_case.write() as change:
            change.add_case(a_case(subject="another"))
        with with_case.read() as look:
            assert look.case("1042") == a_case()

    def test_cases_come_longest_waiting_first_by_tenant_and_state(self, store: ReviewStore) -> None:
        later = DEMO_DAY + timedelta(microseconds=1)
        with store.write() as change:
            change.add_case(a_case("2", updated_at=later))
            change.add_case(a_case("1", updated_at=DEMO_DAY, state="sent"))
            change.add_case(a_case("3", tenant_id="other"))
        with store.read() as look:
            assert [c.case_id for c in look.cases(TENANT)] == ["1", "2"]
            assert [c.case_id for c in look.cases(TENANT, ["new", "drafted"])] == ["2"]
            assert look.cases(TENANT, []) == ()

    def test_saving_a_case_raises_its_version(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            saved = change.save_case(a_case(state="drafted"), expected_version=1)
        assert saved.version == 2
        with with_case.read() as look:
            assert look.case("1042") == saved
            assert look.cases(TENANT, ["drafted"]) == (saved,)

    def test_a_case_that_moved_on_is_not_overwritten(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            change.save_case(a_case(state="drafted"), expected_version=1)
        with pytest.raises(StaleVersion, match="version 2"), with_case.write() as change:
            change.save_case(a_case(state="sent"), expected_version=1)
        with with_case.read() as look:
            assert look.cases(TENANT)[0].state == "drafted"

    def test_a_case_cannot_be_saved_into_another_tenant(self, with_case: ReviewStore) -> None:
        with pytest.raises(NotFound), with_case.write() as change:
            change.save_case(a_case(tenant_id="other"), expected_version=1)

    def test_saving_an_unknown_case_is_not_found(self, store: ReviewStore) -> None:
        with pytest.raises(NotFound), store.write() as change:
            change.save_case(a_case(), expected_version=1)

    # transactions

    def test_an_error_rolls_back_the_change_and_its_audit_event(self, store: ReviewStore) -> None:
        def fail_after_both() -> None:
            with store.write() as change:
                change.add_case(a_case())
                change.audit(**AUDIT, payload={})
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail_after_both()
        with store.read() as look:
            assert look.case("1042") is None
            assert look.audit_events() == ()
            assert look.audit_head() == (0, GENESIS)

    def test_a_read_transaction_refuses_to_write(self, with_case: ReviewStore) -> None:
        with with_case.read() as look:
            for write in (
                lambda: look.add_case(a_case("2")),
                lambda: look.save_case(a_case(state="sent"), expected_version=1),
                lambda: look.drop_lease("1042"),
                lambda: look.audit(**AUDIT, payload={}),
            ):
                with pytest.raises(RuntimeError, match="only reads"):
                    write()
        with with_case.read() as look:
            assert look.cases(TENANT) == (a_case(),)

    def test_a_reader_keeps_its_snapshot_while_others_write(self, with_case: ReviewStore) -> None:
        with with_case.read() as look:
            before = look.cases(TENANT)
            with with_case.write() as change:
                change.add_case(a_case("2"))
            assert look.cases(TENANT) == before
        with with_case.read() as look:
            assert len(look.cases(TENANT)) == 2

    # leases, edits, opened items

    def test_a_lease_is_set_replaced_listed_and_dropped(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            change.put_lease(a_lease(user_id="ana"))
            change.put_lease(a_lease(user_id="ben"))
        with with_case.read() as look:
            assert look.lease("1042") == a_lease(user_id="ben")
            assert look.leases(TENANT) == {"1042": a_lease(user_id="ben")}
            assert look.leases("other") == {}
        with with_case.write() as change:
            change.drop_lease("1042")
            change.drop_lease("1042")
        with with_case.read() as look:
            assert look.lease("1042") is None

    def test_a_lease_needs_a_case(self, store: ReviewStore) -> None:
        with pytest.raises(NotFound, match="1042"), store.write() as change:
            change.put_lease(a_lease())

    def test_each_user_has_one_working_edit_a_case(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            change.put_working_edit(a_working_edit("ana", text="first"))
            change.put_working_edit(a_working_edit("ana", text="second"))
            change.put_working_edit(a_working_edit("ben", text="other"))
            change.drop_working_edit("1042", "ben")
        with with_case.read() as look:
            assert look.working_edit("1042", "ana") == a_working_edit("ana", text="second")
            assert look.working_edit("1042", "ben") is None

    def test_opened_items_are_kept_once_in_order(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            for item in ("z", "a", "z"):
                change.add_opened("1042", "ana", "draft_1", item, DEMO_DAY)
            change.add_opened("1042", "ben", "draft_1", "b", DEMO_DAY)
        with with_case.read() as look:
            assert look.opened("1042", "ana", "draft_1") == ("z", "a")
            assert look.opened("1042", "ana", "draft_2") == ()

    # drafts and decisions

    def test_drafts_come_in_order_and_numbers_are_unique(self, with_case: ReviewStore) -> None:
        second = a_draft("draft_2", number=2, kind="edited", base_draft_id="draft_1")
        with with_case.write() as change:
            change.add_draft(second)
            change.add_draft(a_draft())
        with pytest.raises(Conflicted, match="number 2"), with_case.write() as change:
            change.add_draft(a_draft("draft_3", number=2))
        with with_case.read() as look:
            assert look.drafts("1042") == (a_draft(), second)
            assert look.draft("draft_2") == second
            assert look.draft("draft_3") is None

    def test_a_caught_conflict_leaves_the_transaction_usable(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            change.add_outbox(an_outbox_item())
            with pytest.raises(Conflicted):
                change.add_outbox(an_outbox_item("out_2", idempotency_key="key-out_1"))
            change.add_flag(a_flag())
        with with_case.read() as look:
            assert look.outbox() == (an_outbox_item(),)
            assert look.flags(TENANT) == (a_flag(),)

    def test_decisions_are_oldest_first_for_a_case_newest_first_for_a_tenant(
        self, with_case: ReviewStore
    ) -> None:
        first = a_disposition("disp_b", kind="edit")
        second = a_disposition("disp_a", opened_items=("E1",), seconds_to_decide=12.5)
        with with_case.write() as change:
            change.add_disposition(first)
            change.add_disposition(second)
        with with_case.read() as look:
            assert look.dispositions(case_id="1042") == (first, second)
            assert look.dispositions(tenant_id=TENANT) == (second, first)
            assert look.dispositions(tenant_id=TENANT, limit=1) == (second,)
            assert look.dispositions(tenant_id="other") == ()
            assert look.disposition("disp_a") == second

    def test_escalations_come_earliest_due_first_and_can_be_resolved(
        self, with_case: ReviewStore
    ) -> None:
        urgent = an_escalation("esc_2", due_at=DEMO_DAY)
        with with_case.write() as change:
            change.add_escalation(an_escalation())
            change.add_escalation(urgent)
        with with_case.read() as look:
            assert look.escalations(TENANT) == (urgent, an_escalation())
        resolved = urgent.model_copy(update={"state": "resolved", "resolution": "Yes."})
        with with_case.write() as change:
            change.save_escalation(resolved)
        with with_case.read() as look:
            assert look.escalations(TENANT, "open") == (an_escalation(),)
            assert look.escalation("esc_2") == resolved
            assert look.escalations("other") == ()

    def test_an_unknown_escalation_cannot_be_saved(self, store: ReviewStore) -> None:
        with pytest.raises(NotFound), store.write() as change:
            change.save_escalation(an_escalation())

    def test_flags_come_newest_first_by_source(self, store: ReviewStore) -> None:
        newer = a_flag("flag_2", raised_at=DEMO_DAY + timedelta(days=1))
        with store.write() as change:
            change.add_flag(newer)
            change.add_flag(a_flag())
            change.add_flag(a_flag("flag_3", source_id="shipping"))
        with store.read() as look:
            assert look.flags(TENANT, "returns") == (newer, a_flag())
            assert len(look.flags(TENANT)) == 3
            assert look.flags("other") == ()

    # outbox

    def test_the_outbox_is_oldest_first_and_filters(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            change.add_case(a_case("7"))
            change.add_outbox(an_outbox_item("out_b"))
            change.add_outbox(an_outbox_item("out_a", case_id="7", state="failed"))
        with with_case.read() as look:
            assert [i.item_id for i in look.outbox()] == ["out_b", "out_a"]
            assert [i.item_id for i in look.outbox(states=["failed"])] == ["out_a"]
            assert [i.item_id for i in look.outbox(case_id="1042")] == ["out_b"]
            assert [i.item_id for i in look.outbox(tenant_id=TENANT)] == ["out_b", "out_a"]
            assert look.outbox(tenant_id="other") == ()

    def test_only_one_of_two_takes_an_outbox_item(self, with_case: ReviewStore) -> None:
        item = an_outbox_item()
        with with_case.write() as change:
            change.add_outbox(item)
        taken = item.model_copy(update={"state": "delivering", "attempts": 1})
        with with_case.write() as change:
            change.save_outbox(taken, expected_state="pending")
        with pytest.raises(StaleVersion, match="delivering"), with_case.write() as change:
            change.save_outbox(taken, expected_state="pending")
        with with_case.read() as look:
            assert look.outbox_item(item.item_id) == taken

    def test_an_unknown_outbox_item_cannot_be_saved(self, store: ReviewStore) -> None:
        with pytest.raises(NotFound), store.write() as change:
            change.save_outbox(an_outbox_item(), expected_state="pending")

    # actions

    def test_actions_come_back_by_case_tenant_and_state(self, with_case: ReviewStore) -> None:
        done = an_action("act_2", state="done", case_id="7", receipt="r")
        with with_case.write() as change:
            change.add_case(a_case("7"))
            change.add_action(an_action())
            change.add_action(done)
        with with_case.read() as look:
            assert look.actions() == (an_action(), done)
            assert look.actions(case_id="7") == (done,)
            assert look.actions(tenant_id="other") == ()
            assert look.actions(states=("confirmed", "running")) == (an_action(),)
            assert look.action(TENANT, "act_2") == done
            assert look.action("other", "act_2") is None

    def test_a_proposal_is_decided_on_once_for_each_tenant(self, with_case: ReviewStore) -> None:
        with with_case.write() as change:
            change.add_action(an_action())
            change.add_action(an_action(tenant_id="other"))
            with pytest.raises(Conflicted, match="decided on already"):
                change.add_action(an_action(by="ben"))
        with with_case.read() as look:
            assert look.action(TENANT, "act_1") == an_action()

    def test_only_one_of_two_takes_an_action(self, with_case: ReviewStore) -> None:
        running = an_action(state="running", attempts=1)
        with with_case.write() as change:
            change.add_action(an_action())
            change.save_action(running, expected_state="confirmed")
        with pytest.raises(StaleVersion, match="running"), with_case.write() as change:
            change.save_action(running, expected_state="confirmed")
        with pytest.raises(NotFound), with_case.write() as change:
            change.save_action(an_action("act_9"), expected_state="confirmed")
        with with_case.read() as look:
            assert look.action(TENANT, "act_1") == running

    def test_an_action_needs_a_case(self, store: ReviewStore) -> None:
        with pytest.raises(NotFound, match="1042"), store.write() as change:
            change.add_action(an_action())

    def test_a_receipt_is_kept_once_for_each_key(self, store: ReviewStore) -> None:
        with store.write() as change:
            change.add_action_receipt("key", "first")
            with pytest.raises(Conflicted, match="key"):
                change.add_action_receipt("key", "second")
        with store.read() as look:
            assert look.action_receipt("key") == "first"
            assert look.action_receipt("other") is None

    # audit

    def test_audit_events_form_a_chain_that_verifies(self, store: ReviewStore) -> None:
        with store.write() as change:
            first = change.audit(**AUDIT, payload={"at": DEMO_DAY, "n": 1.0, "名": "é\0\ud800"})
            second = change.audit(**AUDIT, payload={})
        assert (first.seq, first.prev_hash, second.prev_hash) == (1, GENESIS, first.hash)
        with store.read() as look:
            assert look.audit_events() == (first, second)
            assert look.audit_head() == (2, second.hash)
            state = verify_stored(look)
        assert (state.ok, state.events, state.head) == (True, 2, second.hash)

    def test_audit_events_filter_and_page(self, store: ReviewStore) -> None:
        with store.write() as change:
            for number in range(5):
                change.audit(**{**AUDIT, "subject_id": str(number % 2)}, payload={})
            change.audit(**{**AUDIT, "tenant_id": "other"}, payload={})
        with store.read() as look:
            pages = [look.audit_events(after_seq=seq, limit=2) for seq in (0, 2, 4, 6)]
            assert [[e.seq for e in page] for page in pages] == [[1, 2], [3, 4], [5, 6], []]
            mine = look.audit_events(tenant_id=TENANT, subject_kind="case", subject_id="1")
            assert [e.seq for e in mine] == [2, 4]
            assert verify(look.audit_events(), head=look.audit_head()).ok

    def test_an_audit_payload_must_be_plain(self, store: ReviewStore) -> None:
        for payload in ({"n": float("nan")}, {"o": object()}):
            with pytest.raises((TypeError, ValueError)), store.write() as change:
                change.audit(**AUDIT, payload=payload)
        with store.read() as look:
            assert look.audit_events() == ()
