"""Whether and where a string holds another: starts_with, contains, strpos, LIKE … ESCAPE, GLOB.

What is looked for is a constant, for starts_with and ends_with any string. All are total on any
valid string and strict; positions count characters from 1, and 0 is nowhere.

Time. DuckDB compares at each place where the first bytes agree: on strings that agree often, 15
times that of a plain scan, whatever the constant's length up to MAX_NEEDLE. LIKE … ESCAPE and GLOB
take the pieces between % or * one after another and never go back; what stands for one character
(_, ?, […]) is compared afresh at each position, so a piece may hold few of them.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from dpsql.core.functions.boolean import MAX_FLOATING, MAX_PATTERN
from dpsql.core.functions.spec import (
    Args,
    Function,
    TypeMismatch,
    any_boolean,
    named,
    operator,
    plain,
)
from dpsql.core.functions.typing import constant_string, require, signature, string, text
from dpsql.core.plan.expr import Call
from dpsql.core.plan.values import Values
from dpsql.types import BIGINT, BOOLEAN, Type

MAX_NEEDLE = 256
MAX_GLOB = 64
MAX_GLOB_FLOATING = 4
_LENGTH_LIMIT = 2**32


def strings(args: Args, count: int) -> Args:
    """The first `count` arguments as strings."""
    return (*(string(args, index) for index in range(count)), *args[count:])


def search(
    name: str,
    bind: Callable[[Args], tuple[Args, Type]],
    timing: str = "",
    *,
    also: str | None = None,
    engine: str | None = None,
) -> Function:
    """A function that tells whether a string holds another.

    Args:
        name: in SQL text, and the engine's.
        bind: checks and casts its arguments.
        timing: see `Function`.
        also: a second spelling in SQL text.
        engine: the engine's name where it is another.
    """
    names = (name,) if also is None else (name, also)
    sql = plain(engine or name)
    return Function(name, bind, any_boolean, sql, reads_values=False, names=names, timing=timing)


def _position_values(node: Call, values: tuple[Values, ...]) -> Values:
    """Claim: at most the length, and 1 for the empty string in the empty string."""
    finite = values[0].finite
    if finite and all(isinstance(v, str) for v in finite):
        return Values(0, max(1, *(len(v) for v in finite if isinstance(v, str))), False)
    longest = values[0].longest
    return Values(0, _LENGTH_LIMIT if longest is None else max(1, longest), False)


def _escaped(args: Args) -> tuple[Args, Type]:
    """A pattern that ends in the escape character, and an escape of several, would fail."""
    require(args, 3)
    pattern = text(args[1], 1, "pattern", MAX_PATTERN)
    escape = text(args[2], 2, "escape", 1)
    at, run, floating = 0, 0, False
    while at < len(pattern):
        if pattern[at] == escape:
            if at + 1 == len(pattern):
                raise TypeMismatch("the pattern ends in the escape character", 1)
            at += 2
            continue
        floating = floating or pattern[at] == "%"
        run = 0 if pattern[at] == "%" else run + (pattern[at] == "_")
        if floating and run > MAX_FLOATING:
            raise TypeMismatch(f"more than {MAX_FLOATING} _ in one piece after a %", 1)
        at += 1
    return strings(args, 3), BOOLEAN


def _glob(args: Args) -> tuple[Args, Type]:
    """A class that is not closed matches nothing, and fails on no row."""
    require(args, 2)
    pieces = text(args[1], 1, "pattern", MAX_GLOB).split("*")
    if any(p.count("?") + p.count("[") > MAX_GLOB_FLOATING for p in pieces[1:]):
        raise TypeMismatch(f"more than {MAX_GLOB_FLOATING} ? and […] in one piece after a *", 1)
    return strings(args, 2), BOOLEAN


_CONTAINED = constant_string("string to look for", MAX_NEEDLE)
_ENDS, _CONTAINS = (signature(string, t, gives=BOOLEAN) for t in (string, _CONTAINED))
_SEARCH = "0.3 ns a byte; 4 to 6 ns where it nearly matches everywhere"

FUNCTIONS = (
    search("starts_with", _ENDS, also="prefix"),
    search("ends_with", _ENDS, also="suffix", engine="suffix"),
    search("contains", _CONTAINS, _SEARCH),
    named(
        "strpos",
        signature(string, _CONTAINED, gives=BIGINT),
        _position_values,
        also=("instr",),
        timing=_SEARCH,
    ),
    search("like_escape", _escaped, "1 to 5 ns a byte; with 8 _ in a piece 12 to 23 ns"),
    search("ilike_escape", _escaped, "as like_escape, and lower"),
    Function(
        "glob",
        _glob,
        any_boolean,
        operator(exp.Glob),
        reads_values=False,
        timing="2 to 5 ns a byte; 23 ns with four classes in a piece, 100 ns with a long one",
    ),
)
