"""The retrieval systems that the bench sets beside ours. None is needed by the product.

They come with the extra ``bench`` (``make bench`` installs it). None loads torch, and none reaches
out: telemetry is switched off before its package is imported, and what the splitters read lies in
their own packages.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.ports import Encoder

_MODULES = {
    "bm25s": ("core.adapters.peer_bm25s", "Bm25sPeer"),
    "llamaindex": ("core.adapters.peer_llamaindex", "LlamaIndexPeer"),
    "haystack": ("core.adapters.peer_haystack", "HaystackPeer"),
}
PEERS = tuple(_MODULES)
PEER_PACKAGES = ("bm25s", "PyStemmer", "jieba", "llama-index-core", "haystack-ai")


def peers(encoder: Encoder) -> Mapping[str, Callable[[], Any]]:
    """How to open each peer over ``encoder``."""
    return {name: partial(open_peer, name, encoder) for name in PEERS}


def open_peer(name: str, encoder: Encoder) -> Any:
    """The peer ``name``. Raises ``Unavailable`` naming the extra where it is not installed."""
    module, kind = _MODULES[name]
    try:
        return getattr(import_module(module), kind)(encoder)
    except ImportError as error:
        raise Unavailable(
            f"{name} is not installed ({error.name or error}); `make bench` installs it, or: "
            "pip install -c constraints.txt -e '.[bench]'"
        ) from error
