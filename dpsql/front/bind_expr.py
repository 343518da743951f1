"""Syntax tree of a scalar expression -> typed expression over plan columns.

Each kind of syntax node that is modelled has a method; any other is rejected in its own words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from dpsql.core.functions.build import case, make, negated, spelled
from dpsql.core.functions.constants import number
from dpsql.core.functions.spec import TypeMismatch
from dpsql.core.functions.times import is_constant
from dpsql.core.plan.expr import Expr, Literal, Ref
from dpsql.front import bind_dates, bind_numbers, bind_strings, structs
from dpsql.front import bind_subquery as subquery
from dpsql.front import bind_window as windows
from dpsql.front.bind_rows import compared_rows
from dpsql.front.parse import bare, only, reject, span_of
from dpsql.front.place import Place
from dpsql.front.scope import Scope
from dpsql.front.unknown import INSTEAD, unknown_function
from dpsql.front.written import words
from dpsql.types import BOOLEAN, INTEGER, NULL, VARCHAR, Type

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.NullSafeEQ: "is_not_distinct",
    exp.Mul: "mul",
    exp.IntDiv: "intdiv",
    exp.Mod: "mod",
}

_FUNCTIONS: dict[type[exp.Expr], tuple[str, tuple[str, ...]]] = {
    exp.Sqrt: ("sqrt", ("this",)),
    exp.Ln: ("ln", ("this",)),
    exp.Exp: ("exp", ("this",)),
    exp.Lower: ("lower", ("this",)),
    exp.Upper: ("upper", ("this",)),
    exp.Length: ("length", ("this",)),
    exp.ArraySize: ("array_length", ("this",)),
    exp.Round: ("round", ("this", "decimals")),
    exp.Floor: ("floor", ("this",)),
    exp.Ceil: ("ceil", ("this",)),
    exp.Nullif: ("nullif", ("this", "expression")),
    exp.Coalesce: ("coalesce", ("this", "expressions")),
    exp.Least: ("least", ("this", "expressions")),
    exp.Greatest: ("greatest", ("this", "expressions")),
    exp.Substring: ("substring", ("this", "start", "length")),
    **bind_dates.FUNCTIONS,
    **bind_strings.FUNCTIONS,
    **bind_numbers.FUNCTIONS,
}

# Marks of the parser that carry no meaning of their own in DuckDB's dialect.
_MARKS = ("big_int", "ignore_nulls", "typed", "safe", "_type", "coalesce", "zone_", "is_string")

_TAKING = (exp.Dot, exp.Bracket, exp.StructExtract)
"""Nodes that take a field of a struct; a place of a list or of a text, too."""

_KEEPING: tuple[type[exp.Expr], ...] = (exp.And, exp.Or, exp.Paren, exp.In, exp.Not)
_KEEPING += (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
"""Nodes that look at `positive` themselves or pass it on; not to operands of comparisons."""


class ExpressionBinder:
    """Binds scalar expressions in one scope. Subclasses say what aggregates are there."""

    def __init__(self, scope: Scope, place: Place | None = None) -> None:
        self.scope, self.place = scope, place
        self.positive = False
        """Whether FALSE and NULL are the same to the part that is being bound."""

    def special(self, node: exp.Expr) -> Expr | None:
        """A meaning that the place gives to a node, before any other; None for none."""
        return None

    def unresolved(self, node: exp.Column) -> Expr:
        """What a name means that is no column here: perhaps one of a query around this one."""
        found = None
        if self.place is not None and self.place.outer is not None:
            found = self.place.outer(node)
        if found is None:
            raise self.scope.unknown(node)
        return found

    def outward(self, node: exp.Column) -> Expr | None:
        """What a name means to a subquery that stands here; None where nothing."""
        column = self.scope.resolve(node) if self.scope.knows(node) else None
        if column is not None:
            return Ref(column, span_of(node))
        outer = None if self.place is None else self.place.outer
        return None if outer is None else outer(node)

    def bind(self, node: exp.Expr) -> Expr:
        """The typed expression of a syntax node.

        Raises:
            Rejected: DP1xx and DP2xx, at the smallest part to blame.
        """
        positive = self.positive
        self.positive = positive and isinstance(node, _KEEPING)
        try:
            return self._bind(node)
        finally:
            self.positive = positive

    def _bind(self, node: exp.Expr) -> Expr:
        special = self.special(node)
        if special is not None:
            return special
        if isinstance(node, exp.Paren):
            only(node, "this")
            return self.bind(node.this)
        if isinstance(node, _TAKING) and (part := self._part(node)) is not None:
            return part
        if (rows := compared_rows(self, node)) is not None:
            return rows
        for kind, function in _OPERATORS.items():
            if type(node) is kind:
                only(node, "this", "expression", *_MARKS)
                args, span = (self.bind(node.this), self.bind(node.expression)), span_of(node)
                days = bind_dates.multiplied(args, span) if function == "mul" else None
                return make(function, args, span) if days is None else days
        if type(node) in _FUNCTIONS:
            return self._function(node)
        found = subquery.searched(node)
        if found is not None:
            return subquery.quantified(self, found)
        if not isinstance(node, exp.Connector | exp.Not):
            self.positive = False  # of a condition that is compared with another, NULL is a value
        method = _METHODS.get(type(node))
        if method is not None:
            return method(self, node)
        if isinstance(node, exp.Func):
            raise unknown_function(node)
        what = words(node, node.key.upper())
        raise reject("DP104", f"{what} is not supported", node, INSTEAD.get(type(node)))

    def predicate(self, node: exp.Expr) -> Expr:
        """A condition of which it only matters whether it is TRUE."""
        self.positive = True
        try:
            return self.condition(node)
        finally:
            self.positive = False

    def condition(self, node: exp.Expr) -> Expr:
        """A boolean expression; a whole number is TRUE where it is not 0."""
        result = self.bind(node)
        if result.type.is_integer:
            return make("ne", (result, Literal(0, result.type)), span_of(node))
        if result.type != BOOLEAN and result.type != NULL:
            raise reject("DP205", f"needs a condition, not {result.type}", node)
        return result

    # --- names and constants ---

    def _column(self, node: exp.Column) -> Expr:
        only(node, "this", "table", "db", "catalog")
        if not isinstance(node.this, exp.Identifier):
            raise reject("DP104", "a star can stand only in SELECT", node)
        column = self.scope.resolve(node) if self.scope.knows(node) else None
        return self.unresolved(node) if column is None else Ref(column, span_of(node))

    def _part(self, node: exp.Expr) -> Expr | None:
        """The field of a struct that is taken; None where an element of a list is, or a letter."""
        part = structs.field(node)
        if isinstance(part, exp.Column) and isinstance(node, exp.Bracket):
            (place,) = node.expressions
            if not place.is_string and self.outward(part) is None:
                return None
        return None if part is None else self.bind(part)

    def _literal(self, node: exp.Literal) -> Expr:
        span = span_of(node)
        if node.is_string:
            return Literal(str(node.this), VARCHAR, span)
        try:
            return number(str(node.this), span)
        except TypeMismatch as mismatch:
            raise reject("DP205", mismatch.message, node) from None

    def _boolean(self, node: exp.Boolean) -> Expr:
        return Literal(bool(node.this), BOOLEAN, span_of(node))

    def _null(self, node: exp.Null) -> Expr:
        return Literal(None, NULL, span_of(node))

    # --- operators ---

    def _connective(self, node: exp.Connector) -> Expr:
        function = "and" if isinstance(node, exp.And) else "or"
        only(node, "this", "expression")
        terms: list[Expr] = []
        stack: list[exp.Expr] = [node]
        while stack:  # a chain of 10,000 terms is a deep tree; do not recurse along it
            part = stack.pop()
            if type(part) is type(node):
                only(part, "this", "expression")
                stack += [part.expression, part.this]
            else:
                terms.append(self.condition(part))
        return make(function, tuple(terms), span_of(node))

    def _not(self, node: exp.Not) -> Expr:
        only(node, "this")
        found = subquery.searched(bare(node.this))
        if found is not None:
            return subquery.quantified(self, found.opposite())
        self.positive = False
        return negated(self.condition(node.this), span_of(node))

    def _neg(self, node: exp.Neg) -> Expr:
        only(node, "this")
        inner, span = self.bind(node.this), span_of(node)
        if isinstance(inner, Literal) and inner.type.is_numeric and inner.value is not None:
            assert not isinstance(inner.value, str | bool)
            return replace(inner, value=-inner.value, span=span)  # type: ignore[operator]
        return make("sub", (Literal(0, _zero_type(inner)), inner), span)

    def _is(self, node: exp.Is) -> Expr:
        only(node, "this", "expression")
        operand, span = self.bind(node.this), span_of(node)
        other = node.expression
        if isinstance(other, exp.Null):
            return make("is_null", (operand,), span)
        if isinstance(other, exp.Boolean):
            constant = Literal(bool(other.this), BOOLEAN)
            return make("is_not_distinct", (operand, constant), span)
        raise reject("DP104", "IS takes NULL, TRUE or FALSE", other)

    def _is_distinct(self, node: exp.NullSafeNEQ) -> Expr:
        only(node, "this", "expression")
        args = (self.bind(node.this), self.bind(node.expression))
        same = make("is_not_distinct", args, span_of(node))
        return make("not", (same,), span_of(node))

    def _between(self, node: exp.Between) -> Expr:
        only(node, "this", "low", "high")
        value, span = self.bind(node.this), span_of(node)
        low = make("ge", (value, self.bind(node.args["low"])), span)
        high = make("le", (value, self.bind(node.args["high"])), span)
        return make("and", (low, high), span)

    def _in(self, node: exp.In) -> Expr:
        for key in ("unnest", "field"):
            if node.args.get(key):
                raise reject(
                    "DP104", "IN takes a list of constants or a subquery", node, "write = and OR"
                )
        only(node, "this", "expressions")
        members = tuple(self.bind(e) for e in node.expressions)
        if not members:
            raise reject("DP104", "an empty IN list", node)
        value, span = self.bind(node.this), span_of(node)
        if all(isinstance(m, Literal) or is_constant(m) for m in members):
            return make("in", (value, *members), span)
        terms = [make("eq", (value, member), span) for member in members]
        return terms[0] if len(terms) == 1 else make("or", tuple(terms), span)

    def _add(self, node: exp.Add | exp.Sub) -> Expr:
        only(node, "this", "expression", *_MARKS)
        span, negative = span_of(node), isinstance(node, exp.Sub)
        args = (self.bind(node.this), self.bind(node.expression))
        dated = bind_dates.arithmetic(args, negative, span)
        return dated if dated is not None else make("sub" if negative else "add", args, span)

    # --- calls ---

    def _function(self, node: exp.Expr) -> Expr:
        name, parts = _FUNCTIONS[type(node)]
        only(node, *parts, *_MARKS)
        args: list[Expr] = []
        for part in parts:
            value = node.args.get(part)
            if isinstance(value, list):
                args += [self.bind(v) for v in value]
            elif isinstance(value, exp.Expr):
                args.append(self.bind(value))
        if name == "length" and args and args[0].type.name == "LIST":
            name = "array_length"
        if name == "concat":  # the function skips NULL, where || is NULL
            empty = Literal("", VARCHAR)
            args = [make("coalesce", (a, empty), a.span) if a.type != NULL else empty for a in args]
        return make(name, tuple(args), span_of(node))

    def _anonymous(self, node: exp.Anonymous) -> Expr:
        only(node, "this", "expressions")
        dated = bind_dates.CALLS.get(str(node.this).lower())
        if dated is not None:
            return dated(self, node, node.expressions)
        entry = spelled(str(node.this))
        if entry is None:
            raise unknown_function(node)
        return make(entry.name, tuple(self.bind(a) for a in node.expressions), span_of(node))

    def _pipe(self, node: exp.DPipe) -> Expr:
        only(node, "this", "expression", *_MARKS)
        return make("concat", (self.bind(node.this), self.bind(node.expression)), span_of(node))

    def _concat(self, node: exp.Concat) -> Expr:
        """CONCAT leaves NULLs out, unlike ||."""
        only(node, "expressions", *_MARKS)
        bound = [self.bind(e) for e in node.expressions]
        parts = [p if p.type.is_string else make("concat", (p,), p.span) for p in bound]
        empty = Literal("", VARCHAR)
        present = tuple(make("coalesce", (p, empty), p.span) for p in parts)
        return make("concat", present, span_of(node)) if len(present) > 1 else present[0]

    def _div(self, node: exp.Div) -> Expr:
        only(node, "this", "expression", *_MARKS)
        return make("div", (self.bind(node.this), self.bind(node.expression)), span_of(node))

    def _trim(self, node: exp.Trim) -> Expr:
        only(node, "this", "expression", "position")
        name = {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(
            str(node.args.get("position") or "BOTH").upper(), "trim"
        )
        args = [self.bind(node.this)]
        if node.args.get("expression"):
            args.append(self.bind(node.expression))
        return make(name, tuple(args), span_of(node))

    def _case(self, node: exp.Case) -> Expr:
        only(node, "this", "ifs", "default")
        subject = self.bind(node.this) if node.this else None
        branches: list[tuple[Expr, Expr]] = []
        for part in node.args["ifs"]:
            only(part, "this", "true")
            if subject is None:
                condition = self.predicate(part.this)
            else:
                condition = make("eq", (subject, self.bind(part.this)), span_of(part.this))
            branches.append((condition, self.bind(part.args["true"])))
        default = node.args.get("default")
        return case(branches, self.bind(default) if default else None, span_of(node))

    def _if(self, node: exp.If) -> Expr:
        only(node, "this", "true", "false")
        default = node.args.get("false")
        branch = (self.predicate(node.this), self.bind(node.args["true"]))
        return case([branch], self.bind(default) if default else None, span_of(node))

    # --- what is known and refused, with a better word than its class name ---

    def _window(self, node: exp.Window) -> Expr:
        return windows.window(self, node)

    def _filtered(self, node: exp.Expr) -> Expr:
        raise reject("DP207", "FILTER belongs to an aggregate, which cannot stand here", node)

    def _star(self, node: exp.Expr) -> Expr:
        raise reject("DP104", "a star can stand only in SELECT and in COUNT(*)", node)


def _zero_type(expr: Expr) -> Type:
    return expr.type if expr.type.is_integer else INTEGER


_METHODS: dict[type[exp.Expr], Callable[..., Expr]] = {
    exp.Column: ExpressionBinder._column,
    exp.Literal: ExpressionBinder._literal,
    exp.Boolean: ExpressionBinder._boolean,
    exp.Null: ExpressionBinder._null,
    exp.And: ExpressionBinder._connective,
    exp.Or: ExpressionBinder._connective,
    exp.Not: ExpressionBinder._not,
    exp.Neg: ExpressionBinder._neg,
    exp.Is: ExpressionBinder._is,
    exp.NullSafeNEQ: ExpressionBinder._is_distinct,
    exp.Between: ExpressionBinder._between,
    exp.In: ExpressionBinder._in,
    exp.Add: ExpressionBinder._add,
    exp.Sub: ExpressionBinder._add,
    exp.Div: ExpressionBinder._div,
    exp.Anonymous: ExpressionBinder._anonymous,
    exp.DPipe: ExpressionBinder._pipe,
    exp.Concat: ExpressionBinder._concat,
    exp.Trim: ExpressionBinder._trim,
    exp.Case: ExpressionBinder._case,
    exp.If: ExpressionBinder._if,
    exp.Subquery: subquery.scalar,
    exp.Select: subquery.scalar,
    exp.Exists: subquery.exists,
    exp.Window: ExpressionBinder._window,
    exp.Filter: ExpressionBinder._filtered,
    exp.Star: ExpressionBinder._star,
    **bind_dates.METHODS,
    **bind_numbers.METHODS,
    **bind_strings.METHODS,
}
