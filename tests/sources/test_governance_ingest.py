"""An ingest holds what documents state against what their tenant knows."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from core.models.access import AclPolicy
from core.models.source import IngestReport
from core.sources.governance import GovernanceRules
from core.sources.ingest import ingest
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_index import MemoryIndex
from tests.fakes.memory_registry import MemoryRegistry
from tests.sources.builders import TENANT

RULES = GovernanceRules(
    today=date(2026, 11, 30),
    acl_policies=(
        AclPolicy(policy_id="staff", tenant_id=TENANT, description="", roles=("agent",)),
    ),
)


def take_in(folder: Path, registry: MemoryRegistry) -> IngestReport:
    return ingest(
        [folder],
        tenant_id=TENANT,
        actor="me",
        registry=registry,
        index=MemoryIndex(),
        clock=FixedClock(),
        rules=RULES,
    )


def _write(folder: Path, name: str, fields: str) -> None:
    (folder / name).write_text(f"---\n{fields}\n---\n# {name}\n\nCoats come back within 30 days.")


def test_an_unknown_access_policy_is_quarantined_with_the_known_ones(tmp_path: Path) -> None:
    registry = MemoryRegistry()
    _write(tmp_path, "coats.md", "acl: stafff")
    report = take_in(tmp_path, registry)
    (failure,) = report.failed
    assert (report.documents, failure.reason) == (0, "there is no access policy 'stafff'")
    assert "did you mean 'staff'?" in failure.fix
    _write(tmp_path, "coats.md", "acl: staff\nclassification: internal")
    assert take_in(tmp_path, registry).documents == 1


def test_a_version_that_replaces_itself_is_refused(tmp_path: Path) -> None:
    _write(tmp_path, "coats.md", "id: coats-2\nsupersedes: coats-2")
    (failure,) = take_in(tmp_path, MemoryRegistry()).failed
    assert "replaces itself" in failure.reason


def test_a_doubt_that_many_documents_share_is_said_once(tmp_path: Path) -> None:
    for number in range(9):
        _write(tmp_path, f"coats-{number}.md", "valid_to: 2026-01-01")
    report = take_in(tmp_path, MemoryRegistry())
    assert report.documents == 9
    (warning,) = report.warnings
    assert "coats-2.md and 6 more: it is active but ended on 2025-12-31" in warning
