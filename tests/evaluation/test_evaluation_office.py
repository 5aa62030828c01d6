"""The evaluation and the settings over the demo company, as the console opens them."""

from __future__ import annotations

import pytest

from core.errors import NotAllowed
from core.wiring import Office

HR_ROW, SHARED_ROW = "G-061", "G-001"


def test_a_run_from_the_console_measures_the_demo_company(office: Office) -> None:
    desk = office.evaluation_desk("sam")
    run_id = desk.start((HR_ROW, SHARED_ROW, "zh")).run_id
    assert office.golden_jobs.wait(120)

    state = desk.job()
    assert state is not None
    assert state.phase == "done", state.words
    view = desk.report(run_id)
    assert view.overall.rows == state.total > 3
    assert view.overall.status_accuracy >= 0.75
    assert view.index_versions
    rows = {row.query_id: row for row in view.rows}
    assert rows[HR_ROW].hidden
    assert "$" not in rows[HR_ROW].model_dump_json()
    # Whoever sees the link can follow it: the inspector keeps the same rule.
    inspector = office.inspector("sam")
    assert all(inspector.get(row.trace_id) for row in view.rows if row.trace_id)
    assert rows[SHARED_ROW].trace_id
    assert office.evaluation_desk("sam").growth().proposals == ()


@pytest.mark.parametrize("user_id", ["ana", "kim", "helen"])
def test_agents_owners_and_hr_open_neither(office: Office, user_id: str) -> None:
    with pytest.raises(NotAllowed):
        office.evaluation_desk(user_id)
    with pytest.raises(NotAllowed):
        office.settings_desk(user_id)


def test_every_part_of_the_demo_company_works(office: Office) -> None:
    found = {part.name: part for part in office.settings_desk("ada").doctor()}
    assert [part.words for part in found.values() if not part.ok] == []
    assert "fits the encoder" in found["Passage index"].words
    assert found["Encoder"].words == office.encoder.fingerprint
    assert "verified to event" in found["Audit chain"].words


def test_an_administrator_sees_no_personnel_file_in_the_simulator(office: Office) -> None:
    rights = office.settings_desk("ada").rights_of("helen")
    assert "hr-confidential" in rights.context.allowed_acl_policy_ids
    assert rights.sources
    shown = {source.document_id for source in rights.sources}
    assert "hr-pay-bands-2026" not in shown
    assert office.registry.get("hr-pay-bands-2026") is not None


def test_a_change_of_rights_keeps_the_chain_whole(office: Office) -> None:
    ben = office.identity.user("ben")
    office.settings_desk("ada").change_user(ben, roles=("supervisor",), active=True, reason="Why")
    assert "supervise" in office.identity.context_of("ben").actions
    assert office.verify_audit().ok
