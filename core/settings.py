"""Every setting, in one frozen place: environment first, then ``<home>/countersign.toml``.

Unknown keys are refused by name, secrets are redacted when shown.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from core.errors import BadInput
from core.models.evidence import GateThresholds
from core.models.plan import Fusion

PREFIX = "COUNTERSIGN_"
_KEYS = {"claude": "anthropic_api_key", "typesafe": "typesafe_api_key"}
"""Which key each remote gate needs."""
# Read by benches and tests alone.
_NOT_SETTINGS = frozenset({"COUNTERSIGN_EVAL_DATA", "COUNTERSIGN_TEST_REQUIRE"})


class Settings(BaseSettings):
    """What a deployment may choose. Each field is ``COUNTERSIGN_<FIELD>`` in the environment."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", frozen=True, extra="forbid"
    )

    home: Path = Path("var")
    """Folder that holds everything written: databases, index, outbox, exported model."""
    database_url: SecretStr | None = None
    """SQLAlchemy URL of the case store; default is SQLite in ``home``."""
    model_cache: Path | None = None
    """Where the exported encoder is kept; default is ``models`` in ``home``."""
    tenant: str = Field(default="athena", min_length=1)
    """Tenant that free questions and ingests belong to unless said otherwise."""
    encoder: str = "packaged"
    """``packaged`` (all-MiniLM-L6-v2) or any sentence-transformers model by name or path."""
    encoder_precision: Literal["fp32", "int8"] = "fp32"
    """``int8`` indexes large collections faster at slightly other vectors. An index holds one
    precision: after a change run ``countersign ingest --rebuild``."""
    encoder_query_prefix: str | None = None
    """Put before every question for the encoder; default is what the model's folder says."""
    encoder_passage_prefix: str | None = None
    """Put before every passage for the encoder; default is what the model's folder says."""
    fusion: Fusion = "scores"
    """How the word side and the vector side of a search are joined."""
    reranker: str = ""
    """Looks again at the best search results: ``gate`` (its relevance, local) or any
    sentence-transformers CrossEncoder by name or path; empty for none."""
    anthropic_api_key: SecretStr | None = None
    """Key for Claude; ``ANTHROPIC_API_KEY`` counts too."""
    anthropic_base_url: str = "https://api.anthropic.com"
    """Any server that speaks the Messages API."""
    anthropic_model: str = Field(default="claude-haiku-5-5", min_length=1)
    typesafe_api_key: SecretStr | None = None
    """Key for TypeSafe; ``TYPESAFE_API_KEY`` counts too."""
    typesafe_base_url: str = "https://api.typesafe.ai"
    typesafe_model: str = Field(default="jev-latest", min_length=1)
    gate: Literal["local", "claude", "typesafe"] = "local"
    """Who answers the gate's four questions. With ``claude`` or ``typesafe`` the question and the
    passages leave this machine, except passages that the local gate takes for an injection."""
    gate_timeout_seconds: float = Field(default=20.0, gt=0, le=600)
    """How long a run waits for a remote gate, all its passages together."""
    gate_fallback: Literal["exclude", "local"] = "exclude"
    """What becomes of passages a remote gate did not judge: left out, or judged by the local one.
    Either way the run says so."""
    gate_pool: int = Field(default=4, ge=1, le=64)
    """Requests to a remote gate at the same time."""
    gate_kept_answers: int = Field(default=100_000, ge=0)
    """Answers of a remote gate that are stored, so that no pair is paid for twice; 0 for none."""
    gate_input_price: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """Price of a million input tokens of the remote gate, for the trace's estimate; 0 for none."""
    gate_output_price: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    """As ``gate_input_price``, for output tokens."""
    connectors: Path | None = None
    """File that declares the databases read tools may ask; default is ``connectors.toml`` in
    ``home``, if it is there. ``data/connectors.example.toml`` shows every key."""
    thresholds: GateThresholds = GateThresholds()
    max_rounds: int = Field(default=4, ge=1, le=8)
    round_time_ms: float = Field(default=8_000.0, gt=0)
    """No retrieval round after the first begins once a run has taken so long."""
    round_cost: float = Field(default=0.25, ge=0, allow_inf_nan=False)
    """Nor once its remote models cost more than this, at the prices given above."""
    top_k: int = Field(default=16, ge=1, le=100)
    candidate_k: int = Field(default=60, ge=1, le=1000)
    token_budget: int = Field(default=2400, ge=200)
    max_file_mb: int = Field(default=20, ge=1)
    undo_seconds: int = Field(default=10, ge=0)
    lease_minutes: int = Field(default=15, ge=1)
    demo_sign_in: bool = True
    """Offer the demo users, on loopback only."""
    demo_sign_in_anywhere: bool = False
    """Offer them to other machines too. Anybody who reaches the port can then act as anyone."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over the values given by the caller (which come from the file).

        A key under its vendor's own name counts where we have no other.
        """
        return env_settings, init_settings, _VendorKeys(settings_cls)

    @field_validator("anthropic_base_url", "typesafe_base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("give an address such as https://host/path")
        if parts.username or parts.password:
            raise ValueError("put the key into its own setting, not into the address")
        return value.rstrip("/")

    @field_validator("anthropic_api_key", "typesafe_api_key")
    @classmethod
    def _is_key(cls, value: SecretStr | None) -> SecretStr | None:
        key = value.get_secret_value().strip() if value else ""
        if not all(" " < letter < "\x7f" for letter in key):
            raise ValueError("a key is printable ASCII without spaces")
        return SecretStr(key) if key else None

    @field_validator("gate")
    @classmethod
    def _has_key(cls, value: str, info: ValidationInfo) -> str:
        needed = _KEYS.get(value)
        if needed and needed in info.data and info.data[needed] is None:
            raise ValueError(
                f"the {value} gate needs a key: set {PREFIX}{needed.upper()} or {needed.upper()}"
            )
        return value

    @property
    def model_folder(self) -> Path:
        """Where the exported encoder is kept."""
        return self.model_cache or self.home / "models"

    @property
    def sqlalchemy_url(self) -> str:
        """The case store's URL, the default filled in."""
        if self.database_url is not None:
            return self.database_url.get_secret_value()
        return f"sqlite:///{self.database_file.resolve()}"

    @property
    def database_file(self) -> Path:
        """Where the case store lies unless ``database_url`` names another."""
        return self.home / "countersign.db"

    @property
    def connectors_file(self) -> Path:
        """Where connectors are declared."""
        return self.connectors or self.home / "connectors.toml"

    def shown(self) -> dict[str, str]:
        """All settings as text, secrets redacted."""
        return {name: str(value) for name, value in self.model_dump(mode="json").items()}


class _VendorKeys(PydanticBaseSettingsSource):
    """``ANTHROPIC_API_KEY`` and ``TYPESAFE_API_KEY``, as their vendors name them."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The value from the environment under the field's own name."""
        named = field_name in _KEYS.values()
        return (os.environ.get(field_name.upper()) if named else None), field_name, False

    def __call__(self) -> dict[str, Any]:
        """The keys that are set."""
        found = {name: os.environ.get(name.upper(), "") for name in _KEYS.values()}
        return {name: key for name, key in found.items() if key}


def load_settings(home: Path | None = None) -> Settings:
    """Settings from environment and file. Raises ``BadInput`` naming the key and the remedy."""
    chosen = home or Path(os.environ.get(f"{PREFIX}HOME", "var"))
    _refuse_unknown_environment()
    try:
        settings = Settings(**_file_values(chosen / "countersign.toml"))
        return settings.model_copy(update={"home": chosen.resolve()})
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise BadInput(
                f"setting {key!r}: there is no such setting. Remove it from "
                f"{chosen / 'countersign.toml'}; `countersign settings` lists them all."
            ) from error
        raise BadInput(
            f"setting {key!r}: {first['msg']}. "
            f"Change {PREFIX}{key.upper().replace('.', '__')} or {chosen / 'countersign.toml'}."
        ) from error


def _file_values(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path}: not readable as TOML ({error}). Fix or remove the file."
        ) from error


def _refuse_unknown_environment() -> None:
    known = {f"{PREFIX}{name}".upper() for name in Settings.model_fields}
    for name in os.environ:
        if not name.upper().startswith(PREFIX) or name.upper() in _NOT_SETTINGS:
            continue
        if name.upper().split("__")[0] not in known:
            raise BadInput(f"{name}: no such setting. `countersign settings` lists them all.")
