"""Governance kept beside the files: a sidecar for one file, a manifest for all below a folder.

What a document says of itself comes first, then its sidecar ``<name>.meta.yaml``, then the
manifest ``_collection.yaml`` of its folder, then those of the folders around it. One that cannot
be read holds back everything it governs: better nothing than something under laxer rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from os.path import lexists
from pathlib import Path
from typing import Any, NamedTuple

from core.errors import BadSource
from core.sources.documents import FoundDocument, plain
from core.sources.front_matter import read_yaml
from core.sources.governance import FIELDS, IDENTITY, read_governance, suspicious_key
from core.sources.layers import stated

MANIFESTS = ("_collection.yaml", "_collection.yml")
SIDECARS = (".meta.yaml", ".meta.yml")
_MAX_BYTES = 64_000
_MANY = frozenset({".jsonl", ".ndjson"})


class Beside(NamedTuple):
    """What is known of a file from beside it."""

    fields: Mapping[str, Any]
    identity: Mapping[str, Any]


class Collections:
    """Reads sidecars and manifests, each manifest once."""

    def __init__(self) -> None:
        self._known: dict[Path, dict[str, Any] | BadSource] = {}
        self._together: dict[Path, dict[str, Any]] = {}
        self._resolved: dict[Path, Path] = {}
        self._unsaid: list[BadSource] = []

    def of(self, path: Path) -> Beside:
        """What stands beside ``path``. Raises ``BadSource`` naming what is wrong beside it.

        A link is governed by what stands beside the file it leads to.
        """
        real = path.resolve() if path.is_symlink() else self._folder(path.parent) / path.name
        try:
            fields, identity = _sidecar(real)
        except BadSource as error:
            reason = f"held back: in its sidecar {error.item}: {error.reason}"
            raise BadSource(error.item, reason, error.fix) from error
        if identity and real.suffix.lower() in _MANY:
            raise BadSource(
                str(real).encode("utf-8", "replace").decode(),
                f"held back: its sidecar names one document ({', '.join(sorted(identity))}), "
                "but the file holds many",
                "let each row name itself",
            )
        return Beside(stated(fields, self._around(real.parent)), identity)

    def unsaid(self) -> list[BadSource]:
        """Bad manifests met since this was last asked."""
        said, self._unsaid = self._unsaid, []
        return said

    def _folder(self, folder: Path) -> Path:
        if folder not in self._resolved:
            self._resolved[folder] = folder.resolve()
        return self._resolved[folder]

    def _around(self, folder: Path) -> dict[str, Any]:
        """What the manifests of a folder and of those around it say together."""
        known = self._together.get(folder)
        if known is None:
            known = self._manifest(folder)
            if folder != folder.parent:
                known = stated(known, self._around(folder.parent))
            self._together[folder] = known
        return known

    def _manifest(self, folder: Path) -> dict[str, Any]:
        known = self._known.get(folder)
        if known is None:
            try:
                known = _read_manifest(folder)
            except BadSource as error:
                known = error
                self._unsaid.append(error)
            self._known[folder] = known
        if isinstance(known, BadSource):
            raise BadSource(
                known.item, f"held back: its manifest {known.item} is bad", "repair the manifest"
            )
        return known


def is_beside(name: str) -> bool:
    """Whether a file of this name describes other files and is no document itself."""
    return name in MANIFESTS or name.endswith(SIDECARS)


def described(path: Path) -> Path | None:
    """The file that a sidecar describes; ``None`` for anything that is no sidecar."""
    for ending in SIDECARS:
        if path.name.endswith(ending) and path.name != ending:
            return path.with_name(path.name.removesuffix(ending))
    return None


def governed(found: FoundDocument, item: str, beside: Beside) -> FoundDocument:
    """The document with what stands beside its file; names only for the file's own document."""
    fields = stated(found.fields, beside.fields)
    changes: dict[str, Any] = {"fields": fields}
    if found.item == item:
        own = {key for key in IDENTITY if found.fields.get(key)}
        names = {key: value for key, value in beside.identity.items() if key not in own}
        if "id" in names:
            changes["document_id"] = names["id"]
            if found.source_id == found.document_id:
                changes["source_id"] = names["id"]
        changes |= {key: names[key] for key in ("title", "source_id") if key in names}
    return found.model_copy(update=changes)


def _sidecar(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    values = _values([path.with_name(path.name + ending) for ending in SIDECARS], names=IDENTITY)
    identity = {key: str(values.pop(key)).strip() for key in IDENTITY & set(values)}
    return values, {key: value for key, value in identity.items() if value}


def _read_manifest(folder: Path) -> dict[str, Any]:
    return _values([folder / name for name in MANIFESTS], names=frozenset())


def _values(places: list[Path], *, names: frozenset[str]) -> dict[str, Any]:
    """The fields in the one of ``places`` that is there; ``names`` are allowed beside governance.

    Raises ``BadSource`` when it cannot be read, says what nobody knows, or there are two.
    """
    there = [place for place in places if lexists(place)]
    if not there:
        return {}
    item = str(there[0]).encode("utf-8", "replace").decode()
    if len(there) > 1:
        raise BadSource(item, f"{there[1].name} lies beside it", "keep one of the two")
    values = read_yaml(item, _text(item, there[0]))
    for key in values:
        _refuse(item, key, names)
    for key in names & set(values):
        if isinstance(values[key], (list, dict)):
            raise BadSource(item, f"{key!r} must be one text", f"write `{key}: text`")
    read_governance(item, values, owner="nobody", text="")  # says what is wrong with a value
    return {key: plain(value) for key, value in values.items() if value is not None}


def _text(item: str, place: Path) -> str:
    if not place.is_file():
        raise BadSource(item, "it is not a file", "write it as a text file")
    try:
        with place.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise BadSource(
            item, f"it cannot be read ({error.strerror})", "make it readable"
        ) from error
    except UnicodeDecodeError as error:
        raise BadSource(item, "it is not UTF-8", "save it as UTF-8") from error
    if len(data) > _MAX_BYTES:
        raise BadSource(item, f"it is longer than {_MAX_BYTES:,} bytes", "keep only governance")
    return text


def _refuse(item: str, key: str, names: frozenset[str]) -> None:
    known = FIELDS | names
    if key in known:
        return
    near = suspicious_key([key])
    if near is not None and near[1] in known:
        raise BadSource(item, f"unknown key {key!r}", f"did you mean {near[1]!r}?")
    raise BadSource(
        item, f"unknown key {key!r}", f"remove it or use one of: {', '.join(sorted(known))}"
    )
