"""The kinds of values that a policy has: how each is read, and what it is in JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Strict
from pydantic_core.core_schema import CoreSchema, no_info_plain_validator_function

from dpsql.core.limits import parse_duration, parse_size
from dpsql.core.schema import Reference
from dpsql.core.sqltypes import parse_type
from dpsql.platform.policy.messages import did_you_mean
from dpsql.platform.policy.scalars import number, scalar, show
from dpsql.types import Scalar, Type


def _exact(
    name: str, range_: str, holds: Callable[[Fraction], bool]
) -> Callable[[object], Fraction]:
    """Reads an exact number of a range."""

    def read(value: object) -> Fraction:
        found = Fraction(number(value))
        if not holds(found):
            raise ValueError(f"{name} must be {range_}, not {show(found)}")
        return found

    return read


def _type(value: object) -> Type:
    if isinstance(value, Type):
        return value
    if not isinstance(value, str):
        raise ValueError("expected the name of a SQL type")
    return parse_type(value)


def _reference(value: object) -> Reference:
    if isinstance(value, Reference):
        return value
    table, dot, column = value.rpartition(".") if isinstance(value, str) else ("", "", "")
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
        raise ValueError("list at least one value, or leave `values` out")
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
    # A misspelt schedule would be a name, and its answers would be given again for ever.
    near = did_you_mean(value, SCHEDULES, alike=0.75)
    meant = near or value.lower() in ("hourly", "quarterly", "annually")
    if value not in SCHEDULES and value.isalpha() and meant:
        raise ValueError(f"no schedule {value}: there are {', '.join(SCHEDULES)}{near}")
    return value


SCHEDULES = ("daily", "weekly", "monthly", "yearly")


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """How a value is read, and the JSON Schema of what is written."""

    read: Callable[[Any], Any]
    schema: Mapping[str, Any]

    def __get_pydantic_core_schema__(self, _: Any, __: Any) -> CoreSchema:
        return no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, _: Any, __: Any) -> dict[str, Any]:
        return dict(self.schema)


def _example(*examples: str, type_: object = "string") -> dict[str, Any]:
    return {"type": type_, "examples": [*examples]}


def _number(**limits: int) -> dict[str, Any]:
    return {"type": "number", **limits}


_EPS = _exact("eps", "above 0", lambda x: x > 0)
_DELTA = _exact("delta", "at least 0 and below 1", lambda x: 0 <= x < 1)
_TRUTH = _exact("truth", "above 0 and below 1", lambda x: 0 < x < 1)
_YES = _exact("yes", "from 0 to 1", lambda x: 0 <= x <= 1)
_SCALARS: dict[str, Any] = {
    "type": "array",
    "items": {"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "boolean"}]},
}

Text = Annotated[str, Strict()]
Count = Annotated[int, _Read(_count, {"type": "integer", "exclusiveMinimum": 0})]
Eps = Annotated[Fraction, _Read(_EPS, _number(exclusiveMinimum=0))]
Delta = Annotated[Fraction, _Read(_DELTA, _number(minimum=0, exclusiveMaximum=1))]
Truth = Annotated[Fraction, _Read(_TRUTH, _number(exclusiveMinimum=0, exclusiveMaximum=1))]
Yes = Annotated[Fraction, _Read(_YES, _number(minimum=0, maximum=1))]
WindowText = Annotated[timedelta, _Read(_window, _example("30 days"))]
RateText = Annotated[tuple[int, timedelta], _Read(_rate, _example("100 per hour"))]
Epoch = Annotated[str, _Read(_epoch, _example("2026-11", "monthly", type_=["string", "integer"]))]
Size = Annotated[int, _Read(parse_size, _example("4GB", type_=["string", "integer"]))]
Duration = Annotated[timedelta, _Read(parse_duration, _example("0.25s"))]
SqlType = Annotated[Type, _Read(_type, _example("INTEGER", "DECIMAL(15,2)", "VARCHAR"))]
Target = Annotated[Reference, _Read(_reference, {"type": "string", "pattern": r"^[^.].*\.[^.]+$"})]
Bounds = Annotated[
    tuple[Scalar, Scalar], _Read(_bounds, {**_SCALARS, "minItems": 2, "maxItems": 2})
]
Values = Annotated[tuple[Scalar, ...], _Read(_values, {**_SCALARS, "minItems": 1})]
