"""Queries over public tables alone: answered exactly, free, with nearly all of SELECT.

They run in the scratch database, which holds nothing but the public tables that they name, and has
no access to files, settings or the network. So the analysis need not model them; it only makes
sure that every table is public, and that no function reaches outside or differs from run to run.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dpsql.errors import Diagnostic, Rejected
from dpsql.policy.schema import Schema
from dpsql.sql.functions import SPELLINGS
from dpsql.sql.parse import reject, span_of
from dpsql.sql.scope import fold

# Functions that sqlglot knows and that are no functions of their arguments, or reach outside.
_REFUSED: tuple[type[exp.Expr], ...] = tuple(
    kind
    for kind in (
        getattr(exp, name, None)
        for name in (
            "Rand",
            "Randn",
            "Uuid",
            "CurrentTimestamp",
            "CurrentDate",
            "CurrentTime",
            "CurrentDatetime",
            "CurrentUser",
            "CurrentSchema",
            "CurrentCatalog",
            "SessionUser",
            "Localtime",
            "Localtimestamp",
            "ReadCSV",
            "ReadParquet",
            "GenerateSeries",
            "GenerateDateArray",
            "ExplodingGenerateSeries",
            "Explode",
            "Unnest",
            "Lateral",
            "TableSample",
            "Parameter",
            "SessionParameter",
            "Placeholder",
            "Command",
            "Repeat",
            "Pad",
            "Space",
            "Format",
            "CurrentVersion",
            "CurrentDatabase",
            "CurrentSchemas",
            "CurrentCatalog",
        )
    )
    if kind is not None
)

_ALSO = frozenset(SPELLINGS) | {
    "strlen",
    "list_contains",
    "regexp_full_match",
    "first",
    "last",
    "any_value",
    "bool_and",
    "bool_or",
    "product",
    "mode",
    "median",
    "histogram",
}


@dataclass(frozen=True, slots=True)
class PublicText:
    """The query printed again, and the names of its tables as the schema spells them."""

    sql: str
    tables: tuple[str, ...]


def public_query(tree: exp.Query, schema: Schema) -> PublicText | None:
    """The query, if every table that it names is public; None if it must be bound and analysed,
    also because a public table has randomized answers, which are to be debiased.

    Raises:
        Rejected: DP201, DP204, DP206 for a public query that names what is not allowed.
    """
    found: dict[str, str] = {}
    for node in tree.find_all(exp.Table):
        if not isinstance(node.this, exp.Identifier):
            return None  # a table function: the binder says no
        qualified = bool(node.args.get("db") or node.args.get("catalog"))
        if not qualified and _is_cte(node):
            continue
        table = schema.table(fold(node.name))
        if table is None or table.private or table.hidden or table.randomized:
            return None  # the binder analyses it, or says which name is unknown
        if node.args.get("catalog") or fold(node.db or "main") != "main":
            return None
        node.set("db", None)
        found[fold(node.name)] = table.name
    if not found:
        return None  # constants alone: the binder knows them
    for clause in tree.find_all(exp.With):
        if clause.recursive:
            raise reject("DP104", "WITH RECURSIVE is not supported: it need not end", clause)
    _check_functions(tree)
    return PublicText(tree.sql(dialect="duckdb", copy=False), tuple(found.values()))


def _is_cte(node: exp.Table) -> bool:
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


def _check_functions(tree: exp.Query) -> None:
    for node in tree.walk():
        if isinstance(node, _REFUSED):
            name = type(node).__name__.lower()
            raise reject("DP204", f"{name} is not on the allow-list", node)
        if isinstance(node, exp.Anonymous) and str(node.this).lower() not in _ALSO:
            message = f"the function {node.this} is not on the allow-list"
            raise Rejected(Diagnostic("DP204", message, span_of(node)))
