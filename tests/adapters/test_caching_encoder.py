"""The encoder that remembers: same vectors, each text computed once, bounded, shared by threads."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from core.adapters.caching_encoder import CachingEncoder, remembering
from core.ports import Vectors
from tests.fakes.word_encoder import WordEncoder


class CountingEncoder(WordEncoder):
    """A word encoder that keeps a list of the batches it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self._listing = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        with self._listing:
            self.batches.append(list(texts))
        return super().encode(texts)

    @property
    def texts(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


@pytest.fixture
def behind() -> CountingEncoder:
    return CountingEncoder()


def test_vectors_are_those_of_the_encoder_behind_in_the_order_asked(
    behind: CountingEncoder,
) -> None:
    encoder = CachingEncoder(behind)
    texts = ["gift cards", "holiday returns", "gift cards", "退货", "", "shipping"]
    encoder.encode(["shipping", "gift cards"])
    assert np.array_equal(encoder.encode(texts), WordEncoder().encode(texts))
    assert np.array_equal(encoder.encode(texts), WordEncoder().encode(texts))


def test_what_is_new_goes_in_one_batch_and_each_text_once(behind: CountingEncoder) -> None:
    encoder = CachingEncoder(behind)
    encoder.encode(["a cat", "a dog", "a cat"])
    encoder.encode(["a dog", "a bird", "a fish", "a bird"])
    encoder.encode(["a fish", "a cat"])
    assert behind.batches == [["a cat", "a dog"], ["a bird", "a fish"]]


def test_the_last_used_texts_are_kept_and_no_more(behind: CountingEncoder) -> None:
    encoder = CachingEncoder(behind, kept=3)
    encoder.encode(["one", "two", "three"])
    encoder.encode(["one"])
    encoder.encode(["four"])
    assert len(encoder) == 3
    behind.batches.clear()
    encoder.encode(["one", "three", "four"])
    assert behind.texts == []
    encoder.encode(["two"])
    assert behind.texts == ["two"]


def test_a_batch_larger_than_the_memory_is_answered_whole(behind: CountingEncoder) -> None:
    encoder = CachingEncoder(behind, kept=4)
    texts = [f"text number {n}" for n in range(50)]
    assert np.array_equal(encoder.encode(texts), WordEncoder().encode(texts))
    assert len(encoder) == 4


def test_what_a_caller_does_to_its_vectors_stays_with_the_caller(behind: CountingEncoder) -> None:
    encoder = CachingEncoder(behind)
    encoder.encode(["gift cards"])[0] = 7
    encoder.encode(["gift cards"])[0] = 7
    assert np.array_equal(encoder.encode(["gift cards"]), WordEncoder().encode(["gift cards"]))


def test_no_texts_give_no_rows(behind: CountingEncoder) -> None:
    found = CachingEncoder(behind).encode([])
    assert found.shape == (0, behind.dimension)
    assert behind.batches == []


def test_threads_that_share_it_get_right_vectors_within_the_bound(behind: CountingEncoder) -> None:
    encoder = CachingEncoder(behind, kept=20)
    plain = WordEncoder()

    def work(number: int) -> bool:
        texts = [f"text {(number * 7 + n) % 60}" for n in range(15)]
        return bool(np.array_equal(encoder.encode(texts), plain.encode(texts)))

    with ThreadPoolExecutor(8) as pool:
        right = list(pool.map(work, range(200)))
    assert all(right)
    assert len(encoder) <= 20


def test_it_passes_for_the_encoder_behind_it(behind: CountingEncoder) -> None:
    encoder = CachingEncoder(behind)
    assert (encoder.fingerprint, encoder.dimension) == (behind.fingerprint, behind.dimension)
    assert encoder.knows("gift cards") == behind.knows("gift cards")
    assert encoder.knows("退货") == behind.knows("退货")


def test_an_encoder_that_remembers_is_not_wrapped_again(behind: CountingEncoder) -> None:
    encoder = remembering(behind)
    assert remembering(encoder) is encoder
    assert isinstance(encoder, CachingEncoder)
