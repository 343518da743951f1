"""Policies drafted from what other tools say of data: CSVW, and the metadata of SmartNoise SQL.

What they say is a claim as good as any other; what a policy needs and they do not know is marked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from dpsql.core.sqltypes import parse_type
from dpsql.errors import PolicyError
from dpsql.platform.policy.catalog import Catalog, CatalogColumn, CatalogTable, ForeignKey
from dpsql.platform.policy.draft import draft, heading, listed, quoted
from dpsql.platform.policy.loader import load_yaml
from dpsql.platform.policy.scalars import number
from dpsql.types import Scalar, Type

_CSVW = {
    **dict.fromkeys(("integer", "long", "nonNegativeInteger", "positiveInteger"), "BIGINT"),
    **dict.fromkeys(("int", "unsignedShort"), "INTEGER"),
    **dict.fromkeys(("short", "unsignedByte"), "SMALLINT"),
    **dict.fromkeys(("number", "decimal", "double", "float"), "DOUBLE"),
    **dict.fromkeys(("dateTime", "datetime", "dateTimeStamp"), "TIMESTAMP"),
    "byte": "TINYINT",
    "boolean": "BOOLEAN",
    "date": "DATE",
}
"""SQL types of CSVW's; all others are texts."""

_SMARTNOISE = {
    "int": "BIGINT",
    "float": "DOUBLE",
    "string": "VARCHAR",
    "boolean": "BOOLEAN",
    "datetime": "TIMESTAMP",
}
_OPTIONS = frozenset(
    ("max_ids", "row_privacy", "rows", "censor_dims", "clamp_counts", "clamp_columns")
) | {"use_dpsu", "sample_max_ids", "synthesizable"}
"""Of a table of SmartNoise; all else are columns."""


def from_csvw(text: str, unit: str | None, file: str | None = None) -> str:
    """A draft from CSVW metadata (https://www.w3.org/TR/tabular-metadata/), a JSON document.

    Args:
        text: the document, of one table or of several.
        unit: as of `draft`.
        file: is named in errors.

    Raises:
        PolicyError: it is none, or says nothing that a unit could be guessed from.
    """
    try:
        content = json.loads(text)
        tables = content.get("tables", [content])
        catalog = Catalog(tuple(_table(table) for table in tables))
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        raise PolicyError("not CSVW metadata that can be read", file=file) from None
    return draft(catalog, unit, source="CSVW metadata")


def _table(said: Mapping[str, Any]) -> CatalogTable:
    schema = said["tableSchema"]
    key = _names(schema.get("primaryKey", []))
    columns = tuple(
        _column(column, key) for column in schema["columns"] if not column.get("virtual")
    )
    references = []
    for foreign in schema.get("foreignKeys", []):
        own, to = _names(foreign["columnReference"]), foreign["reference"]
        there = _names(to["columnReference"])
        if len(own) == len(there) == 1 and "resource" in to:
            references.append(ForeignKey(own[0], _called(to["resource"]), there[0]))
    return CatalogTable(_called(said["url"]), columns, (key,) if key else (), tuple(references))


def _column(said: Mapping[str, Any], key: tuple[str, ...]) -> CatalogColumn:
    name = said.get("name") or said["titles"]
    if not isinstance(name, str):
        raise ValueError
    kind = said.get("datatype", "string")
    facets = kind if isinstance(kind, dict) else {"base": kind}
    type_ = parse_type(_CSVW.get(facets.get("base", "string"), "VARCHAR"))
    low = _end(facets, ("minimum", "minInclusive"), type_)
    high = _end(facets, ("maximum", "maxInclusive"), type_)
    bounds = None if low is None or high is None else (low, high)
    needed = said.get("required") is True or name in key
    return CatalogColumn(name, type_, needed, bounds)


def _end(facets: Mapping[str, Any], names: tuple[str, ...], type_: Type) -> Scalar | None:
    value = next((facets[name] for name in names if name in facets), None)
    if value is None or not (type_.is_numeric or type_.name in ("DATE", "TIMESTAMP")):
        return None
    if type_.is_numeric:
        return Fraction(str(value))
    return (date if type_.name == "DATE" else datetime).fromisoformat(str(value))


def _names(said: object) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else tuple(map(str, said))  # type: ignore[call-overload]


def _called(url: str) -> str:
    """A table is called as its file is."""
    return PurePosixPath(url).name.partition(".")[0]


def _most(table: Mapping[str, Any], name: str, file: str | None) -> int:
    """How many rows of a table a unit has at most, as SmartNoise says."""
    most = table.get("max_ids", 1)
    if not isinstance(most, int) or isinstance(most, bool) or not 0 < most < 2**63:
        raise PolicyError(f"{name}: max_ids is a whole number from 1 on", file=file)
    return most


def from_smartnoise(text: str, file: str | None = None) -> str:
    """A draft from the metadata of SmartNoise SQL, a YAML file.

    The column that is `private_id` is the unit of its table, of which `max_ids` is the most rows
    (1, if nothing is said). Whoever has the same value in two tables is one unit. Where a table has
    `row_privacy`, each of its rows is one.

    Args:
        text: the file.
        file: is named in errors.

    Raises:
        PolicyError: it is none, or what it protects cannot be said in one policy.
    """
    content, _ = load_yaml(text, file)
    tables: dict[str, Mapping[str, Any]] = {}
    try:
        for collection in content.values():  # type: ignore[attr-defined]
            for schema in (s for n, s in collection.items() if n != "engine"):
                for name, table in schema.items():
                    if name in tables:
                        message = f"two tables are called {name}; a policy has the tables of one"
                        raise PolicyError(message, file=file)
                    tables[name] = dict(table)
        lines = list(_smartnoise(tables, file))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise PolicyError("not metadata of SmartNoise SQL that can be read", file=file) from None
    return "\n".join(lines) + "\n"


def _smartnoise(tables: Mapping[str, Mapping[str, Any]], file: str | None) -> Iterator[str]:
    rows = [name for name, table in tables.items() if table.get("row_privacy") is True]
    if not tables or (rows and len(tables) > 1):
        message = "where each row is a unit, no other table is private: leave one table there"
        raise PolicyError(message if tables else "there is no table", file=file)
    yield from heading("metadata of SmartNoise SQL")
    yield ""
    yield f"unit: {quoted(rows[0]) if rows else 'person'}"
    yield "neighbours: add_remove"
    yield "budget: {eps: 1, delta: 0}   # TODO what all answers together may cost"
    yield "tables:"
    for name, table in tables.items():
        columns = {n: dict(c) for n, c in table.items() if n not in _OPTIONS}
        owners = [n for n, column in columns.items() if column.get("private_id") is True]
        if not rows and len(owners) != 1:
            raise PolicyError(f"{name} has no column, or several, with private_id", file=file)
        yield f"  {quoted(name)}:"
        yield "    access: private"
        if not rows:
            yield f"    owner: {quoted(owners[0])}"
        yield "    columns:"
        for column, said in columns.items():
            parts = [f"type: {_SMARTNOISE[said['type']]}"] if said["type"] in _SMARTNOISE else []
            if "lower" in said and "upper" in said and said["type"] in ("int", "float"):
                ends = listed((number(said["lower"]), number(said["upper"])))
                parts += [f"bounds: {ends}"] if ends is not None else []
            if said.get("nullable") is False:
                parts.append("nullable: false")
            if not rows and column == owners[0]:
                parts.append(f"max_rows: {_most(table, name, file):d}")
            yield f"      {quoted(column)}: {{{', '.join(parts)}}}"
