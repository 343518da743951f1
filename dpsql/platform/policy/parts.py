"""Parts of a policy: its budget, its limits, coins, and foreign keys of several columns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer

from dpsql.core.frozen import FrozenMap
from dpsql.core.limits import Limits
from dpsql.platform.policy.fields import (
    Count,
    Delta,
    Duration,
    Epoch,
    Eps,
    RateText,
    Size,
    Text,
    Truth,
    WindowText,
    Yes,
)

AS_DICT = PlainSerializer(dict)


class Part(BaseModel):
    """Frozen; a key that it has not is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class CapPolicy(Part):
    """What one analyst, or a group of them together, may spend of the budget; exact."""

    eps: Eps = Field(description="Epsilon, above 0.")
    delta: Delta | None = Field(
        default=None, description="Delta, at least 0 and below 1; the whole budget's if not given."
    )
    members: tuple[Text, ...] = Field(
        default=(), description="The analysts of a group; none where the name is an analyst's own."
    )


class BudgetPolicy(Part):
    """The (ε, δ) that all answers together may cost; exact."""

    eps: Eps = Field(description="The total epsilon, above 0.")
    delta: Delta = Field(
        default=Fraction(0),
        description="The total delta, at least 0 and below 1.",
        json_schema_extra={"default": 0},
    )
    accountant: Literal["pure", "approx", "zcdp", "rdp", "pld"] | None = Field(
        default=None,
        description="How costs add up. approx: epsilon and delta, each by itself; the default. "
        "pure: epsilon alone. zcdp, rdp: more queries for the same guarantee, of which a delta is "
        "part. pld: batches that are declared beforehand, and nothing else.",
    )
    account: Text | None = Field(
        default=None,
        description="A name for the data set in its ledger; by default which tables lead to the "
        "unit tells it.",
    )
    renews: WindowText | None = Field(
        default=None,
        description="After so long the whole budget is there again: a guarantee for each window of "
        "time alone.",
    )
    epoch: Epoch | None = Field(
        default=None,
        description="The time for which stored answers are given again, whatever becomes of the "
        "data: a name of the owner's, or a schedule: daily, weekly, monthly, yearly.",
    )
    min_eps: Eps | None = Field(default=None, description="The least epsilon of a charge.")
    rate: RateText | None = Field(
        default=None,
        description="How often an analyst may be charged, such as 100 per hour.",
    )
    caps: Annotated[Mapping[Text, CapPolicy], AfterValidator(FrozenMap), AS_DICT] = Field(
        default_factory=FrozenMap,
        description="What analysts, or groups of analysts, may spend of it, by name; * stands for "
        "each analyst who has no cap of his own.",
    )


_USUAL = Limits()


class LimitsPolicy(Part):
    """What one query may use."""

    work_per_unit: Count = Field(
        default=_USUAL.work_per_unit,
        description="The most steps that one unit may cause; a query that could cause more is "
        "rejected before anything is charged.",
    )
    public_work: Count = Field(
        default=_USUAL.public_work,
        description="The most steps that public rows may cause, where their number is declared.",
    )
    public_rows: Count = Field(
        default=_USUAL.public_rows,
        description="The most rows that an answer over public tables may have.",
    )
    text_length: Count = Field(
        default=_USUAL.text_length,
        description="The characters of a text without max_length that queries see; the rest is cut "
        "off where its length could matter.",
    )
    seconds: Count = Field(
        default=_USUAL.seconds, description="The time that one query may take, in seconds."
    )
    memory: Size | None = Field(
        default=None,
        description="What the engine may use, such as 4GB. If not given, half of the machine's "
        "memory in a worker process, and the engine's own choice elsewhere.",
    )
    threads: Count | None = Field(
        default=None, description="Of the engine; its own choice if not given."
    )
    temp_space: Size = Field(
        default=_USUAL.temp_space,
        description="What the engine may write to disk while it works; encrypted, and removed.",
    )
    padding: Duration | None = Field(
        default=None,
        description="Answers are given at multiples of this time after they were asked.",
    )
    failures: Count = Field(
        default=_USUAL.failures,
        description="After so many charged queries without an answer an analyst is locked out "
        "until the owner looks.",
    )

    @property
    def exact(self) -> Limits:
        """The same, as the stages read it."""
        return Limits(**{name: getattr(self, name) for name in type(self).model_fields})


class RandomizedPolicy(Part):
    """The two coins of randomized response; exact."""

    truth: Truth = Field(description="The probability that the truth is told, above 0, below 1.")
    yes: Yes = Field(description="Otherwise: the probability that TRUE is told, from 0 to 1.")


class ReferencePolicy(Part):
    """A foreign key of several columns."""

    columns: tuple[Text, ...] = Field(description="The columns of this table, two or more.")
    to: Text = Field(description="The table that they lead to.")
    key: tuple[Text, ...] = Field(
        default=(),
        description="The columns of its key, in the same order; if not given, of the same names.",
    )
    max_rows: Count | None = Field(
        default=None, description="At most so many rows of this table lead to one row there."
    )

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each column and that of the key, in lower case."""
        own, there = ([c.lower() for c in of] for of in (self.columns, self.key or self.columns))
        return tuple(zip(own, there, strict=False))
