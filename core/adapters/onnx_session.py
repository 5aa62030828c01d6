"""Opens exported graphs: one thread a call, so that calls can run side by side."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import onnxruntime

from core.errors import Unavailable

SLOW_FUSIONS = ("SkipLayerNormFusion",)
"""What the runtime fuses into an operator that takes a quarter of the time of an 8-bit model."""


def open_session(graph: Path, *, without: Sequence[str] = ()) -> Any:
    """The graph, ready to run. Raises ``Unavailable`` where the file is broken.

    The runtime leaves the rewritings named in ``without`` undone.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(
            str(graph),
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=list(without) or None,
        )
    except Exception as error:  # the runtime's own errors share no base class
        raise Unavailable(
            f"the exported model {graph} cannot be loaded. Remove that file: the next run "
            "exports it again."
        ) from error


def cores() -> int:
    """Cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1
