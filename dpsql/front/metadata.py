"""What there is: SHOW, DESCRIBE, and the tables of `information_schema`, from the policy alone.

    SHOW TABLES         SELECT table_name AS name FROM information_schema.tables ORDER BY ALL
    DESCRIBE t          SELECT * FROM describe(t), which `tables` makes a VALUES of

Claim: an answer tells nothing that is private, nor of any table that is not declared. Why: its rows
are made here, of a `Schema` and of how a query was bound; no engine with data is asked, and what
becomes of them is a query of constants, like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.core.schema import Column, Schema, Table, View
from dpsql.errors import Rejected, Span
from dpsql.front.named import everything
from dpsql.front.parse import parse, reject, set_span
from dpsql.front.scope import fold, suggestion

Rows = list[tuple[str | int | None, ...]]
Described = Callable[[exp.Query], Rows]

_FIRST = re.compile(
    r"(?>\s+|--[^\n]*\n|/\*(?>.*?\*/))*+(show|describe|desc|explain|summarize|pragma)\b",
    re.IGNORECASE | re.DOTALL,
)
"""Without a way back: else the ways to read a row of comments would double with each."""
_REASONS = {
    "explain": ("EXPLAIN is a query of its own", "run it alone, with dpsql.connect and run"),
    "summarize": (
        "SUMMARIZE shows values of single rows",
        "DESCRIBE t has columns and types; ask for aggregates",
    ),
    "pragma": ("a PRAGMA is the engine's own matter", "DESCRIBE t has columns and types"),
}
_LISTS = {
    "tables": "SELECT table_name AS name FROM information_schema.tables ORDER BY ALL",
    "all tables": "SELECT table_catalog AS database, table_schema AS schema, table_name AS name, "
    "LIST(column_name ORDER BY ordinal_position) AS column_names, "
    "LIST(data_type ORDER BY ordinal_position) AS column_types, FALSE AS temporary "
    "FROM information_schema.columns GROUP BY ALL ORDER BY ALL",
    "databases": "SELECT DISTINCT catalog_name AS database_name FROM information_schema.schemata",
    "schemas": "SELECT catalog_name AS database_name, schema_name, TRUE AS current "
    "FROM information_schema.schemata ORDER BY ALL",
}
_LISTS[""] = _LISTS["all tables"]
_QUERY = {TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN, TokenType.FROM, TokenType.VALUES}
DESCRIBE = "dpsql describe"
"""The table function that stands for DESCRIBE; a name that a text cannot call."""


def first_word(text: str) -> tuple[str, str]:
    """SHOW, EXPLAIN and the like, in lower case, and the text with blanks instead; "" without."""
    found = _FIRST.match(text)
    if found is None:
        return "", text
    return found[1].lower(), " " * found.end() + text[found.end() :]


def statement(
    text: str, tokenize: Callable[[str], list[Token]], query: Callable[[str], exp.Query]
) -> exp.Query | None:
    """The query that a statement about tables stands for; None for other statements.

    Args:
        text: all of it.
        tokenize: splits a text.
        query: parses what DESCRIBE is to tell of, if that is a query.

    Raises:
        Rejected: DP102 for what tells more than the policy does; what `query` raises.
    """
    word, rest = first_word(text)
    if not word:
        return None
    end = len(rest) - len(rest.lstrip()) if rest.strip() else len(rest)
    at = text[:end].lower().rfind(word)
    start = Span(at, at + len(word))
    if word in _REASONS:
        message, help = _REASONS[word]
        raise reject("DP102", message, start, help)
    tokens = tokenize(rest) if rest.strip() else []
    tokens = tokens[:-1] if tokens and tokens[-1].token_type == TokenType.SEMICOLON else tokens
    said = [token.text.lower() for token in tokens]
    if not said or (word == "show" and " ".join(said) in _LISTS):
        return parse(_LISTS[" ".join(said)])
    if word != "show" and tokens[0].token_type in _QUERY:
        return _describe(query(rest))
    if word == "show" and said[:2] in (["columns", "from"], ["columns", "in"]):
        tokens = tokens[2:]
    named, dots = tokens[::2], tokens[1::2]
    plain = len(tokens) in (1, 3, 5) and all(t.token_type == TokenType.DOT for t in dots)
    if not plain or any(t.token_type == TokenType.STRING for t in named):
        help = "SHOW TABLES, DESCRIBE t and DESCRIBE SELECT … are"
        raise reject("DP102", f"this {word.upper()} is not answered", start, help)
    return _describe(_table(named))


def _table(parts: list[Token]) -> exp.Table:
    names = []
    for token in parts:
        names.append(exp.to_identifier(token.text, quoted=token.token_type == TokenType.IDENTIFIER))
        names[-1].meta.update(start=token.start, end=token.end)
    made = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(names), strict=False)))
    set_span(made, Span(parts[0].start, parts[-1].end + 1))
    return made


def _describe(what: exp.Expr) -> exp.Query:
    called = exp.Anonymous(this=DESCRIBE, expressions=[what])
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(this=called)))


# --- the rows ---

DESCRIBED = ("column_name", "column_type", "null", "key", "default", "extra")
"""The columns of DESCRIBE."""


def described(table: Table) -> Rows:
    """The rows of DESCRIBE for a table."""
    return [
        (c.name, str(c.type), _nullable(c), "PRI" if c.name in table.key else None, None, _said(c))
        for c in table.columns
    ]


def _nullable(column: Column) -> str:
    known = not column.nullable or column.declared_nullable is False
    return "NO" if known else "YES"


def _said(column: Column) -> str | None:
    """What is declared of a column, in words."""
    return "; ".join(_facts(column)) or None


def _facts(column: Column) -> Iterator[str]:
    if column.bounds is not None:
        yield "from {} to {}".format(*column.bounds)
    if column.values is not None and len(column.values) <= 20:
        yield f"one of {', '.join(map(str, column.values))}"
    if column.references is not None:
        yield f"references {column.references.table}.{column.references.column}"
    if column.max_rows is not None:
        yield "unique" if column.max_rows == 1 else f"at most {column.max_rows:,} rows each"


def _tables(schema: Schema, _: Described) -> Rows:
    return [
        (*t.path, "BASE TABLE", "NO", "private" if t.private else "public")
        for t in schema.tables.values()
    ] + [(*view.path, "VIEW", "NO", None) for view in schema.views.values()]


def _columns(schema: Schema, described: Described) -> Rows:
    of_tables: Rows = [
        (
            *(*t.path, c.name, place, None, _nullable(c), str(c.type)),
            c.max_length if c.max_length_said else None,
            *((c.type.precision, c.type.scale) if c.type.is_decimal else (None, None)),
            _said(c),
        )
        for t in schema.tables.values()
        for place, c in enumerate(t.columns, 1)
    ]
    return [*of_tables, *(row for view in schema.views.values() for row in _shown(view, described))]


def _shown(view: View, described: Described) -> Rows:
    """The columns of a view; none of one whose definition is not accepted."""
    rows: Rows = []
    with suppress(Rejected):
        rows = described(everything(view))
    return [
        (*view.path, name, place, None, "YES", kind, None, None, None, None)
        for place, (name, kind, *_) in enumerate(rows, 1)
    ]


def _schemata(schema: Schema, _: Described) -> Rows:
    return [*dict.fromkeys(one.path[:2] for one in schema.every)]


_KNOWN: dict[str, tuple[str, Callable[[Schema, Described], Rows]]] = {
    "tables": (
        "table_catalog table_schema table_name table_type is_insertable_into TABLE_COMMENT",
        _tables,
    ),
    "columns": (
        "table_catalog table_schema table_name column_name ordinal_position column_default "
        "is_nullable data_type character_maximum_length numeric_precision numeric_scale "
        "COLUMN_COMMENT",
        _columns,
    ),
    "schemata": ("catalog_name schema_name", _schemata),
}
NUMBERS = {"ordinal_position", "character_maximum_length", "numeric_precision", "numeric_scale"}
"""The columns that are no texts."""


def information(
    node: exp.Table, schema: Schema, described: Described
) -> tuple[tuple[str, ...], Rows]:
    """Names and rows of a table of `information_schema`.

    Args:
        node: the table.
        schema: what there is.
        described: the columns of a query, as DESCRIBE has them.

    Raises:
        Rejected: DP201 for one that is not made here.
    """
    found = _KNOWN.get(fold(node.name))
    if found is None:
        help = suggestion(node.name, _KNOWN) or f"there are {', '.join(_KNOWN)}"
        raise reject("DP201", f"no table {node.name} in information_schema", node, help)
    return tuple(found[0].split()), found[1](schema, described)
