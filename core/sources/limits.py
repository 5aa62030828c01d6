"""How much one file may cost before it is given up on."""

from __future__ import annotations

from pydantic import Field

from core.models.base import Model

MAX_BYTES = 20_000_000
"""Default limit for one file of one document. Files of rows have a limit for each row instead."""


class ReadLimits(Model):
    """What one file may ask for. Whatever goes beyond is refused, naming the limit.

    Sizes are bytes, times seconds. ``packed_ratio`` is how many bytes a packed byte may unfold
    to in an Office file; ``depth`` how far a mail may lie inside mails.
    """

    file_bytes: int = Field(default=MAX_BYTES, ge=1)
    text_chars: int = Field(default=20_000_000, ge=1)
    pages: int = Field(default=2_000, ge=1)
    cells: int = Field(default=2_000_000, ge=1)
    attachments: int = Field(default=50, ge=0)
    depth: int = Field(default=3, ge=1)
    packed_entries: int = Field(default=5_000, ge=1)
    packed_ratio: int = Field(default=200, ge=1)
    unpacked_bytes: int = Field(default=500_000_000, ge=1)
    seconds: float = Field(default=30.0, gt=0)
    """How long a file may go without a sign of progress: a page, a row, a document."""
    steps_seconds: float = Field(default=600.0, gt=0)
    """How long a file of one document may take in all. Files of rows may take as long as it needs
    to read them."""
    memory_bytes: int = Field(default=2 * 1024**3, ge=64 * 1024**2)

    @property
    def binary_bytes(self) -> int:
        """PDF, Office and mail files hold pictures, so they may be larger than texts."""
        return 5 * self.file_bytes
