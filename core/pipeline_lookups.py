"""The read tools that every run has, over the same ports the run itself uses."""

from __future__ import annotations

from collections.abc import Sequence

from core.lookups.orders import customer_lookup, order_lookup
from core.ports import RecordStore
from core.ports_tools import ReadTool, ViolationLog
from core.toolbox import Toolbox


def standard_toolbox(
    *,
    records: RecordStore,
    connectors: Sequence[ReadTool] = (),
    log: ViolationLog | None = None,
) -> Toolbox:
    """Orders, customers, rules and refunds, and what the administrator's connectors add."""
    own = (order_lookup(records), customer_lookup(records))
    return Toolbox([*own, *connectors], log=log)
