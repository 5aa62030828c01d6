"""aicordon's Picket: a keyword scanner over a frozen base of rules, made for documents."""

from __future__ import annotations

from importlib.metadata import version

from aicordon import picket

_SEVERITY = {"high": 3.0, "medium": 2.0, "low": 1.0}
_EACH = 0.1


class PicketScanner:
    """Its mode for fetched data. The package grades findings in words, here put in order."""

    def __init__(self) -> None:
        self._rules = picket.load()
        self.about = (
            f"aicordon picket {version('aicordon')} (Apache-2.0): signature rules, mode for "
            "fetched data; flags on any finding"
        )

    def scan(self, text: str) -> tuple[float, bool]:
        """Severity of the worst finding, a little more for each one, and whether there is any."""
        found = self._rules.check(text)
        if not found.flagged:
            return 0.0, False
        return _SEVERITY.get(str(found.severity), 1.0) + _EACH * len(found.findings), True
