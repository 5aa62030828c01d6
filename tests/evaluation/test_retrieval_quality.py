"""Retrieval on a public set stays as good as it was measured to be."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from core.adapters.onnx_folder import WEIGHTS_PACKAGE
from core.commands.bench_home import BenchHome
from core.evaluation.bench_peer import SharedEncoder
from core.evaluation.retrieval_bench import run_retrieval_bench
from core.settings import Settings
from core.wiring import open_office

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
    office = open_office(Settings(home=tmp_path / "office"))
    encoder = SharedEncoder(office.encoder)
    report = run_retrieval_bench(
        DATA,
        open_home=lambda folder: BenchHome(folder, office, encoder),
        peers={},
        clock=office.clock,
        sets=("supabase_auth",),
    )
    rows = {row.system: row for row in report.rows}
    assert rows["countersign"].recall_at_5 == 1.0
    assert rows["hybrid"].recall_at_5 == 1.0
    assert rows["hybrid"].ndcg_at_10 >= 0.81  # one place of one of six questions is .02
    others = [rows[name].ndcg_at_10 for name in ("textbook", "lexical", "vector")]
    assert rows["hybrid"].ndcg_at_10 > max(others)
