"""The one base of all models: frozen in, new out, unknown fields refused."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """A frozen value. Sequences are tuples; change means ``model_copy(update=…)``."""

    model_config = ConfigDict(frozen=True, extra="forbid")
