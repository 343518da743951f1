"""Columns and rows as MySQL has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from mysql_mimic import packets
from mysql_mimic.charset import CharacterSet
from mysql_mimic.results import ResultColumn
from mysql_mimic.types import ColumnDefinition, ColumnType

from dpsql.core.sqltypes import parse_type
from dpsql.report.result import Answer
from dpsql.report.result.frames import with_ends
from dpsql.serve.mysql.handshake import CHARSETS
from dpsql.types import Type


@dataclass(frozen=True, slots=True)
class Rows:
    """What a client is given.

    Attributes:
        names: of the columns.
        types: their SQL types.
        rows: as Python has them.
    """

    names: Sequence[str]
    types: Sequence[str]
    rows: Sequence[Sequence[object]]


def texts(names: Sequence[str], rows: Sequence[Sequence[object]]) -> Rows:
    """Rows of texts and whole numbers."""
    found = []
    for place in range(len(names)):
        values = [row[place] for row in rows if row[place] is not None]
        whole = bool(values) and all(isinstance(value, int) for value in values)
        found.append("BIGINT" if whole else "VARCHAR")
    return Rows(names, found, rows)


def of_answer(answer: Answer, intervals: bool) -> Rows:
    """An answer, with the ends of its intervals or without."""
    if intervals:
        return Rows(*with_ends(answer))
    return Rows(answer.columns, answer.types, answer.rows)


_KINDS = {
    "BOOLEAN": ColumnType.TINY,
    "TINYINT": ColumnType.SHORT,
    "SMALLINT": ColumnType.SHORT,
    "INTEGER": ColumnType.LONG,
    "BIGINT": ColumnType.LONGLONG,
    "UTINYINT": ColumnType.LONG,
    "USMALLINT": ColumnType.LONG,
    "UINTEGER": ColumnType.LONGLONG,
    "UBIGINT": ColumnType.NEWDECIMAL,
    "HUGEINT": ColumnType.NEWDECIMAL,
    "UHUGEINT": ColumnType.NEWDECIMAL,
    "DECIMAL": ColumnType.NEWDECIMAL,
    "FLOAT": ColumnType.DOUBLE,
    "DOUBLE": ColumnType.DOUBLE,
    "DATE": ColumnType.DATE,
    "TIMESTAMP": ColumnType.DATETIME,
    "BLOB": ColumnType.BLOB,
}
"""Any other type is a text. TINY is what clients of MySQL take for a boolean."""

_ANY_DECIMALS = 31
_BINARY = CharacterSet.binary
_FITS: dict[ColumnType, Callable[[Any], bool]] = {
    ColumnType.DATE: lambda v: isinstance(v, date),
    ColumnType.DATETIME: lambda v: isinstance(v, datetime),
}


@dataclass(frozen=True, slots=True)
class Encoder:
    """Rows as packets.

    Args:
        rows: what is sent.
        charset: of texts.
    """

    rows: Rows
    charset: str

    def definitions(self, *, listed: bool = False) -> list[bytes]:
        """The packets that describe the columns; `listed` where there is nothing else."""
        found = []
        for name, text, column in zip(self.rows.names, self.rows.types, self._columns, strict=True):
            kind = parse_type(text)
            is_text = column.type in (ColumnType.VAR_STRING,)
            decimals = (kind.scale or 0) if kind.name == "DECIMAL" else 0
            found.append(
                packets.make_column_definition_41(
                    server_charset=CHARSETS[self.charset],
                    name=_safe(name, column.codec),
                    character_set=CHARSETS[self.charset] if is_text else _BINARY,
                    column_length=_LENGTHS.get(column.type, 1 << 16),
                    column_type=column.type,
                    flags=ColumnDefinition(0) if is_text else ColumnDefinition.BINARY_FLAG,
                    is_com_field_list=listed,
                    decimals=_ANY_DECIMALS if column.type == ColumnType.DOUBLE else decimals,
                )
            )
        return found

    def packets(self, *, binary: bool) -> Iterator[bytes]:
        """The rows."""
        columns = self._columns
        write = packets.make_binary_resultrow if binary else packets.make_text_resultset_row
        for row in self.rows.rows:
            yield write([_value(v, c) for v, c in zip(row, columns, strict=True)], columns)

    @property
    def _columns(self) -> list[ResultColumn]:
        own = CHARSETS[self.charset]
        kinds = (_KINDS.get(parse_type(t).name, ColumnType.VAR_STRING) for t in self.rows.types)
        return [
            ResultColumn(name, kind, own) for name, kind in zip(self.rows.names, kinds, strict=True)
        ]


_LENGTHS = {
    ColumnType.TINY: 1,
    ColumnType.SHORT: 6,
    ColumnType.LONG: 11,
    ColumnType.LONGLONG: 20,
    ColumnType.NEWDECIMAL: 41,
    ColumnType.DOUBLE: 22,
    ColumnType.DATE: 10,
    ColumnType.DATETIME: 26,
}


def _value(value: object, column: ResultColumn) -> object:
    """A value that the column can have; a text that its character set has no letters for loses
    them.
    """
    if value is None:
        return None
    if column.type == ColumnType.VAR_STRING:
        text = value if isinstance(value, str) else _shown(value)
        return _safe(text, column.codec)
    if column.type == ColumnType.NEWDECIMAL:
        return f"{value:f}" if isinstance(value, Decimal) else str(value)
    if column.type in _FITS and not _FITS[column.type](value):
        return None
    if column.type == ColumnType.BLOB and not isinstance(value, bytes):
        return str(value).encode()
    return value


def _shown(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    return str(value)


def _safe(text: str, codec: str) -> str:
    return text.encode(codec, "replace").decode(codec)


_NAMES = {
    "BOOLEAN": "tinyint(1)",
    "TINYINT": "tinyint",
    "SMALLINT": "smallint",
    "INTEGER": "int",
    "BIGINT": "bigint",
    "UTINYINT": "tinyint unsigned",
    "USMALLINT": "smallint unsigned",
    "UINTEGER": "int unsigned",
    "UBIGINT": "bigint unsigned",
    "HUGEINT": "decimal(38,0)",
    "UHUGEINT": "decimal(38,0)",
    "FLOAT": "float",
    "DOUBLE": "double",
    "DATE": "date",
    "TIME": "time",
    "TIMESTAMP": "datetime(6)",
    "TIMESTAMP WITH TIME ZONE": "timestamp(6)",
    "UUID": "char(36)",
    "BLOB": "blob",
    "JSON": "json",
    "VARCHAR": "varchar(255)",
}


def mysql_type(kind: Type) -> str:
    """The type of a column of a table, as MySQL writes it."""
    if kind.name == "DECIMAL":
        return f"decimal({kind.precision or 18},{kind.scale or 0})"
    if kind.name == "ENUM" and kind.values:
        return "enum(" + ",".join("'" + str(v).replace("'", "''") + "'" for v in kind.values) + ")"
    return _NAMES.get(kind.name, "text")
