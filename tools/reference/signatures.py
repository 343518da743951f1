"""Signatures of the functions of the allow-list: found by asking each of them what it takes.

A function's `bind` is asked with columns and constants of every type in every place. What it takes
is written as SQL's users read it: `round(number, [number])` takes a constant in its second place.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from dpsql.core.functions import Function, TypeMismatch
from dpsql.core.plan.expr import Call, Column, Expr, Literal, Ref
from dpsql.types import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INTEGER,
    INTERVAL,
    TIMESTAMP,
    VARCHAR,
    Type,
    list_of,
)

_COLUMNS: dict[str, tuple[Type, ...]] = {
    "number": (INTEGER, DOUBLE),
    "text": (VARCHAR,),
    "condition": (BOOLEAN,),
    "date": (DATE, TIMESTAMP),
    "interval": (INTERVAL,),
    "list": (list_of(INTEGER),),
}
_CONSTANTS: dict[str, tuple[Expr, ...]] = {
    "[number]": (Literal(2, INTEGER),),
    "[text]": tuple(Literal(t, VARCHAR) for t in ("a", "month", "%Y")),
    "[interval]": (Call("interval", tuple(Literal(n, BIGINT) for n in (0, 1, 0)), INTERVAL),),
}
MOST = 3
"""So many places are tried; what takes one more of the last takes any number."""

_Signature = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """What a function takes, one alternative after the other, and the type of what it gives."""

    arguments: tuple[str, ...]
    gives: str


def of(function: Function) -> Taken:
    """What a function takes and gives; no alternatives where no column or constant fits."""
    found: dict[_Signature, set[str]] = {}
    for places in range(MOST + 1):
        for signature in product((*_COLUMNS, *_CONSTANTS), repeat=places):
            if results := _results(function, signature):
                found[signature] = results
    known = {s: r for s, r in found.items() if not _weaker(s, found)}
    gives = sorted({name for results in known.values() for name in results})
    return Taken(tuple(_written(known, function)), ", ".join(gives))


def bound(function: Function) -> Iterator[tuple[Call, tuple[Column, ...]]]:
    """The function of columns and constants as tables have them, and the columns of each."""
    kinds = [kind for kind in (*_COLUMNS, *_CONSTANTS) if kind not in ("list", "interval")]
    for places in range(1, MOST + 1):
        for signature in product(kinds, repeat=places):
            for given in product(*(_candidates(kind, n) for n, kind in enumerate(signature))):
                columns = tuple(a.column for a in given if isinstance(a, Ref))
                if columns:
                    with suppress(TypeMismatch):
                        arguments, kind = function.bind(given)
                        yield Call(function.name, arguments, kind), columns


def _results(function: Function, signature: _Signature) -> set[str]:
    """The kinds of what comes out; empty where nothing fits."""
    results: set[str] = set()
    choices = [_candidates(kind, place) for place, kind in enumerate(signature)]
    for arguments in product(*choices):
        try:
            results.add(_kind(function.bind(arguments)[1]))
        except TypeMismatch:
            continue
    return results


def _candidates(kind: str, place: int) -> tuple[Expr, ...]:
    if kind in _CONSTANTS:
        return _CONSTANTS[kind]
    return tuple(Ref(Column(place, kind, t)) for t in _COLUMNS[kind])


def _kind(kind: Type) -> str:
    if kind.is_numeric:
        return "number"
    names = {"VARCHAR": "text", "BOOLEAN": "condition", "DATE": "date", "TIMESTAMP": "date"}
    return names.get(kind.name, kind.name.lower())


def _weaker(signature: _Signature, found: dict[_Signature, set[str]]) -> bool:
    """Whether the same is taken with a column where this has a constant."""
    return any(
        kind in _CONSTANTS and (*signature[:n], kind.strip("[]"), *signature[n + 1 :]) in found
        for n, kind in enumerate(signature)
    )


def _written(found: dict[_Signature, set[str]], function: Function) -> Iterator[str]:
    """The alternatives, the shorter ones as beginnings of the longer ones where they are that."""
    if {("text", "text"), ("condition", "condition")} <= found.keys():
        yield "x, y, …" if ("text",) * MOST in found else "x, y"
        return
    for signature in sorted(found):
        longer = [s for s in found if s[: len(signature)] == signature and s != signature]
        if longer:
            continue
        least = len(signature)
        while least > 1 and signature[: least - 1] in found:
            least -= 1
        parts = ", ".join(signature[:least])
        if len(signature) == MOST and _takes_more(function, signature):
            yield ", ".join((*signature[: max(least, 2)], "…"))
            continue
        for kind in signature[least:]:
            parts += f" ⟨, {kind}⟩"
        yield parts


def _takes_more(function: Function, signature: _Signature) -> bool:
    return bool(_results(function, (*signature, signature[-1])))
