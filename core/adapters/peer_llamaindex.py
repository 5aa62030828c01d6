"""LlamaIndex's hybrid: an in-memory vector index and its BM25 retriever, fused by rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import TextNode
from llama_index.retrievers.bm25 import BM25Retriever
from pydantic import PrivateAttr

from core.ports import Encoder

_HAN_OR_WORD = r"[\u4e00-\u9fff]|[A-Za-z0-9]+"


class _Embedding(BaseEmbedding):  # type: ignore[misc]
    """Our encoder in LlamaIndex's clothes."""

    _encoder: Any = PrivateAttr()

    def __init__(self, encoder: Encoder) -> None:
        super().__init__(model_name=encoder.fingerprint, embed_batch_size=64)
        self._encoder = encoder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self._encoder.encode(texts).tolist()
        return rows

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        row: list[float] = self._encoder.encode_queries([query])[0].tolist()
        return row

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


class LlamaIndexPeer:
    """``QueryFusionRetriever`` in reciprocal-rank mode over the question alone, without a model.

    Documents are cut by its default ``SentenceSplitter``, the title is metadata and so read by
    both sides. Its word pattern takes a run of Chinese for one word; there it gets one a character.
    """

    about = (
        "LlamaIndex: SentenceSplitter (1024 tokens), VectorStoreIndex + BM25Retriever, "
        "QueryFusionRetriever reciprocal_rerank, num_queries=1; Chinese by character"
    )

    def __init__(self, encoder: Encoder) -> None:
        self._embedding = _Embedding(encoder)
        self._nodes: list[TextNode] = []
        self._chinese = False
        self._fusions: dict[int, Any] = {}
        self._index: Any = None

    def load(self, texts: Sequence[tuple[str, str, str]], *, split: bool, chinese: bool) -> int:
        """Take the texts in and index them on both sides."""
        self._chinese, self._fusions = chinese, {}
        self._nodes = _split(texts) if split else [_node(*text) for text in texts]
        self._index = VectorStoreIndex(nodes=self._nodes, embed_model=self._embedding)
        return len(self._nodes)

    def search(self, query: str, *, limit: int) -> list[str]:
        """Ids of the documents behind the best pieces."""
        if limit not in self._fusions:
            self._fusions[limit] = self._fusion(min(limit, len(self._nodes)))
        found = self._fusions[limit].retrieve(query)
        return [str(hit.node.metadata["document"]) for hit in found]

    def _fusion(self, limit: int) -> Any:
        words: dict[str, Any] = (
            {"token_pattern": _HAN_OR_WORD, "skip_stemming": True} if self._chinese else {}
        )
        sides = [
            self._index.as_retriever(similarity_top_k=limit),
            BM25Retriever.from_defaults(nodes=self._nodes, similarity_top_k=limit, **words),
        ]
        return QueryFusionRetriever(
            sides,
            llm=MockLLM(),  # never asked: one query is the question itself
            mode=FUSION_MODES.RECIPROCAL_RANK,
            similarity_top_k=limit,
            num_queries=1,
            use_async=False,
        )


def _split(texts: Sequence[tuple[str, str, str]]) -> list[Any]:
    documents = [
        Document(
            text=text,
            metadata={"document": name, **({"title": title} if title else {})},
            excluded_embed_metadata_keys=["document"],
        )
        for name, title, text in texts
    ]
    nodes: list[Any] = SentenceSplitter().get_nodes_from_documents(documents)
    return nodes


def _node(name: str, title: str, text: str) -> Any:
    whole = f"{title}\n{text}" if title else text
    return TextNode(
        text=whole, metadata={"document": name}, excluded_embed_metadata_keys=["document"]
    )
