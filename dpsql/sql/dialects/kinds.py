"""What kind of number an expression is, as far as its own text tells: see `dialects`."""

from __future__ import annotations

from sqlglot import exp

from dpsql.sql.dialects.dates import PARTS

INTEGERS = {
    exp.DType.TINYINT: "TINYINT",
    exp.DType.UTINYINT: "UTINYINT",  # T-SQL's TINYINT
    exp.DType.SMALLINT: "SMALLINT",
    exp.DType.INT: "INT",
    exp.DType.BIGINT: "BIGINT",
}
_FRACTIONS = (exp.DType.DOUBLE, exp.DType.FLOAT, exp.DType.DECIMAL)
SPREADS = (
    *(exp.Stddev, exp.StddevSamp, exp.StddevPop, exp.Variance, exp.VariancePop),
    *(exp.CovarSamp, exp.CovarPop, exp.Corr, exp.RegrSlope, exp.RegrIntercept, exp.RegrR2),
)
"""Aggregates whose value is no integer in any of the dialects."""


def whole(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression is of an integer type (or NULL) whatever the columns are."""
    if node is None or isinstance(node, exp.Null):
        return True
    if isinstance(node, exp.Literal):
        return not node.is_string and str(node.this).isdigit()
    if isinstance(node, exp.Paren | exp.Neg | exp.Abs):
        return whole(node.this, dialect)
    if isinstance(node, exp.Sub) and _is_date(node.this) and _is_date(node.expression):
        return True
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Mod | exp.IntDiv):
        return whole(node.this, dialect) and whole(node.expression, dialect)
    if isinstance(node, exp.Case):
        results = [part.args["true"] for part in node.args["ifs"]]
        return all(whole(r, dialect) for r in (*results, node.args.get("default")))
    if isinstance(node, exp.If):
        return whole(node.args["true"], dialect) and whole(node.args.get("false"), dialect)
    if isinstance(node, exp.Coalesce | exp.Least | exp.Greatest):
        return all(whole(part, dialect) for part in (node.this, *node.expressions))
    if isinstance(node, exp.Cast):
        return node.args["to"].this in INTEGERS
    if isinstance(node, (exp.Extract, *PARTS)):
        return dialect != "postgres"  # NUMERIC or DOUBLE there
    return isinstance(node, exp.Count | exp.CountIf | exp.Length)


def _is_date(node: exp.Expr) -> bool:
    return isinstance(node, exp.Cast) and node.args["to"].this == exp.DType.DATE


def fraction(node: exp.Expr | None, dialect: str) -> bool:
    """Whether the expression is a number of no integer type whatever the columns are."""
    if isinstance(node, exp.Literal):
        return not node.is_string and not str(node.this).isdigit()
    if isinstance(node, exp.Paren | exp.Neg | exp.Abs | exp.Sum | exp.Min | exp.Max | exp.Nullif):
        return fraction(node.this, dialect)
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div):
        return fraction(node.this, dialect) or fraction(node.expression, dialect)
    if isinstance(node, exp.Case):
        results = [*(part.args["true"] for part in node.args["ifs"]), node.args.get("default")]
        return any(fraction(result, dialect) for result in results)
    if isinstance(node, exp.If):
        return any(fraction(node.args.get(key), dialect) for key in ("true", "false"))
    if isinstance(node, exp.Coalesce | exp.Least | exp.Greatest):
        return any(fraction(part, dialect) for part in (node.this, *node.expressions))
    if isinstance(node, exp.Cast):
        return node.args["to"].this in _FRACTIONS
    if isinstance(node, exp.Avg | exp.Round | exp.Floor | exp.Ceil):
        # NUMERIC or DOUBLE in PostgreSQL; the type of the argument in T-SQL.
        return dialect == "postgres" or fraction(node.this, dialect)
    if isinstance(node, (exp.Extract, *PARTS)):
        return dialect == "postgres"
    return isinstance(node, (exp.Sqrt, exp.Ln, exp.Exp, exp.PercentileCont, *SPREADS))
