"""Tables that a query makes of nothing but itself and the policy -> VALUES.

    FROM generate_series(1, 3) AS t(i)      FROM (VALUES (1), (2), (3)) AS t(i)

What comes out is an ordinary query, and is analysed as such: nothing here carries privacy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import duckdb
from sqlglot import exp

from dpsql.core.functions.calculator import calculator
from dpsql.core.schema import HERE, Schema, Table
from dpsql.front import metadata
from dpsql.front.named import everything, found, named
from dpsql.front.parse import every, only, reject, set_span, span_of
from dpsql.front.scope import fold, suggestion
from dpsql.types import INTEGER_BITS, UNSIGNED_BITS

MAX_ROWS = 2_000
"""Of `generate_series` and its kind."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A query without such tables.

    Attributes:
        tree: changed in place.
        changed: whether it is another one now.
        metadata: whether it reads the policy, and so is none of private rows.
    """

    tree: exp.Query
    changed: bool
    metadata: bool


def rewritten(tree: exp.Query, schema: Schema, described: metadata.Described) -> Rewritten:
    """The query with such tables and names written out.

    Args:
        tree: of which the clock is set.
        schema: what there is.
        described: the columns of a query, for DESCRIBE.

    Raises:
        Rejected: DP103, DP104, DP201.
    """
    told = _replaced(tree, lambda node: _of_policy(node, schema, described))
    changed = named(tree, schema)
    changed |= _replaced(tree, _series)  # also of views; and these are told nothing of the policy
    for asked in every(tree, *SETTINGS):
        changed |= _setting(asked, schema)
    return Rewritten(tree, changed or told, told)


def _replaced(tree: exp.Query, made: Callable[[exp.Expr], exp.Expr | None]) -> bool:
    """Put something else in the place of tables; whether there was one."""
    done = False
    for node in every(tree, exp.Table, exp.Unnest):
        new = made(node) if node.root() is tree else None  # or it went with what it was a part of
        if new is not None:
            (node.parent if isinstance(node.parent, exp.Lateral) else node).replace(new)
            done = True
    return done


def _of_policy(node: exp.Expr, schema: Schema, described: metadata.Described) -> exp.Expr | None:
    """What stands for a table that tells of the policy; None where it is none."""
    inner = node.this if isinstance(node, exp.Table) else node
    if isinstance(inner, exp.Anonymous) and inner.this == metadata.DESCRIBE:
        what = inner.expressions[0]
        rows = (
            _declared(what, schema, described) if isinstance(what, exp.Table) else described(what)
        )
        return _values(node, metadata.DESCRIBED, rows, "described")
    if isinstance(node, exp.Table) and fold(node.db) == "information_schema":
        known = {"", *(fold(t.path[0]) for t in schema.tables.values())}
        if fold(node.catalog) in known:
            return _values(node, *metadata.information(node, schema, described), node.name)
    return None


def _declared(node: exp.Table, schema: Schema, described: metadata.Described) -> metadata.Rows:
    one = found(node, schema)
    if one is None:
        hint = suggestion(node.name, [t.name for t in schema.tables.values()])
        raise reject("DP201", f"no table {node.name}", node, hint)
    return metadata.described(one) if isinstance(one, Table) else described(everything(one))


# --- constants ---

_CONSTANT = (
    *(exp.Literal, exp.Cast, exp.DataType, exp.DataTypeParam, exp.Interval, exp.Var, exp.Neg),
    *(exp.Array, exp.Paren, exp.Boolean, exp.Null, exp.Add, exp.Sub, exp.Mul),
    *(exp.GenerateSeries, exp.Unnest),
)


def _series(node: exp.Expr) -> exp.Expr | None:
    """VALUES with the rows of generate_series, range or unnest; None for other tables."""
    inner = node.this if isinstance(node, exp.Table) else node
    item = isinstance(node.parent, exp.From | exp.Join | exp.Lateral)
    if not item or not isinstance(inner, exp.GenerateSeries | exp.Unnest):
        return None
    name = "unnest" if isinstance(inner, exp.Unnest) else "generate_series"
    if isinstance(inner, exp.GenerateSeries) and inner.args.get("is_end_exclusive"):
        name = "range"
    if node.args.get("offset") or node.args.get("ordinality"):
        raise reject("DP104", "WITH ORDINALITY is not supported", node, "use ROW_NUMBER() OVER ()")
    call = inner
    if isinstance(inner, exp.Unnest) and isinstance(inner.expressions[0], exp.GenerateSeries):
        call = inner.expressions[0]
    bare = call.copy()
    bare.set("alias", None)
    if not all(isinstance(part, _CONSTANT) for part in bare.walk()):
        message = f"{name} as a table takes constants, and nothing that is computed"
        raise reject("DP104", message, node, "write the values, or VALUES (…)")
    kind, found = _rows(bare.sql(dialect="duckdb"), node)
    if len(found) > MAX_ROWS:
        raise reject("DP103", f"{name} has more than {MAX_ROWS:,} rows", node)
    return _listed(node, name, kind, found)


def _rows(call: str, node: exp.Expr) -> tuple[str, list[str | None]]:
    """The type of the one column, and its values as texts; no more than one too many is made."""
    problem: str | None = None
    with calculator() as connection:
        try:
            [[_, kind, *_]] = connection.execute(f"DESCRIBE SELECT * FROM {call}").fetchall()
            sql = f"SELECT CAST(v AS VARCHAR) FROM {call} AS t(v) LIMIT {MAX_ROWS + 1}"
            return str(kind), [row[0] for row in connection.execute(sql).fetchall()]
        except duckdb.Error as error:  # of constants of the text: it tells nothing else
            problem = str(error).partition("\n")[0][:200]
    raise reject("DP104", problem, node)


def _listed(node: exp.Expr, name: str, kind: str, found: Iterable[str | None]) -> exp.Expr:
    alias = _alias(node)
    column = alias.name if alias is not None and alias.name else name
    if kind not in _KINDS and not kind.startswith("DECIMAL"):
        raise reject("DP104", f"{name} of {kind} is not supported as a table", node)
    if kind == "DOUBLE" and any(value and value.lstrip("-").isalpha() for value in found):
        raise reject("DP104", f"{name} of no finite number", node)
    rows = [(_constant(value, kind),) for value in found]
    return _table(node, (column,), rows, column, [kind])


_KINDS = {*INTEGER_BITS, *UNSIGNED_BITS, "VARCHAR", "BOOLEAN", "DATE", "TIMESTAMP", "DOUBLE"}


def _constant(value: str | int | None, kind: str) -> exp.Expr:
    if value is None:
        return exp.cast(exp.null(), kind, dialect="duckdb")
    if kind == "VARCHAR":
        return exp.Literal.string(str(value))
    if kind.startswith("DECIMAL") or kind == "DOUBLE":
        exponent = "e0" if kind == "DOUBLE" and "e" not in str(value) else ""
        number = exp.Literal.number(f"{str(value).removeprefix('-')}{exponent}")
        return exp.Neg(this=number) if str(value).startswith("-") else number
    whole = kind.endswith("INT") or kind == "INTEGER"
    text = exp.Literal.number(value) if whole else exp.Literal.string(str(value))
    return exp.cast(text, kind, dialect="duckdb")


def _values(node: exp.Expr, names: tuple[str, ...], rows: metadata.Rows, alias: str) -> exp.Expr:
    kinds = ["INTEGER" if name in metadata.NUMBERS else "VARCHAR" for name in names]
    cells = [
        tuple(_constant(cell, kind) for cell, kind in zip(row, kinds, strict=True)) for row in rows
    ]
    return _table(node, names, cells, node.alias or alias, kinds)


def _alias(node: exp.Expr) -> exp.TableAlias | None:
    holder = node.parent if isinstance(node.parent, exp.Lateral) else node
    found: exp.TableAlias | None = holder.args.get("alias")
    return found


def _table(
    node: exp.Expr,
    names: tuple[str, ...],
    rows: Sequence[tuple[exp.Expr, ...]],
    alias: str,
    kinds: list[str],
) -> exp.Expr:
    """The rows as a FROM item that is called as the node was."""
    only(node, "this", "alias", "db", "catalog", "expressions")
    head = exp.TableAlias(this=exp.to_identifier(alias, quoted=True))
    own = _alias(node)
    given = [c.name for c in own.columns] if own is not None else []
    if len(given) > len(names):
        raise reject("DP205", f"{len(given)} names for {len(names)} columns", node)
    names = (*given, *names[len(given) :])
    head.set("columns", [exp.to_identifier(name, quoted=True) for name in names])
    made: exp.Expr = exp.Values(expressions=[exp.Tuple(expressions=list(row)) for row in rows])
    if not rows:
        nothing = [
            exp.cast(exp.null(), kind, dialect="duckdb").as_(f"c{i}")
            for i, kind in enumerate(kinds)
        ]
        made = exp.Subquery(this=exp.select(*nothing).where(exp.false()))
    made.set("alias", head)
    span = span_of(node)
    if span is not None:
        set_span(made, span)
    return made


# --- what a client asks first ---

SETTINGS = (exp.CurrentVersion, exp.CurrentDatabase, exp.CurrentSchema, exp.CurrentCatalog)


def _setting(node: exp.Expr, schema: Schema) -> bool:
    """Write version() and the like as constants; whether it was one."""
    if any(node.args.values()):
        return False
    database, place = next((t.path[:2] for t in schema.tables.values()), HERE)
    value = place if isinstance(node, exp.CurrentSchema) else database
    value = f"v{duckdb.__version__}" if isinstance(node, exp.CurrentVersion) else value
    made: exp.Expr = exp.Literal.string(value)
    span = span_of(node)
    if span is not None:
        set_span(made, span)
    if isinstance(node.parent, exp.Select) and node.arg_key == "expressions":
        made = exp.alias_(made, node.sql(dialect="duckdb").lower(), quoted=True)
    node.replace(made)
    return True
