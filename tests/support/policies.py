"""The policies of the grammar tests, and who owns a row: read from the YAML by other means than
dpsql's own, so that the brute-force check does not share the analysis' mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from dpsql.core.schema import Schema
from dpsql.platform.policy import Policy, Verification, claims_digest, key_name, resolve

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "grammar_tests" / "policies"


@dataclass(frozen=True)
class Owner:
    """How the unit of a table's rows is found: in `column`, or in the row of `table` whose `key`
    has the column's value; `column` None: the row is the unit. With `pairs` it is found in the row
    of `table` that has the same values, and `column` is what dpsql calls what is found."""

    column: str | None
    table: str | None = None
    key: str | None = None
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Loaded:
    """A policy, its schema, and the owners by private table.

    Attributes:
        name: as the grammar files write it.
        record: of a verification that proves every claim, or None.
        kinds: where there are several kinds of unit, the same of each; the owners are then those
            by the first kind that a table is of.
    """

    name: str
    policy: Policy
    schema: Schema
    record: Verification | None
    owners: dict[str, Owner]
    unit_table: str
    replace: bool
    kinds: tuple[Loaded, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether every claim is proven."""
        return self.record is not None


def path_of(name: str) -> Path:
    """The YAML file of a policy."""
    if name == "tpch":
        return ROOT / "tests" / "tpch" / "policy.yaml"
    return FOLDER / f"{name}.yaml"


WORDS = frozenset({"verified", "replaced", "counted"})
"""What may be said of a policy after its name: all claims are proven; units are replaced; and how
many there are is public."""


@lru_cache(maxsize=64)
def load(name: str) -> Loaded:
    """The policy that a grammar file names, such as "shop" or "shop verified"; with "replaced" its
    units are, and with "counted", too, there are four of them.

    Raises:
        ValueError: there is no such policy, or it has no row for each unit that could be counted.
    """
    plain, *words = name.split(" ")
    text = path_of(plain).read_text(encoding="utf-8")
    if not WORDS.issuperset(words):
        raise ValueError(f"no such policy: {name}")
    if "replaced" in words:
        text = text.replace("neighbours: add_remove", "neighbours: replace")
    if "counted" in words:
        text = _counted(text)
    policy, raw = Policy.parse(text), yaml.safe_load(text)
    record = _record(policy, raw) if "verified" in words else None
    schema = resolve(policy, None, record)

    def of_unit(unit: str, owners: dict[str, Owner], kinds: tuple[Loaded, ...] = ()) -> Loaded:
        table = unit.partition(".")[0]
        if table not in raw["tables"]:  # a word for what the owner columns name
            table = next(t for t, owner in owners.items() if owner.table is None)
        replaced = raw["neighbours"] == "replace"
        return Loaded(name, policy, schema, record, owners, table, replaced, kinds)

    if "units" in raw:
        kinds = tuple(of_unit(unit, _of_kind(raw, *unit.split("."))) for unit in raw["units"])
        owners = {t: o for kind in reversed(kinds) for t, o in kind.owners.items()}
        return of_unit(raw["units"][0], owners, kinds)
    unit_table, _, unit_column = raw["unit"].partition(".")
    return of_unit(raw["unit"], _owners(raw, unit_table, unit_column or None))


def _counted(text: str) -> str:
    raw = yaml.safe_load(text)
    table, _, column = raw["unit"].partition(".")
    begin = f"\n  {table}:\n    access: private\n"
    if begin not in text or (column and raw["tables"][table].get("key") != [column]):
        raise ValueError("there is no row for each unit")
    return text.replace(begin, f"{begin}    rows: 4\n")


def _of_kind(raw: dict[str, Any], unit_table: str, unit_column: str) -> dict[str, Owner]:
    """The owners of the tables from which a kind's unit is reached."""
    owners = {unit_table: Owner(unit_column)}
    while True:
        before = len(owners)
        for table, declared in raw["tables"].items():
            if declared["access"] != "private" or table in owners:
                continue
            for column, said in declared["columns"].items():
                to_table, _, to_column = said.get("references", "").partition(".")
                if to_table == unit_table and to_column == unit_column:
                    owners[table] = Owner(column)
                elif to_table in owners:
                    owners[table] = Owner(column, to_table, to_column)
        if len(owners) == before:
            return owners


def _owners(raw: dict[str, Any], unit_table: str, unit_column: str | None) -> dict[str, Owner]:
    owners: dict[str, Owner] = {}
    private = [t for t, d in raw["tables"].items() if d["access"] == "private"]
    for table in private:
        if table == unit_table:
            owners[table] = Owner(unit_column)
            continue
        declared = raw["tables"][table]
        references = {
            column: tuple(d["references"].split("."))
            for column, d in declared["columns"].items()
            if d.get("references", "").partition(".")[0] in private
        }
        if not references and "references" in declared:
            [wide] = declared["references"]
            pairs = zip(wide["columns"], wide.get("key", wide["columns"]), strict=True)
            owners[table] = Owner(f"{wide['to']}_owner", wide["to"], pairs=tuple(pairs))
            continue
        column = declared.get("owner") or next(iter(references))
        if unit_table not in raw["tables"] and column not in references:
            owners[table] = Owner(
                next(c for c in declared["columns"] if c.lower() == column.lower())
            )
            continue
        to_table, to_column = references[column]
        if (to_table, to_column) == (unit_table, unit_column):
            owners[table] = Owner(column)
        else:
            owners[table] = Owner(column, to_table, to_column)
    return owners


def _record(policy: Policy, raw: dict[str, Any]) -> Verification:
    """A record of a verification in which every claim held."""
    columns = [
        (f"{table}.{column}".lower(), declared or {})
        for table, d in raw["tables"].items()
        for column, declared in d["columns"].items()
    ]
    unit_table, _, unit_column = raw["unit"].partition(".")
    owners = _owners(raw, unit_table, unit_column or None)
    looked = frozenset(f"{t}.{o.column}".lower() for t, o in owners.items() if o.pairs)
    return Verification(
        version="1",
        policy_digest=claims_digest(policy),
        bounds=frozenset(c for c, d in columns if "bounds" in d),
        values=frozenset(c for c, d in columns if "values" in d),
        fanouts=frozenset(c for c, d in columns if "max_rows" in d) | looked,
        lengths=frozenset(c for c, d in columns if "max_length" in d),
        not_null=frozenset(c for c, d in columns if d.get("nullable") is False),
        owners=frozenset(f"{t}.{o.column}".lower() for t, o in owners.items() if o.column),
        keys=frozenset(key_name(t, d["key"]) for t, d in raw["tables"].items() if "key" in d),
    )
