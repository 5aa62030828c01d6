"""A stored gate policy that somebody changed by hand is refused in words, never half believed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.adapters.sql_gate_policies import SqlGatePolicies
from core.adapters.sql_migrate import open_database
from core.errors import IntegrityBroken
from tests.contracts.builders import TENANT
from tests.contracts.gate_policies import DEFAULT, a_gate_policy
from tests.fakes.fixed_clock import FixedClock


@pytest.mark.parametrize("change", [("0.5,", "NaN,"), ("{", "{broken")])
def test_a_policy_that_cannot_be_read_is_named_with_its_remedy(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'c.db'}")
    policies = SqlGatePolicies(engine, FixedClock())
    policies.save(a_gate_policy(), before=DEFAULT)
    with closing(sqlite3.connect(tmp_path / "c.db")) as by_hand, by_hand:
        by_hand.execute("update gate_policies set body = replace(body, ?, ?)", change)
    with pytest.raises(IntegrityBroken, match="restore the database"):
        policies.active(TENANT)
    with pytest.raises(IntegrityBroken, match="restore the database"):
        policies.history(TENANT)
    engine.dispose()
