"""SHOW and DESCRIBE: lists of what is there, as clients of MySQL read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from dpsql.core.schema import Table
from dpsql.serve.mysql.catalog import Catalog, comment, definition, like
from dpsql.serve.mysql.errors import NO_DATA, Refused
from dpsql.serve.mysql.sent_columns import Rows, mysql_type, texts
from dpsql.serve.mysql.variables import Variables

_EMPTY: Mapping[str, tuple[str, ...]] = {
    "STATUS": ("Variable_name", "Value"),
    "WARNINGS": ("Level", "Code", "Message"),
    "ERRORS": ("Level", "Code", "Message"),
    "PROCESSLIST": ("Id", "User", "Host", "db", "Command", "Time", "State", "Info"),
    "TRIGGERS": ("Trigger", "Event", "Table", "Statement", "Timing", "Created"),
    "EVENTS": ("Db", "Name", "Definer", "Time zone", "Type"),
    "PLUGINS": ("Name", "Status", "Type", "Library", "License"),
    "PRIVILEGES": ("Privilege", "Context", "Comment"),
    "GRANTS": ("Grants",),
    "PROCEDURE STATUS": ("Db", "Name", "Type", "Definer", "Modified", "Created"),
    "FUNCTION STATUS": ("Db", "Name", "Type", "Definer", "Modified", "Created"),
    "OPEN TABLES": ("Database", "Table", "In_use", "Name_locked"),
    "PROFILES": ("Query_ID", "Duration", "Query"),
}
"""Lists that have nothing here."""

_FULL = ("Collation", "Privileges", "Comment")
_COLLATION = "utf8mb4_0900_ai_ci"


def show(tree: exp.Show, catalog: Catalog, data: str, variables: Variables) -> Rows:
    """The rows of a SHOW.

    Args:
        tree: the statement.
        catalog: what may be seen.
        data: the data set that is asked; "" for none.
        variables: of the session.

    Raises:
        Refused: there is no such list, or no such thing to be listed.
    """
    kind = tree.name.upper()
    if tree.args.get("where"):
        raise Refused(1235, "42000", "SHOW … WHERE is not read; write SHOW … LIKE")
    target = tree.args.get("target")
    place = tree.text("db") or (target.text("db") if isinstance(target, exp.Table) else "") or data
    pattern, full = tree.text("like"), bool(tree.args.get("full"))
    if kind in ("DATABASES", "SCHEMAS"):
        return texts(("Database",), [(n,) for n in _taken(pattern, catalog.databases())])
    if kind == "VARIABLES":
        system = variables.system
        found = [(name, _text(system[name])) for name in _taken(pattern, sorted(system))]
        return texts(("Variable_name", "Value"), found)
    if kind in ("COLLATION", "CHARACTER SET", "ENGINES"):
        return _one_of_each(kind)
    if kind in _EMPTY:
        return texts(_EMPTY[kind], [])
    if not place:
        raise Refused(1046, "3D000", NO_DATA)
    if kind == "TABLES":
        names = _taken(pattern, list(catalog.tables(place)))
        title = (f"Tables_in_{place}", "Table_type")[: 1 + full]
        return texts(title, [(name, "BASE TABLE")[: 1 + full] for name in names])
    if kind == "TABLE STATUS":
        return _status(catalog.tables(place), pattern)
    name = tree.text("target")
    if kind == "COLUMNS":
        return columns(catalog, place, name, pattern, full=full)
    if kind == "CREATE TABLE":
        table = catalog.table(place, name)
        return texts(("Table", "Create Table"), [(table.name, definition(table.name, table))])
    if kind in ("INDEX", "INDEXES", "KEYS"):
        return _index(catalog.table(place, name))
    return other(kind)


def other(what: str) -> Rows:
    """A list that the parser does not know.

    Raises:
        Refused: nor is it one here.
    """
    known = next((names for kind, names in _EMPTY.items() if what.startswith(kind)), None)
    if known is None:
        raise Refused(1235, "42000", "there is no such SHOW")
    return texts(known, [])


def columns(
    catalog: Catalog, data: str, name: str, pattern: str = "", *, full: bool = False
) -> Rows:
    """The columns of a table.

    Raises:
        Refused: there is no such table.
    """
    if not data:
        raise Refused(1046, "3D000", NO_DATA)
    table = catalog.table(data, name)
    taken = set(_taken(pattern, [column.name for column in table.columns]))
    rows = []
    for column in table.columns:
        if column.name not in taken:
            continue
        is_key = column.name in table.key
        kind = mysql_type(column.type)
        is_text = kind.startswith(("varchar", "char", "text", "enum"))
        own = (column.name, kind, "NO" if is_key else "YES", "PRI" if is_key else "", None, "")
        more = (_COLLATION if is_text else None, "select", "")
        rows.append(
            (own[0], own[1], more[0], *own[2:], *more[1:]) if full else own  # as MySQL orders them
        )
    names = ("Field", "Type", "Null", "Key", "Default", "Extra")
    if full:
        names = ("Field", "Type", _FULL[0], "Null", "Key", "Default", "Extra", *_FULL[1:])  # type: ignore[assignment]
    return texts(names, rows)


def _status(tables: Mapping[str, Table], pattern: str) -> Rows:
    names = ("Name", "Engine", "Version", "Rows", "Collation", "Comment")
    taken = _taken(pattern, list(tables))
    rows = [(n, "dpsql", 10, None, _COLLATION, comment(tables[n])) for n in taken]
    return texts(names, rows)


def _index(table: Table) -> Rows:
    names = ("Table", "Non_unique", "Key_name", "Seq_in_index", "Column_name", "Index_type")
    keys = enumerate(table.key, 1)
    return texts(names, [(table.name, 0, "PRIMARY", n, column, "BTREE") for n, column in keys])


def _one_of_each(kind: str) -> Rows:
    if kind == "COLLATION":
        names: Sequence[str] = ("Collation", "Charset", "Id", "Default", "Compiled", "Sortlen")
        return texts(names, [(_COLLATION, "utf8mb4", 255, "Yes", "Yes", 0)])
    if kind == "CHARACTER SET":
        names = ("Charset", "Description", "Default collation", "Maxlen")
        return texts(names, [("utf8mb4", "UTF-8", _COLLATION, 4)])
    names = ("Engine", "Support", "Comment", "Transactions", "XA", "Savepoints")
    return texts(names, [("dpsql", "DEFAULT", "noisy answers", "NO", "NO", "NO")])


def _taken(pattern: str, names: Sequence[str]) -> Sequence[str]:
    return like(pattern, names) if pattern else names


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)
