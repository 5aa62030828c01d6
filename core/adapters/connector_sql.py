"""Checks an administrator's SQL before it may run: one SELECT, bound parameters, the tenant bound.

This is a reader of text, not of SQL: it knows comments, quoted words and literals, and beyond that
only names, binds and semicolons. What it lets through is still run read-only, with a time limit,
and every row is checked again.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

TENANT = "tenant"
"""The bind that code fills from the caller's rights."""

_PIECES = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)"
    r"|(?P<literal>'(?:[^']|'')*'|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"
    r'|(?P<quoted>"(?:[^"]|"")*"|`[^`]*`|\[[\w .$-]*\])'
    r"|(?P<open>'|\"|/\*|\$\w*\$)",
    re.DOTALL,
)
_WRITES = re.compile(
    r"insert|update|delete|merge|into|create|drop|alter|truncate|grant|revoke|attach|detach|pragma"
    r"|vacuum|copy|call|exec|execute|lock"
)
"""A statement that begins with SELECT or WITH can change something through these alone."""
_ACTS = re.compile(
    r"\b(?P<name>dblink\w*|lo_\w+|pg_(?:terminate|cancel)_backend|pg_(?:try_)?advisory\w*|pg_read_\w+"
    r"|pg_file_\w+|pg_ls_\w+|pg_(?:reload_conf|rotate_logfile|notify|logical_emit_message)"
    r"|set_config|setval|nextval|(?:query|cursor)_to_xml\w*|load_file|xp_\w+|sp_\w+)\"?\s*\(",
    re.IGNORECASE,
)
"""Functions that act, or read beyond the tables, from within a SELECT that writes nothing."""
_SET_OPERATION = re.compile(r"\b(?:union|intersect|except)\b", re.IGNORECASE)
_READS_ON = r"(?:select|distinct|all|where|and|or|not|on|by|having|using|in|when|then|else|is|case)"
"""Words after which a name is a column that is read, not a new name for what stands before it."""
_BIND = re.compile(r"(?<![:\w]):(?P<name>[A-Za-z_]\w*)")
_FORMATTED = re.compile(r"\{[^}]*\}|%\(\w+\)s|%s|\$\d+|(?<!\w)\?(?!\w)|\$\{")
_IN_LITERAL = re.compile(r"\{\w+\}|%\(\w+\)s|%s|\$\{")
_WORD = re.compile(r"[A-Za-z_]\w*")


class _Read(NamedTuple):
    bare: str
    literals: tuple[str, ...]
    unclosed: bool


def fault_in(sql: str, parameters: Collection[str], tenant_column: str) -> str:
    """What is wrong with ``sql`` and how to put it right; empty when it may run.

    ``parameters`` are those declared, ``tenant_column`` the result column that names the tenant.
    """
    read = _read(sql)
    return (
        _form_fault(read)
        or _bind_fault(read, frozenset(parameters))
        or _tenant_fault(read.bare, tenant_column)
    )


def _read(sql: str) -> _Read:
    """The text without comments, with literals emptied and names unquoted."""
    literals: list[str] = []
    unclosed = False

    def plain(match: re.Match[str]) -> str:
        nonlocal unclosed
        if match["literal"] is not None:
            literals.append(match["literal"])
            return "''"
        if match["quoted"] is not None:
            # A quoted name is a name, whatever word it is: it must not read as a statement.
            return f'"{match["quoted"][1:-1]}"'
        unclosed = unclosed or match["open"] is not None
        return " "

    bare = _PIECES.sub(plain, sql).strip().rstrip(";").strip()
    return _Read(bare, tuple(literals), unclosed)


def bindable(sql: str) -> str:
    """``sql`` for ``sqlalchemy.text``: without comments, and colons in literals are no binds."""

    def escaped(match: re.Match[str]) -> str:
        return " " if match["comment"] is not None else match[0].replace(":", "\\:")

    return _PIECES.sub(escaped, sql).strip().rstrip(";")


def _form_fault(read: _Read) -> str:
    named = re.sub(r'"[^"]*"', '""', read.bare)
    words = [word.lower() for word in _WORD.findall(named)]
    if read.unclosed:
        return "a quotation or a comment is not closed. Close it."
    if any("\\'" in literal for literal in read.literals):
        return "a backslash stands before a quotation mark. Databases differ on it; leave it out."
    if not words or words[0] not in ("select", "with"):
        return "it is no SELECT. A connector only reads: begin with SELECT or WITH."
    if ";" in named:
        return "it holds more than one statement. Give each query one SELECT."
    written = next((word for word in words if _WRITES.fullmatch(word)), "")
    if written:
        return (
            f"it holds {written.upper()}. A connector only reads; "
            f'put a column of that name into quotation marks ("{written}").'
        )
    acting = _ACTS.search(read.bare)
    return f"it calls {acting['name']}, which does more than read. Leave it out." if acting else ""


def _bind_fault(read: _Read, parameters: frozenset[str]) -> str:
    named = re.sub(r'"[^"]*"', '""', read.bare)
    formatted = _formatted(named, read.literals, parameters)
    if formatted:
        return (
            f"{formatted!r} looks like text put together by hand. "
            "Write parameters as :name outside quotation marks; they are bound."
        )
    bound = {match["name"] for match in _BIND.finditer(named)}
    unknown = sorted(bound - parameters - {TENANT})
    if unknown:
        return f"it binds :{unknown[0]}, which is not declared. Declare it under parameters."
    unused = sorted(parameters - bound)
    if unused:
        return f"the parameter {unused[0]!r} is not used. Bind it as :{unused[0]} or remove it."
    return ""


def _formatted(named: str, literals: Collection[str], parameters: frozenset[str]) -> str:
    """What in the text would be filled in by string formatting, or binds within quotation marks."""
    for pattern, texts in ((_FORMATTED, (named,)), (_IN_LITERAL, literals)):
        found = next((m for text in texts if (m := pattern.search(text))), None)
        if found:
            return found[0]
    quoted = (m for text in literals for m in _BIND.finditer(text))
    return next((m[0] for m in quoted if m["name"] in parameters | {TENANT}), "")


def _tenant_fault(bare: str, tenant_column: str) -> str:
    column = rf'(?:"?\w+"?\s*\.\s*)?"?{re.escape(tenant_column)}"?'
    compared = re.compile(
        rf"(?<![\w.\"]){column}\s*=\s*:{TENANT}\b|(?<![:\w]):{TENANT}\s*=\s*{column}(?!\w)",
        re.IGNORECASE,
    )
    everywhere = sum(match["name"] == TENANT for match in _BIND.finditer(bare))
    limits = len(compared.findall(bare))
    if not limits or everywhere != limits:
        return (
            f"rows are not limited to the caller's tenant. Add {tenant_column} = :{TENANT} to its "
            f"WHERE, and use :{TENANT} for nothing else."
        )
    if limits <= len(_SET_OPERATION.findall(_outermost(bare))):
        return f"a part of it is not limited to a tenant. Add {tenant_column} = :{TENANT} to each."
    return _made_up_fault(bare, tenant_column)


def _outermost(bare: str) -> str:
    """What stands within no brackets; its parts each add rows to the result."""
    depth, kept = 0, []
    for letter in re.sub(r'"[^"]*"', '""', bare):
        depth += (letter == "(") - (letter == ")")
        kept.append(letter if depth == 0 else " ")
    return "".join(kept)


def _made_up_fault(bare: str, tenant_column: str) -> str:
    """Whether the tenant that a row is checked by is worked out by the query, not read."""
    name = rf'"?{re.escape(tenant_column)}"?'
    renamed = re.compile(
        rf"(?<![\w\"])(?P<of>[^\s,(]+)\s+as\s+{name}(?![\w\"])"
        rf"|(?:['\)\]]\s*|(?:\"|(?<![\w\"])(?!{_READS_ON}\b)\w+)\s+){name}(?![\w\"])",
        re.IGNORECASE,
    )
    itself = re.compile(rf'(?:"?\w+"?\s*\.\s*)?{name}', re.IGNORECASE)
    for match in renamed.finditer(bare):
        if match["of"] is None or not itself.fullmatch(match["of"]):
            return (
                f"it makes {tenant_column} up. Select the column itself: "
                "each row is checked by the tenant that it was stored for."
            )
    return ""
