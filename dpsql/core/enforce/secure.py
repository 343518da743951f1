"""Make an expression safe on any data: bounds are enforced, and no row can make it fail.

Enforce. A column whose declared bounds are not proven is clamped to them wherever its *value* is
used: in arithmetic, in a function, under SUM or AVG. Where it is only compared, it stays as it is.

    SUM(price * (1 - discount))
    SUM(clamp(price, 0, 500) * (1 - clamp(discount, 0, 0.1)))

A text is cut likewise, to its declared length or the policy's, wherever a function reads it: what
the function does then takes no longer, and its result is no longer, than that allows. Where it is
only compared it stays: a comparison reads no further than the shorter of two texts.

    repeat(name, 3)
    repeat(cut(name, 10000), 3)

Claim: after this pass every range that `infer` finds from *proven* column ranges holds on any
database. Why: each column reference is either unclamped, with its proven range, or clamped, and
`clamp` maps everything into its bounds (NULL stays NULL, NaN becomes NULL). No later step relies on
a declared bound.

Totality. Then the totality rules of the function table are applied, operands first: arithmetic gets
a type that its range cannot overflow, partial functions get a guard. And a number that is made of a
computed moment or text says in which range it is (see `stated`).
"""

from __future__ import annotations

from typing import Any, assert_never

from dpsql.core.functions import BY_NAME, NotTotal
from dpsql.core.functions.build import make
from dpsql.core.functions.enforcing import bound, following
from dpsql.core.infer.ranges import Environment, infer, narrow
from dpsql.core.plan.expr import Call, Case, Expr, Literal, Ref, too_large
from dpsql.core.plan.values import Values
from dpsql.core.shape.retype import rebound
from dpsql.errors import Diagnostic, Rejected
from dpsql.types import BIGINT


def secure(expr: Expr, proven: Environment, claimed: Environment, *, value: bool) -> Expr:
    """The expression with its claims enforced and every function total.

    Args:
        expr: over columns of `proven` and `claimed`.
        value: whether the result's value is used (a sum), not only its comparison or its group.

    Raises:
        Rejected: DP306 where no form is known that cannot fail.
    """
    return total(_enforce(expr, proven, claimed, value, False), proven)


def as_read(expr: Expr, proven: Environment, claimed: Environment) -> Expr:
    """A secured text as a function would read it: no longer than it is declared to be."""
    return _enforce(expr, proven, claimed, False, True)


COMPARING = frozenset({"eq", "ne", "lt", "le", "gt", "ge", "is_not_distinct", "in", "is_null"})
"""What reads a text no further than to tell it from another."""


def _enforce(
    expr: Expr, proven: Environment, claimed: Environment, value: bool, text: bool
) -> Expr:
    """`value`: whether a number is used; `text`: whether a function reads the text."""
    match expr:
        case Ref():
            if text and expr.type.name == "VARCHAR":
                return shortened(expr, proven, claimed)
            return clamped(expr, proven, claimed) if value else expr
        case Case():
            branches = tuple(
                (
                    _enforce(c, proven, claimed, False, False),
                    _enforce(v, proven, claimed, value, text),
                )
                for c, v in expr.branches
            )
            default = _enforce(expr.default, proven, claimed, value, text)
            return Case(branches, default, expr.type, expr.span)
        case Call(function="cut") | Literal():
            return expr
        case Call():
            passing = expr.function == "coerce"
            inside = value if passing else BY_NAME[expr.function].reads_values
            read = text if passing and expr.type.is_string else expr.function not in COMPARING
            args = tuple(_enforce(a, proven, claimed, inside, read) for a in expr.args)
            return Call(expr.function, args, expr.type, expr.span)
        case _:
            assert_never(expr)


def shortened(ref: Ref, proven: Environment, claimed: Environment) -> Expr:
    """The texts of a column cut to their declared length, where that is not a fact already."""
    fact, most = proven[ref.column.id].longest, claimed[ref.column.id].length
    if most is None or (fact is not None and fact <= most):
        return ref
    return Call("cut", (ref, Literal(most, BIGINT)), ref.type, ref.span)


def clamped(ref: Ref, proven: Environment, claimed: Environment) -> Expr:
    """The column inside its declared bounds, where those are not a fact already."""
    column = ref.column
    fact, claim = proven[column.id], claimed[column.id]
    if not (column.type.is_numeric or column.type.is_temporal) or not claim.bounded:
        return ref
    if fact.bounded and fact.within(claim):
        return ref
    low, high = bound(claim.low, column.type, -1), bound(claim.high, column.type, 1)
    return Call("clamp", (ref, low, high), column.type, ref.span)


def total(expr: Expr, env: Environment) -> Expr:
    """The expression with the totality rule of each function applied, operands first.

    Raises:
        Rejected: DP306.
    """
    return _total(expr, env)[0]


def _total(expr: Expr, env: Environment) -> tuple[Expr, Values]:
    if isinstance(expr, Case):
        branches: list[tuple[Expr, Expr]] = []
        for condition, result in expr.branches:
            safe = _total(condition, env)[0]
            branches.append((safe, _total(result, narrow(safe, env))[0]))
        default = _total(expr.default, env)[0]
        case = rebound(Case(tuple(branches), default, expr.type, expr.span))
        return case, infer(case, env)
    if not isinstance(expr, Call):
        return expr, infer(expr, env)
    made = [_total(a, env) for a in expr.args]
    args = tuple(a for a, _ in made)
    call = _retyped(Call(expr.function, args, expr.type, expr.span), expr)
    call = _converted(call, made)
    if (again := _stated_twice(call)) is not None:
        return again, infer(again, env)
    values = tuple(
        known if new is old else infer(new, env, {id(old): known})
        for new, (old, known) in zip(call.args, made, strict=True)
    )
    try:
        safe_call = BY_NAME[call.function].total(call, values)
    except NotTotal as problem:
        diagnostic = Diagnostic("DP306", problem.message, expr.span, problem.help)
        raise Rejected(diagnostic) from None
    safe_call = _stated_within(safe_call, call, env)
    if too_large(safe_call):  # a guard writes its operand twice, and so do the guards within it
        message = "the expression is too large once it is guarded against failing"
        raise Rejected(Diagnostic("DP103", message, expr.span))
    # By parts, since each operand was inferred already: for all levels that would be quadratic.
    parts = {id(a): v for a, v in zip(call.args, values, strict=True)}
    known = infer(safe_call, env, parts)
    operands = safe_call.args if isinstance(safe_call, Call) else ()
    hidden = BY_NAME[call.function].shown or any(infer(a, env, parts).made for a in operands)
    shown = stated(safe_call, known) if hidden else safe_call
    return shown, known if shown is safe_call else infer(shown, env, {id(safe_call): known})


def stated(call: Expr, known: Values) -> Expr:
    """A number that is made of a moment or text that is made itself, with its range in the SQL.

    Claim: it is the same number. Why: it is proven to be in that range, so that no bound is met;
    what may be NaN is left as it is.
    What for: who reads the SQL alone need not know what becomes of moments and texts.
    """
    if known.nan or not (call.type.is_numeric and known.bounded and known.finite != ()):
        return call
    low, high = bound(known.low, call.type, -1), bound(known.high, call.type, 1)
    limits: Any = call.type.limits()
    if limits is not None and (low.value <= limits[0] or high.value >= limits[1]):
        return call
    if not known.nullable:
        return make("least", (make("greatest", (call, low), call.span), high), call.span)
    ends = (
        Literal(following(end.value, call.type, sign), call.type)
        for end, sign in ((low, -1), (high, 1))
    )
    return Call("inside", (call, *ends), call.type, call.span)


def _stated_within(made: Expr, call: Call, env: Environment) -> Expr:
    """What a function's rule made of calls that are new, each with its range stated.

    Claim: it is the same value; see `stated`. What for: what is secured once is secured, so that a
    later look at it changes nothing that was proven.
    """
    if not isinstance(made, Call) or made.function == call.function:
        return made
    old = {id(a) for a in call.args}
    args = tuple(
        stated(a, infer(a, env))
        if id(a) not in old and isinstance(a, Call) and any(infer(b, env).made for b in a.args)
        else a
        for a in made.args
    )
    return Call(made.function, args, made.type, made.span)


def _converted(call: Call, made: list[tuple[Expr, Values]]) -> Call:
    """The conversions to less than an operand has become, NULL where they could fail."""
    args = tuple(
        BY_NAME["coerce"].total(new, (known,))
        if isinstance(new, Call) and new.function == "coerce" and new.args == (old,)
        else new
        for new, (old, known) in zip(call.args, made, strict=True)
    )
    return Call(call.function, args, call.type, call.span)


def _stated_twice(call: Call) -> Expr | None:
    """What a range says that is stated of what has the same one stated; None of all else."""
    inner = call.args[0] if call.args else None
    if call.function == "inside":
        same = isinstance(inner, Call) and inner.function == "inside"
        return inner if same and inner.args[1:] == call.args[1:] else None  # type: ignore[union-attr]
    if call.function != "least" or not isinstance(inner, Call) or inner.function != "greatest":
        return None
    first = inner.args[0]
    if not isinstance(first, Call) or first.function != "least" or first.args[1:] != call.args[1:]:
        return None
    within = first.args[0]
    same = isinstance(within, Call) and within.function == "greatest"
    return first if same and within.args[1:] == inner.args[1:] else None  # type: ignore[union-attr]


_OWN_TYPE = frozenset({"add", "sub", "mul"})
"""Their totality rule reads the operands' types itself and chooses the result's."""


def _retyped(call: Call, before: Call) -> Call:
    """A call whose operands have become wider: bound again, so that its types fit."""
    same = [a.type for a in before.args] == [a.type for a in call.args]
    if same or call.function in _OWN_TYPE:
        return call
    made = rebound(call)
    assert isinstance(made, Call)
    return made
