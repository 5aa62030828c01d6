"""What is measured beside ours answers with ids of documents, and says so where it is absent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.adapters.peers import PEERS, open_peer, peers
from core.errors import Unavailable
from core.evaluation.bench_peer import Peer
from core.ports import Vectors
from tests.fakes.word_encoder import WordEncoder

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    ("coats", "Coats", "Coats come back within thirty days of the purchase."),
    ("cards", "Gift cards", "A gift card never expires, whatever it says on the envelope."),
    ("parcels", "Parcels", "A lost parcel is sent again after seven working days."),
]
CHINESE = [("return", "退货", "顾客可以在三十天内退货。"), ("card", "礼品卡", "礼品卡永不过期。")]


class AlwaysSomewhere(WordEncoder):
    """Gives a text it does not know a place too, as a real model does."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        vectors = super().encode(texts) + np.float32(0.01)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def opened(name: str) -> Peer:
    try:
        peer: Peer = open_peer(name, AlwaysSomewhere())
    except Unavailable as error:
        pytest.skip(str(error))
    return peer


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("split", [True, False])
def test_a_peer_answers_with_ids_of_documents(name: str, *, split: bool) -> None:
    peer = opened(name)
    assert peer.load(TEXTS, split=split, chinese=False) == 3
    assert next(iter(peer.search("does a gift card expire", limit=5))) == "cards"
    assert set(peer.search("lost parcel", limit=5)) <= {"coats", "cards", "parcels"}
    assert peer.about


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_finds_chinese_by_its_words(name: str) -> None:
    peer = opened(name)
    peer.load(CHINESE, split=True, chinese=True)
    assert next(iter(peer.search("礼品卡会过期吗", limit=5))) == "card"


def test_a_peer_cuts_a_long_document_by_its_own_splitter() -> None:
    peer = opened("haystack")
    long = [("long", "Long", "word " * 900), *TEXTS]
    assert peer.load(long, split=False, chinese=False) == 4
    assert peer.load(long, split=True, chinese=False) > 4


def test_peers_are_opened_only_when_asked_for() -> None:
    assert tuple(peers(WordEncoder())) == PEERS


def test_an_absent_peer_names_what_installs_it() -> None:
    code = (
        "import sys; sys.modules['bm25s'] = None\n"
        "from core.adapters.peers import open_peer\n"
        "from core.errors import Unavailable\n"
        "try:\n    open_peer('bm25s', None)\n"
        "except Unavailable as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert "bm25s is not installed" in done.stdout
    assert "make bench" in done.stdout


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_reaches_nobody_and_brings_no_torch(name: str) -> None:
    code = f"""
import socket, sys
tried = []
def refuse(self, address):
    tried.append(address)
    raise OSError("no network in this test")
socket.socket.connect = refuse
from core.adapters.peers import open_peer
from tests.fakes.word_encoder import WordEncoder
peer = open_peer({name!r}, WordEncoder())
peer.load({TEXTS!r}, split=True, chinese=False)
list(peer.search("gift card", limit=2))
assert not tried, tried
assert "torch" not in sys.modules
print("quiet")
"""
    opened(name)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert "quiet" in done.stdout, done.stderr
