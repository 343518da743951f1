"""SQL type names, as an owner or an engine spells them, to `dpsql.types.Type`."""

from __future__ import annotations

import re

from dpsql.types import Type, counts_of, list_of

_ALIASES = {
    "TINYINT": ("INT1",),
    "SMALLINT": ("INT2", "INT16", "SHORT"),
    "INTEGER": ("INT", "INT4", "INT32", "SIGNED", "INTEGRAL"),
    "BIGINT": ("INT8", "INT64", "LONG", "OID"),
    "HUGEINT": ("INT128",),
    "UTINYINT": ("UINT8",),
    "USMALLINT": ("UINT16",),
    "UINTEGER": ("UINT32",),
    "UBIGINT": ("UINT64",),
    "UHUGEINT": ("UINT128",),
    "FLOAT": ("FLOAT4", "REAL"),
    "DOUBLE": ("FLOAT8", "DOUBLE PRECISION"),
    "DECIMAL": ("NUMERIC", "DEC"),
    "BOOLEAN": ("BOOL", "LOGICAL"),
    "VARCHAR": (
        *("CHAR", "CHARACTER", "BPCHAR", "NVARCHAR", "TEXT", "STRING"),
        *("CHARACTER VARYING", "CHAR VARYING"),
    ),
    "DATE": (),
    "TIMESTAMP": (
        *("DATETIME", "TIMESTAMP WITHOUT TIME ZONE", "TIMESTAMP_US"),
        *("TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"),
    ),
    "TIMESTAMP WITH TIME ZONE": ("TIMESTAMPTZ",),
    "INTERVAL": (),
}
_NAMES = {alias: name for name, aliases in _ALIASES.items() for alias in (name, *aliases)}
_LENGTHS = {"VARCHAR", "TIMESTAMP"}
_WORDS = re.compile(r"[A-Za-z_][A-Za-z_0-9]*(?: [A-Za-z_][A-Za-z_0-9]*)*\Z")
_WITH_NUMBERS = re.compile(
    r"([A-Za-z_][A-Za-z_0-9 ]*?) ?\( ?([0-9]{1,9})(?: ?, ?([0-9]{1,9}))? ?\)((?: [A-Za-z]+)*)\Z"
)
_ENUM = re.compile(r"ENUM\s*\((.*)\)\Z", re.IGNORECASE | re.DOTALL)
_LABEL = re.compile(r"\s*'((?:[^']|'')*)'\s*(,|\Z)")
_COUNTS = re.compile(r"MAP\s*\((.*),\s*UBIGINT\s*\)\Z", re.IGNORECASE | re.DOTALL)
_MAX_TEXT = 100_000
_MAX_NESTED = 8

UNKNOWN = Type("UNKNOWN")
"""The type of a column that is known by name only; opaque, so it can be counted and no more."""


def parse_type(text: str) -> Type:
    """The type that `text` names; a name that the analysis does not know becomes an opaque type.

    Raises:
        ValueError: malformed text, or numbers that the type does not allow.
    """
    text = text.strip()
    if not text or len(text) > _MAX_TEXT:
        raise ValueError("a type needs a name, such as INTEGER")
    if match := _ENUM.match(text):
        return Type("ENUM", values=_labels(match[1]))
    if text.count("[]") + text.upper().count("MAP") <= _MAX_NESTED:
        if text.endswith("[]"):
            return list_of(parse_type(text[:-2]))
        if match := _COUNTS.match(text):
            return counts_of(parse_type(match[1]))
    text = " ".join(text.split())
    if _WORDS.match(text):
        return _named(text.upper())
    if match := _WITH_NUMBERS.match(text):
        return _sized(match[1].upper(), match[2], match[3], match[4].upper(), text)
    if text.count("(") != text.count(")") or text.count("[") != text.count("]"):
        raise ValueError(f"the brackets of the type {text} do not match")
    if not re.match(r"[A-Za-z_\"]", text):
        raise ValueError(f"{text} is not a type")
    return Type(text)  # STRUCT(…), INTEGER[] and the like


def _named(name: str) -> Type:
    known = _NAMES.get(name)
    if known == "DECIMAL":
        return Type("DECIMAL", 18, 3)
    if known is not None:
        return Type(known)
    if name == "ENUM":
        raise ValueError("an ENUM needs its labels: ENUM('a', 'b')")
    # "NULL" is the type of a constant, which no column has.
    return UNKNOWN if name == "NULL" else Type(name)


def _sized(name: str, first: str, second: str | None, rest: str, text: str) -> Type:
    known = _NAMES.get(name + rest)
    if known == "DECIMAL" and not rest:
        precision, scale = int(first), int(second or 0)
        if not (1 <= precision <= 38 and scale <= precision):
            raise ValueError(f"{text}: needs 1 <= precision <= 38 and scale <= precision")
        return Type("DECIMAL", precision, scale)
    if second is None and (known in _LENGTHS or known == "TIMESTAMP WITH TIME ZONE"):
        return Type(known)
    if second is None and name == "FLOAT" and not rest:
        return Type("FLOAT")
    if known is not None:
        raise ValueError(f"{known} takes no such numbers: {text}")
    return Type(text.upper())


def _labels(inner: str) -> tuple[str, ...]:
    labels: list[str] = []
    position = 0
    while True:
        match = _LABEL.match(inner, position)
        if match is None:
            raise ValueError("an ENUM is written ENUM('a', 'b'), each label in single quotes")
        labels.append(match[1].replace("''", "'"))
        position = match.end()
        if match[2] != ",":
            break
    if len(set(labels)) != len(labels):
        raise ValueError("an ENUM must not name a label twice")
    return tuple(labels)
