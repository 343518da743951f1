"""What is there, as `information_schema` and SHOW tell it: names and types, which are public.

Queries of information_schema run in a DuckDB of their own, that has these names and nothing else,
no file and no network; of the language it takes what `READ` has.
"""

from __future__ import annotations

import re
import sys
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import duckdb
from mysql_mimic.constants import INFO_SCHEMA
from sqlglot import exp
from sqlglot.errors import SqlglotError

from dpsql.core.schema import Reference, Schema, Table
from dpsql.errors import shallow
from dpsql.front.parse import reject
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.sent_columns import Rows, mysql_type, texts
from dpsql.serve.mysql.translate import READ, with_meaning

SCHEMA = "information_schema"
SECONDS = 5.0
MUCH = "this query gives too much: ask for less at once"
MOST_TABLES = 6
"""In one query: more, crossed with each other, would only be work."""

MOST_KEPT = 16

MOST_COLUMNS, MOST_BYTES = 200, 16 << 20
"""Of what a query gives: it is held as Python has it, beyond the limits of its DuckDB."""

LONGEST = 64 << 10
"""Bytes of the texts of one row: such a query may write any text, as often as it has rows."""

Known = Mapping[str, Mapping[str, Table]]
"""Tables by the names of data sets, and their own."""

_SHAPES: Mapping[str, Mapping[str, str]] = cast(
    "Mapping[str, Mapping[str, str]]", INFO_SCHEMA[SCHEMA]
)
_MORE = (exp.Collate, exp.Escape, exp.GroupConcat, exp.Greatest, exp.Least)
# REPLACE is not: what it makes of two long texts DuckDB does not count, and does not stop.
_CHARSET, _COLLATION = "utf8mb4", "utf8mb4_0900_ai_ci"


class Catalog:
    """What one principal may see. Safe for threads.

    Args:
        known: the tables of the data sets.
    """

    def __init__(self, known: Known) -> None:
        self._known = known
        self._base: duckdb.DuckDBPyConnection | None = None
        self._lock = threading.Lock()

    def databases(self) -> list[str]:
        """The names of data sets."""
        return [SCHEMA, *self._known]

    def tables(self, data: str) -> Mapping[str, Table]:
        """The tables of a data set.

        Raises:
            Refused: there is none of that name.
        """
        if data.lower() == SCHEMA:
            return {}
        found = next((t for name, t in self._known.items() if name.lower() == data.lower()), None)
        if found is None:
            raise Refused(1049, "42000", "there is no such data set, or it is not yours")
        return found

    def table(self, data: str, name: str) -> Table:
        """A table by its name.

        Raises:
            Refused: there is none.
        """
        tables = self.tables(data)
        found = next((t for key, t in tables.items() if key.lower() == name.lower()), None)
        if found is None:
            raise Refused(1146, "42S02", f"there is no table {name[:64]} in {data[:64]}")
        return found

    def query(self, tree: exp.Query) -> Rows:
        """The answer to a query of information_schema, which is free.

        Raises:
            Rejected, Refused: it is not read.
        """
        sql = shallow(lambda: _own_sql(tree), "")
        cursor = self._cursor()
        timer = threading.Timer(SECONDS, cursor.interrupt)
        timer.start()
        problem = ""
        try:
            names = [row[0] for row in cursor.execute(f"DESCRIBE {sql}").fetchall()]
            if len(names) > MOST_COLUMNS:
                raise Refused(1117, "HY000", f"more than {MOST_COLUMNS} columns")
            return texts(names, _rows(cursor.execute(_short(sql, len(names)))))
        except duckdb.InterruptException:
            problem = "the query of information_schema took too long"
        except duckdb.InvalidInputException:
            problem = f"information_schema: {MUCH}"
        except duckdb.Error as error:  # it has read names alone, and may say which is missing
            problem = str(error).partition("\n")[0][:300]
        finally:
            timer.cancel()
            cursor.close()
        raise Refused(1064, "42000", problem)

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        with self._lock:
            if self._base is None:
                self._base = _base(self._known)
            return self._base.cursor()


class Catalogs:
    """One for all who may see the same. Safe for threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, ...], Catalog] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, databases: Mapping[str, Schema]) -> Catalog:
        """The catalog of some data sets.

        Args:
            databases: their schemas, by their names.
        """
        with self._lock:
            names = tuple(databases)
            found = self._kept.pop(names, None)
            if found is None:
                tables = {name: schema.tables.values() for name, schema in databases.items()}
                found = Catalog({name: {t.name: t for t in of} for name, of in tables.items()})
            self._kept[names] = found
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return found


def _base(known: Known) -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(
        ":memory:",
        config={
            "threads": 1,
            "memory_limit": "100MB",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
        },
    )
    made.execute("CREATE SCHEMA told")
    filled = _contents(known)
    for table, columns in _SHAPES.items():
        kinds = {name: "BIGINT" if kind == "INT" else "VARCHAR" for name, kind in columns.items()}
        shape = ", ".join(f'"{name.upper()}" {kind}' for name, kind in kinds.items())
        made.execute(f'CREATE TABLE told."{table}" ({shape})')
        rows = [tuple(row.get(name) for name in kinds) for row in filled.get(table, ())]
        if rows:
            marks = ", ".join("?" * len(kinds))
            made.executemany(f'INSERT INTO told."{table}" VALUES ({marks})', rows)
    for setting in ("temp_directory = ''", "enable_external_access = false"):
        made.execute(f"SET {setting}")
    made.execute("SET lock_configuration = true")
    return made


def _contents(known: Known) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = {name: [] for name in _SHAPES}
    found["character_sets"].append(
        {"character_set_name": _CHARSET, "default_collate_name": _COLLATION, "maxlen": 4}
    )
    found["collations"].append(
        {"collation_name": _COLLATION, "character_set_name": _CHARSET, "id": 255}
        | {"is_default": "Yes", "is_compiled": "Yes", "sortlen": 0}
    )
    for data in (SCHEMA, *known):
        called: dict[str, object] = {"catalog_name": "def", "schema_name": data}
        found["schemata"].append(
            called | {"default_character_set_name": _CHARSET, "default_collation_name": _COLLATION}
        )
    for data, tables in known.items():
        for name, table in tables.items():
            place: dict[str, object] = {
                "table_catalog": "def",
                "table_schema": data,
                "table_name": name,
            }
            found["tables"].append(
                place
                | {"table_type": "BASE TABLE", "engine": "dpsql", "version": 10}
                | {"table_collation": _COLLATION, "table_comment": comment(table)}
            )
            found["columns"] += _columns(table, place)
            for number, column in enumerate(table.key, 1):
                key = {"index_name": "PRIMARY", "seq_in_index": number, "column_name": column}
                found["statistics"].append(place | key | {"non_unique": 0, "index_type": "BTREE"})
                found["key_column_usage"].append(
                    place
                    | {"constraint_catalog": "def", "constraint_schema": data}
                    | {"constraint_name": "PRIMARY", "column_name": column}
                    | {"ordinal_position": number}
                )
            if table.key:
                found["table_constraints"].append(
                    place
                    | {"constraint_catalog": "def", "constraint_schema": data}
                    | {"constraint_name": "PRIMARY", "constraint_type": "PRIMARY KEY"}
                )
            for kind, row in _foreign_keys(table, place):
                found[kind].append(row)
    return found


def _foreign_keys(
    table: Table, place: dict[str, object]
) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows of what leads to other tables, each with the table that it is of."""
    data = place["table_schema"]
    for column, to in references(table):
        own = place | {"constraint_catalog": "def", "constraint_schema": data}
        own |= {"constraint_name": constraint(table, column), "constraint_type": "FOREIGN KEY"}
        own |= {"column_name": column, "ordinal_position": 1, "position_in_unique_constraint": 1}
        own |= {"referenced_table_schema": data, "referenced_table_name": to.table}
        own |= {"referenced_column_name": to.column, "unique_constraint_catalog": "def"}
        own |= {"unique_constraint_schema": data, "unique_constraint_name": "PRIMARY"}
        own |= {"match_option": "NONE", "update_rule": "NO ACTION", "delete_rule": "NO ACTION"}
        for kind in ("table_constraints", "key_column_usage", "referential_constraints"):
            yield kind, own


def references(table: Table) -> list[tuple[str, Reference]]:
    """The columns of a table that lead to other tables."""
    return [(c.name, c.references) for c in table.columns if c.references is not None]


def constraint(table: Table, column: str) -> str:
    """What a foreign key is called."""
    return f"{table.name}_{column}"


def _columns(table: Table, place: dict[str, object]) -> Iterator[dict[str, object]]:
    for number, column in enumerate(table.columns, 1):
        kind = mysql_type(column.type)
        is_text = kind.startswith(("varchar", "char", "text", "enum"))
        yield (
            place
            | {"column_name": column.name, "ordinal_position": number, "column_type": kind}
            | {"data_type": re.split(r"[( ]", kind)[0], "column_comment": "", "extra": ""}
            | {"is_nullable": "NO" if column.name in table.key else "YES"}
            | {"column_key": "PRI" if column.name in table.key else "", "privileges": "select"}
            | {"numeric_precision": column.type.precision, "numeric_scale": column.type.scale}
            | {"character_maximum_length": 255 if is_text else None}
            | {"character_set_name": _CHARSET if is_text else None}
            | {"collation_name": _COLLATION if is_text else None}
        )


def comment(table: Table) -> str:
    """What a reader of a list of tables should know."""
    return "private: asked for with noise" if table.private else "public"


def definition(name: str, table: Table) -> str:
    """A CREATE TABLE, from which clients read the columns of a table."""
    lines = []
    for column in table.columns:
        null = "NOT NULL" if column.name in table.key else "DEFAULT NULL"
        lines.append(f"  {quoted(column.name)} {mysql_type(column.type)} {null}")
    if table.key:
        lines.append(f"  PRIMARY KEY ({','.join(map(quoted, table.key))})")
    for own, to in references(table):
        lines.append(
            f"  CONSTRAINT {quoted(constraint(table, own))} FOREIGN KEY ({quoted(own)}) "
            f"REFERENCES {quoted(to.table)} ({quoted(to.column)})"
        )
    inside = ",\n".join(lines)
    return (
        f"CREATE TABLE {quoted(name)} (\n{inside}\n"
        f") ENGINE=dpsql DEFAULT CHARSET={_CHARSET} COMMENT='{comment(table)}'"
    )


def quoted(name: str) -> str:
    """A name as MySQL quotes it."""
    return "`" + name.replace("`", "``") + "`"


def like(pattern: str, names: Sequence[str]) -> list[str]:
    """The names that a pattern of LIKE takes."""
    parts = re.findall(r"\\.|.", pattern[:200], re.DOTALL)
    made = "".join(
        {"%": ".*", "_": "."}.get(part, re.escape(part.removeprefix("\\") or part))
        for part in parts
    )
    made = re.sub(r"(\.\*)+", ".*", made)
    if made.count(".*") > 5:
        raise Refused(1064, "42000", "the pattern of LIKE has too many %")
    return [name for name in names if re.fullmatch(made, name, re.IGNORECASE | re.DOTALL)]


def _own_sql(tree: exp.Query) -> str:
    count = 0
    named = {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
    for node in list(tree.walk()):
        if not (type(node) in READ or isinstance(node, _MORE)) or isinstance(node, exp.Replace):
            shown = node.sql(dialect="mysql", comments=False)[:60]
            raise reject("DP104", f"in a query of information_schema this is not read: {shown}")
        if isinstance(node, exp.Table):
            count += 1
            name = node.name.lower()
            if len(node.parts) == 1 and name in named:
                continue
            plain = isinstance(node.this, exp.Identifier) and len(node.parts) <= 2
            if name not in _SHAPES or not plain:
                raise Refused(1109, "42S02", f"information_schema has no table {name[:64]}")
            node.set("db", exp.to_identifier("told"))
            node.set("this", exp.to_identifier(name, quoted=True))
        if isinstance(node, exp.Column):
            node.set("db", None)
        character_set = isinstance(node, exp.Cast) and node.to.this is exp.DType.CHARACTER_SET
        if character_set or isinstance(node, exp.Collate):
            node.replace(node.this)
    if count > MOST_TABLES:
        raise Refused(1064, "42000", f"information_schema: more than {MOST_TABLES} tables at once")
    try:
        return str(with_meaning(tree).sql(dialect="duckdb", comments=False))
    except SqlglotError:
        pass
    raise reject("DP104", "the query cannot be said in DuckDB's language")


def _short(sql: str, count: int) -> str:
    """The query that fails where a row has too much text, before Python has the row."""
    columns = [f"c{number}" for number in range(count)]
    long = " + ".join(f"coalesce(strlen(CAST({name} AS VARCHAR)), 0)" for name in columns)
    shown = f"SELECT * FROM ({sql}) AS asked({', '.join(columns)})"
    return f"{shown} WHERE CASE WHEN {long} > {LONGEST} THEN error('{MUCH}') ELSE true END"


def _rows(found: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """The rows, as long as they are not too much.

    Raises:
        Refused: they are.
    """
    rows: list[tuple[object, ...]] = []
    size = 0
    while part := found.fetchmany(16):
        rows += (tuple(map(_plain, row)) for row in part)
        size += sum(sys.getsizeof(row) + sum(map(sys.getsizeof, row)) for row in part)
        if size > MOST_BYTES:
            raise Refused(1105, "HY000", f"information_schema: {MUCH}")
    return rows


def _plain(value: object) -> object:
    """A value of the catalog: a text, a whole number, or None."""
    if value is None or isinstance(value, str | int):
        return int(value) if isinstance(value, bool) else value
    return str(value)
