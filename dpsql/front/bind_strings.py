"""Syntax of strings -> typed expressions: every spelling of DuckDB's that the parser gives, brought
to one function each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from sqlglot import exp

from dpsql.core.functions.build import make
from dpsql.core.functions.typing import six_digits
from dpsql.core.plan.expr import Expr, Literal
from dpsql.front import bind_numbers
from dpsql.front.parse import only, reject, span_of
from dpsql.types import INTEGER, VARCHAR


class Binder(Protocol):
    """What binds the operands."""

    def bind(self, node: exp.Expr) -> Expr:
        """The typed expression of a syntax node."""


Method = Callable[[Binder, exp.Expr], Expr]

FUNCTIONS: dict[type[exp.Expr], tuple[str, tuple[str, ...]]] = {
    exp.Left: ("left", ("this", "expression")),
    exp.Right: ("right", ("this", "expression")),
    exp.Replace: ("replace", ("this", "expression", "replacement")),
    exp.SplitPart: ("split_part", ("this", "delimiter", "part_index")),
    exp.StartsWith: ("starts_with", ("this", "expression")),
    exp.EndsWith: ("ends_with", ("this", "expression")),
    exp.Contains: ("contains", ("this", "expression")),
    exp.StrPosition: ("strpos", ("this", "substr")),
    exp.Reverse: ("reverse", ("this",)),
    exp.Repeat: ("repeat", ("this", "times")),
    exp.ConcatWs: ("concat_ws", ("expressions",)),
    exp.Translate: ("translate", ("this", "from_", "to")),
    exp.Ascii: ("ascii", ("this",)),
    exp.Unicode: ("unicode", ("this",)),
    exp.BitLength: ("bit_length", ("this",)),
    exp.Glob: ("glob", ("this", "expression")),
    exp.RegexpLike: ("regexp_matches", ("this", "expression", "flag")),
    exp.RegexpFullMatch: ("regexp_full_match", ("this", "expression", "options")),
    exp.SimilarTo: ("regexp_full_match", ("this", "expression")),
}
"""Node type -> function and the node's arguments in its order."""


def _like(binder: Binder, node: exp.Expr) -> Expr:
    """LIKE, ILIKE, and their NOT."""
    only(node, "this", "expression", "negate")
    function = "ilike" if isinstance(node, exp.ILike) else "like"
    found = make(function, (binder.bind(node.this), binder.bind(node.expression)), span_of(node))
    return make("not", (found,), span_of(node)) if node.args.get("negate") else found


def _escape(binder: Binder, node: exp.Expr) -> Expr:
    """LIKE … ESCAPE; an empty escape is none."""
    only(node, "this", "expression")
    like, span = node.this, span_of(node)
    if not isinstance(like, exp.Like | exp.ILike):
        raise reject("DP104", "ESCAPE belongs to LIKE", node)
    escape = binder.bind(node.expression)
    if isinstance(escape, Literal) and escape.value == "":
        return _like(binder, like)
    only(like, "this", "expression", "negate")
    function = "ilike_escape" if isinstance(like, exp.ILike) else "like_escape"
    args = (binder.bind(like.this), binder.bind(like.expression), escape)
    found = make(function, args, span)
    return make("not", (found,), span) if like.args.get("negate") else found


def _regexp_ilike(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "expression")
    args = (binder.bind(node.this), binder.bind(node.expression), Literal("i", VARCHAR))
    return make("regexp_matches", args, span_of(node))


def _regexp_extract(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "expression", "group", "parameters", "null_if_pos_overflow")
    parts = [node.args.get(k) for k in ("this", "expression", "group", "parameters")]
    args = tuple(binder.bind(p) for p in parts if isinstance(p, exp.Expr))
    return make("regexp_extract", args, span_of(node))


def _regexp_replace(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "expression", "replacement", "modifiers", "single_replace")
    parts = [node.args.get(k) for k in ("this", "expression", "replacement", "modifiers")]
    args = tuple(binder.bind(p) for p in parts if isinstance(p, exp.Expr))
    return make("regexp_replace", args, span_of(node))


def _pad(binder: Binder, node: exp.Expr) -> Expr:
    only(node, "this", "expression", "fill_pattern", "is_left")
    parts = [node.args.get(k) for k in ("this", "expression", "fill_pattern")]
    args = tuple(binder.bind(p) for p in parts if isinstance(p, exp.Expr))
    return make("lpad" if node.args.get("is_left") else "rpad", args, span_of(node))


def _bracket(binder: Binder, node: exp.Expr) -> Expr:
    """s[2], s[2:], s[:4] and s[2:4], with constants from 1; the parser counts s[2] from 0. Of a
    list one element is taken.
    """
    if isinstance(node.this.unnest(), exp.Array):
        return bind_numbers.METHODS[exp.Bracket](binder, node)
    only(node, "this", "expressions", "_type")
    value, (place, *more) = binder.bind(node.this), node.expressions
    problem = reject("DP104", "[…] takes constant positions from 1, as in s[1:3]", node)
    if value.type.of is not None:
        if more or not isinstance(place, exp.Literal):
            message = "[…] takes one element of a list, by a constant place from 1"
            raise reject("DP104", message, node)
        number = Literal((_place(place, problem) or 0) + 1, INTEGER)
        return make("list_element", (value, number), span_of(node))
    if more or not value.type.is_string:
        raise problem
    first, last = None, None
    if isinstance(place, exp.Slice):
        only(place, "this", "expression", "_type")
        first, last = _place(place.this, problem), _place(place.expression, problem)
    else:
        first = _place(place, problem)
        first = last = 0 if first is None else first + 1
    start = 1 if first is None else first
    if start < 1:
        raise problem
    args = [value, Literal(start, INTEGER)]
    if last is not None:
        args.append(Literal(max(0, last - start + 1), INTEGER))
    return make("substring", tuple(args), span_of(node))


def _place(node: object, problem: Exception) -> int | None:
    """A plain whole number; None for none."""
    if node is None:
        return None
    if not isinstance(node, exp.Literal) or node.is_string or not str(node.this).isdecimal():
        raise problem
    place = int(node.this)
    if place > 1_000_000:
        raise problem
    return place


def is_short(node: exp.Format) -> bool:
    """Whether it is FORMAT('{:g}', x), whose text is short; a pattern may also write megabytes."""
    pattern = node.this
    short = isinstance(pattern, exp.Literal) and pattern.is_string and pattern.this == "{:g}"
    return short and len(node.expressions) == 1


def _format(binder: Binder, node: exp.Expr) -> Expr:
    """Of a DOUBLE: in DuckDB there is none of an integer."""
    only(node, "this", "expressions")
    assert isinstance(node, exp.Format)
    if not is_short(node):
        message = "FORMAT takes the pattern '{:g}' and one DOUBLE, which it writes in six digits"
        raise reject("DP104", message, node, "join texts with CONCAT(a, b)")
    value = binder.bind(node.expressions[0])
    if not value.type.is_float:
        raise reject("DP205", "FORMAT('{:g}', x) needs a DOUBLE", node, "write CAST(x AS DOUBLE)")
    return replace(six_digits(value), span=span_of(node))


METHODS: dict[type[exp.Expr], Method] = {
    exp.Format: _format,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Escape: _escape,
    exp.RegexpILike: _regexp_ilike,
    exp.RegexpExtract: _regexp_extract,
    exp.RegexpReplace: _regexp_replace,
    exp.Pad: _pad,
    exp.Bracket: _bracket,
}
"""Node type -> what binds it."""
