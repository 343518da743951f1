"""Arithmetic of DOUBLEs as DuckDB has it, in a PostgreSQL that fails where IEEE 754 has a value.

PostgreSQL raises an error where a result of finite numbers is infinite, where one of numbers other
than 0 is 0, and where the divisor is 0: so one row could make a query fail. Here the operation is
done only where it gives what is neither; else the infinity or the zero is written.

Claim: each text has the value of the operation of IEEE 754, rounded to nearest and even, for all
arguments, and never fails. Why: whether a result is too large or too small is decided by numbers
that are scaled by powers of two, which is exact, to where nothing overflows; and rounding is
monotone, so that a rounded result is above a power of two only where the exact one is. A part of
constants alone is computed before the rest; what makes it safe stands before it, and is one of the
same constants alone, so that where it is false the part is dropped.
Source: IEEE 754, 4.3.1; PostgreSQL 14 to 18, float.c and clauses.c.
"""

from __future__ import annotations


def _double(value: float) -> str:
    return f"CAST('{value!r}' AS DOUBLE PRECISION)"


def _power(exponent: int) -> str:
    return _double(2.0**exponent)


_INF = "CAST('Infinity' AS DOUBLE PRECISION)"
_NEG = "CAST('-Infinity' AS DOUBLE PRECISION)"
_NAN = "CAST('NaN' AS DOUBLE PRECISION)"
_ZERO, _NEG_ZERO = _double(0.0), _double(-0.0)
_LOW, _HIGH = _double(1e-150), _double(1e150)
"""Products and quotients of what is between these are far from both ends."""


def _ends(same: str) -> str:
    """An infinity, positive where `same` is true."""
    return f"CASE WHEN {same} THEN {_INF} ELSE {_NEG} END"


def _usual(x: str) -> str:
    """0, or between the two."""
    return f"({x} = {_ZERO} OR abs({x}) BETWEEN {_LOW} AND {_HIGH})"


def sum_of(a: str, b: str) -> str:
    """Too large only where both are large: then half of it tells."""
    least = _double(1e290)  # less than half of a unit in the last place of the largest number
    safe = f"abs({a}) < {least} OR abs({b}) < {least} OR abs({a}) >= {_INF} OR abs({b}) >= {_INF}"
    half = f"abs({a} * {_double(0.5)} + {b} * {_double(0.5)}) < {_power(1023)}"
    return (
        f"CASE WHEN {a} IS NULL OR {b} IS NULL THEN NULL "
        f"WHEN {safe} THEN {a} + {b} WHEN {half} THEN {a} + {b} "
        f"WHEN {a} > {_ZERO} THEN {_INF} WHEN {a} < {_ZERO} THEN {_NEG} END"
    )


def difference(a: str, b: str) -> str:
    """The sum with the negative, which is the same number."""
    return sum_of(a, f"(- {b})")


def product(a: str, b: str) -> str:
    """Too large only where both are above 1, too small only where both are below."""
    down, up = _power(-512), _power(537)
    large = f"abs(({a} * {down}) * ({b} * {down})) < {_double(1.0)}"
    # The exact product is above 2^-1075, half of the smallest number, where the scaled one is
    # above 2^-1; where that is 2^-1, the digits tell: 2^104 is the half itself.
    scaled = f"abs(({a} * {up}) * ({b} * {up}))"
    half = _power(-1)
    digits = f"{_digits(f'({a} * {up})')} * {_digits(f'({b} * {up})')} > {2**105}"
    above = f"WHEN {scaled} > {half} THEN TRUE WHEN {scaled} < {half} THEN FALSE"
    small = f"CASE {above} ELSE {digits} END"
    zero = f"CASE WHEN ({a} > {_ZERO}) = ({b} > {_ZERO}) THEN {_ZERO} ELSE {_NEG_ZERO} END"
    one = _double(1.0)
    return (
        f"CASE WHEN {_usual(a)} AND {_usual(b)} THEN {a} * {b} "
        f"WHEN {a} = {_ZERO} OR {b} = {_ZERO} OR abs({a}) >= {_INF} OR abs({b}) >= {_INF} "
        f"THEN {a} * {b} "
        f"WHEN abs({a}) > {one} AND abs({b}) > {one} THEN CASE WHEN {large} THEN {a} * {b} "
        f"ELSE {_ends(f'({a} > {_ZERO}) = ({b} > {_ZERO})')} END "
        f"WHEN abs({a}) <= {one} AND abs({b}) <= {one} "
        f"THEN CASE WHEN {small} THEN {a} * {b} ELSE {zero} END "
        f"ELSE {a} * {b} END"
    )


def _digits(x: str) -> str:
    """The 53 binary digits of a normal number, as a whole number."""
    bits = f"('x001' || right(encode(float8send({x}), 'hex'), 13))"
    return f"CAST(CAST(CAST({bits} AS BIT(64)) AS BIGINT) AS NUMERIC)"


def quotient(a: str, b: str) -> str:
    """x / 0 is an infinity with the sign of both, and 0 / 0 is NaN."""
    one = _double(1.0)
    same = f"({a} > {_ZERO}) = ({b} > {_ZERO})"
    signed = f"({a} > {_ZERO}) = (CAST({b} AS TEXT) = '0')"
    by_zero = f"CASE WHEN {a} = {_ZERO} OR {a} = {_NAN} THEN {_NAN} ELSE {_ends(signed)} END"
    # Of a divisor below 1: the quotient by 2^1074, or 2^100, which has no end in reach.
    by_small = (
        f"CASE WHEN abs({a}) >= {one} "
        f"THEN abs(({a} * {_power(-74)}) / ({b} * {_power(1000)})) >= {_power(-50)} "
        f"WHEN abs({a}) >= abs({b}) THEN abs({a} / ({b} * {_power(100)})) >= {_power(924)} "
        f"ELSE FALSE END"
    )
    # Of one above: a / b <= 2^-1075 as a * 2^1000 <= b * 2^-75, both exact.
    by_large = (
        f"CASE WHEN abs({a}) < {_power(-51)} "
        f"THEN abs({a}) * {_power(1000)} <= abs({b}) * {_power(-75)} ELSE FALSE END"
    )
    zero = f"CASE WHEN {same} THEN {_ZERO} ELSE {_NEG_ZERO} END"
    return (
        f"CASE WHEN {a} IS NULL OR {b} IS NULL THEN NULL "
        f"WHEN {_usual(a)} AND abs({b}) BETWEEN {_LOW} AND {_HIGH} THEN {a} / {b} "
        f"WHEN {b} = {_ZERO} THEN {by_zero} "
        f"WHEN {a} = {_ZERO} OR abs({a}) >= {_INF} OR {b} = {_NAN} THEN {a} / {b} "
        f"WHEN abs({b}) = {_INF} THEN {zero} "
        f"WHEN abs({b}) < {one} THEN CASE WHEN {by_small} THEN {_ends(same)} ELSE {a} / {b} END "
        f"WHEN {by_large} THEN {zero} ELSE {a} / {b} END"
    )


def rounded(x: str) -> str:
    """Away from zero from between two; x - trunc(x) is exact, and NaN of what is no number."""
    return (
        f"CASE WHEN abs({x}) < {_power(52)} AND abs({x} - trunc({x})) >= {_double(0.5)} "
        f"THEN trunc({x}) + sign({x}) ELSE trunc({x}) END"
    )


def root(x: str) -> str:
    """NaN of what is negative."""
    return f"CASE WHEN {x} < {_ZERO} THEN {_NAN} ELSE sqrt({x}) END"


def sign(x: str) -> str:
    """-1, 0 or 1; 0 of NaN."""
    return f"CAST(CASE WHEN {x} = {_NAN} THEN {_ZERO} ELSE sign({x}) END AS SMALLINT)"


def is_infinite(x: str) -> str:
    """Whether it is an infinity."""
    return f"(abs({x}) = {_INF})"


def is_finite(x: str) -> str:
    """Whether it is a number."""
    return f"(abs({x}) < {_INF})"


_64 = f"CAST('{2**64}' AS NUMERIC)"


def to_numeric(x: str) -> str:
    """The whole number next to it, as two halves of less than 2^53 each in its own unit: a cast
    keeps 15 digits alone.
    """
    whole = f"round({x})"
    high = f"trunc({whole} / {_power(64)})"
    parts = (
        f"CAST(CAST({high} AS BIGINT) AS NUMERIC) * {_64} + "
        f"{_below_64(f'({whole} - {high} * {_power(64)})')}"
    )
    return f"CASE WHEN abs({x}) < {_power(62)} THEN {_whole(whole)} ELSE {parts} END"


def _whole(x: str) -> str:
    return f"CAST(CAST({x} AS BIGINT) AS NUMERIC)"


def _below_64(x: str) -> str:
    """Of less than 2^64, which has no digits below 2^10 where it is above 2^63."""
    return f"{_whole(f'({x} / {_double(2.0)})')} * 2"


def of_hugeint(x: str) -> str:
    """As DuckDB does it: both halves of 64 digits are rounded, and then their sum."""
    high, low = f"floor({x} / {_64})", f"({x} - floor({x} / {_64}) * {_64})"
    halves = f"CAST({low} AS DOUBLE PRECISION) + CAST({high} AS DOUBLE PRECISION) * {_power(64)}"
    minus = f"- CAST({2**64 - 1} - {low} AS DOUBLE PRECISION) - {_double(1.0)}"
    exact = f"abs({x}) <= {2**53}"
    return (
        f"CASE WHEN {exact} THEN CAST({x} AS DOUBLE PRECISION) "
        f"WHEN {x} < 0 AND {x} >= - {_64} THEN {minus} ELSE {halves} END"
    )


def of_decimal(x: str, scale: int) -> str:
    """As DuckDB does it, of up to 18 digits: where these are not exact, whole part and rest."""
    rest = f"CAST(({x} - trunc({x})) * {10**scale} AS DOUBLE PRECISION) / {_double(10.0**scale)}"
    return (
        f"CASE WHEN abs({x}) * {10**scale} <= {2**53} OR {scale} = 0 "
        f"THEN CAST({x} AS DOUBLE PRECISION) "
        f"ELSE CAST(trunc({x}) AS DOUBLE PRECISION) + {rest} END"
    )
