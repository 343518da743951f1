"""The types of the columns that a query of another dialect names, for the rules that hang on them:
whether 7 / x is cut off to a whole number is decided by the type of x.

Only what is sure is noted: a column of a declared table in the FROM list of the SELECT around it. A
name that could be an alias, or that could be a subquery's, is left without a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sqlglot import exp

from dpsql.front.parse import Tables
from dpsql.front.scope import fold
from dpsql.types import Type

_NOTED = "dpsql_type"


def type_of(node: exp.Expr) -> Type | None:
    """The type of a column, as far as it was noted."""
    found = node.meta.get(_NOTED)
    return found if isinstance(found, Type) else None


def note(tree: exp.Query, tables: Tables) -> None:
    """Note the types of columns in their nodes."""
    queries = {fold(cte.alias) for cte in tree.find_all(exp.CTE)}
    for select in tree.find_all(exp.Select):
        clauses = [select.args.get("from_"), *(select.args.get("joins") or [])]
        sources = [clause.this for clause in clauses if clause is not None]
        here = {fold(s.alias_or_name): _declared(s, tables, queries) for s in sources}
        aliases = {fold(i.alias) for i in select.expressions if isinstance(i, exp.Alias)}
        for column in _own(select):
            name = fold(column.name)
            if column.table:
                found = _types([here.get(fold(column.table))], name)
            else:
                found = set() if name in aliases else _types(here.values(), name)
            if len(found) == 1:
                column.meta[_NOTED] = found.pop()


def _declared(source: exp.Expr, tables: Tables, queries: set[str]) -> Mapping[str, Type] | None:
    """The columns of a declared table under their own names; None for any other rows."""
    if not isinstance(source, exp.Table) or fold(source.name) in queries:
        return None
    if isinstance(alias := source.args.get("alias"), exp.TableAlias) and alias.args.get("columns"):
        return None
    return tables.get(".".join(fold(part.name) for part in source.parts))


def _types(rows: Iterable[Mapping[str, Type] | None], name: str) -> set[Type | None]:
    """The types of the columns of that name, with None where a column could be of any."""
    return {None if r is None else r[name] for r in rows if r is None or name in r}


def _own(select: exp.Select) -> Iterable[exp.Column]:
    """The columns in a SELECT, but not in queries inside it."""
    stack = list(select.iter_expressions())
    while stack:
        node = stack.pop()
        if isinstance(node, exp.Column):
            yield node
        elif not isinstance(node, exp.Query):
            stack.extend(node.iter_expressions())
