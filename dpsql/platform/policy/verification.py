"""The record of a verification: which claims of a policy hold in one version of the data.

Claim: what is recorded is true of the data while that version stands, and is part of what defines
the databases that could have been: neighbours satisfy it too. What is not recorded is enforced.
Why: each claim is counted by itself, in one snapshot, and is recorded where nothing speaks against
it; the record is ignored for another version and under other claims. No rule takes one claim for
proven because of another one: each column of the `Schema` says of each claim whether it is.
A cut (`clip`, `clip_rows`) is recorded of a copy alone, where it is made true of all data: the
owner knows of rows beyond it, so that there are neighbours which do not satisfy it, and whether
such a row is there today is for nobody to see.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpsql.errors import PolicyError
from dpsql.platform.policy.model import ColumnPolicy, Policy, TablePolicy
from dpsql.platform.policy.owners import owner_name
from dpsql.platform.policy.scalars import kind_of
from dpsql.types import Scalar

_FORMAT = 3
_MAX_BYTES = 10_000_000


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found true; names are lower-case ``table.column``.

    Attributes:
        version: of the data, as the engine tells it.
        policy_digest: `claims_digest` of the policy that was tested.
        bounds: no value is outside the declared bounds (a NaN is outside).
        values: no value but NULL is outside the declared domain.
        fanouts: no value is in more rows than the declared `max_rows`.
        lengths: no text has more characters than the declared `max_length`.
        not_null: columns declared `nullable: false` that have no NULL.
        owners: owner columns without a NULL and without a value that their reference lacks. (Of a
            reference to the unit column itself only the first matters: its value *is* the unit.)
        keys: as `key_name`, declared keys that are unique and without NULL, beyond those that are
            facts.
    """

    version: str
    policy_digest: str
    bounds: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    fanouts: frozenset[str] = frozenset()
    lengths: frozenset[str] = frozenset()
    not_null: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()

    @classmethod
    def load(cls, path: str | Path) -> Verification | None:
        """The record in the sidecar file at `path`; None where there is no such file, or one of an
        older form.

        Raises:
            PolicyError: the file cannot be read or is no record.
        """
        try:
            with Path(path).open("rb") as stream:
                data = stream.read(_MAX_BYTES + 1)
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            raise PolicyError("the verification record cannot be read", file=str(path)) from None
        try:
            if len(data) > _MAX_BYTES:
                raise ValueError
            return _from_json(json.loads(data.decode("utf-8")))
        except (ValueError, RecursionError):
            message = "not a verification record; delete it and verify again"
            raise PolicyError(message, file=str(path)) from None

    def save(self, path: str | Path) -> None:
        """Write the sidecar file at `path`, whole or not at all.

        Raises:
            PolicyError: it cannot be written.
        """
        path = Path(path)
        part = path.with_name(f"{path.name}.{secrets.token_hex(8)}.part")
        try:
            try:
                with part.open("x", encoding="utf-8") as stream:
                    json.dump(_to_json(self), stream, indent=2, sort_keys=True)
                    stream.write("\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        except OSError as error:
            message = f"the verification record cannot be written: {error.strerror}"
            raise PolicyError(message, file=str(path)) from None


def valid(record: Verification | None, policy: Policy, version: str | None) -> bool:
    """Whether the record speaks of this policy's claims and of this version of the data.

    Never, where the version cannot be told.
    """
    return (
        record is not None
        and version is not None
        and record.version == version
        and record.policy_digest == claims_digest(policy)
    )


def claims_digest(policy: Policy) -> str:
    """A digest of all that a record speaks of: the policy without budget, neighbours and `rows`."""
    tables = {
        name.lower(): {
            "access": table.access,
            "key": [column.lower() for column in table.key],
            "owner": table.owner.lower() if table.owner is not None else None,
            "columns": {low.lower(): _claims(column) for low, column in table.columns.items()},
            **({"references": _several(table)} if table.references else {}),
        }
        for name, table in policy.tables.items()
    }
    unit: Any = [unit.lower() for unit in policy.units] or policy.unit.lower()
    claims = {"format": _FORMAT, "unit": unit, "tables": tables}
    text = json.dumps(claims, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def null_claims(policy: Policy) -> frozenset[str]:
    """The columns that the policy claims to be without NULL, as lower-case ``table.column``.

    For a verification to test; the opening check leaves them alone.
    """
    return frozenset(full for full, column in _columns(policy) if column.nullable is False)


def length_claims(policy: Policy) -> dict[str, int]:
    """The most characters that the policy claims texts to have, by lower-case ``table.column``."""
    found = _columns(policy)
    return {full: column.max_length for full, column in found if column.max_length is not None}


def key_claims(policy: Policy) -> dict[str, tuple[str, ...]]:
    """The keys that the policy declares, by tables in lower case."""
    return {name.lower(): table.key for name, table in policy.tables.items() if table.key}


def key_name(table: str, columns: Iterable[str]) -> str:
    """What a record calls a key of a table: lower-case "table.column, column"."""
    return f"{table}.{', '.join(columns)}".lower()


def cuts(policy: Policy) -> frozenset[tuple[str, str]]:
    """What the policy cuts to and does not claim: the kind of the claim that it would be, "bounds"
    or "fanout", and the lower-case ``table.column``.
    """
    every = list(_columns(policy))
    bounds = {("bounds", full) for full, column in every if column.clip is not None}
    rows = {("fanout", f) for f, c in every if c.clip_rows is not None}
    for name, table in policy.tables.items():
        for of in table.references:  # a product with a cut is a cut
            target = policy.table(of.to)
            if target and any(c.clip_rows is not None for c in target[1].columns.values()):
                rows.add(("fanout", f"{name}.{owner_name(of.to)}".lower()))
    return frozenset(bounds | rows)


def _several(table: TablePolicy) -> list[Any]:
    return [[of.to.lower(), *sorted(of.pairs), of.max_rows] for of in table.references]


def _columns(policy: Policy) -> Iterator[tuple[str, ColumnPolicy]]:
    for name, table in policy.tables.items():
        for column_name, column in table.columns.items():
            yield f"{name.lower()}.{column_name.lower()}", column


def _claims(column: ColumnPolicy) -> Mapping[str, Any]:
    to = column.references
    cuts = {"clip": [_tagged(value) for value in column.clip or ()], "clip_rows": column.clip_rows}
    return {
        "type": str(column.type) if column.type is not None else None,
        "bounds": [_tagged(value) for value in column.bounds or ()],
        "values": [_tagged(value) for value in column.values or ()],
        "nullable": column.nullable,
        "references": [to.table.lower(), to.column.lower()] if to is not None else None,
        "max_rows": column.max_rows,
        "max_length": column.max_length,
        **{name: cut for name, cut in cuts.items() if cut},
    }


def _tagged(value: Scalar) -> list[str]:
    """A constant that no constant of another kind is equal to."""
    kind = kind_of(value)
    if isinstance(value, date):
        return [kind, value.isoformat()]
    return [kind, str(Fraction(value) if kind == "number" else value)]


_SETS = ("bounds", "values", "fanouts", "lengths", "not_null", "owners", "keys")


def _to_json(record: Verification) -> dict[str, Any]:
    content: dict[str, Any] = {"format": _FORMAT}
    for field in fields(record):
        value = getattr(record, field.name)
        content[field.name] = sorted(value) if field.name in _SETS else value
    return content


def _from_json(content: object) -> Verification | None:
    """The record; None for one of an older form, which spoke of fewer claims."""
    names = {field.name for field in fields(Verification)}
    if isinstance(content, dict) and set(content) in (
        {"format", *names} - {"keys"},
        {"format", *names} - {"keys", "lengths"},
    ):
        return None
    if not isinstance(content, dict) or set(content) != {"format", *names}:
        raise ValueError
    if content.pop("format") != _FORMAT:
        raise ValueError
    for name, value in content.items():
        items = value if name in _SETS else [value]
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise ValueError
    sets = {name: frozenset(content[name]) for name in _SETS}
    return Verification(content["version"], content["policy_digest"], **sets)
