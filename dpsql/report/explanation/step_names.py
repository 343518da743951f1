"""The columns and tables of one plan as a person would write them, each by itself and not by name.

A column has its bare name where no other table's column has that, and else its table's before it; a
table that is read twice is numbered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from dpsql.core.infer.keys import plain_column
from dpsql.core.plan.expr import Column
from dpsql.core.plan.nodes import Plan, Project, Released, Scan, defined, nodes

_Places = dict[int, tuple[str, str]]
"""By column id: its table as it is shown, or nothing; and its own name."""


@dataclass(frozen=True, slots=True)
class StepNames:
    """Names of one plan.

    Attributes:
        tables: what each table that is read is called, by the id of the plan's node.
        columns: what each column is called, by its own id.
    """

    tables: Mapping[int, str]
    columns: Mapping[int, exp.Expr]

    def of(self, *columns: Column) -> str:
        """Columns with commas."""
        return ", ".join(str(self.columns[c.id].this) for c in columns)


def names_of(plan: Plan) -> StepNames:
    """The names of everything in a plan."""
    tables: dict[int, str] = {}
    places: _Places = {}
    read: Counter[str] = Counter()
    for node in nodes(plan):
        table = ""
        if isinstance(node, Scan | Released) and id(node) not in tables:
            called = node.name if isinstance(node, Released) else node.alias or node.table.name
            table = tables[id(node)] = _numbered(called, read)
        for i, column in enumerate(defined(node)):
            places[column.id] = (table, node.fields[i] if isinstance(node, Scan) else column.name)
    _pass_on(plan, places)
    homes: dict[str, set[str]] = {}
    for table, name in places.values():
        homes.setdefault(name.lower(), set()).add(table)
    made: dict[int, exp.Expr] = {}
    own: Counter[str] = Counter()
    for number, (table, name) in places.items():
        text = _identifier(name) if table else _numbered(name, own)
        shared = table and len(homes[name.lower()]) > 1
        made[number] = exp.Var(this=f"{table}.{text}" if shared else text)
    return StepNames(tables, made)


def _pass_on(plan: Plan, places: _Places) -> None:
    """A table's column that a projection passes on under another identity keeps its name."""
    for node in reversed(list(nodes(plan))):  # inputs first
        if isinstance(node, Project):
            for column, expr in node.items:
                origin = plain_column(expr)
                if origin is not None and places[origin][0]:
                    places[column.id] = places[origin]


def _numbered(name: str, seen: Counter[str]) -> str:
    """The name, with a number from its second use on."""
    seen[name.lower()] += 1
    times = seen[name.lower()]
    return _identifier(name) if times == 1 else f"{_identifier(name)} #{times}"


def _identifier(name: str) -> str:
    return exp.to_identifier(name).sql(dialect="duckdb")
