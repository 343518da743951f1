"""How a query is to be answered, beside its ε: what the analyst may choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Literal, TypedDict, get_args

from dpsql.core.account.amount import parse_delta, parse_eps, round_down
from dpsql.core.schema import Schema
from dpsql.errors import InvalidArgument, InvalidBudget, UnknownDialect

Amount = object
"""An ε or δ as a caller may write it: int, float, Decimal or Fraction; see `parse_eps`."""

Noise = Literal["auto", "laplace", "gaussian"]
Clipping = Literal["auto", "adaptive", "declared"]


@dataclass(frozen=True, slots=True)
class Options:
    """What the analyst chooses.

    Attributes:
        delta: δ of the whole query; 0 for none.
        noise: of sums and counts; "auto" takes the kind whose intervals are narrower.
        clipping: "adaptive" finds in the data, with a part of ε, how much one unit may add to each
            sum, and for how many distinct values it may count; "auto" does so only where the policy
            declares no bound, or many values; "declared" never.
        weights: (output column, how much its accuracy matters beside the others', 1 if not named).
        at: the instant that is CURRENT_TIMESTAMP, of UTC; None where the query may read no clock.
    """

    delta: Fraction = Fraction(0)
    noise: Noise = "auto"
    clipping: Clipping = "auto"
    weights: tuple[tuple[str, Fraction], ...] = ()
    at: datetime | None = None

    def __post_init__(self) -> None:
        for name, value, kinds in (
            ("noise", self.noise, get_args(Noise)),
            ("clipping", self.clipping, get_args(Clipping)),
        ):
            if not isinstance(value, str) or value not in kinds:
                said = f"{value!r}"[:60]
                raise InvalidArgument(f"{name} must be one of {', '.join(kinds)}, not {said}")
        if self.noise == "gaussian" and not self.delta:
            raise InvalidBudget("Gaussian noise needs a delta above 0")
        if any(weight <= 0 for _, weight in self.weights):
            raise InvalidArgument("a weight must be positive")


DEFAULT = Options()


class Wishes(TypedDict, total=False):
    """What may be said of a query by name, beside its ε and δ.

    Attributes:
        noise: of counts and sums: "laplace", "gaussian", or "auto" for the more accurate one.
        clipping: "adaptive" lets the data say, privately, how much one unit may add to a sum, and
            for how many distinct values it may count; "auto" does so only where the policy declares
            no bound, or many values; "declared" never.
        weights: how much the accuracy of an output column matters beside the others'.
        dialect: whose SQL it is: duckdb, bigquery, mysql, postgres, redshift, snowflake, spark or
            tsql.
    """

    noise: Noise
    clipping: Clipping
    weights: Mapping[str, float] | None
    dialect: str


@dataclass(frozen=True, slots=True)
class Question:
    """A query as it comes in.

    Attributes:
        sql: one SELECT.
        eps, delta: amounts, as `Database.run` takes them.
        wishes: see there.
    """

    sql: str
    eps: Amount
    delta: Amount
    wishes: Wishes


Ways = Sequence[Sequence[Question]]
"""How it may go on after a query: each way is a list of queries, in order."""


def options(
    delta: Fraction,
    *,
    noise: Noise = "auto",
    clipping: Clipping = "auto",
    weights: Mapping[str, float] | None = None,
    dialect: str = "duckdb",
    **unknown: object,
) -> tuple[Options, str]:
    """The options that somebody wishes, and the dialect.

    Raises:
        InvalidBudget: Gaussian noise without δ.
        UnknownDialect: a dialect that is no name.
        InvalidArgument: an unknown wish, an unknown kind of noise or clipping, weights without
            names, or one that is none.
    """
    if unknown:
        known = ", ".join(Wishes.__annotations__)
        message = f"unexpected keyword argument {min(unknown)!r}; these may be given: {known}"
        raise InvalidArgument(message)
    if not isinstance(dialect, str):
        raise UnknownDialect("a dialect is given by name, such as 'postgres'")
    return Options(delta, noise, clipping, _weights(weights)), dialect


def _weights(weights: object) -> tuple[tuple[str, Fraction], ...]:
    if weights is None:
        return ()
    if not isinstance(weights, Mapping):
        raise InvalidArgument('weights are given by column, such as {"orders": 2}')
    return tuple((_name(name), _weight(name, weight)) for name, weight in weights.items())


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise InvalidArgument('weights are given by column, such as {"orders": 2}')
    return name


def _weight(name: object, weight: object) -> Fraction:
    try:
        return parse_eps(weight)  # the same numbers will do
    except InvalidBudget:
        pass
    raise InvalidArgument(f"the weight of {name} must be a number above 0, from 1e-9 to 1,000,000")


def usual_delta(eps: Fraction, delta: Amount, schema: Schema) -> Fraction:
    """The δ that is meant: where none is given, that part of the policy's which ε is of its ε."""
    if delta is not None:
        return parse_delta(delta)
    return round_down(min(eps / schema.eps, Fraction(1)) * schema.delta)
