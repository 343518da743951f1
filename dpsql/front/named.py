"""Names of FROM -> the declared table that each means; views of the owner's -> WITH queries.

    FROM clinic.visits          FROM main."clinic.visits" AS visits
    FROM recent AS r            WITH recent AS (SELECT … FROM main.visits …) … FROM recent AS r

Claim: a query of a view is as private as any other. Why: what comes out is a query of declared
tables alone, which is proven, bounded and charged as such. Of the view nothing is believed, neither
whose its rows are nor how many; were a definition read otherwise than DuckDB reads it, the answer
would be that of another query, and as private.

A definition means what it means where the view is. A name alone in it is of the view's own schema,
where DuckDB looks first. Nothing of the query around it is seen: what it names stands there in
full, a WITH query has no columns of the FROM that it is used in, and its name is one that no other
has. A macro of the owner's is a function that is not known; chance, files and the clock are refused
as they are in any query, the clock because the text that tells when a query is asked is not this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sqlglot import exp

from dpsql.core.schema import Schema, Table, View
from dpsql.errors import Rejected, Span
from dpsql.front.parse import every, reject, set_span, span_of
from dpsql.front.scope import fold, suggestion
from dpsql.front.stored_views import definition


def named(tree: exp.Query, schema: Schema) -> bool:
    """Write declared tables as the binder knows them, and views as WITH queries, in place; whether
    it is another text now.

    Raises:
        Rejected: DP201, DP203; what is wrong with the definition of a view.
    """
    return _Names(tree, schema).changed


def found(node: exp.Table, schema: Schema, within: View | None = None) -> Table | View | None:
    """What a name means; None where it is that of nothing declared.

    Args:
        node: with its name.
        schema: what is declared.
        within: in the definition of which view; None: in a query.

    Raises:
        Rejected: DP203 where it means several.
    """
    parts = [fold(part.name) for part in node.parts]
    text = ".".join(parts)
    listed = schema.tables.get(text) or schema.views.get(text)
    if within is None and listed is not None and not _pointed(parts):
        return listed
    meant = [one for one in schema.every if _means(parts, one.path, within)]
    if len(meant) > 1:
        full = " or ".join(".".join(one.path) for one in meant)
        raise reject("DP203", f"{text} could mean {full}", node, "write that")
    return meant[0] if meant else None


def _means(parts: list[str], path: Sequence[str], within: View | None) -> bool:
    """Whether a full name ends with the parts; its schema may be left out where that is main. In
    the definition of a view all that is left out is as it is in the view's own name.
    """
    full = [fold(part) for part in path]
    if len(parts) == 2 and full[1] == "main" and [full[0], full[2]] == parts:
        return True
    if within is None and not _pointed(parts):
        return f".{'.'.join(full)}".endswith(f".{'.'.join(parts)}")
    if within is None:
        return full[-len(parts) :] == parts
    return full == [*map(fold, within.path[: 3 - len(parts)]), *parts]


def _pointed(parts: list[str]) -> bool:
    """Whether a part is one in quotes with a point in it, and so no two parts."""
    return any("." in part for part in parts)


def everything(view: View) -> exp.Query:
    """All columns of a view."""
    return exp.select("*").from_(exp.table_(*view.path[::-1], quoted=True))


def is_cte(node: exp.Table) -> bool:
    """Whether a plain name means a WITH query that is visible at its place. One of the same name
    elsewhere does not count: `duckdb_settings` and the like would be the engine's own.
    """
    name = fold(node.name)
    below: exp.Expr = node
    above = node.parent
    while above is not None:
        clause = above if isinstance(above, exp.With) else above.args.get("with_")
        if isinstance(clause, exp.With) and below is not clause:
            for cte in clause.expressions:
                if cte is below and not clause.recursive:
                    break  # a WITH query sees those before it, and itself if it is recursive
                if fold(cte.alias) == name:
                    return True
                if cte is below:
                    break
        below, above = above, above.parent
    return False


def _plain(tables: Iterable[exp.Table]) -> list[exp.Table]:
    """The names of tables that no WITH query has."""
    return [
        node
        for node in tables
        if isinstance(node.this, exp.Identifier) and (node.db or not is_cte(node))
    ]


class _Names:
    """The names of one query."""

    def __init__(self, tree: exp.Query, schema: Schema) -> None:
        self._schema = schema
        self._bodies: dict[View, exp.CTE] = {}
        self._uses: list[tuple[exp.Table, View]] = []
        self.changed = False
        self._write(tree, None, Span(0, 0), ())
        if self._bodies:
            self._add(tree)

    def _write(
        self, query: exp.Query, view: View | None, here: Span, inside: tuple[View, ...]
    ) -> None:
        """Write the names of a query, or of the definition of a view that is used `here`."""
        nodes = every(query, exp.TableAlias, exp.Table, exp.Column)
        called = {fold(node.name) for node in nodes if isinstance(node, exp.TableAlias)}
        bare: dict[str, set[tuple[str, ...]]] = {}
        for node in _plain(node for node in nodes if isinstance(node, exp.Table)):
            one = found(node, self._schema, view)
            if one is None and view is not None:
                message = f"no table {_text(node)} is declared"
                raise reject("DP201", message, here, "list in the policy what the view reads")
            if one is None and (node.db or "." in node.name):
                raise _unknown(node, self._schema)
            if one is None:
                continue  # for the binder, which knows near names
            if not node.alias:
                bare.setdefault(fold(node.name), set()).add(tuple(map(fold, one.path)))
            if isinstance(one, View):
                place = here if view is not None else span_of(node.this) or here
                self._body(one, Span(place.start, place.end, one.name), inside)
                self._uses.append((node, one))
            elif view is not None or node.db or fold(one.name) != fold(node.name):
                self.changed |= (fold(node.catalog), fold(node.db)) != ("", "main")
                self.changed |= fold(one.name) != fold(node.name)
                _call(node, one.name, exp.to_identifier("main"))
        # A full name of a column, where its table's own name is that of no other in the query.
        alone = {name: full.pop() for name, full in bare.items() if len(full) == 1}
        for column in (node for node in nodes if isinstance(node, exp.Column)):
            parts = [fold(part.name) for part in column.parts]
            full = alone.get(fold(column.table), ()) if fold(column.table) not in called else ()
            if len(parts) > 2 and tuple(parts[:-1]) in (full, full[1:]):
                column.set("catalog", None)
                column.set("db", None)
                self.changed = True

    def _body(self, view: View, here: Span, inside: tuple[View, ...]) -> None:
        """The WITH query of a view, after those of the views that it needs."""
        if view in inside:
            raise reject("DP104", "its definition needs itself", here)
        if view in self._bodies:
            return
        problem: Rejected | None = None
        try:
            stored = definition(view.sql)
        except Rejected as rejected:
            told = rejected.diagnostics[0]
            problem = reject(told.code, told.message, here, told.help)
        if problem is not None:
            raise problem
        query = stored.query.copy()
        for part in query.walk():
            part.meta.pop("start", None)
            set_span(part, here)
        self._write(query, view, here, (*inside, view))
        names = [exp.to_identifier(name, quoted=True) for name in stored.columns]
        self._bodies[view] = exp.CTE(this=query, alias=exp.TableAlias(columns=names))
        set_span(self._bodies[view], here)

    def _add(self, tree: exp.Query) -> None:
        """Put the views before the query's own WITH queries, under names that none of these has."""
        self.changed = True
        own = [cte for query in (tree, *self._bodies.values()) for cte in query.find_all(exp.CTE)]
        taken = {fold(cte.alias) for cte in own} | {*self._schema.tables}
        called: dict[View, str] = {}
        for view, body in self._bodies.items():
            called[view] = view.name
            while fold(called[view]) in taken:
                called[view] += "'"
            taken.add(fold(called[view]))
            body.args["alias"].set("this", exp.to_identifier(called[view], quoted=True))
        for node, view in self._uses:
            _call(node, called[view], None)
        clause = tree.args.get("with_") or exp.With(expressions=[])
        clause.set("expressions", [*self._bodies.values(), *clause.expressions])
        tree.set("with_", clause)


def _call(node: exp.Table, name: str, place: exp.Identifier | None) -> None:
    """Give a table another name, and its own as the one by which columns are known."""
    if fold(name) != fold(node.name):
        alias = node.args.get("alias") or exp.TableAlias()
        if not alias.name:
            alias.set("this", node.this)
            node.set("alias", alias)
        made, span = exp.to_identifier(name, quoted=True), span_of(node.this)
        if span is not None:
            set_span(made, span)
        node.set("this", made)
    node.set("catalog", None)
    node.set("db", place)


def _text(node: exp.Table) -> str:
    return ".".join(part.name for part in node.parts)


def _unknown(node: exp.Table, schema: Schema) -> Rejected:
    near = [".".join(one.path) for one in schema.every if fold(one.path[2]) == fold(node.name)]
    text = _text(node)
    hint = f"the declared one is {near[0]}" if near else suggestion(text, schema.tables)
    return reject("DP201", f"no table {text}", node, hint)


def definitions(
    schema: Schema,
    places: Mapping[str, tuple[str, str]],
    dotted: Callable[[tuple[str, str]], str],
) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """The declared views over tables that are elsewhere, each after those that it reads: its name,
    the names of its first columns, its query.

    Args:
        schema: what is declared.
        places: schema and table, by the names of tables and views.
        dotted: writes a name of several parts.

    Raises:
        Rejected: a definition is not read.
    """
    told: set[View] = set()

    def after(view: View, inside: tuple[View, ...]) -> Iterator[tuple[str, tuple[str, ...], str]]:
        if view in told or view in inside:
            return
        told.add(view)
        stored = definition(view.sql)
        text = stored.text
        for node in sorted(_plain(stored.query), key=lambda n: -n.this.meta["start"]):
            one = found(node, schema, view)
            if isinstance(one, View):
                yield from after(one, (*inside, view))
            if one is not None:
                first, last = node.parts[0].meta["start"], node.parts[-1].meta["end"]
                text = f"{text[:first]}{dotted(places[one.name])}{text[last + 1 :]}"
        yield view.name, stored.columns, text

    for view in schema.views.values():
        yield from after(view, ())
