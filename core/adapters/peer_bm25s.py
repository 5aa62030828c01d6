"""bm25s: BM25 over stemmed words, the lexical floor. Chinese is cut into words by jieba."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import bm25s
import jieba
import Stemmer

from core.ports import Encoder


class Bm25sPeer:
    """Whole documents, title and text, ranked by the package's own defaults (Lucene's BM25)."""

    about = "bm25s: Lucene BM25, English stop words and stemmer, jieba for Chinese, whole documents"

    def __init__(self, encoder: Encoder) -> None:
        del encoder  # words alone
        jieba.setLogLevel(logging.ERROR)
        self._stemmer = Stemmer.Stemmer("english")
        self._ids: list[str] = []
        self._chinese = False
        self._index: Any = None

    def load(self, texts: Sequence[tuple[str, str, str]], *, split: bool, chinese: bool) -> int:
        """Take the texts in; the package has no splitter, so ``split`` changes nothing."""
        del split
        self._ids = [name for name, _, _ in texts]
        self._chinese = chinese
        self._index = bm25s.BM25()
        whole = [f"{title}\n{text}" for _, title, text in texts]
        self._index.index(self._words(whole), show_progress=False)
        return len(self._ids)

    def search(self, query: str, *, limit: int) -> list[str]:
        """Ids of the best documents; those without a word in common are left out."""
        count = min(limit, len(self._ids))
        found, scores = self._index.retrieve(self._words([query]), k=count, show_progress=False)
        pairs = zip(found[0], scores[0], strict=True)
        return [self._ids[int(place)] for place, score in pairs if score > 0]

    def _words(self, texts: list[str]) -> Any:
        if self._chinese:
            return [
                [word for word in jieba.cut_for_search(text.lower()) if word.strip()]
                for text in texts
            ]
        return bm25s.tokenize(
            texts, stopwords="en", stemmer=self._stemmer, return_ids=False, show_progress=False
        )
