"""Retrieval on a public set stays as good as it was measured to be."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from core.adapters.lancedb_index import LanceIndex
from core.adapters.onnx_encoder import OnnxEncoder
from core.adapters.onnx_folder import WEIGHTS_PACKAGE
from core.adapters.token_counter import BundledTokenCounter
from core.evaluation.retrieval_bench import run_retrieval_bench
from core.sources.chunk import CHUNKER_VERSION
from tests.fakes.fixed_clock import FixedClock
from tests.fakes.memory_registry import MemoryRegistry

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("COUNTERSIGN_EVAL_DATA", ROOT.parent / "shared" / "data"))

pytestmark = [
    pytest.mark.evaldata,
    pytest.mark.skipif(
        not (DATA / "supabase_auth").is_dir(), reason=f"no evaluation data in {DATA}"
    ),
    pytest.mark.skipif(
        importlib.util.find_spec(WEIGHTS_PACKAGE) is None,
        reason="the encoder's weights are not installed (make setup)",
    ),
]


def test_both_sides_together_beat_each_alone_and_the_plain_peer(tmp_path: Path) -> None:
    encoder = OnnxEncoder(tmp_path / "models")
    report = run_retrieval_bench(
        DATA,
        open_index=lambda folder: LanceIndex(folder, encoder, chunker=CHUNKER_VERSION),
        open_registry=lambda _: MemoryRegistry(),
        clock=FixedClock(),
        tokens=BundledTokenCounter(),
        sets=("supabase_auth",),
    )
    gains = {row.mode: row.ndcg_at_10 for row in report.rows}
    recalls = {row.mode: row.recall_at_5 for row in report.rows}
    assert recalls["hybrid"] == 1.0
    assert gains["hybrid"] >= 0.84
    assert gains["hybrid"] > max(gains["peer"], gains["lexical"], gains["vector"])
