"""Haystack's hybrid: its in-memory store, BM25 and embedding retrievers, joined by rank."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

# Read when the package is imported; without it every pipeline would report to its makers.
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack import Document
from haystack.components.joiners import DocumentJoiner
from haystack.components.preprocessors import DocumentSplitter
from haystack.components.retrievers.in_memory import (
    InMemoryBM25Retriever,
    InMemoryEmbeddingRetriever,
)
from haystack.document_stores.in_memory import InMemoryDocumentStore

from core.ports import Encoder


class HaystackPeer:
    """Both retrievers at their defaults over pieces of 200 words (its default splitter).

    The title leads the text, for its BM25 reads nothing but the content.
    """

    about = (
        "Haystack: DocumentSplitter (200 words), InMemoryDocumentStore BM25 + embedding "
        "retrievers, DocumentJoiner reciprocal_rank_fusion; title put before the text"
    )

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._store: Any = None
        self._joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion")

    def load(self, texts: Sequence[tuple[str, str, str]], *, split: bool, chinese: bool) -> int:
        """Take the texts in and index them on both sides."""
        del chinese  # its tokeniser cuts Chinese by character itself
        documents = [
            Document(content=f"{title}\n{text}" if title else text, meta={"document": name})
            for name, title, text in texts
        ]
        if split:
            documents = DocumentSplitter().run(documents=documents)["documents"]
        distinct = list({piece.id: piece for piece in documents}.values())
        vectors = self._encoder.encode([str(piece.content) for piece in distinct])
        pieces = [
            replace(piece, embedding=vector.tolist())
            for piece, vector in zip(distinct, vectors, strict=True)
        ]
        self._store = InMemoryDocumentStore(
            embedding_similarity_function="cosine", shared=False, return_embedding=False
        )
        self._store.write_documents(pieces)
        return len(pieces)

    def search(self, query: str, *, limit: int) -> list[str]:
        """Ids of the documents behind the best pieces."""
        vector = self._encoder.encode_queries([query])[0].tolist()
        by_words = InMemoryBM25Retriever(self._store, top_k=limit).run(query=query)
        by_vector = InMemoryEmbeddingRetriever(self._store, top_k=limit).run(query_embedding=vector)
        joined = self._joiner.run(
            documents=[by_words["documents"], by_vector["documents"]], top_k=limit
        )
        return [str(piece.meta["document"]) for piece in joined["documents"]]
