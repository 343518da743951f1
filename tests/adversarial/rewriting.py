"""Changes of a query's spelling that leave its meaning."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp, parse_one

from dpsql.front.dialects.written_parsers import grammar

Change = Callable[[exp.Expr], exp.Expr]


def rewritten(text: str, names: list[str]) -> str:
    """The text after those of `REWRITES` that are named."""
    tree: exp.Expr = parse_one(text, dialect=grammar("duckdb"))
    for name in names:
        tree = REWRITES[name](tree)
    return tree.sql(dialect="duckdb", identify="quoted" in names)


def _everywhere(change: Change) -> Change:
    """The change at each node, the inner ones first."""

    def apply(tree: exp.Expr) -> exp.Expr:
        for node in reversed(list(tree.dfs())):
            if node.parent is not None:
                made = change(node)
                if made is not node:
                    node.replace(made)
        return tree

    return apply


def _swapped(node: exp.Expr) -> exp.Expr:
    """a AND b as b AND a; a = b as b = a; a < b as b > a."""
    turned = {
        exp.EQ: exp.EQ, exp.NEQ: exp.NEQ, exp.LT: exp.GT, exp.GT: exp.LT, exp.LTE: exp.GTE,
        exp.GTE: exp.LTE, exp.And: exp.And, exp.Or: exp.Or,
    }  # fmt: skip
    kind = turned.get(type(node))
    if kind is None or isinstance(node.expression, exp.Any | exp.All):
        return node
    a, b = node.this.copy(), node.expression.copy()
    if kind in (exp.And, exp.Or):
        return kind(this=_in_parentheses(b), expression=_in_parentheses(a))
    return kind(this=b, expression=a)


def _in_parentheses(node: exp.Expr) -> exp.Expr:
    return node if isinstance(node, exp.Paren) else exp.Paren(this=node)


def _predicates(change: Change) -> Change:
    """The change of the whole condition of each WHERE."""

    def apply(tree: exp.Expr) -> exp.Expr:
        for where in list(tree.find_all(exp.Where)):
            if where.find(exp.Query):
                continue  # under NOT it must be known whether a subquery's test is NULL or FALSE
            where.set("this", change(where.this.copy()))
        return tree

    return apply


def _doubly_negated(node: exp.Expr) -> exp.Expr:
    return exp.Not(this=exp.Paren(this=exp.Not(this=exp.Paren(this=node))))


def _de_morgan(node: exp.Expr) -> exp.Expr:
    """a AND b as NOT (NOT a OR NOT b)."""
    if not isinstance(node, exp.And):
        return node
    sides = [exp.Not(this=exp.Paren(this=e.copy())) for e in (node.this, node.expression)]
    return exp.Not(this=exp.Paren(this=exp.Or(this=sides[0], expression=sides[1])))


def _compared(node: exp.Expr) -> exp.Expr:
    """BETWEEN as two comparisons."""
    if not isinstance(node, exp.Between) or node.args.get("symmetric"):
        return node
    low, high = node.args["low"], node.args["high"]
    return exp.Paren(
        this=exp.And(
            this=exp.GTE(this=node.this.copy(), expression=low.copy()),
            expression=exp.LTE(this=node.this.copy(), expression=high.copy()),
        )
    )


def _nested(node: exp.Expr) -> exp.Expr:
    """FROM t AS a as FROM (SELECT * FROM t) AS a."""
    if not isinstance(node, exp.Table) or not node.alias or node.args.get("joins"):
        return node
    inner = exp.Table(this=node.this.copy())
    select = exp.Select().select("*").from_(inner)
    return exp.Subquery(this=select, alias=node.args["alias"].copy())


def _filtered(node: exp.Expr) -> exp.Expr:
    """f(x) FILTER (WHERE c) as f(CASE WHEN c THEN x END)."""
    if not isinstance(node, exp.Filter) or isinstance(node.this.this, exp.Star | exp.Distinct):
        return node
    if isinstance(node.parent, exp.Window):
        return node
    call, condition = node.this.copy(), node.expression.this.copy()
    case = exp.Case(ifs=[exp.If(this=condition, true=call.this.copy())])
    call.set("this", case)
    return call


def _commas(tree: exp.Expr) -> exp.Expr:
    """The first JOIN … ON of a SELECT as a comma and a WHERE, if all joins are plain."""
    for select in list(tree.find_all(exp.Select)):
        joins = select.args.get("joins") or []
        plain = [j for j in joins if j.args.get("on") is not None and not _worded(j)]
        if not joins or len(plain) != len(joins):
            continue
        for join in joins:
            select.where(_in_parentheses(join.args["on"].copy()), copy=False)
            join.set("on", None)
    return tree


def _worded(join: exp.Expr) -> bool:
    return any(join.args.get(key) for key in ("side", "kind", "method", "using"))


def _turned(tree: exp.Expr) -> exp.Expr:
    """a LEFT JOIN b ON c as b RIGHT JOIN a ON c, where it is the only join."""
    for select in list(tree.find_all(exp.Select)):
        joins = select.args.get("joins") or []
        starred = any(isinstance(e, exp.Star) for e in select.expressions)
        if len(joins) != 1 or joins[0].args.get("on") is None or starred:
            continue
        side = str(joins[0].args.get("side") or "").upper()
        if side not in ("LEFT", "RIGHT") or select.find(exp.Lateral):
            continue
        source = select.args["from_"]
        first, second = source.this.copy(), joins[0].this.copy()
        source.set("this", second)
        joins[0].set("this", first)
        joins[0].set("side", "RIGHT" if side == "LEFT" else "LEFT")
    return tree


def _upper(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Identifier) and not node.args.get("quoted"):
        return exp.Identifier(this=str(node.this).upper(), quoted=False)
    return node


def _semi(tree: exp.Expr) -> exp.Expr:
    """a SEMI JOIN b ON c as a WHERE EXISTS (SELECT 1 FROM b WHERE c); ANTI so too."""
    for select in list(tree.find_all(exp.Select)):
        joins = select.args.get("joins") or []
        if len(joins) != 1 or str(joins[0].args.get("kind") or "") not in ("SEMI", "ANTI"):
            continue
        if joins[0].args.get("on") is None:
            continue
        inner = exp.Select().select("1").from_(joins[0].this.copy())
        inner = inner.where(joins[0].args["on"].copy())
        test: exp.Expr = exp.Exists(this=inner)
        if joins[0].args["kind"] == "ANTI":
            test = exp.Not(this=test)
        select.set("joins", [])
        select.where(test, copy=False)
    return tree


def _same(tree: exp.Expr) -> exp.Expr:
    return tree


REWRITES: dict[str, Change] = {
    "swapped": _everywhere(_swapped),
    "doubly negated": _predicates(_doubly_negated),
    "De Morgan": _predicates(_de_morgan),
    "parentheses": _predicates(lambda node: exp.Paren(this=exp.Paren(this=node))),
    "BETWEEN": _everywhere(_compared),
    "nested": _everywhere(_nested),
    "FILTER": _everywhere(_filtered),
    "commas": _commas,
    "RIGHT JOIN": _turned,
    "upper case": _everywhere(_upper),
    "EXISTS": _semi,
    "quoted": _same,
}
