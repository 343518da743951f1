"""Noisy releases as JSON texts, and back: exactly, or not at all.

    {"format": 2, "digest": "…", "answer": "{…}"}

The digest is of the answer together with the key that it is stored under: a body that was cut
short, changed, or put under another key is not read. (Who may write into the ledger can make a new
digest; that the ledger is what it was is for the ledger to say.) Whatever is not exactly what is
written here is no answer, and then the query is answered anew; it is never an error.

Nothing but noisy numbers, public keys and public parameters is written here: a `NoisyRelease` holds
nothing else.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import Any, NoReturn, TypeVar

from dpsql.core.noise.gaussian import DiscreteGaussian
from dpsql.core.noise.integer_noise import Noise
from dpsql.core.noise.laplace import DiscreteLaplace
from dpsql.core.plan.canonical import Digest, digest
from dpsql.core.release.decode import Noisy
from dpsql.execution.exact import Key
from dpsql.execution.fineness import Fineness, Finenesses
from dpsql.execution.identity import Counted, Identity
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.ledger.ledger import Stored

FORMAT = 2

T = TypeVar("T")

_NOISES: dict[str, Callable[[float], Noise]] = {
    "laplace": DiscreteLaplace,
    "gaussian": DiscreteGaussian,
}


@dataclass(frozen=True, slots=True)
class Summands:
    """What the groups of a stored release are, where they may be added up; see `identity.Parts`."""

    conditions: frozenset[Digest]
    keys: tuple[Digest, ...]
    tested: tuple[bool, ...]
    measures: tuple[Digest, ...]
    counts: tuple[Counted, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """A stored release.

    Attributes:
        shape: which release it is, on any data.
        release: its noisy numbers.
        fineness: how good they are.
        summands: how its groups may be added up, or None.
        number, place: the line of the ledger, and which of its releases.
    """

    shape: Digest
    release: NoisyRelease
    fineness: Finenesses
    summands: Summands | None
    number: int
    place: int


def stored(
    identity: Identity, key: str, family: str, noisy: NoisyRelease, fineness: Finenesses
) -> Stored:
    """A release as the ledger keeps it.

    Args:
        identity: what it is.
        key, family: what it is found by.
        noisy: its numbers; drawn, not added up.
        fineness: how good they are.
    """
    parts = identity.parts
    answer = {
        "shape": identity.shape,
        "groups": [[_scalar(v) for v in group] for group in noisy.groups],
        "measures": [[_number(v) for v in row.measures] for row in noisy.noisy],
        "picks": [[[_scalar(v) for v in pick] for pick in row.picks] for row in noisy.noisy],
        "noises": [[_noise(noise), _number(part)] for noise, part in noisy.noises],
        "unsure": [_number(n) for n in sorted(noisy.unsure)],
        "fineness": [
            [f.kind, [str(a) for a in f.amounts], None if f.noise is None else _noise(f.noise)]
            for f in fineness
        ],
        "parts": None
        if parts is None
        else {
            "conditions": sorted(parts.conditions),
            "keys": parts.keys,
            "tested": parts.tested,
            "measures": parts.measures,
            "counts": [[c.made, c.plus, c.minus, c.width] for c in parts.counts],
        },
    }
    text = json.dumps(answer, separators=(",", ":"))
    whole = {"format": FORMAT, "digest": digest(key, family, text), "answer": text}
    return Stored(key, family, json.dumps(whole, separators=(",", ":")))


def read(found: Stored) -> Answered | None:
    """The stored release; None for what is none of this format."""
    try:
        whole = _strict(found.body)
        if set(whole) != {"format", "digest", "answer"} or whole["format"] != FORMAT:
            return None
        text = whole["answer"]
        if whole["digest"] != digest(found.key, found.family, text):
            return None
        return _answered(_strict(text), found)
    except (KeyError, TypeError, ValueError, ArithmeticError, RecursionError):
        return None


def _refuse(_: str) -> NoReturn:
    raise ValueError


def _strict(text: object) -> dict[str, Any]:
    return _a(dict, json.loads(_text(text), parse_float=_refuse, parse_constant=_refuse))


def _answered(found: dict[str, Any], where: Stored) -> Answered:
    groups: list[Key] = [tuple(map(_value, group)) for group in _list(found["groups"])]
    measures = [[_whole(v) for v in _list(row)] for row in _list(found["measures"])]
    picks = [
        tuple(tuple(map(_value, _list(pick))) for pick in _list(row))
        for row in _list(found["picks"])
    ]
    noises = tuple((_drawn(noise), Fraction(_whole(part))) for noise, part in found["noises"])
    rows = [Noisy(m, p) for m, p in zip(measures, picks, strict=True)]
    unsure = frozenset(int(_whole(n)) for n in _list(found["unsure"]))
    if not unsure <= set(range(len(noises))):
        raise ValueError
    if len(rows) != len(groups) or any(len(row.measures) != len(noises) for row in rows):
        raise ValueError
    fineness = tuple(
        Fineness(
            _text(kind),
            tuple(Fraction(_text(a)) for a in _list(amounts)),
            None if noise is None else _drawn(noise),
        )
        for kind, amounts, noise in found["fineness"]
    )
    return Answered(
        _text(found["shape"]),
        NoisyRelease(groups, rows, noises, unsure),
        fineness,
        None if found["parts"] is None else _summands(found["parts"], groups, len(noises)),
        where.number,
        where.place,
    )


def _summands(found: dict[str, Any], groups: list[Key], measures: int) -> Summands:
    made = Summands(
        frozenset(map(_text, _list(found["conditions"]))),
        tuple(map(_text, _list(found["keys"]))),
        tuple(v is True for v in _list(found["tested"])),
        tuple(map(_text, _list(found["measures"]))),
        tuple(_counted(_list(one), measures) for one in _list(found.get("counts", []))),
    )
    width = len(made.keys)
    fits = len(made.tested) == width and len(made.measures) == measures
    if not fits or any(len(group) != width for group in groups):
        raise ValueError
    return made


def _counted(found: list[Any], measures: int) -> Counted:
    made, *read, width = found
    # One measure each, as it was written before there could be several.
    plus, minus = (tuple(_list(of)) if isinstance(of, list) else (of,) for of in read)
    every = (*plus, *minus, width)
    if any(type(n) is not int for n in every) or min(every) < 0 or not width or not plus:
        raise ValueError
    if max(plus + minus) >= measures:
        raise ValueError
    return Counted(_text(made), plus, minus, width)


def _a(kind: type[T], value: object) -> T:
    """The value, where it is of that kind."""
    if not isinstance(value, kind):
        raise ValueError
    return value


def _list(value: object) -> list[Any]:
    return _a(list, value)


def _text(value: object) -> str:
    return _a(str, value)


# --- constants and numbers ---


def _scalar(value: object) -> object:
    """A constant: a type that JSON lacks is an object with one letter for a name."""
    if value is None or type(value) in (bool, int, str):
        return value
    if isinstance(value, Fraction):
        return {"f": str(value)}
    if isinstance(value, float) and not math.isfinite(value):
        return {"r": str(value)}
    if isinstance(value, datetime):
        return {"t": value.isoformat()}
    if isinstance(value, date):
        return {"d": value.isoformat()}
    raise TypeError(f"a {type(value).__name__} is no constant")


_READ: dict[str, Callable[[str], Any]] = {
    "f": Fraction,
    "r": {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}.__getitem__,
    "t": datetime.fromisoformat,
    "d": date.fromisoformat,
}


def _value(found: object) -> Any:
    if found is None or type(found) in (bool, int, str):
        return found
    if not isinstance(found, dict) or len(found) != 1:
        raise ValueError
    ((name, text),) = found.items()
    value = _READ[name](_text(text))
    if _scalar(value) != found:
        raise ValueError
    return value


def _number(value: int | Fraction) -> object:
    return value if type(value) is int else {"f": str(value)}


def _whole(found: object) -> int | Fraction:
    value = _value(found)
    if type(value) is not int and type(value) is not Fraction:
        raise ValueError
    return value


def _noise(noise: object) -> list[str]:
    """A kind and its parameter, to the last bit."""
    assert isinstance(noise, DiscreteLaplace | DiscreteGaussian)
    return [noise.kind, noise.scale.hex()]


def _drawn(found: object) -> Noise:
    kind, scale = _list(found)
    return _NOISES[_text(kind)](float.fromhex(_text(scale)))
