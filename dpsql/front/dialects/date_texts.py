"""Dates that are made of constant texts, and texts of dates: see `dialects`.

    TO_DATE('2024/12/31', 'YYYY/MM/DD')    DATE '2024-12-31'
    x - '2024-12-31'                       x - DATE '2024-12-31'  in PostgreSQL
    CAST('20241231' AS DATE)               DATE '2024-12-31'      PostgreSQL, Redshift, T-SQL
    CONVERT(VARCHAR(7), x, 120)            STRFTIME(x, '%Y-%m')
    TO_CHAR(x, 'YYYY-MM'), FORMAT(x, 'yyyy-MM'), FORMAT_DATE('%Y-%m', x)     STRFTIME(x, '%Y-%m')

The date is the same: the format has a year of four digits, a month and a day of two, each once, and
the text has just these. In PostgreSQL a separator stands for any other one; and a text beside - is
of the type of the other side, of which a date as a text is none but a date or a moment.

A text of a date has parts of fixed width, the same in all systems, and between them what none takes
for a part: in T-SQL no / and no :, which are the culture's. Names of months and days are read where
they are English whatever the session says. sqlglot has made DuckDB's parts of those it knows; what
it leaves of one, or takes for another one, is no such part, and refused.
"""

from __future__ import annotations

import itertools
import re
from datetime import date

from sqlglot import exp

from dpsql.front.dialects.column_types import type_of
from dpsql.front.dialects.date_rules import PARTS, unwrapped
from dpsql.front.dialects.number_kinds import TEXTS, kind
from dpsql.front.dialects.words import Rule, place, refuse
from dpsql.types import DATE, TIMESTAMP

MOMENTS = (exp.TsOrDsToTimestamp, exp.TsOrDsToDatetime)
"""What BigQuery's parser puts around the moment that is formatted."""

READ: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.TimeToStr: ("this", "format", "zone"),
    exp.ToChar: ("this", "format"),
    **dict.fromkeys(MOMENTS, ("this",)),
    **dict.fromkeys((exp.Dayname, exp.Monthname), ("this", "abbreviated")),
    exp.LastDay: ("this", "unit"),
    exp.StrToDate: ("this", "format", "default_year"),
    exp.TsOrDsToDate: ("this", "format", "safe", "default_date"),
}

_FORMAT = re.compile(r"%([Ymd])(\W?)%([Ymd])(\W?)%([Ymd])")
_DIGITS = {"Y": r"(?P<Y>\d{4})", "m": r"(?P<m>\d{2})", "d": r"(?P<d>\d{2})"}
_ISO, _SHORT = "%Y-%m-%d", "%Y%m%d"


def constant_date(node: exp.Expr | None, form: str, *, loose: bool = False) -> exp.Expr | None:
    """The date that a constant text is in a format of %Y, %m and %d; None where it is none.

    Args:
        node: the text.
        form: the format.
        loose: whether any separator stands for any other one.
    """
    parts = _FORMAT.fullmatch(form)
    text = str(node.this) if isinstance(node, exp.Literal) and node.is_string else ""
    if parts is None or {parts[1], parts[3], parts[5]} != _DIGITS.keys():
        return None
    first, second = (r"[^\w]" if loose and s else re.escape(s) for s in (parts[2], parts[4]))
    pattern = f"{_DIGITS[parts[1]]}{first}{_DIGITS[parts[3]]}{second}{_DIGITS[parts[5]]}"
    found = re.fullmatch(pattern, text, re.ASCII)
    try:
        day = date(int(found["Y"]), int(found["m"]), int(found["d"])) if found else None
    except ValueError:
        return None  # 30 February
    return None if day is None else _literal(day.isoformat())


def short_date(node: exp.Expr, dialect: str) -> exp.Expr | None:
    """The date that '20241231' is where the dialect reads it so; None for other texts."""
    return constant_date(node, _SHORT) if dialect in ("postgres", "redshift", "tsql") else None


def _literal(text: str) -> exp.Expr:
    return exp.Cast(this=exp.Literal.string(text), to=exp.DataType.build("DATE", dialect="duckdb"))


def _parsed(node: exp.Expr, dialect: str) -> exp.Expr:
    form = node.args.get("format")
    if form is None and dialect == "mysql" and not isinstance(node.parent, PARTS):  # DATE(x)
        return exp.Cast(this=node.this, to=exp.DataType.build("DATE", dialect="duckdb"))
    alone = form is None and not isinstance(node.parent, (*PARTS, exp.LastDay, exp.TimeToStr))
    if alone and dialect in ("snowflake", "spark") and kind(node.this, dialect) in _SURE:
        return exp.Cast(this=node.this, to=exp.DataType.build("DATE", dialect="duckdb"))  # no text
    if form is None:
        return node  # read elsewhere, or refused there
    name = form.name.replace("strict", "") if dialect == "spark" else form.name
    made = constant_date(node.this, name, loose=dialect == "postgres")
    if made is None:
        what, help = "the conversion of text to a date", "write DATE '2024-12-31'"
        raise refuse(node, dialect, what, help)
    return made


_SURE = (DATE, TIMESTAMP)


def _less(node: exp.Expr, dialect: str) -> exp.Expr:
    if dialect == "postgres":
        for part, other in ((node.this, node.expression), (node.expression, node.this)):
            made = constant_date(part, _ISO)
            if made is not None and not isinstance(other, exp.Literal):
                part.replace(place(made, part))
    return node


_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def _compared(node: exp.Expr, dialect: str) -> exp.Expr:
    """d >= '20241231': beside a column of dates or moments the text is one."""
    sides = [side for side in node.iter_expressions() if not isinstance(side, exp.Query)]
    kinds = (type_of(side) for side in sides if isinstance(side, exp.Column))
    if any(kind is not None and kind.name in ("DATE", "TIMESTAMP") for kind in kinds):
        for side in sides:
            made = short_date(side, dialect)
            if made is not None:
                side.replace(place(made, side))
    return node


_NUMBERS = {f"%{part}": f"%{part}" for part in "YmdHMS"}
_NAMES = {f"%{part}": f"%{part}" for part in "bBaAjy"}
_PARTS: dict[str, dict[str, str]] = {
    "bigquery": {**_NUMBERS, **_NAMES},
    "snowflake": {
        "YYYY": "%Y",
        "MMMM": "%B",
        "MM": "%m",
        "DD": "%d",
        "HH24": "%H",
        "MI": "%M",
        "SS": "%S",
        "MON": "%b",
        "DY": "%a",
    },
    "spark": _NUMBERS,
    "tsql": _NUMBERS,
}
_BETWEEN = {"tsql": "-._ ", "bigquery": "-/._: ,"}


def _format(text: str, dialect: str) -> str | None:
    """DuckDB's format for the text of a date; None where a part of it is none."""
    parts = _PARTS[dialect]
    words = "|".join(sorted(map(re.escape, parts), key=len, reverse=True))
    between = re.escape(_BETWEEN.get(dialect, "-/._: "))
    found = re.findall(rf"({words})|([{between}])|(.)", text, re.DOTALL)
    if not any(part for part, _, _ in found) or any(other for _, _, other in found):
        return None
    named = [part for part, _, _ in found]
    if any(a and a == b for a, b in itertools.pairwise(named)):
        return None  # SSSS is no SS twice: a longer part, or an error
    return "".join(parts[part] if part else same for part, same, _ in found)


def _written(node: exp.Expr, dialect: str) -> exp.Expr:
    form, zone, value = node.args.get("format"), node.args.get("zone"), unwrapped(node.this)
    text = form.name if isinstance(form, exp.Literal) and form.is_string else ""
    if dialect == "snowflake" and re.fullmatch("(%[Ymd]|[-/._ ])+", text):
        return _strftime(value, text)  # which sqlglot has read, as of a date
    if dialect == "snowflake":
        text = text.upper()
    elif dialect == "spark":
        text = text.replace("strict", "")
    if zone is not None and not (isinstance(zone, exp.Literal) and zone.name == "UTC"):
        raise refuse(zone, dialect, "a date as a text in a time zone")
    if dialect == "mysql" and (made := _mysql_format(text)) is not None:
        return _strftime(value, made)
    pieces = _pieces(text) if dialect in ("postgres", "redshift") else ()
    if dialect == "redshift" and any(piece in text for piece in ("FM", '"')):
        pieces = ()  # of these it says nothing
    if pieces:
        return _joined([place(_piece(value, *piece), node) for piece in pieces])
    found = None if dialect in ("mysql", "postgres", "redshift") else _format(text, dialect)
    if found is None:
        help = _HELP.get(dialect, "write YEAR(x) and MONTH(x), or DATE_TRUNC('month', x)")
        raise refuse(node, dialect, "this format of a date or a number", help)
    return _strftime(value, found)


_CHARS = {
    "YYYY": "%Y",
    "YY": "%y",
    "MM": "%m",
    "DD": "%d",
    "DDD": "%j",
    "IYYY": "%G",
    "IW": "%V",
    "HH24": "%H",
    "HH12": "%I",
    "HH": "%I",
    "MI": "%M",
    "SS": "%S",
}
_SHORTER = {"MM": "%-m", "DD": "%-d", "DDD": "%-j", "HH24": "%-H", "HH12": "%-I", "HH": "%-I"}
_LONG = {"MONTH": "%B", "DAY": "%A"}
_SHORT_NAMES = {"MON": "%b", "DY": "%a"}
_WORDS = {
    word: form
    for name, form in {**_LONG, **_SHORT_NAMES}.items()
    for word in (name, name.capitalize(), name.lower())
}
_WRITTEN = {word: form for name, form in _CHARS.items() for word in (name, name.lower())}
_CHAR = re.compile(
    r"(FM)?(?:(SSSS)|("
    + "|".join(sorted((*_WORDS, *_WRITTEN), key=len, reverse=True))
    + r'))|"([^"\\%]*)"|([-/._:, ])|(.)',
    re.DOTALL,
)

Piece = tuple[str, str, bool]
"""A format, the case of its letters ("upper", "lower" or ""), and whether it fills nine places."""


def _pieces(text: str) -> tuple[Piece, ...]:
    """The parts of a format of TO_CHAR; none where one of them is not known.

    A name is written as the word for it is: Day, DAY or day, the long ones with blanks up to nine
    letters; FM before it leaves these out, and zeros in front of numbers.
    """
    found: list[Piece] = []
    for match in _CHAR.finditer(text):
        short, seconds, word, quoted, between, other = match.groups()
        if other is not None or seconds is not None:
            return ()
        letters, wide, form = "", False, quoted or between
        if word in _WORDS:
            form, wide = _WORDS[word], word.upper() in _LONG and short is None
            letters = "upper" if word.isupper() else "lower" if word.islower() else ""
        elif word is not None:
            form = _SHORTER.get(word.upper()) if short else _WRITTEN[word]
        if form is None:
            return ()
        plain = not letters and not wide
        if found and plain and found[-1][1:] == ("", False):
            found[-1] = (found[-1][0] + form, "", False)
        else:
            found.append((form, letters, wide))
    return tuple(found) if any("%" in form for form, _, _ in found) else ()


def _piece(value: exp.Expr, form: str, letters: str, wide: bool) -> exp.Expr:
    made = _strftime(value.copy(), form)
    if letters:
        made = (exp.Upper if letters == "upper" else exp.Lower)(this=made)
    if wide:
        nine, blank = exp.Literal.number(9), exp.Literal.string(" ")
        made = exp.Pad(this=made, expression=nine, fill_pattern=blank, is_left=False)
    return made


def _joined(parts: list[exp.Expr]) -> exp.Expr:
    made = parts[0]
    for part in parts[1:]:
        made = exp.DPipe(this=made, expression=part, safe=True)
    return exp.Paren(this=made) if len(parts) > 1 else made


_MYSQL = {
    **{c: f"%{c}" for c in "YymdHIpjbafSwT"},
    "c": "%-m",
    "e": "%-d",
    "k": "%-H",
    "h": "%I",
    "l": "%-I",
    "i": "%M",
    "s": "%S",
    "M": "%B",
    "W": "%A",
    "x": "%G",
    "v": "%V",
    "r": "%I:%M:%S %p",
    "%": "%%",
}
"""The parts of DATE_FORMAT; the weeks of %u, %U and %V are others, and %D is 1st."""


def _mysql_format(text: str) -> str | None:
    parts = re.findall(r"%(.?)|([^%]+)", text, re.DOTALL)
    if not any(c for c, _ in parts) or any(not plain and c not in _MYSQL for c, plain in parts):
        return None
    return "".join(plain or _MYSQL[c] for c, plain in parts)


_STYLES = {
    "23": "%Y-%m-%d",
    "101": "%m/%d/%Y",
    "102": "%Y.%m.%d",
    "103": "%d/%m/%Y",
    "104": "%d.%m.%Y",
    "105": "%d-%m-%Y",
    "110": "%m-%d-%Y",
    "111": "%Y/%m/%d",
    "112": "%Y%m%d",
    **dict.fromkeys(("20", "120"), "%Y-%m-%d %H:%M:%S"),
}
"""The styles of T-SQL that are whole years and numbers; of a DATE the last has no time."""


def styled(node: exp.Expr, dialect: str) -> exp.Expr:
    """T-SQL's CONVERT of a moment to a text, which the length of its type cuts off."""
    target, value, style = node.this, node.expression, node.args["style"]
    form, of = _STYLES.get(style.sql()), kind(value, dialect)
    if target.this not in TEXTS or form is None or of not in (DATE, TIMESTAMP):
        raise refuse(node, dialect, "CONVERT with this style, or of this type", _HELP["tsql"])
    if of == DATE:
        form = form.partition(" ")[0]
    parts = re.findall("%.|.", form)
    lengths = list(itertools.accumulate(4 if p == "%Y" else len(p) for p in parts))
    size = target.expressions[0].name if target.expressions else ""
    if size.isdigit() and int(size) < lengths[-1]:
        if int(size) not in lengths:
            raise refuse(node, dialect, "a text of a date that ends within a number", _HELP["tsql"])
        parts = parts[: lengths.index(int(size)) + 1]
    return _strftime(value, "".join(parts))


_HELP = {"tsql": "write FORMAT(x, 'yyyy-MM-dd') or a part of it"}


def _strftime(value: exp.Expr, form: str) -> exp.Expr:
    return exp.TimeToStr(this=value, format=exp.Literal.string(form))


def _named_day(node: exp.Expr, dialect: str) -> exp.Expr:
    """Snowflake's DAYNAME and MONTHNAME, which are Mon and Jan; MySQL's, Monday and January."""
    if dialect == "mysql":
        moment = unwrapped(node.this)
        return _strftime(moment, "%A" if isinstance(node, exp.Dayname) else "%B")
    if dialect != "snowflake":
        raise refuse(node, dialect)
    return _strftime(node.this, "%a" if isinstance(node, exp.Dayname) else "%b")


def _last_day(node: exp.Expr, dialect: str) -> exp.Expr:
    """The last day of a month; T-SQL's EOMONTH, too."""
    unit = node.args.get("unit")
    if unit is not None and unit.name.upper() != "MONTH":
        raise refuse(node, dialect, f"the last day of a {unit.name.lower()}")
    return exp.LastDay(this=unwrapped(node.this))


RULES: dict[type[exp.Expr], Rule] = {
    exp.TimeToStr: _written,
    exp.ToChar: _written,
    exp.Dayname: _named_day,
    exp.Monthname: _named_day,
    exp.LastDay: _last_day,
    exp.StrToDate: _parsed,
    exp.TsOrDsToDate: _parsed,
    exp.Sub: _less,
    **dict.fromkeys(_COMPARISONS, _compared),
    exp.Between: _compared,
    exp.In: _compared,
}
