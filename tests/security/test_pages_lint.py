"""Pages draw outside text through one door: nothing else may reach Streamlit's markdown or HTML."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*(ROOT / "pages").rglob("*.py"), ROOT / "app.py"])
DOORS = {"pages/components/untrusted.py", "pages/components/look.py"}
# Calls that draw HTML, or markdown without a label's length in it.
RAW = {"html", "write", "write_stream", "latex", "components", "iframe", "pdf"}
# Everything whose first words Streamlit reads as markdown.
MARKDOWN = {
    *("markdown", "caption", "title", "header", "subheader", "error", "warning", "info", "success"),
    *("toast", "button", "download_button", "form_submit_button", "link_button", "checkbox"),
    *("toggle", "radio", "expander", "popover", "status", "metric", "badge", "tabs", "text_input"),
    *("text_area", "selectbox", "slider", "date_input", "segmented_control", "spinner", "table"),
    *("multiselect", "number_input", "pills", "chat_message", "dialog", "page_link", "help"),
}


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func.attr, node


def _is_safe(node: ast.expr, literals: set[str]) -> bool:
    """A literal, label(…), a loop variable over literals, or an f-string of these and ``:d``."""
    if isinstance(node, ast.Constant) or _is_label(node):
        return True
    if isinstance(node, ast.Name):
        return node.id in literals
    if isinstance(node, ast.List | ast.Tuple):
        return all(_is_safe(item, literals) for item in node.elts)
    if isinstance(node, ast.JoinedStr):
        return all(_is_safe_piece(piece) for piece in node.values)
    return False


def _is_safe_piece(piece: ast.expr) -> bool:
    if isinstance(piece, ast.Constant):
        return True
    if not isinstance(piece, ast.FormattedValue):
        return False
    if isinstance(piece.format_spec, ast.JoinedStr) and _spec(piece.format_spec) == "d":
        return True  # a format of d takes whole numbers only
    return _is_label(piece.value)


def _is_label(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("label", "_lines")


def _spec(spec: ast.JoinedStr) -> str:
    return "".join(str(p.value) for p in spec.values if isinstance(p, ast.Constant))


def _literal_names(tree: ast.AST) -> set[str]:
    """Names bound by ``for … in`` over a tuple of literals."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.For) and _all_literal(node.iter):
            names |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    return names


def _all_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def _drawing(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Calls on Streamlit or on a container of it (``left.selectbox``)."""
    for name, call in _calls(tree):
        owner = ast.unparse(call.func.value)  # type: ignore[attr-defined]
        if owner == "st" or owner in ("left", "right", "column", "st.sidebar"):
            yield name, call


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_outside_text_reaches_streamlit_through_the_one_door_only(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    literals = _literal_names(tree)
    at_door = str(path.relative_to(ROOT)) in DOORS
    wrong = [
        f"line {call.lineno}: st.{name}"
        for name, call in _drawing(tree)
        if (name in RAW and not at_door)
        or (name in MARKDOWN and call.args and not _is_safe(call.args[0], literals))
    ]

    assert wrong == []
    assert "unsafe_allow_html" not in source
    assert "components.v1" not in source


def test_the_lint_sees_what_it_is_there_for() -> None:
    bad = ("st.markdown(passage.text)", "st.error(f'{error}')", "st.button(f'Open {title}')")

    for line in bad:
        ((_, call),) = list(_drawing(ast.parse(line)))
        assert not _is_safe(call.args[0], set()), line


def test_javascript_comes_from_our_own_file_only() -> None:
    used = [p for p in SOURCES if "unsafe_allow_javascript" in p.read_text(encoding="utf-8")]

    assert [str(p.relative_to(ROOT)) for p in used] == ["pages/components/look.py"]
    assert '<script src="/assets/console.js"></script>' in used[0].read_text(encoding="utf-8")
