"""A model that is asked for in SQL:

    SELECT keys, dp_linear_regression(y, [x1, x2]) FROM … WHERE … GROUP BY keys

It is no query by itself; the rows that it is fitted to are one:

    SELECT keys,                      y,  x1, x2   FROM … WHERE …

which is the same text with blanks for the call and for GROUP BY: so each place in it is the same
place in what the analyst wrote. That it has the meaning which is said here is not taken from the
text: it must be read as the tree of the statement, with the arguments in place of the call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from dpsql.errors import Rejected, Span
from dpsql.front.model_text import blanked
from dpsql.front.parse import only, parse, reject, span_of
from dpsql.front.unknown import A_MODEL, PREDICTION, PREFIX

_PARTS = ("expressions", "from_", "joins", "laterals", "where", "group", "with_")
Constant = bool | int | float | str
Argument = str | tuple[str, ...]
Option = Constant | tuple[Constant, ...]


@dataclass(frozen=True, slots=True)
class ModelStatement:
    """A model that is asked for.

    Attributes:
        text: what the analyst wrote.
        name: of the function, in small letters.
        span: the call, up to its last argument.
        rows: the query of the rows; its places are those of `text`.
        columns: names for its columns, none twice, and where they stand.
        keys: those of them that are keys.
        arguments: those that are arguments; a tuple for a list.
        options: what is given by name, such as `ridge := 10`, in small letters; a tuple for a list
            of columns, or of constants.
    """

    text: str
    name: str
    span: Span
    rows: str
    columns: Mapping[str, Span | None]
    keys: tuple[str, ...]
    arguments: tuple[Argument, ...]
    options: Mapping[str, Option]


def model_statement(text: str) -> ModelStatement | None:
    """A statement that asks for a model; None for any other text.

    Raises:
        Rejected: it asks for one, but not in the form above.
    """
    if not isinstance(text, str) or PREFIX not in text.lower():
        return None
    try:
        tree = parse(text)
    except Rejected:
        return None  # which is said of any query
    calls = [item for item in tree.expressions if is_model(item.unalias())]
    if not isinstance(tree, exp.Select) or not calls:
        return None
    problem: Rejected | None = None
    try:
        return _read(text, tree, calls)
    except Rejected as rejected:
        problem = rejected.at(text)
    raise problem


def is_model(node: object) -> bool:
    """Whether it is the call of a model, known or not."""
    named = node.name.lower() if isinstance(node, exp.Anonymous) else ""
    return named.startswith(PREFIX) and named != PREDICTION


def _read(text: str, tree: exp.Select, calls: Sequence[exp.Expr]) -> ModelStatement:
    call = calls[0]
    if len(calls) > 1:
        raise reject("DP104", "two models in one query", calls[1], "ask for one after the other")
    if isinstance(call, exp.Alias):
        help = "leave the name out: its columns are the keys, and those that the model has"
        raise reject("DP104", "a model is more than one column", call, help)
    only(tree, *_PARTS)
    keys = [item for item in tree.expressions if item is not call]
    _check_groups(tree, keys)
    given = [part for part in call.expressions if not isinstance(part, exp.PropertyEQ)]
    if not given:
        raise reject("DP205", "a model without its columns", call, A_MODEL)
    items: list[exp.Expr] = []
    for item in tree.expressions:
        items += [item] if item is not call else [x for part in given for x in _listed(part)]
    meant = tree.copy()
    meant.set("expressions", [item.copy() for item in items])
    meant.set("group", None)
    rows = blanked(text, call, given)
    if parse(rows) != meant:
        raise reject("DP104", "this form of a model is not read", call, A_MODEL)
    names = list(_names(items))
    named = dict(zip(map(id, items), names, strict=True))
    return ModelStatement(
        text,
        call.name.lower(),
        span_of(call) or Span(0, len(text)),
        rows,
        {named[id(item)]: span_of(item) for item in items},
        tuple(named[id(key)] for key in keys),
        tuple(
            tuple(named[id(x)] for x in part.expressions)
            if isinstance(part, exp.Array)
            else named[id(part)]
            for part in given
        ),
        dict(_options(call, dict(zip(items, names, strict=True)))),
    )


def _listed(part: exp.Expr) -> list[exp.Expr]:
    return part.expressions if isinstance(part, exp.Array) else [part]


def _check_groups(tree: exp.Select, keys: Sequence[exp.Expr]) -> None:
    """Refuse another grouping than by what stands beside the model."""
    group = tree.args.get("group")
    grouped: list[exp.Expr] = []
    if group is not None:
        only(group, "expressions", "all")
        grouped = (
            list(keys) if group.args.get("all") else [_key(g, tree) for g in group.expressions]
        )
    for key in keys:
        if not any(key is g or _same(key, g) for g in grouped):
            help = "leave it out, or write it in GROUP BY as well"
            raise reject("DP208", "beside a model stand the keys of its groups", key, help)
    for found in grouped:
        if not any(key is found or _same(key, found) for key in keys):
            raise reject("DP104", "a key that is not in SELECT", found, "write it before the model")


def _key(written: exp.Expr, tree: exp.Select) -> exp.Expr:
    """What a part of GROUP BY names: the place of an item counts from 1."""
    items = tree.expressions
    if isinstance(written, exp.Literal) and not written.is_string and written.name.isdigit():
        place = int(written.name[:9])
        return items[place - 1] if 1 <= place <= len(items) else written
    return written


def _same(key: exp.Expr, written: exp.Expr) -> bool:
    """Whether what is written is a key, by its name or by its text."""
    named = isinstance(written, exp.Column) and not written.table and isinstance(key, exp.Alias)
    if named and key.alias.lower() == written.name.lower():
        return True
    return _folded(key.unalias()) == _folded(written)


def _folded(node: exp.Expr) -> exp.Expr:
    """It with names as they are compared: in small letters, with quotes or without."""
    made = node.copy()
    for name in made.find_all(exp.Identifier):
        name.replace(exp.to_identifier(name.name.lower(), quoted=True))
    return made


def _names(items: Sequence[exp.Expr]) -> Iterator[str]:
    """A name of each item: its own, or its text."""
    taken: dict[str, exp.Expr] = {}
    for item in items:
        if item.is_star:
            raise reject("DP205", "columns of a model are named one by one", item)
        if any(_same(item, other.unalias()) for other in taken.values()):
            raise reject("DP205", "a column of a model that stands there twice", item)
        text = item.unalias().sql(dialect="duckdb", comments=False)
        name = item.alias_or_name if isinstance(item, exp.Alias | exp.Column) else text
        name = text if name.lower() in taken else name
        while name.lower() in taken:
            name += "_"
        taken[name.lower()] = item
        yield name


def _options(call: exp.Expr, named: Mapping[exp.Expr, str]) -> Iterator[tuple[str, Option]]:
    for part in call.expressions:
        if not isinstance(part, exp.PropertyEQ):
            continue
        value = part.expression
        listed = value.expressions if isinstance(value, exp.Array) else None
        if listed is None and _is_constant(value):
            yield part.name.lower(), _constant(value)
        elif listed is not None and all(x in named for x in listed):
            yield part.name.lower(), tuple(named[x] for x in listed)
        elif listed is not None and all(map(_is_constant, listed)):
            yield part.name.lower(), tuple(map(_constant, listed))
        else:
            message = f"{part.name} is no constant, and no list of these or of the model's columns"
            raise reject("DP205", message, value)


def _is_constant(value: exp.Expr) -> bool:
    number = value.this if isinstance(value, exp.Neg) else value
    plain = isinstance(number, exp.Boolean | exp.Literal)
    return plain and (number is value or number.is_number)


def _constant(value: exp.Expr) -> Constant:
    if isinstance(value, exp.Boolean):
        return bool(value.this)
    plain = value.name if value.is_string else value.to_py()
    return plain if isinstance(plain, int | str) else float(plain)
