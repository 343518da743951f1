"""Strings of other dialects: see `dialects`."""

from __future__ import annotations

from sqlglot import exp

from dpsql.sql.dialects.words import Rule, constant, keep, operand, refuse


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
    pattern = node.expression
    if not isinstance(pattern, exp.Literal) or not pattern.is_string:
        raise refuse(node, dialect, "LIKE with a pattern that is no constant string")
    text = str(pattern.this)
    if "\\" in text:
        raise refuse(pattern, dialect, "a backslash in a pattern")
    if dialect == "tsql":
        if "[" in text:
            raise refuse(pattern, dialect, "[ in a pattern")
        subject = node.this.unnest()
        lower = isinstance(subject, exp.Lower) and text == text.lower()
        upper = isinstance(subject, exp.Upper) and text == text.upper()
        if not (lower or upper) and text.lower() != text.upper():
            what = "LIKE with letters, whose case counts or not by the collation"
            raise refuse(node, dialect, what, "use LOWER(x) LIKE 'abc%'")
    return node


def _length(node: exp.Expr, dialect: str) -> exp.Expr:
    """Characters, in all but T-SQL, whose LEN is refused above."""
    return exp.Length(this=node.this)


def _substring(node: exp.Expr, dialect: str) -> exp.Expr:
    """From the first character on they agree; 0 and negative positions differ."""
    length = node.args.get("length")
    if not constant(node.args.get("start"), 1) or (length is not None and not constant(length, 0)):
        raise refuse(
            node, dialect, "SUBSTRING with a start or length that is no constant from 1 on"
        )
    return keep(node, "this", "start", "length")


def _left(node: exp.Expr, dialect: str) -> exp.Expr:
    """The first characters; a negative count means something else in each."""
    if not constant(node.expression, 0):
        raise refuse(node, dialect, "LEFT with a count that is no constant from 0 on")
    return exp.Substring(this=node.this, start=exp.Literal.number(1), length=node.expression)


def _trim(node: exp.Expr, dialect: str) -> exp.Expr:
    """Without characters: U+0020 in PostgreSQL, Snowflake, Spark and T-SQL, every Unicode
    whitespace in BigQuery, every Unicode space in DuckDB. With characters: a set of them; Spark's
    functions take them in another order than its TRIM … FROM, which looks the same here.
    """
    characters = node.args.get("expression")
    if characters is None and dialect == "bigquery":
        raise refuse(node, dialect, "TRIM without characters", "use TRIM(x, ' ')")
    if characters is not None:
        if dialect in ("spark", "tsql"):
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
    exp.Like: _like,
    exp.ILike: _like,
    exp.Length: _length,
    exp.Substring: _substring,
    exp.Left: _left,
    exp.Trim: _trim,
    exp.National: _national,
}
