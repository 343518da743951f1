"""BigQuery's structs, with names for their fields: see `front/structs`.

    STRUCT(x AS a, y)              STRUCT(x AS a, y AS y)
    STRUCT<a INT64>(1)             STRUCT(CAST(1 AS INT64) AS a)
    FROM (SELECT AS STRUCT x)      FROM (SELECT x): in FROM and as the answer its fields are columns

A field without a name cannot be taken, and is refused; so is SELECT AS STRUCT as one value.
"""

from __future__ import annotations

from sqlglot import exp

from dpsql.front.dialects.words import place, refuse
from dpsql.front.parse import every

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Struct: ("expressions",),
    **dict.fromkeys((exp.PropertyEQ, exp.Dot), ("this", "expression")),
}
"""What BigQuery alone has of these."""

_AROUND = (exp.From, exp.Join, exp.CTE)


def named(tree: exp.Query, dialect: str) -> None:
    """Name the fields of structs, and leave out AS STRUCT where it says nothing."""
    for node in every(tree, exp.Select, exp.Cast, exp.Struct):
        if isinstance(node, exp.Select) and node.args.get("kind") == "STRUCT":
            above = node.parent.parent if isinstance(node.parent, exp.Subquery) else node.parent
            if above is not None and not isinstance(above, _AROUND):
                raise refuse(node, dialect, "SELECT AS STRUCT as a value", "put it into FROM")
            node.set("kind", None)
        elif isinstance(node, exp.Cast) and isinstance(node.this, exp.Struct):
            _typed(node, dialect)
        elif isinstance(node, exp.Struct):
            for part in node.expressions:
                _name(part, dialect)


def _name(part: exp.Expr, dialect: str) -> None:
    """Of a field without a name, that of its column."""
    if isinstance(part, exp.Column) and isinstance(part.this, exp.Identifier):
        name = exp.to_identifier(part.name, quoted=True)
        part.replace(place(exp.PropertyEQ(this=name, expression=part.copy()), part))
    elif not isinstance(part, exp.PropertyEQ):
        raise refuse(part, dialect, "a field without a name", "write STRUCT(x AS a)")


def _typed(node: exp.Cast, dialect: str) -> None:
    """STRUCT<a INT64>(1): its constants are of these types."""
    fields, values = node.to.expressions, node.this.expressions
    if len(fields) != len(values) or not all(isinstance(f, exp.ColumnDef) for f in fields):
        raise refuse(node, dialect, "a field without a name", "write STRUCT<a INT64>(1)")
    for field, value in zip(fields, values, strict=True):
        cast = exp.Cast(this=value.copy(), to=field.args["kind"].copy())
        made = exp.PropertyEQ(this=field.this.copy(), expression=place(cast, value))
        value.replace(place(made, value))
    node.replace(node.this)
