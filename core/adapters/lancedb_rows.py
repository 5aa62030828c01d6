"""How a passage lies in the table, and how a row becomes evidence again."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from core.adapters.lancedb_filter import ALWAYS, NEVER, day_number, day_of, document_key
from core.models.evidence import EvidenceCandidate, RetrievalSource
from core.models.source import Passage
from core.ports import Vectors

SCHEMA_VERSION = "3"

_TEXTS = (
    "chunk_id",
    "document_id",
    "source_id",
    "tenant_id",
    "text",
    "context",
    "title",
    "kind",
    "content_hash",
    "text_key",
)
_GOVERNANCE_TEXTS = (
    "owner",
    "authority",
    "status",
    "version",
    "classification",
    "permission_tag",
    "acl_policy_id",
    "department",
    "region",
    "product",
    "language",
    "scope_note",
    "source_type",
    "uri",
)
_NUMBERS = (
    "ordinal",
    "char_start",
    "char_end",
    "page_start",
    "page_end",
    "valid_from_day",
    "valid_to_day",
    "last_reviewed_day",
    "review_sla_days",
)
COLUMNS = (
    *_TEXTS,
    *_GOVERNANCE_TEXTS,
    *_NUMBERS,
    "supersedes",
    "signed",
    "heading_path",
)
"""What a search reads back: everything but the vector and the full-text column."""

FILTERED = (
    "tenant_id",
    "acl_policy_id",
    "classification",
    "status",
    "source_type",
    "document_key",
    "valid_from_day",
    "valid_to_day",
)
"""Columns that filters test; each carries a scalar index."""


def schema(dimension: int, metadata: dict[str, str]) -> pa.Schema:
    """The table's columns, with what built it as metadata."""
    fields = [pa.field(name, pa.string(), nullable=False) for name in _TEXTS + _GOVERNANCE_TEXTS]
    fields += [pa.field(name, pa.int32()) for name in _NUMBERS]
    fields += [
        pa.field("supersedes", pa.string()),
        pa.field("signed", pa.bool_()),
        pa.field("heading_path", pa.list_(pa.string())),
        pa.field("document_key", pa.string(), nullable=False),
        pa.field("search_text", pa.string(), nullable=False),
        pa.field("vector_key", pa.string(), nullable=False),
        pa.field("vector", pa.list_(pa.float32(), dimension), nullable=False),
    ]
    return pa.schema(fields, metadata=metadata)


def read_text(passage: Passage) -> str:
    """What encoder and full-text index read: context first, then the passage."""
    return f"{passage.context}\n{passage.text}" if passage.context else passage.text


def vector_key(passage: Passage) -> str:
    """Hex digits that name the text a vector stands for: the same text has the same vector."""
    text = read_text(passage).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def to_table(passages: Sequence[Passage], vectors: Vectors, layout: pa.Schema) -> pa.Table:
    """Rows for ``passages``, one vector each."""
    rows = [_row(passage) for passage in passages]
    arrays = [
        pa.array([row[field.name] for row in rows], type=field.type)
        for field in layout
        if field.name != "vector"
    ]
    flat = pa.array(vectors.reshape(-1), type=pa.float32())
    arrays.append(pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]))
    return pa.Table.from_arrays(arrays, schema=layout)


def to_candidate(
    row: dict[str, Any],
    *,
    rank: int = 0,
    score: float = 0.0,
    lexical_rank: int | None = None,
    vector_rank: int | None = None,
    similarity: float | None = None,
) -> EvidenceCandidate:
    """The evidence behind a row. Its source says which side found it."""
    same = {name: row[name] for name in EvidenceCandidate.model_fields if name in row}
    same |= {"heading_path": tuple(row["heading_path"] or ()), "signed": bool(row["signed"])}
    return EvidenceCandidate.model_validate(
        same
        | {
            "source_title": row["title"],
            "source_uri": row["uri"],
            "valid_from": day_of(row["valid_from_day"]),
            "valid_to": day_of(row["valid_to_day"]),
            "last_reviewed": day_of(row["last_reviewed_day"]),
            "rank": rank,
            "score": score,
            "lexical_rank": lexical_rank,
            "vector_rank": vector_rank,
            "similarity": similarity,
            "retrieval_source": _found_by(lexical_rank, vector_rank),
            "metadata": _metadata(row),
        }
    )


def ranked(found: Any | None, score: str, *, rising: bool = False) -> list[tuple[str, float]]:
    """Ids and scores of one side of a search, best first; rows without a number are left out."""
    if found is None:
        return []
    sign = 1 if rising else -1
    pairs = zip(found["chunk_id"].to_pylist(), found[score].to_pylist(), strict=True)
    known = [(name, float(value)) for name, value in pairs if value is not None and value == value]
    return sorted(known, key=lambda pair: (sign * pair[1], pair[0]))


def cosines(found: Any | None, query_vector: Vectors | None) -> dict[str, float]:
    """Cosine of each row to the query, for rows that have a vector."""
    if found is None or query_vector is None or not found.num_rows:
        return {}
    flat = np.asarray(found["vector"].combine_chunks().flatten(), dtype=np.float32)
    matrix = flat.reshape(found.num_rows, -1)
    near = matrix @ query_vector
    present = np.abs(matrix).sum(axis=1) > 0
    names = found["chunk_id"].to_pylist()
    return {n: float(c) for n, c, there in zip(names, near, present, strict=True) if there}


def _row(passage: Passage) -> dict[str, Any]:
    governance = passage.governance
    row = passage.model_dump(exclude={"governance"})
    row |= governance.model_dump(exclude={"valid_from", "valid_to", "last_reviewed"})
    return row | {
        "valid_from_day": day_number(governance.valid_from, open_end=ALWAYS),
        "valid_to_day": day_number(governance.valid_to, open_end=NEVER),
        "last_reviewed_day": day_number(governance.last_reviewed, open_end=ALWAYS),
        "document_key": document_key(passage.document_id),
        "search_text": read_text(passage),
        "vector_key": vector_key(passage),
    }


def _found_by(lexical_rank: int | None, vector_rank: int | None) -> RetrievalSource:
    if lexical_rank is not None and vector_rank is not None:
        return "hybrid"
    if lexical_rank is not None:
        return "lexical"
    return "vector" if vector_rank is not None else "supplied"


def _metadata(row: dict[str, Any]) -> dict[str, str]:
    kept = {name: str(row[name]) for name in ("kind", "context", "content_hash", "ordinal")}
    return kept | ({"supersedes": row["supersedes"]} if row["supersedes"] else {})
