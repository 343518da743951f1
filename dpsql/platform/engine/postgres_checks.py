"""What a CHECK of PostgreSQL's says of one column, as DuckDB tests it.

Of a copy nothing rests on the two meaning the same: what is proven is what DuckDB has tested. A
part that may come out otherwise there is left out, so that no row is refused that the server has
accepted. Of rows that stay on the server nothing is tested again. There, too, only what says of the
column, as it is read, the very same is taken (`exact`): constants that are written as the column's
values are, with no cast that could make another value of one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial

import sqlglot
from sqlglot import exp

from dpsql.core.sqltypes import parse_type
from dpsql.platform.engine import check_ranges
from dpsql.types import VARCHAR, Type


def checks_of(
    check: str,
    kinds: Mapping[str, Type],
    texts: Collection[str],
    zoned: Collection[str] = (),
    *,
    value: str | None = None,
    exact: bool = False,
) -> Iterator[str]:
    """The parts of a CHECK that compare a column with constants, as DuckDB writes them.

    Args:
        check: as the server writes it.
        kinds: the types of the columns. Other comparisons may come out otherwise in DuckDB: of
            texts and durations in order, and of what a cast rounds.
        texts: the columns of which two values are equal just where their texts are.
        zoned: the columns of moments in UTC. What is compared of one with a day or a moment of no
            zone, or of another with one of a zone, is true in the time zone of whoever wrote it.
        value: the column of which a domain's check says something.
        exact: whether nobody tests the part on the rows.
    """
    try:
        todo: list[exp.Expr] = [sqlglot.parse_one(check, read="postgres")]
    except sqlglot.errors.SqlglotError:
        return
    if value is not None:
        for its in [*todo[0].find_all(exp.Column)]:
            its.replace(exp.column(value, quoted=True))
    while todo:
        node = todo.pop().unnest()
        if isinstance(node, exp.And):
            todo += [node.right, node.left]
            continue
        simpler = partial(_plain, kinds, exact)
        plain = node.transform(simpler).transform(simpler)  # ('-0.5'::numeric)::double precision
        columns = {column.name for column in plain.find_all(exp.Column)}
        if len(columns) != 1 or not columns <= kinds.keys():
            continue
        [column] = columns
        moments = (cast.to for cast in node.find_all(exp.Cast) if cast.to.is_type(*_TIMES))
        if any(to.is_type("timestamptz") != (column in zoned) for to in moments):
            continue
        if exact and not _is_exact(plain, kinds[column]):
            continue
        if column in zoned:  # as UTC, in which the server writes them
            for moment in [*plain.find_all(exp.Literal)]:
                moment.replace(exp.Literal.string(str(moment.this).removesuffix("+00")))
        text = plain.sql(dialect="duckdb", identify=True)
        ordered = kinds[column].is_numeric or kinds[column].is_temporal
        listed = isinstance(plain, exp.In) and isinstance(plain.this, exp.Column)
        listed = listed and (kinds[column].is_integer or column in texts)
        if (ordered and check_ranges.limits(text)) or (listed and plain.expressions):
            yield text


def _plain(kinds: Mapping[str, Type], exact: bool, node: exp.Expr) -> exp.Expr:
    """Without casts of columns to what they are and of constants, and with a list in the place of
    = ANY (ARRAY […])."""
    if isinstance(node, exp.Cast | exp.Paren):
        inner = node.this.unnest()
        bare = isinstance(inner, exp.Literal | exp.Neg)
        if isinstance(inner, exp.Column):
            bare = isinstance(node, exp.Paren) or _is_own(kinds.get(inner.name), node.to)
        elif exact and isinstance(node, exp.Cast):
            bare = bare and _is_as_written(inner, node.to)
        if bare and isinstance(node, exp.Cast) and _is_number(node.to):
            inner = _number(inner)
        return inner if bare else node
    array = node.expression.this.unnest() if _is_any(node) else None
    while isinstance(array, exp.Cast):  # of varchar to text
        array = array.this.unnest()
    if isinstance(array, exp.Array):
        members = [member.transform(partial(_plain, kinds, exact)) for member in array.expressions]
        return exp.In(this=node.this.transform(partial(_plain, kinds, exact)), expressions=members)
    return node


_TIMES = ("date", "timestamp", "timestamptz")
_WHOLE, _PLAIN = re.compile(r"[+-]?[0-9]+"), re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_MOMENTS = {
    "DATE": re.compile(r"\d{4}-\d\d-\d\d"),
    "TIMESTAMP": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?(\+00)?"),
}


def _is_number(kind: exp.DataType) -> bool:
    return kind.is_type(*exp.DataType.INTEGER_TYPES) or kind.is_type("decimal", "double")


def _number(constant: exp.Expr) -> exp.Expr:
    """A number, which is written as a text where it is negative."""
    text = str(constant.this) if isinstance(constant, exp.Literal) and constant.is_string else ""
    return sqlglot.parse_one(text) if _PLAIN.fullmatch(text) else constant


def _is_as_written(constant: exp.Expr, to: exp.DataType) -> bool:
    """Whether a cast leaves the value of a constant as it is."""
    inner = constant.this if isinstance(constant, exp.Neg) else constant
    if to.expressions or not isinstance(inner, exp.Literal):
        return False
    if to.is_type(*exp.DataType.INTEGER_TYPES):
        return _WHOLE.fullmatch(str(inner.this)) is not None
    kinds = ("decimal", "double", "text", "varchar", "date", "timestamp", "timestamptz")
    return to.is_type(*kinds)


def _is_exact(plain: exp.Expr, kind: Type) -> bool:
    """Whether there is no cast left, and each constant is written as values of the type are."""
    form = _MOMENTS.get(kind.name)
    texts = [str(node.this) for node in plain.find_all(exp.Literal) if node.is_string]
    if form is not None and not all(form.fullmatch(text) for text in texts):
        return False
    return kind.name != "FLOAT" and plain.find(exp.Cast) is None


def _is_own(kind: Type | None, to: exp.DataType) -> bool:
    """Whether a cast leaves the values of a type as they are."""
    if kind is None or to.expressions:
        return False
    if to.is_type(*exp.DataType.TEXT_TYPES):
        return kind == VARCHAR
    if to.is_type("decimal"):
        return kind.is_exact
    with suppress(ValueError):
        return parse_type(to.sql("duckdb")) == kind
    return False


def _is_any(node: exp.Expr) -> bool:
    return isinstance(node, exp.EQ) and isinstance(node.expression, exp.Any)
