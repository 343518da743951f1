"""The kinds of values that a policy has: how each is read, and what it is in JSON Schema."""

from __future__ import annotations

import re
from datetime import date, timedelta
from fractions import Fraction
from typing import Annotated, Any

from pydantic import PlainValidator, Strict, WithJsonSchema

from dpsql.core.limits import parse_duration, parse_size
from dpsql.core.schema import Reference
from dpsql.core.sqltypes import parse_type
from dpsql.platform.policy.scalars import number, scalar, show
from dpsql.types import Scalar, Type


def _eps(value: object) -> Fraction:
    eps = Fraction(number(value))
    if eps <= 0:
        raise ValueError(f"eps must be above 0, not {show(eps)}")
    return eps


def _delta(value: object) -> Fraction:
    delta = Fraction(number(value))
    if not 0 <= delta < 1:
        raise ValueError(f"delta must be at least 0 and below 1, not {show(delta)}")
    return delta


def _truth(value: object) -> Fraction:
    truth = Fraction(number(value))
    if not 0 < truth < 1:
        raise ValueError(f"truth must be above 0 and below 1, not {show(truth)}")
    return truth


def _yes(value: object) -> Fraction:
    yes = Fraction(number(value))
    if not 0 <= yes <= 1:
        raise ValueError(f"yes must be from 0 to 1, not {show(yes)}")
    return yes


def _type(value: object) -> Type:
    if isinstance(value, Type):
        return value
    if not isinstance(value, str):
        raise ValueError("expected the name of a SQL type")
    return parse_type(value)


def _reference(value: object) -> Reference:
    if isinstance(value, Reference):
        return value
    table, dot, column = value.partition(".") if isinstance(value, str) else ("", "", "")
    if not (table and dot and column):
        raise ValueError("expected table.column")
    return Reference(table, column)


def _scalars(value: object) -> tuple[Scalar, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError("expected a list")
    return tuple(scalar(item) for item in value)


def _bounds(value: object) -> tuple[Scalar, ...]:
    bounds = _scalars(value)
    if len(bounds) != 2:
        raise ValueError("expected two values: [low, high]")
    return bounds


def _values(value: object) -> tuple[Scalar, ...]:
    values = _scalars(value)
    if not values:
        raise ValueError("a domain needs at least one value")
    return values


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("expected a whole number")
    if value <= 0:
        raise ValueError(f"must be at least 1, not {value}")
    if value >= 1 << 63:
        raise ValueError("must be below 2^63")
    return value


def _window(value: object) -> timedelta:
    if isinstance(value, timedelta):
        return value
    found = re.fullmatch(r"([1-9][0-9]{0,5}) (hour|day|week)s?", str(value))
    if found is None:
        raise ValueError('expected a time such as "30 days", in hours, days or weeks')
    return timedelta(**{f"{found[2]}s": int(found[1])})


def _rate(value: object) -> tuple[int, timedelta]:
    if isinstance(value, tuple):
        return value
    found = re.fullmatch(r"([1-9][0-9]{0,8}) per (minute|hour|day)", str(value), re.ASCII)
    if found is None:
        raise ValueError('expected a rate such as "100 per hour": per minute, hour or day')
    return int(found[1]), timedelta(**{f"{found[2]}s": 1})


def _epoch(value: object) -> str:
    if isinstance(value, date):  # YAML reads 2026-11-01 as one
        value = value.isoformat()
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not re.fullmatch(r"[\w.:+-]{1,64}", value):
        raise ValueError(
            "expected a name such as 2026-11, or a schedule: daily, weekly, monthly, yearly"
        )
    return value


_SCALAR_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "number"}, {"type": "string"}, {"type": "boolean"}]
}

Text = Annotated[str, Strict()]
Count = Annotated[
    int, PlainValidator(_count), WithJsonSchema({"type": "integer", "exclusiveMinimum": 0})
]
Eps = Annotated[
    Fraction,
    PlainValidator(_eps),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0}),
]
Delta = Annotated[
    Fraction,
    PlainValidator(_delta),
    WithJsonSchema({"type": "number", "minimum": 0, "exclusiveMaximum": 1}),
]
Truth = Annotated[
    Fraction,
    PlainValidator(_truth),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
]
Yes = Annotated[
    Fraction,
    PlainValidator(_yes),
    WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}),
]
Window = Annotated[
    timedelta,
    PlainValidator(_window),
    WithJsonSchema({"type": "string", "examples": ["30 days"]}),
]
RateText = Annotated[
    tuple[int, timedelta],
    PlainValidator(_rate),
    WithJsonSchema({"type": "string", "examples": ["100 per hour"]}),
]
Epoch = Annotated[
    str,
    PlainValidator(_epoch),
    WithJsonSchema({"type": ["string", "integer"], "examples": ["2026-11", "monthly"]}),
]
Size = Annotated[
    int,
    PlainValidator(parse_size),
    WithJsonSchema({"type": ["string", "integer"], "examples": ["4GB"]}),
]
Duration = Annotated[
    timedelta,
    PlainValidator(parse_duration),
    WithJsonSchema({"type": "string", "examples": ["0.25s"]}),
]
SqlType = Annotated[
    Type,
    PlainValidator(_type),
    WithJsonSchema({"type": "string", "examples": ["INTEGER", "DECIMAL(15,2)", "VARCHAR"]}),
]
Target = Annotated[
    Reference,
    PlainValidator(_reference),
    WithJsonSchema({"type": "string", "pattern": r"^[^.]+\..+$"}),
]
Bounds = Annotated[
    tuple[Scalar, Scalar],
    PlainValidator(_bounds),
    WithJsonSchema({"type": "array", "items": _SCALAR_SCHEMA, "minItems": 2, "maxItems": 2}),
]
Values = Annotated[
    tuple[Scalar, ...],
    PlainValidator(_values),
    WithJsonSchema({"type": "array", "items": _SCALAR_SCHEMA, "minItems": 1}),
]
