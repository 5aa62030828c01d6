"""The audit: decisions as they were then, the chain, the export."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest

from core.errors import BadInput, NotAllowed, NotFound
from tests.contracts.builders import a_document
from tests.fakes.scripted_copilot import EVIDENCE, PLAIN_REPLY, POLICY, restricted
from tests.review.builders import Bureau, a_case, a_context, approve, edit

KINDER = PLAIN_REPLY.replace("Kind regards", "Warm regards")


@pytest.fixture
def decided(bureau: Bureau) -> Bureau:
    """1042 edited, approved and sent by Ana; 2 escalated by Ben."""
    bureau.take_in(a_case("2", subject="Lost parcel"))
    ana = bureau.desk("ana")
    approve(ana, edit(ana, ana.open("1042"), KINDER))
    bureau.later(minutes=1)
    bureau.outbox().run_once()
    ben = bureau.desk("ben")
    view = ben.open("2")
    ben.escalate("2", reason="high_value", note="over 500 USD", case_version=view.case.version)
    return bureau


def test_decisions_are_listed_newest_first_with_their_sources_and_fate(decided: Bureau) -> None:
    rows = decided.audit().decisions()

    assert [(r.disposition.case_id, r.disposition.kind, r.status) for r in rows] == [
        ("2", "escalate", "to kim"),
        ("1042", "approve", "sent"),
    ]
    assert rows[1].sources == ("Return policy", "Orders")


@pytest.mark.parametrize(
    ("wanted", "cases"),
    [
        ({"person": "ben"}, ["2"]),
        ({"case_id": "1042"}, ["1042"]),
        ({"kind": "approve"}, ["1042"]),
        ({"source_id": "returns-policy"}, ["2", "1042"]),
        ({"source_id": "gift-cards"}, []),
        ({"text": "lost PARCEL"}, ["2"]),
        ({"text": "500 usd"}, ["2"]),
        ({"text": "warm regards"}, ["1042"]),
        ({"person": "ana", "kind": "escalate"}, []),
    ],
)
def test_every_filter_narrows_the_list(
    decided: Bureau, wanted: dict[str, str], cases: list[str]
) -> None:
    rows = decided.audit().decisions(**wanted)  # type: ignore[arg-type]

    assert [row.disposition.case_id for row in rows] == cases


def test_the_date_filter_takes_decisions_from_then_on(decided: Bureau) -> None:
    since = decided.clock.now() - timedelta(seconds=30)

    assert [r.disposition.case_id for r in decided.audit().decisions(since=since)] == ["2"]


def test_a_decision_shows_the_passages_as_they_were_and_what_the_person_changed(
    decided: Bureau,
) -> None:
    decided.registry.put([a_document(POLICY.document_id, text="Thirty days now.")], actor="kim")
    decided.later(days=200)
    (row,) = decided.audit().decisions(kind="approve")

    view = decided.audit().decision(row.disposition.disposition_id)

    assert view.passages[0].text == POLICY.text
    assert "reviewed 12 days ago" in view.passages[0].trust
    assert view.draft is not None
    assert view.copilot_draft is not None
    assert (view.draft.text, view.copilot_draft.text) == (KINDER, PLAIN_REPLY)
    assert ("removed", "Kind ") in view.diff
    assert ("added", "Warm ") in view.diff
    assert view.trace is not None
    assert view.trace.index_versions == {"passages": "7"}
    assert view.outbox is not None
    assert view.outbox.state == "delivered"
    assert [e.kind for e in view.events][-2:] == ["case.approved", "case.sent"]


def test_only_those_who_oversee_read_the_audit(decided: Bureau) -> None:
    desk = decided.audit("ana")

    for attempt in (
        lambda: desk.decisions(),
        lambda: desk.decision("x"),
        lambda: desk.events(),
        lambda: desk.verify(),
        lambda: desk.export("csv"),
    ):
        with pytest.raises(NotAllowed):
            attempt()


def test_the_full_record_is_for_supervisors(decided: Bureau) -> None:
    decided.contexts["sam"] = a_context("sam", actions=("ask", "administer"))

    assert decided.audit().export("jsonl")
    with pytest.raises(NotAllowed):
        decided.audit().export("jsonl", full=True)


def test_the_chain_verifies_and_a_changed_event_is_found(decided: Bureau) -> None:
    assert decided.audit().verify().ok

    with decided.engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        driver.execute("PRAGMA query_only = OFF")
        for (name,) in driver.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            driver.execute(f'DROP TRIGGER "{name}"')
        driver.execute("UPDATE audit_events SET actor = 'mallory' WHERE seq = 3")
        driver.commit()

    state = decided.audit().verify()
    assert (state.ok, state.broken_at) == (False, 3)


def test_an_export_masks_personal_data_and_is_an_event_itself(decided: Bureau) -> None:
    desk = decided.desk("ana")
    decided.take_in(a_case("3"))
    view = desk.open("3")
    desk.refuse("3", reason="ask max@mail.example, +1 212 555 0100", case_version=view.case.version)

    lines = [json.loads(line) for line in decided.audit().export("jsonl").splitlines()]

    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    refusal = next(line for line in lines if line["kind"] == "case.refused")
    assert "max@mail.example" not in refusal["payload"]["reason"]
    assert "555" not in refusal["payload"]["reason"]
    event = decided.events()[-1]
    assert event.kind == "export.audit"
    assert event.payload == {"format": "jsonl", "full": False, "events": len(lines),
                             "up_to": len(lines)}  # fmt: skip
    assert b"max@mail.example" in decided.audit().export("jsonl", full=True)
    assert decided.audit().verify().ok


def test_the_csv_opens_in_a_spreadsheet_without_running_anything(decided: Bureau) -> None:
    with decided.store.write() as txn:
        txn.audit(
            tenant_id="athena",
            actor="=cmd|' /C calc'!A0",
            kind="user.changed",
            subject_kind="user",
            subject_id="x",
            payload={"note": 'a "quoted", line\nbreak'},
        )

    rows = list(csv.DictReader(io.StringIO(decided.audit().export("csv").decode())))

    assert len(rows) == len(decided.events()) - 1
    assert rows[-1]["actor"].startswith("'=cmd")
    assert json.loads(rows[-1]["payload"]) == {"note": 'a "quoted", line\nbreak'}


def test_an_unknown_format_is_refused_and_not_logged_as_an_export(decided: Bureau) -> None:
    before = decided.events()

    with pytest.raises(BadInput, match="csv or jsonl"):
        decided.audit().export("xml")  # type: ignore[arg-type]
    assert decided.events() == before


def test_decisions_of_another_company_do_not_exist(decided: Bureau) -> None:
    (row,) = decided.audit().decisions(kind="approve")
    decided.contexts["sam"] = a_context("sam", tenant_id="other")

    assert decided.audit().decisions() == ()
    assert decided.audit().decisions(case_id="1042") == ()
    with pytest.raises(NotFound):
        decided.audit().decision(row.disposition.disposition_id)


def test_evidence_a_supervisor_may_not_read_stays_hidden_in_the_audit(bureau: Bureau) -> None:
    bureau.contexts["ana"] = a_context(
        "ana",
        allowed_acl_policy_ids=("public", "hr-confidential"),
        allowed_classifications=("public", "confidential"),
    )
    bureau.copilot.evidence = (restricted(EVIDENCE[0]), EVIDENCE[1])
    desk = bureau.desk("ana")
    view = desk.open("1042")
    desk.escalate("1042", reason="other", case_version=view.case.version)
    (row,) = bureau.audit().decisions()

    shown = bureau.audit().decision(row.disposition.disposition_id)

    assert row.sources == ()
    assert (shown.passages, shown.draft, shown.trace) == ((), None, None)
    assert "45 days" not in shown.model_dump_json()


def test_every_state_change_of_a_case_has_its_own_event(bureau: Bureau) -> None:
    """Invariant 11, desk side: the audit tells as many states as the case had versions."""
    desk = bureau.desk("ana")
    view = desk.open("1042")
    desk.reject("1042", reason="wrong question", case_version=view.case.version)
    view = desk.open("1042")
    approve(desk, edit(desk, view, KINDER))
    desk.undo("1042")
    view = desk.redraft("1042")
    desk.escalate("1042", reason="other", case_version=view.case.version)
    (row,) = bureau.board().rows()
    bureau.board().send_back(row.escalation.escalation_id, note="look again")
    approve(desk, desk.open("1042"))
    bureau.later(minutes=1)
    bureau.outbox().run_once()

    told = [
        event.payload["state"]
        for event in bureau.events()
        if event.subject_kind == "case" and "state" in event.payload
    ]

    assert told == [
        "drafted",
        "in_review",
        "rejected",
        "new",
        "drafted",
        "in_review",
        "edited",
        "approved",
        "in_review",
        "in_review",
        "escalated",
        "in_review",
        "approved",
        "sent",
    ]
    assert bureau.case().version == 1 + len(told)
    assert bureau.audit().verify().ok
