"""Does the engine accept a query, and one over public tables reach nothing else? An empty database
of their shape is asked, so that what is wrong is a diagnostic before anything is read, and free.

Claim: what runs names those tables and WITH queries alone, and calls no function that depends on
more than its arguments. It is shown on the engine's own reading of the very text that runs, so it
holds also where our parser reads or prints a text otherwise than the engine reads it. The names of
tables, a WITH query's name where it is not visible, are the engine's to find: so no WITH query may
have the name of a view of the engine's. Only a PIVOT without its values the engine cannot show us:
it stands on the list of nodes in public.py alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import duckdb

from dpsql.core.emit.plans import identifier
from dpsql.core.functions.calculator import calculator
from dpsql.core.schema import Schema, Table
from dpsql.core.sqltypes import parse_type
from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.front.written import of_elsewhere
from dpsql.types import Type

_LEFT = "SELECT type_name FROM duckdb_types() WHERE NOT internal"
"""A PIVOT without its values leaves a type with them."""

_made: list[tuple[Schema, dict[str, str]]] = []
"""The schema of the last query, and those of its tables that the calculator holds, each with its
columns. What another schema has not, or otherwise, is dropped: what the engine says of a name must
be about this one's.
"""


def check_public(
    sql: str, tables: tuple[Table, ...], schema: Schema, text: str | None = None
) -> list[tuple[str, str]]:
    """Bind the query against empty tables.

    Args:
        sql: the query.
        tables: those that it names.
        schema: of which they are.
        text: as it was written, for the places of problems, if that is another one.

    Returns:
        The names and types of its columns, as the engine has them.

    Raises:
        Rejected: DP105 with the engine's own words, which depend on the query and the schema alone;
            DP204 for what reaches further.
    """
    problem: Diagnostic | None = None
    with calculator() as connection:
        try:
            held = _held(connection, schema)
            for table in tables:
                _make(connection, table, held)
            described = connection.execute(f"DESCRIBE {sql}").fetchall()
            connection.execute(f"EXPLAIN {sql}")
            _check_reach(connection, sql, {t.name.casefold() for t in tables})
            return [(str(row[0]), str(row[1])) for row in described]
        except duckdb.Error as error:
            problem = _said(str(error), text or sql)
    raise Rejected(problem)


def check_read(sql: str, tables: Iterable[Table], schema: Schema, types: Sequence[Type]) -> None:
    """Is a query that was accepted one of the engine's, and of the same kinds of columns?

    What our parser takes for SQL, and the engine does not (a function with an argument too many),
    is none; whether an answer may fail on values is no matter here.

    Args:
        sql: the text, as the engine's parser reads it.
        tables: those that it names, and perhaps more.
        schema: of which they are.
        types: of the columns, as they were analysed.

    Raises:
        Rejected: DP105 with the engine's own words.
    """
    problem: Diagnostic | None = None
    named = tuple(tables)
    if not all(table.columns for table in named):
        return  # the engine has no such tables: of a kind of unit of which only rows are counted
    with calculator() as connection:
        try:
            held = _held(connection, schema)
            for table in named:
                _make(connection, table, held)
            described = connection.execute(f"DESCRIBE {sql}").fetchall()
            found = [parse_type(str(row[1])) for row in described]
            if len(found) == len(types):  # but for a PIVOT, whose columns are the values that occur
                for place, (mine, its) in enumerate(zip(types, found, strict=True), 1):
                    if _sort(mine) not in ("", _sort(its)):
                        message = f"DuckDB reads column {place} as {its}, and dpsql as {mine}"
                        help = None
                        if described[place - 1][1] == '"NULL"':
                            message = f"column {place} is NULL, whatever the rows are"
                            help = "leave it out, or write NULL"
                        problem = Diagnostic("DP105", message, None, help)
        except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as error:
            problem = _said(str(error), sql)
        except duckdb.Error:
            pass
    if problem is not None:
        raise Rejected(problem)


_PLACE = re.compile(r"LINE (\d+): (.*)\n( *)(\^+)\s*$")


def _said(error: str, sql: str) -> Diagnostic:
    """The engine's words, with the place where it is one, and what it thinks was meant."""
    message = error.partition("\n")[0][:300]
    meant = re.search(r'Did you mean "([^"\n]+)"', error)
    found, span = _PLACE.search(error), None
    if found is not None:
        start = len(found[3]) - len(f"LINE {found[1]}: ")
        word = found[2][start : start + len(found[4])]
        if word and sql.count(word) == 1:
            span = Span(sql.index(word), sql.index(word) + len(word))
    unknown = re.search(r"with name (\w+) does not exist", message)
    help = None if unknown is None else of_elsewhere(unknown[1])
    if help is None and meant is not None:
        help = f"perhaps {meant[1]}"
    return Diagnostic("DP105", message, span, help)


def _sort(of: Type) -> str:
    tests = {"number": of.is_numeric, "text": of.is_string, "boolean": of.is_boolean}
    zoned = of.name == "TIMESTAMP WITH TIME ZONE"  # one of UTC, as which dpsql has it without one
    return next(
        (name for name, holds in tests.items() if holds), "time" * (of.is_temporal or zoned)
    )


def _held(connection: duckdb.DuckDBPyConnection, schema: Schema) -> dict[str, str]:
    """The tables that are there by name, all of this schema, with their columns."""
    if not _made or _made[0][0] is not schema:
        before, same = _made[0][1] if _made else {}, dict[str, str]()
        for name, columns in before.items():
            table = schema.table(name)
            if table is not None and table.name == name and _columns(table) == columns:
                same[name] = columns
            else:
                connection.execute(f"DROP TABLE IF EXISTS {identifier(name).sql()}")
        _made[:] = [(schema, same)]
    return _made[0][1]


def _make(connection: duckdb.DuckDBPyConnection, table: Table, held: dict[str, str]) -> None:
    if table.name not in held:
        columns = _columns(table)
        connection.execute(f"CREATE TABLE {identifier(table.name).sql()} ({columns})")
        held[table.name] = columns


@lru_cache(maxsize=1024)
def _columns(table: Table) -> str:
    """As it is made; a table is equal to another of the very same columns, which never change."""
    return ", ".join(f"{identifier(c.name).sql()} {c.type}" for c in table.columns)


def _check_reach(connection: duckdb.DuckDBPyConnection, sql: str, tables: set[str]) -> None:
    row = connection.execute("SELECT json_serialize_sql($1::VARCHAR)", [sql]).fetchone()
    assert row is not None
    read = json.loads(row[0])
    if read["error"]:
        if read["error_type"] == "not implemented":
            for (name,) in connection.execute(_LEFT).fetchall():
                connection.execute(f"DROP TYPE {identifier(name).sql()}")
            return
        raise Rejected(Diagnostic("DP105", "the engine does not read it as one SELECT"))
    pure, taken = _engine()
    found = list(_nodes(read["statements"]))
    own = {str(e["key"]).casefold() for n in found for e in n.get("cte_map", {}).get("map", ())}
    if len(read["statements"]) != 1 or own & taken:
        raise Rejected(Diagnostic("DP204", "a WITH query has the name of a table of the engine's"))
    for node in found:
        kind = node.get("type")
        if kind == "BASE_TABLE":
            plain = not node["catalog_name"] and node["schema_name"].casefold() in ("", "main")
            if not plain or node["table_name"].casefold() not in tables | own:
                raise Rejected(Diagnostic("DP204", "the engine reads another table in it"))
        elif kind == "TABLE_FUNCTION" and node["function"].get("function_name") != "unnest":
            raise Rejected(Diagnostic("DP204", "the engine reads a table function in it"))
        elif node.get("function_name") == "age" and len(node["arguments"]) == 1:
            help = "write AGE(CURRENT_DATE, x)"
            raise Rejected(Diagnostic("DP204", "AGE(x) reads a clock", help=help))
        elif "function_name" in node and node["function_name"].casefold() not in pure:
            message = f"the function {node['function_name']} is not on the allow-list"
            raise Rejected(Diagnostic("DP204", message))


def _nodes(node: Any) -> Iterator[dict[str, Any]]:
    below = node
    if isinstance(node, dict):
        yield node
        below = node.values()
    for child in below if isinstance(node, dict | list) else ():
        yield from _nodes(child)


_MACROS = ("list_", "array_", "json_", "map_")
_ALSO = frozenset(
    [
        "if",
        "nullif",
        "split_part",
        "date_add",
        "fdiv",
        "fmod",
        "geomean",
        "geometric_mean",
        "wavg",
        "weighted_avg",
    ]
)
"""The engine's macros that compute from their arguments."""

_NOT = frozenset(["version"])
"""What the engine calls consistent, and is so for one process at best."""

_ZONED = ("timezone", "make_timestamptz")
"""Functions of their arguments and the session's zone, which is UTC (`engine.sandbox`); so is
whatever takes a moment with a zone."""


@lru_cache(maxsize=1)
def _engine() -> tuple[frozenset[str], frozenset[str]]:
    """The names of its functions of their arguments alone, and those of its views."""
    functions = """SELECT function_name, function_type, stability, parameter_types::VARCHAR
        FROM duckdb_functions()"""
    names = "SELECT view_name FROM duckdb_views() WHERE internal"
    with duckdb.connect(":memory:") as connection:
        rows = connection.execute(functions).fetchall()
        views = connection.execute(names).fetchall()
    pure, impure = {"unnest"}, set(_NOT)
    for name, kind, stability, takes in rows:
        if kind in ("table", "table_macro", "pragma"):
            continue  # they are called in FROM, or as a statement
        macro = kind == "macro" and (name in _ALSO or name.startswith(_MACROS))
        zoned = name in _ZONED or "TIME ZONE" in takes or "TIMESTAMPTZ" in takes
        within = zoned and stability == "CONSISTENT_WITHIN_QUERY"
        (pure if stability == "CONSISTENT" or macro or within else impure).add(name)
    return frozenset(pure - impure), frozenset(str(n).casefold() for (n,) in views)
