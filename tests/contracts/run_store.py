"""What every ``RunStore`` promises."""

from __future__ import annotations

from datetime import timedelta

import pytest

from core.errors import Conflicted
from core.ports import RunStore
from tests.contracts.builders import TENANT, a_run
from tests.fakes.fixed_clock import DEMO_DAY


class RunStoreContract:
    """Subclasses give an empty ``runs``."""

    def test_a_run_comes_back_whole(self, runs: RunStore) -> None:
        run = a_run("trace_1", "returns-1", question="能退吗\0?")
        runs.save_run(run)
        assert runs.run("trace_1") == run
        assert runs.run("trace_2") is None

    def test_saving_a_run_again_changes_nothing(self, runs: RunStore) -> None:
        for _ in range(2):
            runs.save_run(a_run("trace_1", "returns-1"))
        assert len(runs.recent_runs(TENANT)) == 1

    def test_a_stored_run_is_never_replaced(self, runs: RunStore) -> None:
        runs.save_run(a_run("trace_1", "returns-1"))
        with pytest.raises(Conflicted, match="trace_1"):
            runs.save_run(a_run("trace_1", "shipping-1"))
        assert runs.run("trace_1") == a_run("trace_1", "returns-1")

    def test_recent_runs_are_newest_first_within_the_tenant(self, runs: RunStore) -> None:
        later = DEMO_DAY + timedelta(minutes=1)
        runs.save_run(a_run("trace_1", question="first"))
        runs.save_run(a_run("trace_2", question="second", started_at=later))
        runs.save_run(a_run("trace_3", tenant_id="other"))
        expected = (("trace_2", "second", later), ("trace_1", "first", DEMO_DAY))
        assert runs.recent_runs(TENANT) == expected
        assert runs.recent_runs(TENANT, limit=1) == expected[:1]
