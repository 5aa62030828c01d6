"""Rows that measure the gate are told from rows that fit it by their names alone."""

from __future__ import annotations

from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from core.evaluation.gate_split import HELD_BACK, held_back, injection_fold

FAMILIES = [f"family {number}" for number in range(40)]
DOCUMENTS = [f"doc-{number}" for number in range(400)]


def test_the_split_is_the_one_the_shipped_weights_were_fitted_with() -> None:
    for group in ("17", "dev02986", "kgfpq-place-3"):
        digest = blake2b(f"wice/{group}".encode(), digest_size=4).digest()
        assert held_back("wice", group) == (int.from_bytes(digest, "big") / 2**32 < 1 / 3)
    known = {name: held_back("clapnq", name) for name in ("0", "1", "2", "3", "4", "5", "6", "7")}
    assert known == {
        name: int(blake2b(f"clapnq/{name}".encode(), digest_size=4).hexdigest(), 16) < 2**32 / 3
        for name in known
    }
    assert set(known.values()) == {True, False}


def test_about_a_third_is_held_back_and_each_set_by_itself() -> None:
    groups = [str(number) for number in range(3_000)]
    first = {name for name in groups if held_back("one", name)}
    other = {name for name in groups if held_back("other", name)}
    assert abs(len(first) / len(groups) - HELD_BACK) < 0.03
    assert first != other


@given(st.text(max_size=20), st.text(max_size=20))
def test_a_larger_share_keeps_what_a_smaller_one_held_back(source: str, group: str) -> None:
    assert held_back(source, group, 1.0)
    assert not held_back(source, group, 0.0)
    assert held_back(source, group, 0.6) or not held_back(source, group, 0.3)


def test_no_measured_attack_shares_its_family_or_its_document_with_a_fitted_one() -> None:
    sides: dict[str, list[tuple[str, str]]] = {"fit": [], "held_back": [], "neither": []}
    for family in FAMILIES:
        for document in DOCUMENTS:
            sides[injection_fold(family, document)].append((family, document))
    for place in (0, 1):
        fitted = {pair[place] for pair in sides["fit"]}
        measured = {pair[place] for pair in sides["held_back"]}
        assert fitted
        assert measured
        assert not fitted & measured


def test_a_clean_document_is_on_its_documents_side() -> None:
    for document in DOCUMENTS:
        clean = injection_fold(None, document)
        assert clean in {"fit", "held_back"}
        assert {injection_fold(family, document) for family in FAMILIES} == {clean, "neither"}
