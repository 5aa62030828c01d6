"""The import rule, and the few other promises a reader can break without noticing."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[1]


def test_every_import_points_down() -> None:
    assert lint_imports(no_cache=True) == 0


def test_no_page_is_served_without_sign_in() -> None:
    """A loose file in ``pages/`` is served by its address without running ``app.py``."""
    assert [p.name for p in (ROOT / "pages").glob("*.py")] == ["__init__.py"]


def test_modules_stay_small_enough_to_read_at_one_sitting() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("core", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 300
    }
    assert long == {}


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for folder in ("core", "pages")
        for path in (ROOT / folder).rglob("*.py")
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_the_map_of_the_text_modules_names_each_or_its_family() -> None:
    room = ROOT / "core" / "text"
    modules = {path.stem for path in room.glob("*.py")} - {"__init__"}
    text = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    named = set(re.findall(r"[a-z_]+", text))
    families = {name for name in named if name in modules or name.endswith("_")}
    lost = {
        module
        for module in modules - named
        if not any(module.startswith(name.rstrip("_") + "_") for name in families)
    }
    assert lost == set()
