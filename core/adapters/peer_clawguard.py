"""clawguard-core: a keyword scanner, regular expressions line by line."""

from __future__ import annotations

from importlib.metadata import version

from clawguard_core import scan_text


class ClawGuardScanner:
    """The package's own risk score, 0..10; any finding is a flag, as its command line has it."""

    def __init__(self) -> None:
        self.about = (
            f"clawguard-core {version('clawguard-core')} (MIT): keyword patterns line by line; "
            "flags on any finding"
        )

    def scan(self, text: str) -> tuple[float, bool]:
        """Risk score and whether something was found."""
        score = float(scan_text(text).risk_score)
        return score, score > 0
