"""The injection scanners that the bench sets beside our gate. None is needed by the product.

They come with the extra ``bench``; both are rules alone, without dependencies or a network.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MODULES = {
    "clawguard": ("core.adapters.peer_clawguard", "ClawGuardScanner"),
    "picket": ("core.adapters.peer_picket", "PicketScanner"),
}
SCANNERS = tuple(_MODULES)
SCANNER_PACKAGES = ("clawguard-core", "aicordon")


def scanners() -> Mapping[str, Callable[[], Any]]:
    """How to open each scanner."""
    return {name: partial(open_scanner, name) for name in SCANNERS}


def open_scanner(name: str) -> Any:
    """The scanner ``name``. Raises ``Unavailable`` naming the extra where it is not installed."""
    module, kind = _MODULES[name]
    try:
        return getattr(import_module(module), kind)()
    except ImportError as error:
        raise Unavailable(
            f"{name} is not installed ({error.name or error}); `make bench` installs it, or: "
            "pip install -c constraints.txt -e '.[bench]'"
        ) from error
