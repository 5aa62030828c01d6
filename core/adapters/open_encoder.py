"""Opens the encoder that the settings name, by the lightest way that runs it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from core.adapters.onnx_encoder import OnnxEncoder
from core.adapters.onnx_export import Precision
from core.adapters.onnx_folder import ModelFolder
from core.errors import BadInput, Unavailable
from core.ports import Encoder

PACKAGED = "packaged"


def open_encoder(
    name: str,
    *,
    cache_dir: Path,
    precision: Precision = "fp32",
    query_prefix: str | None = None,
    passage_prefix: str | None = None,
) -> Encoder:
    """``packaged``, a model folder, or the name of a sentence-transformers model.

    A folder with a plain BERT encoder runs on ONNX Runtime as the packaged one does; whatever else
    goes through sentence-transformers. Prefixes that are ``None`` are the model's own.
    Raises ``Unavailable`` when the model cannot be opened, ``BadInput`` for int8 with a model that
    ONNX Runtime does not run.
    """
    folder = None if name == PACKAGED else _plain_folder(name)
    if name == PACKAGED or folder is not None:
        return OnnxEncoder(
            cache_dir,
            model_dir=folder,
            precision=precision,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
        )
    if precision != "fp32":
        raise BadInput(
            f"setting 'encoder_precision': {precision} needs the packaged encoder or a folder with "
            f"a plain BERT encoder, which {name!r} is not. Use fp32 with it."
        )
    from core.adapters.sentence_transformers_encoder import SentenceTransformersEncoder

    return SentenceTransformersEncoder(
        name, query_prefix=query_prefix, passage_prefix=passage_prefix
    )


def _plain_folder(name: str) -> Path | None:
    path = Path(name)
    if path.is_dir():
        with suppress(Unavailable):
            return ModelFolder(path).path
    return None
