"""SQL types, and the exact Python values that stand for their constants.

A numeric constant is an `int` or a `Fraction`, never a float: bounds and sums carry the guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction

Number = int | Fraction
Scalar = bool | int | Fraction | str | date | datetime
"""A non-NULL constant: exact, hashable, ordered within its type."""

INTEGER_BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
UNSIGNED_BITS = {"UTINYINT": 8, "USMALLINT": 16, "UINTEGER": 32, "UBIGINT": 64}


@dataclass(frozen=True, slots=True)
class Type:
    """A SQL type by DuckDB's name: `Type("DECIMAL", 15, 2)`, `Type("ENUM", values=("a", "b"))`.

    A name that the analysis does not know (BLOB, UUID, STRUCT, …) is *opaque*: such a column can
    be counted and tested for NULL, and nothing else. So are lists (of quantiles) and maps to
    counts (histograms): `Type("LIST", of=DOUBLE)`, `Type("MAP", of=DATE)`, `of` being the keys'.
    How long a list is may be asked, too.
    """

    name: str
    precision: int | None = None
    scale: int | None = None
    values: tuple[str, ...] | None = None
    of: Type | None = None

    @property
    def is_integer(self) -> bool:
        """A whole-number type of any width."""
        return self.name in INTEGER_BITS or self.name in UNSIGNED_BITS

    @property
    def is_decimal(self) -> bool:
        """DECIMAL(p, s)."""
        return self.name == "DECIMAL"

    @property
    def is_exact(self) -> bool:
        """A number without rounding: integer or DECIMAL."""
        return self.is_integer or self.is_decimal

    @property
    def is_float(self) -> bool:
        """DOUBLE or FLOAT."""
        return self.name in ("DOUBLE", "FLOAT")

    @property
    def is_numeric(self) -> bool:
        """Integer, DECIMAL or floating point."""
        return self.is_exact or self.is_float

    @property
    def is_boolean(self) -> bool:
        """BOOLEAN."""
        return self.name == "BOOLEAN"

    @property
    def is_string(self) -> bool:
        """VARCHAR or an ENUM."""
        return self.name in ("VARCHAR", "ENUM")

    @property
    def is_temporal(self) -> bool:
        """DATE or TIMESTAMP."""
        return self.name in ("DATE", "TIMESTAMP")

    @property
    def is_opaque(self) -> bool:
        """A type that can only be counted."""
        known = self.is_numeric or self.is_boolean or self.is_string or self.is_temporal
        return not known and self.name not in ("NULL", "INTERVAL")

    def limits(self) -> tuple[Number, Number] | None:
        """The least and the greatest number of the type, inclusive; None where it has none."""
        if self.name in INTEGER_BITS:
            top = 1 << (INTEGER_BITS[self.name] - 1)
            # DuckDB's HUGEINT holds -2^127 as well, but its own arithmetic stays above it.
            return -top, top - 1
        if self.name in UNSIGNED_BITS:
            return 0, (1 << UNSIGNED_BITS[self.name]) - 1
        if self.is_decimal:
            assert self.precision is not None and self.scale is not None
            most = Fraction(10**self.precision - 1, 10**self.scale)
            return -most, most
        return None

    def __str__(self) -> str:
        if self.is_decimal:
            return f"DECIMAL({self.precision},{self.scale})"
        if self.name == "ENUM" and self.values is not None:
            inner = ", ".join("'" + v.replace("'", "''") + "'" for v in self.values)
            return f"ENUM({inner})"
        if self.of is not None:
            return f"{self.of}[]" if self.name == "LIST" else f"MAP({self.of}, UBIGINT)"
        return self.name


BOOLEAN = Type("BOOLEAN")
INTEGER = Type("INTEGER")
BIGINT = Type("BIGINT")
HUGEINT = Type("HUGEINT")
UINTEGER = Type("UINTEGER")
UBIGINT = Type("UBIGINT")
DOUBLE = Type("DOUBLE")
VARCHAR = Type("VARCHAR")
DATE = Type("DATE")
TIMESTAMP = Type("TIMESTAMP")
TIME = Type("TIME")
NULL = Type("NULL")
INTERVAL = Type("INTERVAL")


def decimal(precision: int, scale: int) -> Type:
    """DECIMAL(precision, scale)."""
    return Type("DECIMAL", precision, scale)


def list_of(kind: Type) -> Type:
    """kind[]: what several quantiles are."""
    return Type("LIST", of=kind)


def counts_of(kind: Type) -> Type:
    """MAP(kind, UBIGINT): what a histogram is, the count of each value or bin."""
    return Type("MAP", of=kind)
