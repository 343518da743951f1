"""Strings and casts of other dialects: see `dialects`."""

from __future__ import annotations

import re

from sqlglot import exp

from dpsql.front.dialects.date_texts import short_date, styled
from dpsql.front.dialects.moment_functions import cast_to_one
from dpsql.front.dialects.mysql_rules import check_cast
from dpsql.front.dialects.number_kinds import INTEGERS, TEXTS, fraction, whole
from dpsql.front.dialects.number_kinds import kind as kind_of
from dpsql.front.dialects.patterns import substring_of_pattern
from dpsql.front.dialects.words import Rule, constant, copied, keep, operand, place, refuse
from dpsql.types import DATE, VARCHAR


def _concat(node: exp.Expr, dialect: str) -> exp.Expr:
    """CONCAT skips NULL in PostgreSQL and T-SQL, as DuckDB's does; in the others it is NULL where a
    part is, as || is.
    """
    parts = node.expressions
    if dialect in ("postgres", "tsql"):
        return exp.Concat(expressions=parts, safe=True, coalesce=True)
    joined: exp.Expr = operand(parts[0])
    for part in parts[1:]:
        joined = exp.DPipe(this=joined, expression=operand(part), safe=True)
    return exp.Paren(this=joined) if len(parts) > 1 else joined


def _dpipe(node: exp.Expr, dialect: str) -> exp.Expr:
    """NULL where an operand is, in all of them."""
    return exp.DPipe(this=node.this, expression=node.expression, safe=True)


def _like(node: exp.Expr, dialect: str) -> exp.Expr:
    r"""% and _ are the same in all of them. A backslash escapes in some and not in DuckDB; [ starts
    a set of characters in T-SQL, whose usual collations ignore case, too.
    """
    pattern = _folded(node.expression)
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        raise refuse(node, dialect, "LIKE with a pattern that is no constant string")
    if pattern is not node.expression:
        node.set("expression", place(pattern, node.expression))
    text = str(pattern.this)
    if "\\" in text:
        raise refuse(pattern, dialect, "a backslash in a pattern")
    if dialect in ("mysql", "tsql"):
        if "[" in text and dialect == "tsql":
            raise refuse(pattern, dialect, "[ in a pattern")
        if not _in_one_case(node.this, text):
            what = "LIKE with letters, whose case counts or not by the collation"
            raise refuse(node, dialect, what, "use LOWER(x) LIKE 'abc%'")
    return node


def _folded(text: exp.Expr) -> exp.Expr:
    """LOWER('Abc') and UPPER('Abc') of ASCII, as the constants that they are."""
    inner = text.this if isinstance(text, exp.Lower | exp.Upper) else None
    if not (isinstance(inner, exp.Literal) and inner.is_string and inner.this.isascii()):
        return text
    folded = inner.this.lower() if isinstance(text, exp.Lower) else inner.this.upper()
    return exp.Literal.string(folded)


def _in_one_case(subject: exp.Expr, text: str) -> bool:
    """Whether a text is found in another one in the same way if case does not count."""
    subject = subject.unnest()
    if isinstance(subject, exp.Lower) and text == text.lower():
        return True
    return (isinstance(subject, exp.Upper) and text == text.upper()) or text.lower() == text.upper()


def _is(node: exp.Expr, dialect: str) -> exp.Expr:
    """IS NOT NULL, for which some parsers have a node of its own."""
    found = exp.Is(this=node.this, expression=node.expression)
    return exp.Not(this=place(found, node)) if node.args.get("negate") else found


def _found(node: exp.Expr, dialect: str) -> exp.Expr:
    """The first place of a text in another one, from 1 on, or 0. Where an empty text is differs."""
    _check_sought(node.args["substr"], node, dialect)
    return keep(node, "this", "substr")


def _replace(node: exp.Expr, dialect: str) -> exp.Expr:
    """Every occurrence; those of an empty text differ."""
    _check_sought(node.expression, node, dialect)
    return node


def _check_sought(sought: exp.Expr, node: exp.Expr, dialect: str) -> None:
    if not isinstance(sought, exp.Literal) or not sought.is_string or not sought.this:
        raise refuse(node, dialect, "a search for a text that is no constant, or empty")
    by_collation = dialect == "tsql" or (dialect == "mysql" and not isinstance(node, exp.Replace))
    if by_collation and not (sought.this.isascii() and _in_one_case(node.this, sought.this)):
        raise refuse(node, dialect, "a search in a text, where case counts or not by the collation")


def _length(node: exp.Expr, dialect: str) -> exp.Expr:
    """Characters, in all but T-SQL, whose LEN is refused above; MySQL's LENGTH counts bytes."""
    if dialect == "mysql" and node.args.get("binary"):
        raise refuse(node, dialect, "LENGTH, which counts bytes", "use CHAR_LENGTH(x)")
    return exp.Length(this=node.this)


def _substring(node: exp.Expr, dialect: str) -> exp.Expr:
    """From the first character on they agree; 0 and negative positions differ."""
    length = node.args.get("length")
    if dialect == "postgres" and (found := substring_of_pattern(node)) is not None:
        return found
    if not constant(node.args.get("start"), 1) or (length is not None and not constant(length, 0)):
        raise refuse(
            node, dialect, "SUBSTRING with a start or length that is no constant from 1 on"
        )
    return keep(node, "this", "start", "length")


def _left(node: exp.Expr, dialect: str) -> exp.Expr:
    """The first characters; a negative count means something else in each."""
    value = _of_text(node, dialect)
    return exp.Substring(this=value, start=exp.Literal.number(1), length=node.expression)


def _right(node: exp.Expr, dialect: str) -> exp.Expr:
    """The last characters, likewise."""
    return exp.Right(this=_of_text(node, dialect), expression=node.expression)


def _of_text(node: exp.Expr, dialect: str) -> exp.Expr:
    """What a number of characters is taken of. T-SQL makes a text of what is none: of a whole
    number and a DATE the same as DuckDB, which cuts no text at 30.
    """
    value: exp.Expr = node.this
    what = type(node).__name__.upper()
    if not constant(node.expression, 0):
        raise refuse(node, dialect, f"{what} with a count that is no constant from 0 on")
    if dialect != "tsql":
        return value
    kind = kind_of(value, dialect)
    if whole(value, dialect) or kind == DATE:
        return _to(value, "TEXT")
    if kind != VARCHAR:
        help = "use SUBSTRING(x, 1, n) of a text; CAST(x AS DATE) of a moment"
        raise refuse(node, dialect, f"{what} of what may be no text, day or whole number", help)
    return value


def _part_of(node: exp.Expr, dialect: str) -> exp.Expr:
    """SUBSTRING_INDEX(x, d, 1), and of the last part -1: all of it where d is not in it."""
    delimiter, count = node.args["delimiter"], node.args["count"].sql()
    known = isinstance(delimiter, exp.Literal) and delimiter.is_string and delimiter.this
    if not known or count not in ("1", "-1") or kind_of(node.this, dialect) != VARCHAR:
        what = "SUBSTRING_INDEX but of the first or last part of a text, by a constant text"
        raise refuse(node, dialect, what)
    part = node.args["count"]
    return exp.SplitPart(this=node.this, delimiter=delimiter, part_index=part)


def _split(node: exp.Expr, dialect: str) -> exp.Expr:
    """SPLIT_PART(x, d, n): the n-th part, and an empty text where there are less. What an empty
    text parts, and what is before the first part, differs.
    """
    delimiter = node.args["delimiter"]
    known = isinstance(delimiter, exp.Literal) and delimiter.is_string and delimiter.this
    if dialect not in ("postgres", "redshift", "snowflake", "spark") or not known:
        raise refuse(node, dialect, "SPLIT_PART but by a constant text")
    if not constant(node.args["part_index"], 1):
        raise refuse(node, dialect, "SPLIT_PART but of a constant part from 1 on")
    return keep(node, "this", "delimiter", "part_index")


def _pad(node: exp.Expr, dialect: str) -> exp.Expr:
    """LPAD and RPAD: of just so many characters, also of a longer text; with blanks, or what is
    said. To pad with nothing differs. A whole number is padded as its text.
    """
    fill = node.args.get("fill_pattern") or exp.Literal.string(" ")
    known = isinstance(fill, exp.Literal) and fill.is_string and fill.this
    if not constant(node.expression, 0) or not known:
        what = "LPAD or RPAD but to a constant length, with a constant text"
        raise refuse(node, dialect, what)
    node.set("fill_pattern", fill)
    if whole(node.this, dialect):
        node.set("this", _to(node.this, "TEXT"))
    return node


def _concat_ws(node: exp.Expr, dialect: str) -> exp.Expr:
    """The texts that are not NULL, with another one between them; in Snowflake NULL where one is.
    Spark joins the items of a list as well; without a text T-SQL has none between them.
    """
    separator, *parts = node.expressions
    between = isinstance(separator, exp.Literal) and separator.is_string
    if dialect not in ("mysql", "postgres", "spark", "tsql") or not between:
        raise refuse(node, dialect, "CONCAT_WS but with a constant between what is no NULL")
    if dialect == "spark" and any(kind_of(part, dialect) != VARCHAR for part in parts):
        raise refuse(node, dialect, "CONCAT_WS of what may be a list", "use CONCAT(a, '-', b)")
    return node


def _trim(node: exp.Expr, dialect: str) -> exp.Expr:
    """Without characters: U+0020 in PostgreSQL, Snowflake, Spark and T-SQL, every Unicode
    whitespace in BigQuery, every Unicode space in DuckDB. With characters: a set of them; Spark's
    functions take them in another order than its TRIM … FROM, which looks the same here.
    """
    characters = node.args.get("expression")
    if characters is None and dialect == "bigquery":
        raise refuse(node, dialect, "TRIM without characters", "use TRIM(x, ' ')")
    if characters is not None:
        if dialect in ("mysql", "spark", "tsql"):  # MySQL's are one text, not a set
            raise refuse(node, dialect, "TRIM of characters")
        if not isinstance(characters, exp.Literal) or not characters.is_string:
            raise refuse(node, dialect, "TRIM of characters that are no constant string")
    position = str(node.args.get("position") or "BOTH").upper()
    made = exp.Trim(this=node.this, expression=characters or exp.Literal.string(" "))
    if position != "BOTH":
        made.set("position", position)
    return made


def _national(node: exp.Expr, dialect: str) -> exp.Expr:
    return exp.Literal.string(str(node.this))


RULES: dict[type[exp.Expr], Rule] = {
    exp.Concat: _concat,
    exp.DPipe: _dpipe,
    exp.Is: _is,
    exp.StrPosition: _found,
    exp.Replace: _replace,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Length: _length,
    exp.Substring: _substring,
    exp.Left: _left,
    exp.Right: _right,
    exp.Pad: _pad,
    exp.ConcatWs: _concat_ws,
    exp.Trim: _trim,
    exp.National: _national,
}


# --- Types of other dialects, and casts to them: see `dialects` ---


def _convert(node: exp.Expr, dialect: str) -> exp.Expr:
    """CONVERT(type, x) without a style is CAST; with one, the text of a moment."""
    if node.args.get("style") is not None:
        return styled(node, dialect)
    return _cast(exp.Cast(this=node.expression, to=node.this), dialect)


def _safe_cast(node: exp.Expr, dialect: str) -> exp.Expr:
    """SAFE_CAST and TRY_CAST are NULL for what does not fit. Which texts fit differs; a number fits
    an integer type or a DECIMAL, once it is rounded, where it is not beyond its ends, and FLOAT64
    always. Without `safe`, the node is what Spark's :: and CAST are.
    """
    if not node.args.get("safe") and dialect == "spark":
        return _cast(node, dialect)
    target, value = node.args["to"], node.this
    texts = isinstance(value, exp.Literal) and value.is_string
    read = dialect in ("bigquery", "tsql")
    if read and (whole(value, dialect) or fraction(value, dialect)):
        if target.this in (exp.DType.DOUBLE, exp.DType.FLOAT):
            return _to(value, "DOUBLE")
        if target.this == exp.DType.DECIMAL:
            exact = exp.DataType.build(f"DECIMAL({_digits(node, dialect)})", dialect="duckdb")
            return exp.TryCast(this=value, to=exact, safe=True)
    if not read or target.this not in INTEGERS or texts:
        raise refuse(node, dialect, "a cast that gives NULL for what does not fit")
    kind = exp.DataType.build(_integer(target.this, dialect), dialect="duckdb")
    return exp.TryCast(this=_rounded(value, dialect), to=kind, safe=True)


def _cast(node: exp.Expr, dialect: str) -> exp.Expr:
    target, value = node.args["to"], node.this
    kind = target.this
    if dialect == "mysql":
        check_cast(node)
    if kind == exp.DType.CHAR and dialect == "mysql" and not target.expressions:
        return _to_text(node, dialect)
    if kind in INTEGERS and not target.expressions:
        text = dialect == "tsql" and kind_of(value, dialect) == VARCHAR
        if text and not isinstance(value, exp.Literal):
            return _to(value, _integer(kind, dialect))  # an error there where it is no whole number
        return _to(_rounded(value, dialect), _integer(kind, dialect))
    if kind in (exp.DType.DOUBLE, exp.DType.FLOAT):
        return _to(value, "DOUBLE")  # FLOAT is 64 bits in most, and computed in 64 here in all
    if kind == exp.DType.DECIMAL and dialect == "postgres" and not target.expressions:
        return _to(value, "DOUBLE")  # it has no limit there; here it is exact to 15 digits
    if kind == exp.DType.DECIMAL:
        return _to(value, f"DECIMAL({_digits(node, dialect)})")
    if kind in TEXTS:
        return _to_text(node, dialect)
    if kind == exp.DType.DATE:
        return short_date(value, dialect) or _to(value, "DATE")
    if kind in _TIMESTAMPS[dialect] and not target.expressions:
        return _to(value, "TIMESTAMP")
    alike = not isinstance(value, exp.Literal) or _TIME.fullmatch(value.name)
    timed = dialect not in ("mysql", "spark")
    if kind == exp.DType.TIME and not target.expressions and timed and alike:
        return _to(value, "TIME")
    made = cast_to_one(value, target, dialect)
    if made is not None:
        return made
    hint = _TIMESTAMP_HINTS.get(dialect) if "TIME" in kind.value else None
    raise refuse(node, dialect, f"a cast to {target.sql(dialect=dialect)}", hint)


def _to_text(node: exp.Expr, dialect: str) -> exp.Expr:
    """Whole numbers look alike in all of them, where they fit: what does not is cut off in
    PostgreSQL, '*' or an error in T-SQL, an error elsewhere. A text is cut off in PostgreSQL and
    T-SQL, there after 30 characters where the type does not say how many; in Redshift by its bytes.
    A DATE is 2024-12-31, but where a setting says how it looks. T-SQL writes six digits of a FLOAT,
    as C's %g does, but three of the exponent: 1.5e+007.
    """
    value, target = node.this, node.args["to"]
    sizes = [size.this for size in target.expressions]
    most = {"tsql": 30, "redshift": 256}.get(dialect)
    if isinstance(value, exp.Null) or (sizes and str(sizes[0]).upper() == "MAX"):
        most = None
    elif sizes and constant(sizes[0], 1):
        most = int(str(sizes[0].this))
    elif sizes:
        raise refuse(node, dialect, f"a cast to {target.sql(dialect=dialect)}")
    if whole(value, dialect):
        digits = _PART_DIGITS.get(type(value), 20)  # a sign, and 19 digits
        if most is not None and most < digits:
            what = f"a whole number as a text of {most} characters, which it may not fit"
            raise refuse(node, dialect, what, "cast it to VARCHAR(20)")
        return _to(value, "TEXT")
    kind = kind_of(value, dialect)
    if kind == DATE and dialect in _ISO_DATES and (most is None or most >= 10):
        return _to(value, "TEXT")
    float_ = dialect == "tsql" and kind is not None and kind.is_float
    if float_ and (most is None or most >= 13):
        return _six_digits(value)
    if kind != VARCHAR:
        help = "write TO_CHAR(x, 'YYYY-MM-DD')" if kind == DATE and dialect in _CHARS else None
        if dialect == "tsql" and kind != DATE:
            decimal = fraction(value, dialect)
            help = (
                "cast it to FLOAT first" if decimal else "write FORMAT(x, 'yyyy-MM-dd') of a moment"
            )
        raise refuse(node, dialect, "a cast to text, which looks different in each system", help)
    if most is None:
        return _to(value, "TEXT")
    if dialect not in ("postgres", "tsql"):  # an error, or no limit
        raise refuse(node, dialect, "a text cast to one of limited length", "leave the cast out")
    one, length = exp.Literal.number(1), exp.Literal.number(most)
    return exp.Substring(this=value, start=one, length=length)


def _six_digits(value: exp.Expr) -> exp.Expr:
    pattern, number = exp.Literal.string("{:g}"), _to(value, "DOUBLE")
    short = exp.Format(this=pattern, expressions=[number])
    return exp.RegexpReplace(
        this=short,
        expression=exp.Literal.string("e([+-])(..)$"),
        replacement=exp.Literal.string(r"e\10\2"),
        single_replace=True,
    )


_CHARS = ("postgres", "redshift", "snowflake")
_ISO_DATES = ("bigquery", "mysql", "spark", "tsql")

_PART_DIGITS = {
    **dict.fromkeys((exp.Month, exp.Day, exp.DayOfMonth, exp.Hour, exp.Minute, exp.Second), 2),
    exp.Year: 4,  # up to 9999 in T-SQL and BigQuery, whose parts alone are surely whole numbers
    exp.DayOfYear: 3,
    exp.Quarter: 1,
}
"""How many characters the parts of a date have."""


_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?")
"""A time as a text that all read alike."""

_TIMESTAMPS = {
    # Those without a time zone. Snowflake's TIMESTAMP hangs on a setting; T-SQL's DATETIME counts
    # in steps of 3.3 ms, and reads a text as the session's language has it.
    "bigquery": (exp.DType.TIMESTAMP,),  # its DATETIME; its TIMESTAMP is TIMESTAMPTZ in the tree
    "mysql": (exp.DType.DATETIME, exp.DType.TIMESTAMPTZ),  # its TIMESTAMP '…' is a DATETIME
    "postgres": (exp.DType.TIMESTAMP,),
    "redshift": (exp.DType.TIMESTAMP,),
    "snowflake": (exp.DType.TIMESTAMPNTZ,),
    "spark": (exp.DType.TIMESTAMPNTZ,),
    "tsql": (exp.DType.DATETIME2,),
}
_TIMESTAMP_HINTS = {
    "bigquery": "use DATETIME",
    "redshift": "use TIMESTAMP",
    "snowflake": "use TIMESTAMP_NTZ",
    "spark": "use TIMESTAMP_NTZ",
    "tsql": "use DATETIME2",
}


def _to(value: exp.Expr, kind: str) -> exp.Cast:
    return exp.Cast(this=value, to=exp.DataType.build(kind, dialect="duckdb"))


def _integer(kind: exp.DType, dialect: str) -> str:
    """BigQuery has one integer type, of 64 bits; Snowflake's have 38 digits, and 64 bits here."""
    return "BIGINT" if dialect in ("bigquery", "snowflake") else INTEGERS[kind]


def _rounded(value: exp.Expr, dialect: str) -> exp.Expr:
    """A fraction cast to an integer is rounded half away from zero in BigQuery and Snowflake, and
    truncated in Spark and T-SQL. PostgreSQL does what DuckDB does: a DECIMAL half away from zero, a
    DOUBLE half to even; in Redshift a setting says, and none is left here that is not whole. ROUND,
    FLOOR and CEIL leave integers as they are, and take no string: some of them read '1.5' as an
    integer, and some do not.
    """
    digits = isinstance(value, exp.Literal) and re.fullmatch(r"[+-]?\d{1,18}", str(value.this))
    if dialect in ("postgres", "redshift") or digits or whole(value, dialect):
        return value
    if dialect in ("bigquery", "mysql", "snowflake"):  # of MySQL none but exact numbers, see there
        return exp.Round(this=value)
    if sum(1 for _ in value.walk()) > 200:  # it is there three times
        raise refuse(value, dialect, "so long an expression cast to an integer")
    negative = exp.LT(this=operand(value), expression=exp.Literal.number(0))
    up = exp.If(this=negative, true=exp.Ceil(this=copied(value)))
    return exp.Case(ifs=[up], default=exp.Floor(this=copied(value)))


_DIGITS = {
    "redshift": "18, 0",
    "mysql": "10, 0",
    "spark": "10, 0",
    "tsql": "18, 0",
    "bigquery": "38, 9",
}


def _digits(node: exp.Expr, dialect: str) -> str:
    """A DECIMAL without digits has others in each system."""
    sizes = [parameter.this for parameter in node.args["to"].expressions]
    if not sizes and dialect in _DIGITS:
        return _DIGITS[dialect]
    if not sizes or len(sizes) > 2 or not all(constant(size, 0) for size in sizes):
        raise refuse(node, dialect, "DECIMAL without digits", "use DECIMAL(p, s)")
    return ", ".join([*(str(size.this) for size in sizes), "0"][:2])


CAST_RULES: dict[type[exp.Expr], Rule] = {
    exp.Cast: _cast,
    exp.TryCast: _safe_cast,
    exp.Convert: _convert,
    exp.SubstringIndex: _part_of,
    exp.SplitPart: _split,
}
