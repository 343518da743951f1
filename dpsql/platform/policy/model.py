"""The policy: what a data owner declares. Frozen, public, and checked when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PrivateAttr,
    Strict,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from dpsql.core.frozen import FrozenMap
from dpsql.core.schema import Neighbours
from dpsql.errors import PolicyError
from dpsql.platform.policy import checks, messages
from dpsql.platform.policy.catalog import split
from dpsql.platform.policy.fields import Bounds, Count, SqlType, Target, Text, Values
from dpsql.platform.policy.files import read
from dpsql.platform.policy.loader import MAX_BYTES, load_yaml
from dpsql.platform.policy.owners import owner_name
from dpsql.platform.policy.parts import (
    AS_DICT,
    BudgetPolicy,
    CapPolicy,
    LimitsPolicy,
    Part,
    RandomizedPolicy,
    ReferencePolicy,
)
from dpsql.platform.policy.places import Path as Place
from dpsql.platform.policy.places import Places, Problem
from dpsql.platform.policy.time_units import TimeUnits, in_time, written
from dpsql.types import Type


def _empty(value: object) -> object:
    """A key with nothing after it (`columns:`, or `o_orderkey:`) stands for an empty mapping."""
    return {} if value is None else value


def _listed(value: object) -> object:
    """One text stands for a list of it."""
    return (value,) if isinstance(value, str) else value


class ColumnPolicy(Part):
    """What is declared of one column. `bounds` and `values` are as written, not yet of `type`."""

    type: SqlType | None = Field(
        default=None, description="The SQL type; the database knows it too."
    )
    bounds: Bounds | None = Field(default=None, description="[low, high], inclusive; public.")
    clip: Bounds | None = Field(
        default=None,
        description="Instead of bounds, where values lie beyond them: [low, high] that each query "
        "cuts to. It claims nothing, so that verify neither fails by it nor takes it for proven.",
    )
    values: Values | None = Field(
        default=None, description="The public domain: every value, without NULL."
    )
    nullable: Annotated[bool, Strict()] | None = Field(
        default=None, description="false claims that no NULL occurs."
    )
    references: Target | None = Field(
        default=None, description="table.column that this column is a foreign key to."
    )
    max_rows: Count | None = Field(
        default=None,
        description="At most so many rows of this table share one value of this column.",
    )
    clip_rows: Count | None = Field(
        default=None,
        description="Instead of max_rows, where more rows do share one: so many count. It claims "
        "nothing, as clip.",
    )
    max_length: Count | None = Field(
        default=None,
        description="At most so many characters; longer texts are cut when they are read.",
    )
    randomized: RandomizedPolicy | None = Field(
        default=None,
        description="The values are randomized answers: with probability truth a row tells the "
        "truth, else TRUE with probability yes. BOOLEAN alone; answers are debiased.",
    )

    @property
    def ends(self) -> Bounds | None:
        """What values are taken to lie in: claimed, or cut to."""
        return self.clip if self.bounds is None else self.bounds

    @property
    def most_rows(self) -> int | None:
        """How many rows are taken to share a value: claimed, or cut to."""
        return self.clip_rows if self.max_rows is None else self.max_rows


class TablePolicy(Part):
    """What is declared of one table. A table that is not listed does not exist."""

    access: Literal["private", "public"] = Field(
        description="private: every row belongs to a unit. public: anyone may read it."
    )
    key: tuple[Text, ...] = Field(
        default=(), description="Columns that are together unique, never NULL."
    )
    files: Annotated[tuple[Text, ...], BeforeValidator(_listed)] = Field(
        default=(),
        description="Of a folder, the files of this table, such as visits/*.parquet; by default "
        "those that have its name.",
    )
    rows: Count | None = Field(default=None, description="The public number of rows.")
    owner: Text | None = Field(
        default=None,
        description="The column that leads to the unit, where several could; or that is the unit, "
        "where no table has one row for each.",
    )
    references: tuple[ReferencePolicy, ...] = Field(
        default=(), description="Foreign keys of several columns; one of one is said of its column."
    )
    one_unit: Annotated[Mapping[Text, tuple[Text, ...]], AfterValidator(FrozenMap), AS_DICT] = (
        Field(
            default_factory=FrozenMap,
            description="Things of which each belongs to one unit, by name: the columns that name "
            "one. Rows of all tables with the same thing are then joined by their unit, too.",
        )
    )
    columns: Annotated[
        Mapping[Text, Annotated[ColumnPolicy, BeforeValidator(_empty)]],
        BeforeValidator(_empty),
        AfterValidator(FrozenMap),
        AS_DICT,
    ] = Field(default_factory=FrozenMap, description="The columns, by name.")

    @property
    def private(self) -> bool:
        """Whether the rows belong to privacy units."""
        return self.access == "private"

    def looks_up(self, column: str) -> bool:
        """Whether the column is none of the data's: a reference of several columns tells it."""
        return column.lower() in {owner_name(reference.to) for reference in self.references}

    def refers(self, column: str) -> Target | None:
        """Where the column of that name, whatever the case, is declared to lead."""
        found = (c.references for name, c in self.columns.items() if name.lower() == column.lower())
        return next(found, None)


class Policy(Part):
    """Who is protected, what is public, and how much may be spent.

    Made by `Policy.load` or `Policy.parse`. What the database's own catalog may supply (types,
    keys, references) need not be declared; whether it does is checked by `resolve`.
    """

    unit: Text = Field(
        default="",
        description="table.column that names the protected entity; or a table: each row is one; "
        "or, where no table has one row for each, a word for what `owner` columns name. With "
        "` per month(orders.ordered_on)`: what that is or does in one month.",
    )
    units: tuple[Text, ...] = Field(
        default=(),
        description="Instead of unit, where a row may belong to several kinds of unit: the "
        "table.column of each kind. Each unit of each kind is protected.",
    )
    neighbours: Neighbours = Field(
        default="add_remove",
        description="add_remove: one unit more or less. replace: one unit changed for another.",
    )
    budget: BudgetPolicy = Field(description="The total that all answers may cost.")
    min_units: Count = Field(
        default=1,
        description="Groups whose keys are private are shown only where at least so many units "
        "are in them, beside what δ asks for.",
    )
    visible: Annotated[bool, Strict()] = Field(
        default=True,
        description="false leaves the SQL and the certificate out of explanations: they show which "
        "claims are proven.",
    )
    limits: Annotated[LimitsPolicy, BeforeValidator(_empty)] = Field(
        default_factory=LimitsPolicy, description="What one query may use."
    )
    tables: Annotated[Mapping[Text, TablePolicy], AfterValidator(FrozenMap), AS_DICT] = Field(
        description="The tables, by name: visits, clinic.visits or warehouse.clinic.visits. One "
        "that is not listed does not exist."
    )
    attach: Annotated[Mapping[Text, Text], AfterValidator(FrozenMap), AS_DICT] = Field(
        default_factory=FrozenMap,
        description="DuckDB files that are opened beside one, read-only, by the names of their "
        "databases; paths are relative to the data's folder.",
    )
    views: tuple[Text, ...] = Field(
        default=(),
        description="Views that queries may read. Each stands for its definition, which is public.",
    )
    _places: Places = PrivateAttr(default_factory=Places)
    _time: TimeUnits | None = PrivateAttr(default=None)

    @model_validator(mode="after")
    def _checked(self) -> Policy:
        if problems := checks.problems(self):
            raise PydanticCustomError(
                "policy", "{text}", {"text": "; ".join(map(str, problems)), "problems": problems}
            )
        return self

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """The policy in the file at `path`.

        Raises:
            PolicyError: the file cannot be read, or what `parse` raises.
        """
        file = str(path)
        try:
            data = read(path, MAX_BYTES + 1)
            text = data.decode("utf-8-sig")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            message = f"cannot read the policy: {reason}"
            if isinstance(error, UnicodeDecodeError):
                if len(data) > MAX_BYTES:
                    message = f"the policy is larger than {MAX_BYTES} bytes"
                line = data.count(b"\n", 0, error.start) + 1
                raise PolicyError(message, file=file, line=line) from None
            raise PolicyError(message, file=file) from None
        return cls.parse(text, file)

    @classmethod
    def parse(cls, text: str, file: str | None = None) -> Policy:
        """The policy that the YAML `text` declares; `file` is named in errors.

        Raises:
            PolicyError: all that is wrong, with the line of the first problem.
        """
        data, places = load_yaml(text, file)
        if not isinstance(data, dict):
            raise PolicyError("a policy is a mapping: unit, budget, tables", file=file, line=1)
        return cls.from_mapping(data, places)

    @classmethod
    def from_mapping(cls, data: Mapping[str, object], places: Places | None = None) -> Policy:
        """The policy with that content, as YAML would give it; `places` are the lines it stands on.

        Raises:
            PolicyError: all that is wrong.
        """
        places = Places() if places is None else places
        policy, problems = None, [Problem((), "a text has half of a surrogate pair")]
        said = written(data.get("unit"))
        try:
            policy = cls.model_validate({**data, **({"unit": said.person} if said else {})})
        except ValidationError as error:
            with suppress(UnicodeError):
                problems = _problems(error)
        except UnicodeError:
            pass
        if policy is None:
            raise places.error(problems)
        policy._places = places
        if said is None:
            return policy
        return in_time(policy, str(data["unit"]), said, ColumnPolicy(type=Type("VARCHAR")))

    @property
    def unit_table(self) -> str:
        """The table that `unit` names; where there are several kinds, that of the first; where it
        names none, the first one with a column that is the unit."""
        return self.split(self._unit)[0]

    @property
    def unit_column(self) -> str | None:
        """The column that `unit` names; None where each row of the table is a unit."""
        return self.split(self._unit)[1]

    def split(self, unit: str) -> tuple[str, str | None]:
        """The table and the column that a unit names; None where it names a table alone."""
        table, column = split(unit, self.table)
        return table, column or None

    @property
    def _unit(self) -> str:
        if self.units:
            return self.units[0]
        first = next(iter(self.own_units.items()), None)
        return self.unit if first is None else ".".join(first)

    @property
    def own_units(self) -> Mapping[str, str]:
        """Where `unit` names no table: the columns that are the unit, by the names of their
        tables; empty elsewhere."""
        named = "." in self.unit or self.table(self.unit) is not None
        if not self.unit or (named and self._time is None):
            return {}
        return {
            name: table.owner
            for name, table in self.tables.items()
            if table.private and table.owner is not None and table.refers(table.owner) is None
            if not table.looks_up(table.owner)
        }

    @property
    def time(self) -> TimeUnits | None:
        """Of units in time: what they are made of."""
        return self._time

    @property
    def file(self) -> str | None:
        """The file that it was read from."""
        return self._places.file

    def table(self, name: str) -> tuple[str, TablePolicy] | None:
        """The listed table of that name, whatever the case, with the name as it is listed."""
        tables = self.tables if isinstance(self.tables, FrozenMap) else FrozenMap(self.tables)
        return tables.like(name)

    def line(self, *path: str | int) -> int | None:
        """The line of a part of the policy in its file, or of what is around it."""
        return self._places.line(path)

    def error(self, message: str, *path: str | int) -> PolicyError:
        """A PolicyError that points at the part of the policy at `path`."""
        return self.errors([Problem(path, message)])

    def errors(self, problems: list[Problem]) -> PolicyError:
        """One PolicyError for several problems."""
        return self._places.error(problems)


MAX_NEAR = 100
"""For so many problems keys that are near are looked for."""


def _problems(error: ValidationError) -> list[Problem]:
    found: list[Problem] = []
    details = error.errors(include_url=False)
    for place, detail in enumerate(details):
        if detail["type"] == "policy":
            found += detail["ctx"]["problems"]
        else:
            # To look for near keys takes long, and nobody reads so many.
            keys = _keys_at(detail["loc"]) if place < MAX_NEAR else ()
            found.append(messages.problem(detail, keys, tuple(ColumnPolicy.model_fields)))
    return found


def _keys_at(loc: Place) -> tuple[str, ...]:
    """The keys that the part of a policy around `loc` may have."""
    part: type[BaseModel] = Policy
    if loc[:2] == ("budget", "caps") and len(loc) > 3:
        part = CapPolicy
    elif loc[:1] == ("budget",) and len(loc) > 1:
        part = BudgetPolicy
    elif loc[:1] == ("limits",) and len(loc) > 1:
        part = LimitsPolicy
    elif loc[:1] == ("tables",) and len(loc) > 5 and loc[4] == "randomized":
        part = RandomizedPolicy
    elif loc[:1] == ("tables",) and len(loc) > 4:
        part = ReferencePolicy if loc[2] == "references" else ColumnPolicy
    elif loc[:1] == ("tables",) and len(loc) > 2:
        part = TablePolicy
    return tuple(part.model_fields)
