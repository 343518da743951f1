"""The tables of a policy as FROM items."""

from __future__ import annotations

from hypothesis import strategies as st

from dpsql.core.schema import Column as Declared
from dpsql.core.schema import Table
from tests.adversarial.writing.columns import Column, Item, Rows, domain_of, kind_of
from tests.adversarial.writing.expressions import Expressions
from tests.support.policies import Loaded


class Tables(Expressions):
    """Writes tables and VALUES, and knows which key a column leads to."""

    def __init__(self, draw: st.DrawFn, loaded: Loaded) -> None:
        super().__init__(draw)
        self.tables = loaded.schema.tables
        self.private = [t for t in self.tables.values() if t.private]
        self.public = [t for t in self.tables.values() if not t.private]
        self.wanted: set[str] = set()  # roles of columns that the next table should have

    def fitting(self, private: bool) -> list[Table]:
        tables = (self.private if private else self.public) or self.private
        fitting = [t for t in tables if self.wanted & {self.role(t, c) for c in t.columns}]
        return fitting or tables

    def table(self, table: Table) -> Item:
        alias = self.fresh("t")
        form = self.one(["{} AS {}", "{} {}", '"{}" {}'])
        columns = tuple(self.column(alias, table, c) for c in table.columns)
        key = tuple(c for c in columns if c.name.lower() in {k.lower() for k in table.key})
        return Item(form.format(table.name, alias), alias, columns, table.private, key)

    def column(self, alias: str, table: Table, declared: Declared) -> Column:
        role, domain = self.role(table, declared), domain_of(declared, table.private)
        return Column(f"{alias}.{declared.name}", declared.name, kind_of(declared), role, domain)

    def values(self) -> Item:
        self.note("VALUES")
        alias = self.fresh("s")
        columns = (
            Column(f"{alias}.a", "a", "number", None, "few"),
            Column(f"{alias}.b", "b", "text", None, "few"),
        )
        return Item(f"(VALUES (1, 'a'), (2, 'b')) AS {alias}(a, b)", alias, columns, False)

    def role(self, table: Table, declared: Declared) -> str | None:
        """The key that a column leads to."""
        if declared.references is not None:
            return f"{declared.references.table}.{declared.references.column}".lower()
        name = declared.name.lower()
        if [k.lower() for k in table.key] == [name]:
            return f"{table.name}.{name}".lower()
        if table.owner is not None and table.owner.lower() == name:
            return f"{table.name}.{name}".lower()
        for other in self.public:  # a column that is called like a public table's key
            if [k.lower() for k in other.key] == [name] and name != "id":
                return f"{other.name}.{name}".lower()
        return None

    def roles(self, rows: Rows | Item) -> set[str]:
        return {c.role for c in rows.columns if c.role is not None} if not self.chance(1) else set()

    def leads(self, column: Column) -> bool:
        """Whether a column leads to the unit."""
        return column.role is not None and any(
            column.role.startswith(f"{t.name.lower()}.") for t in self.private
        )
