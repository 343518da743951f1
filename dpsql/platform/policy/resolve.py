"""The policy, the catalog and the verification record, merged into the `Schema`.

Here it is decided what counts as proven: what the engine enforces, what is tested when a database
is opened (`key_checks`, `row_checks`), and what a record covers. All else is a claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from dpsql.core.frozen import FrozenMap
from dpsql.core.schema import Column, Lookup, Randomized, Schema, Table, View
from dpsql.platform.policy.catalog import Catalog
from dpsql.platform.policy.enforced import enforced_bounds, enforced_values, most_rows, size
from dpsql.platform.policy.kinds import hidden, kinds, orphans
from dpsql.platform.policy.merge import (
    MergedColumn,
    MergedTable,
    links,
    merge,
    not_found,
    reference,
)
from dpsql.platform.policy.model import ColumnPolicy, Policy
from dpsql.platform.policy.owners import Link
from dpsql.platform.policy.scalars import coerce
from dpsql.platform.policy.verification import Verification, claims_digest, key_name
from dpsql.types import Scalar


def resolve(policy: Policy, catalog: Catalog | None, record: Verification | None) -> Schema:
    """What the analysis may use.

    Args:
        policy: what the owner declares.
        catalog: what the engine enforces; None where there is no database: then every column that
            the policy lists needs a type, and no other column exists.
        record: of a verification, whose *version* the caller has found to be that of the data
            (`verification.valid`). One for other claims than the policy's is ignored.

    Raises:
        PolicyError: policy and catalog contradict each other, or something is missing from both.
    """
    if record is not None and record.policy_digest != claims_digest(policy):
        record = None
    if policy.units:
        return _several(policy, catalog, record)
    return _resolved(policy, catalog, record)


def _several(policy: Policy, catalog: Catalog | None, record: Verification | None) -> Schema:
    """The schema of each kind of unit, and what they have in common. A private table stands there
    as the first kind has it that it is of; nothing is inferred from whose its rows are.
    """
    known = links(policy, catalog)
    if lost := list(orphans(policy, known)):
        raise policy.errors(lost)
    every = kinds(policy, known)
    plain = [_resolved(kind, catalog, record) for kind in every]
    owners = [{low: t.owner for low, t in s.tables.items() if t.private and t.owner} for s in plain]
    found: list[Schema] = []
    for place, (kind, schema) in enumerate(zip(every, plain, strict=True)):
        unseen = hidden(policy, kind)
        tables = {
            low: replace(
                table,
                hidden=low in unseen,
                others=tuple(o[low] for i, o in enumerate(owners) if i != place and low in o),
            )
            for low, table in schema.tables.items()
        }
        found.append(replace(schema, tables=FrozenMap(tables)))
    first = {
        low: next((s.tables[low] for s in found if s.tables[low].private), found[0].tables[low])
        for low in found[0].tables
    }
    return replace(found[0], tables=FrozenMap(first), kinds=tuple(found))


def _resolved(policy: Policy, catalog: Catalog | None, record: Verification | None) -> Schema:
    merged = merge(policy, catalog)
    facts = _Facts(policy, merged, record)
    tables = {low: facts.table(low) for low in merged}
    tables |= {low: facts.looked_up(low, tables) for low in merged if merged[low].lookup}
    for table in tables.values() if policy.attach and catalog is not None else ():
        if table.private and catalog is not None and table.path[0] != catalog.home[0]:
            message = (
                f"{table.name} is private and in an attached file, whose budget is beside it; "
            )
            help = "open that file and attach the other, or have all private tables in one"
            raise policy.error(message + help, "attach")
    unit = merged[policy.unit_table.lower()]
    unit_column = policy.unit_column
    return Schema(
        tables=FrozenMap(tables),
        unit_table=unit.name,
        unit_column=unit.columns[unit_column.lower()].name if unit_column is not None else None,
        neighbours=policy.neighbours,
        eps=policy.budget.eps,
        delta=policy.budget.delta,
        min_units=policy.min_units,
        limits=policy.limits.exact,
        visible=policy.visible,
        unit_name=policy.unit if policy.own_units else None,
        views=FrozenMap(dict(_views(policy, catalog, tables))),
    )


def _views(
    policy: Policy, catalog: Catalog | None, tables: Mapping[str, Table]
) -> Iterator[tuple[str, View]]:
    """The listed views, by lower-cased name; none without a database."""
    known = {table.path for table in tables.values()}
    for place, name in enumerate(policy.views if catalog is not None else ()):
        assert catalog is not None
        meant = [*catalog.meant(name).items()]
        path, text = meant[0] if meant else (("", "", ""), "")
        if len(meant) != 1:
            raise policy.error(not_found(catalog, name, "view"), "views", place)
        if path in known or path not in catalog.views:
            what = "listed already" if path in catalog.views else "a table: list it under tables"
            raise policy.error(f"{name} is {what}", "views", place)
        known.add(path)
        yield text.lower(), View(text, path, catalog.views[path])


@dataclass(frozen=True, slots=True)
class _Facts:
    policy: Policy
    merged: Mapping[str, MergedTable]
    record: Verification | None

    def table(self, low: str) -> Table:
        table = self.merged[low]
        owner = self.owner(low)
        return Table(
            name=table.name,
            private=table.declared.private,
            columns=tuple(self.column(low, name) for name in table.columns),
            key=tuple(table.columns[name].name for name in self.key(low)),
            owner=table.columns[owner].name if owner is not None else None,
            owner_proven=table.declared.private and self.owner_proven(low),
            rows=table.declared.rows,
            place=() if table.catalog is None else table.catalog.path,
            one_unit=FrozenMap(
                {
                    thing.lower(): tuple(table.columns[c.lower()].name for c in columns)
                    for thing, columns in (
                        *table.declared.one_unit.items(),
                        *self.row(low),
                        *self.led_to(low),
                    )
                }
            ),
        )

    def looked_up(self, low: str, tables: Mapping[str, Table]) -> Table:
        """A table whose owners are those of the rows that several of its columns lead to."""
        link, own = self.merged[low].lookup, self.merged[low].columns
        assert link is not None
        there, owner = self.merged[link.to_table].columns, self.owner(link.to_table)
        assert owner is not None
        found = Lookup(
            columns=tuple(own[column].name for column, _ in link.pairs),
            table=tables[link.to_table],
            key=tuple(there[column].name for _, column in link.pairs),
            owner=there[owner].name,
        )
        return replace(tables[low], lookup=found)

    def led_to(self, low: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What references of several columns lead to, as things of one unit: where a row's owner is
        looked up there it is one in fact, and else by the owner's word, as others are.
        """
        for table in self.merged.values():
            for of in table.declared.references:
                ways = sorted((there, own) for own, there in of.pairs)
                name = f"{of.to} ({', '.join(there for there, _ in ways)})".lower()
                if table is self.merged[low]:
                    yield name, tuple(own for _, own in ways)
                elif of.to.lower() == low:
                    yield name, tuple(there for there, _ in ways)

    def leading(self, low: str) -> frozenset[str]:
        """The columns by which the owner is looked up. None is NULL: then the row is nobody's, and
        the analysis has none of it (`core.emit.plans.rows_of`).
        """
        link = self.merged[low].lookup
        return frozenset() if link is None else frozenset(own for own, _ in link.pairs)

    def key(self, low: str) -> tuple[str, ...]:
        """The key that holds in fact, lower-case: of the data or, where none does, a declared one
        that was verified.
        """
        table = self.merged[low]
        declared = self.keyed(low)
        known = self.record is not None and key_name(low, declared) in self.record.keys
        return declared if known and not table.key else table.key

    def keyed(self, low: str) -> tuple[str, ...]:
        """The key that is declared, lower-case, whether it holds in fact or is a claim."""
        return tuple(name.lower() for name in self.merged[low].declared.key)

    def row(self, low: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The rows of a private table as things of one unit, by a key that nobody has tested."""
        table, link = self.merged[low], self.merged[low].owner
        declared, key = {name.lower() for name in table.declared.key}, self.key(low)
        tested = bool(key) and declared.issuperset(key)
        unit = (self.policy.unit_table.lower(), (self.policy.unit_column or "").lower())
        itself = link is not None and (link.to_table, link.to_column) == unit
        coins = any(self.column(low, name).randomized is not None for name in declared)
        if declared and itself and not (tested or coins or self.policy.units):
            yield f"row of {low}", table.declared.key

    def owner(self, low: str) -> str | None:
        """The owner column, lower-case."""
        table = self.merged[low]
        if table.owner is not None:
            return table.owner.column
        if low == self.policy.unit_table.lower() and self.policy.unit_column is not None:
            return self.policy.unit_column.lower()
        return None

    def owner_proven(self, low: str) -> bool:
        """Whether no row of the table lacks a unit: every step to the unit is unbroken."""
        table = self.merged[low]
        owner = self.owner(low)
        if owner is None:
            return True  # each row is a unit
        covered = self._covers("owners", low, owner)
        if table.owner is None or self._is_unit(table.owner.to_table, table.owner.to_column):
            return covered or self.not_null(low, owner)
        step = covered or (self.not_null(low, owner) and table.columns[owner].link_enforced)
        return step and self.owner_proven(table.owner.to_table)

    def column(self, low: str, name: str) -> Column:
        table = self.merged[low]
        column = table.columns[name]
        bounds, bounds_proven = self._bounds(low, name, column)
        values, values_proven = self._values(low, name, column)
        max_rows, max_rows_proven = self._max_rows(low, name, column)
        return Column(
            name=column.name,
            type=column.type,
            nullable=not self.not_null(low, name),
            declared_nullable=self.declared_nullable(low, name),
            bounds=bounds,
            bounds_proven=bounds_proven,
            values=values,
            values_proven=values_proven,
            references=reference(column, self.merged),
            max_rows=max_rows,
            max_rows_proven=max_rows_proven,
            max_length=_length(column, values, self.policy.limits.text_length),
            max_length_proven=self._covers("lengths", low, name),
            max_length_said=column.declared.max_length is not None or values is not None,
            randomized=_coins(column.declared),
        )

    def declared_nullable(self, low: str, name: str) -> bool | None:
        """What the owner says of NULL: of a key's column that there is none, as a key claims."""
        said = self.merged[low].columns[name].declared.nullable
        if name in self.leading(low):
            return False
        return False if said is None and name in self.keyed(low) else said

    def not_null(self, low: str, name: str) -> bool:
        """Whether it is proven that the column has no NULL."""
        table = self.merged[low]
        column = table.columns[name]
        if name in table.not_null or name in self.key(low) or name in self.leading(low):
            return True
        if column.catalog is not None and column.catalog.not_null:
            return True
        # A record knows more columns without a NULL than the policy claims to have none; only a
        # claim is a public constraint on which databases there are.
        if column.declared.nullable is False and self._covers("not_null", low, name):
            return True
        return name == self.owner(low) and self._covers("owners", low, name)

    def _bounds(
        self, low: str, name: str, column: MergedColumn
    ) -> tuple[tuple[Scalar, Scalar] | None, bool]:
        enforced = enforced_bounds(column.catalog) if column.catalog is not None else None
        if column.declared.ends is None:
            return enforced, enforced is not None
        first, last = (coerce(value, column.type) for value in column.declared.ends)
        if enforced is not None and _within(enforced, (first, last)):
            return enforced, True
        return (first, last), self._covers("bounds", low, name)

    def _values(
        self, low: str, name: str, column: MergedColumn
    ) -> tuple[tuple[Scalar, ...] | None, bool]:
        # A declared ENUM is as good as the engine's: the two types are compared.
        enforced: tuple[Scalar, ...] | None = column.type.values
        if column.catalog is not None:
            enforced = enforced_values(column.catalog)
        if column.declared.values is None:
            return enforced, enforced is not None
        declared = tuple(coerce(value, column.type) for value in column.declared.values)
        if enforced is not None and set(enforced) <= set(declared):
            return tuple(value for value in declared if value in set(enforced)), True
        return declared, self._covers("values", low, name)

    def _max_rows(self, low: str, name: str, column: MergedColumn) -> tuple[int | None, bool]:
        sure, declared = self._most_rows(low, name), column.declared.most_rows
        if (link := self.merged[low].lookup) is not None and name == link.column:
            declared = self._looked_up_rows(low, link)
        if sure is not None and (sure == 1 or (declared is not None and sure <= declared)):
            return sure, True
        if declared is None and name == self.owner(low) and self.keyed(low) == (name,):
            return 1, False  # what such a key claims; it is enforced as `max_rows: 1` is
        return declared, declared is not None and self._covers("fanouts", low, name)

    def _looked_up_rows(self, low: str, link: Link) -> int | None:
        """How many rows have one owner that is looked up: those that lead to each of his rows."""
        upper, owner = self.merged[link.to_table], self.owner(link.to_table)
        assert owner is not None
        [of] = [of for of in self.merged[low].declared.references if of.to.lower() == link.to_table]
        most = self._max_rows(link.to_table, owner, upper.columns[owner])[0]
        return None if most is None or of.max_rows is None else most * of.max_rows

    def _most_rows(self, low: str, name: str) -> int | None:
        """How many rows share one value of a column at most, by keys that hold in fact."""
        keys = {*self.merged[low].keys, self.key(low)}
        return most_rows(keys, name, partial(self._size, low))

    def _size(self, low: str, name: str) -> int | None:
        column = self.merged[low].columns[name]
        values, values_proven = self._values(low, name, column)
        bounds, bounds_proven = self._bounds(low, name, column)
        sure = values if values_proven else None
        return size(column.type, sure, bounds if bounds_proven else None)

    def _covers(self, kind: str, low: str, name: str) -> bool:
        if self.record is None:
            return False
        covered: frozenset[str] = getattr(self.record, kind)
        return f"{low}.{name}" in covered

    def _is_unit(self, table: str, column: str) -> bool:
        unit = self.policy.unit_column
        return table == self.policy.unit_table.lower() and (
            unit is not None and column == unit.lower()
        )


def _length(column: MergedColumn, values: tuple[Scalar, ...] | None, usual: int) -> int | None:
    """At how many characters a text is cut where a function reads it. Where its values are
    declared, at one more than they have: what is cut then is none of them.
    """
    if column.type.name != "VARCHAR" or column.declared.max_length is not None:
        return column.declared.max_length
    known = [len(value) for value in values or () if isinstance(value, str)]
    return max(known) + 1 if known else usual


def _coins(declared: ColumnPolicy) -> Randomized | None:
    coins = declared.randomized
    return None if coins is None else Randomized(coins.truth, coins.yes)


def _within(inner: tuple[Scalar, Scalar], outer: tuple[Scalar, Scalar]) -> bool:
    """Whether a range lies in another; False where the two cannot be compared."""
    pairs = ((outer[0], inner[0]), (inner[1], outer[1]))
    return all(_at_most(low, high) for low, high in pairs)


def _at_most(left: Scalar, right: Scalar) -> bool:
    if isinstance(left, str | date) or isinstance(right, str | date):
        return type(left) is type(right) and left <= right  # type: ignore[operator]
    return left <= right


# --- what must be tested in the data, once, before a database is opened under a policy ------------


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """These columns must be together unique in the table, and none of them NULL in any row."""

    table: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowCheck:
    """The table must have exactly so many rows."""

    table: str
    rows: int


def key_checks(policy: Policy, catalog: Catalog | None) -> tuple[KeyCheck, ...]:
    """The keys that the schema takes for facts and that the engine does not enforce.

    Raises:
        PolicyError: as `resolve` does.
    """
    found = dict.fromkeys(
        KeyCheck(table.name, tuple(table.columns[column].name for column in table.key))
        for kind in kinds(policy, links(policy, catalog))
        for table in merge(kind, catalog).values()
        if table.key_to_check
    )
    return tuple(found)


def row_checks(policy: Policy, catalog: Catalog | None = None) -> tuple[RowCheck, ...]:
    """The declared numbers of rows, none of which an engine enforces."""
    checks = []
    catalog = None if catalog is None else catalog.called(policy.tables)
    for name, table in policy.tables.items():
        if table.rows is not None:
            found = catalog.table(name) if catalog is not None else None
            checks.append(RowCheck(found.name if found is not None else name, table.rows))
    return tuple(checks)
