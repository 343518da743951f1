"""Structs, of which no plan knows: {'a': x, 'b': y} AS s is a column for each field, and s.a is one
of them.

    SELECT AVG(s.x) FROM (SELECT {'x': age, 'y': balance} AS s FROM customers)
    SELECT AVG("s.x") FROM (SELECT age AS "s.x", balance AS "s.y" FROM customers)

Claim: the two mean the same. A struct that is written out is never NULL, and its fields are what
was written; where an outer join finds no row, s is NULL and so are its fields, which is what s.x of
a NULL is. What would tell a NULL from a struct of NULLs, or compare two structs, or take one for a
value, is rejected.

The columns have names that no text can hold: of the struct, of its place in the SELECT list, by
which it is told from others of its name, and of the field, all fields around it before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from sqlglot import exp

from dpsql.errors import Rejected
from dpsql.front.parse import bare, only, reject, set_span, span_of
from dpsql.front.written import unnamed, words

MARK = "\0"
MAX_FIELDS = 500
MAX_DEPTH = 50
"""Structs of structs grow like powers where each has the one before it twice."""

Fields = list[tuple[str, exp.Expr]]
"""The fields of a struct that are none themselves, each by its path, with what it is."""


# --- names ---


def name_of_field(struct: str, place: int, path: str) -> str:
    """The name of the column that a field is."""
    return MARK.join((struct, str(place), path))


def meant(name: str) -> str:
    """What a name reads of a column: its own name, or that of the struct and the path."""
    struct, found, rest = name.partition(MARK)
    return MARK.join((struct, rest.partition(MARK)[2])) if found else name


def shown(name: str) -> str:
    """What a name reads, for people."""
    return name.replace(MARK, ".")


def head(name: str) -> str:
    """The name of the column of the text."""
    return name.partition(MARK)[0]


def moved(name: str, place: int) -> str:
    """The name where the struct stands at another place."""
    struct, found, rest = name.partition(MARK)
    return name_of_field(struct, place, rest.partition(MARK)[2]) if found else name


def own(path: str, place: int) -> str:
    """The name of a field that is a column by itself; of one in a struct that is one."""
    struct, found, rest = path.partition(MARK)
    return name_of_field(struct, place, rest) if found else path


def plain(name: str) -> str:
    """What a column of the plan is called: as the field is."""
    return name.rpartition(MARK)[2]


def whole(names: Sequence[str]) -> list[range]:
    """The columns of the text, each as the places of its fields, or as its own."""
    marks = [n.split(MARK)[:2] if MARK in n else [str(i)] for i, n in enumerate(names)]
    places = (list(group) for _, group in groupby(range(len(names)), lambda i: marks[i]))
    return [range(group[0], group[-1] + 1) for group in places]


def at(names: Sequence[str], position: int) -> range | None:
    """Where the column of the text is that has a number from 1; None where there is none."""
    places = whole(names)
    return places[position - 1] if 1 <= position <= len(places) else None


def renamed(name: str, new: str) -> str:
    """The name where the column of the text has a new one."""
    return new + name[len(head(name)) :]


def refuse(names: Iterable[str], what: str, node: exp.Expr) -> None:
    """Reject columns of the text that are structs, where fields cannot stand for them.

    Raises:
        Rejected: DP104, at the one in the SELECT list, or else at the node.
    """
    fields = [meant(name) for name in names if MARK in name]
    if fields:
        struct = head(fields[0])
        items = node.expressions if isinstance(node, exp.Select) else []
        named = (i for i in items if struct in (i.alias_or_name, parts(bare(i)) and unnamed(i)))
        place = next(named, node)
        own = [f for f in fields if head(f) == struct]
        written = parts(bare(place.unalias())) if place is not node else None
        if written is not None:
            own = [words(e, "x") + (not n.isdigit()) * f" AS {n}" for n, e in written]
        message = f"{shown(struct)} is a struct, {what}"
        raise reject("DP104", message, place, f"write its fields as columns: {_few(own)}")


def _few(fields: Sequence[str]) -> str:
    return ", ".join(map(shown, fields[:3])) + ", …" * (len(fields) > 3)


def used_whole(struct: str, fields: Sequence[str], node: exp.Expr) -> Rejected:
    """The error for a struct where a value is needed."""
    message = f"{shown(struct)} is a struct, which is no value"
    return reject("DP104", message, node, f"take one of its fields: {_few(fields)}")


# --- trees ---


def parts(node: exp.Expr) -> Fields | None:
    """The fields of a struct that is written out: {'a': x}, STRUCT_PACK(a := x) or ROW(x), whose
    fields are numbers; None of anything else.

    Raises:
        Rejected: DP104, a field has no name, or that of another one.
    """
    row = isinstance(node, exp.Anonymous) and str(node.this).lower() == "row"
    if row or isinstance(node, exp.Tuple):
        only(node, "this" if row else "", "expressions")
        return [(str(number), part) for number, part in enumerate(node.expressions, 1)]
    if not isinstance(node, exp.Struct):
        return None
    only(node, "expressions", "_type")
    found: Fields = []
    for part in node.expressions:
        if isinstance(part, exp.Column) and isinstance(part.this, exp.Identifier):
            found.append((part.name, part))
        elif isinstance(part, exp.PropertyEQ):
            only(part, "this", "expression", "_type")
            found.append((part.this.name, part.expression))
        else:
            raise reject("DP104", "a field of a struct needs a name", part, "write {'a': x}")
        if found[-1][0].lower() in {name.lower() for name, _ in found[:-1]}:
            raise reject("DP104", "a struct must not name a field twice", part)
    if not found:
        raise reject("DP104", "a struct without fields", node)
    return found


def taken(node: exp.Expr) -> tuple[exp.Expr, list[str]]:
    """What fields are taken of, and which, the outermost first: of s.a['b'] s.a, and b."""
    path: list[str] = []
    while True:
        node = bare(node)
        part = node.expression if isinstance(node, exp.Dot | exp.StructExtract) else None
        if isinstance(part, exp.Identifier | exp.Literal):
            path.insert(0, part.name)
        elif isinstance(node, exp.Bracket) and (place := _place(node)) is not None:
            path.insert(0, place)
        else:
            return node, path
        if len(path) > MAX_DEPTH:
            raise reject("DP103", f"more than {MAX_DEPTH} structs in one another", node)
        only(node, "this", "expression", "expressions", "_type")
        node = node.this


def _place(node: exp.Bracket) -> str | None:
    """The field that stands in brackets; the parser counts s[1] from 0."""
    (place,) = node.expressions if len(node.expressions) == 1 else (None,)
    if not isinstance(place, exp.Literal):
        return None
    return place.name if place.is_string else str(int(place.this) + 1) if place.is_int else None


def field(node: exp.Expr) -> exp.Expr | None:
    """What stands for a field that is taken: a part of a struct that is written out, or a name;
    None where nothing is taken of either.

    Raises:
        Rejected: DP202, there is no such field.
    """
    root, path = taken(node)
    while path:
        if isinstance(root, exp.Column) and isinstance(root.this, exp.Identifier):
            return below(root, MARK.join(path), node)
        known = parts(root)
        if known is None:
            return None
        name = path.pop(0)
        same = [part for called, part in known if called.lower() == name.lower()]
        if not same:
            help = "it has " + ", ".join(called for called, _ in known[:5])
            raise reject("DP202", f"the struct has no field {name}", node, help)
        root, before = taken(same[0])
        path = before + path
    return root if root is not bare(node) else None


def called(part: exp.Expr, name: str) -> exp.Alias:
    """An item of the SELECT list."""
    made = exp.Alias(this=part.copy(), alias=exp.to_identifier(name, quoted=True))
    span = span_of(part)
    if span is not None:
        set_span(made, span)
    return made


def below(column: exp.Column, path: str, node: exp.Expr) -> exp.Column:
    """The name of a field of a column, standing for a node."""
    made: exp.Column = column.copy()
    name = exp.to_identifier(MARK.join((column.name, path)), quoted=True)
    made.set("this", name)
    span = span_of(node)
    if span is not None:
        set_span(made, span)
    return made


def flat(node: exp.Expr, known: Callable[[exp.Column], Sequence[str] | None]) -> Fields | None:
    """The fields of an expression that is a struct, those of structs in it among them; None of a
    value.

    Args:
        node: the expression.
        known: the paths of the fields of a column; None of one that is no struct.
    """
    node = bare(node)
    there = field(node)
    if there is not None:
        return flat(there, known)
    if isinstance(node, exp.Column):
        paths = known(node)
        return None if paths is None else [(path, below(node, path, node)) for path in paths]
    found: Fields = []
    for name, part in parts(node) or ():
        inner = flat(part, known)
        found += [(name, part)] if inner is None else [(MARK.join((name, p)), e) for p, e in inner]
        if len(found) > MAX_FIELDS or found[-1][0].count(MARK) > MAX_DEPTH:
            message = f"a struct of more than {MAX_FIELDS:,} fields, or {MAX_DEPTH} in one another"
            raise reject("DP103", message, node)
    return found or None
