"""FROM clauses: tables, and queries of rows over them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.adversarial.writing.columns import Column, Item, Rows, moved
from tests.adversarial.writing.joins import Joins
from tests.support.policies import Loaded


class Sources(Joins):
    """Writes FROM clauses; `ctes` are the WITH queries that they use."""

    def __init__(self, draw: st.DrawFn, loaded: Loaded) -> None:
        super().__init__(draw, loaded)
        self.ctes: list[str] = []
        self.named: list[tuple[str, tuple[Column, ...], bool]] = []

    def source(self, depth: int) -> Rows:
        """A FROM clause, with a private table in it."""
        first = self.item(depth, private=not self.chance(1))
        rows = Rows(first.sql, first.columns, first.private)
        for _ in range(int(self.pick({"0": 5, "1": 5, "2": 2}))):
            rows = self.join(rows, depth)
        if not rows.private:
            rows = self.join(rows, depth, private=True)
        return rows

    def item(self, depth: int, private: bool) -> Item:
        shapes = {"table": 8}
        if depth > 0:
            shapes |= {"subquery": 3, "CTE": 2}
            if private:
                shapes |= {"two-level": 2, "window": 2, "UNION ALL rows": 1, "DISTINCT rows": 1}
            else:
                shapes |= {"VALUES": 1, "released": 1}
        shape = self.pick(shapes)
        if shape == "table":
            return self.table(self.draw(st.sampled_from(self.fitting(private))))
        if shape == "VALUES":
            return self.values()
        self.note(shape)
        alias = self.fresh("s")
        if shape == "CTE":
            return self.cte(depth, private, alias)
        if shape == "released":
            inner = self.item(0, private=True)
            key = self.key(inner)
            text = f"SELECT {key} AS k, {self.call(inner)} AS v FROM {inner.sql} GROUP BY 1"
            if self.chance(5):
                text += " HAVING COUNT(*) > 0.5"
            else:
                self.note("groups above")
            columns = (Column(f"{alias}.v", "v", "number", None, "many"),)
            return Item(f"({text}) AS {alias}", alias, columns, False)
        text, made = self.rows(shape, depth - 1, private)
        return Item(f"({text}) AS {alias}", alias, moved(made, alias), private)

    def cte(self, depth: int, private: bool, alias: str) -> Item:
        """A WITH query; one that there is, or a new one."""
        known = [n for n in self.named if n[2] == private]
        if known and self.chance(5):
            self.note("CTE used twice")
            name, columns, _ = self.draw(st.sampled_from(known))
        else:
            text, columns = self.rows("subquery", depth - 1, private)
            name = self.fresh("c")
            self.ctes.append(f"{name} AS ({text})")
            self.named.append((name, columns, private))
        return Item(f"{name} AS {alias}", alias, moved(columns, alias), private)

    def rows(self, shape: str, depth: int, private: bool) -> tuple[str, tuple[Column, ...]]:
        """A SELECT of rows, and its columns."""
        if shape == "UNION ALL rows":
            item = self.item(0, private)
            chosen = self.some(item.columns)
            names = ", ".join(c.sql for c in chosen)
            sides = [f"SELECT {names} FROM {item.sql}{self.where(item)}" for _ in range(2)]
            return " UNION ALL ".join(sides), chosen
        item = self.item(depth, private)
        keys = [c for c in item.columns if self.leads(c)]
        if shape == "subquery":
            rows = Rows(item.sql, item.columns, private)
            if self.chance(3):
                rows = self.join(rows, depth)
            if self.chance(3) and " USING " not in rows.sql:
                return f"SELECT {item.alias}.* FROM {rows.sql}{self.where(rows)}", item.columns
            chosen = self.some(rows.columns)
            outputs, columns = self.computed(chosen, rows)
            return f"SELECT {outputs} FROM {rows.sql}{self.where(rows)}", columns
        if not keys or (shape == "window" and self.chance(1)):
            self.note("groups above")
            keys = list(item.columns)
        key = self.draw(st.sampled_from(keys))
        if shape == "DISTINCT rows":
            other = self.draw(st.sampled_from(item.columns))
            both = tuple({c.name: c for c in (key, other)}.values())
            listed = ", ".join(c.sql for c in both)
            return f"SELECT DISTINCT {listed} FROM {item.sql}{self.where(item)}", both
        if shape == "two-level":
            calls = [self.of_unit(item), "COUNT(*)"]
            listed = f"{key.sql} AS k, {calls[0]} AS v, {calls[1]} AS n"
            few = [c for c in item.columns if c.domain == "few" and not self.leads(c)]
            more: tuple[Column, ...] = ()
            if few and self.chance(4):
                self.note("chosen of a unit")
                column = self.draw(st.sampled_from(few))
                listed += f", {self.one(['MIN', 'MAX'])}({column.sql}) AS c"
                more = (Column("", "c", column.kind, None, "few"),)
            having = self.one(["", "", " HAVING COUNT(*) > 1"])
            text = f"SELECT {listed} FROM {item.sql}{self.where(item)} GROUP BY {key.sql}{having}"
            made = (Column("", "v", "number", None, "many"), Column("", "n", "number", None, "few"))
            return text, (*made, *more, replace(key, name="k", sql=""))
        return self.window(item, key)

    def window(self, item: Item, key: Column) -> tuple[str, tuple[Column, ...]]:
        """A window function of each row. Where rows tie, most functions are of all of them alike;
        the others are not compared with the engine.
        """
        value = self.expression(item, "number", 1)
        order = self.draw(st.sampled_from(item.columns)).sql
        of_peers = ["rank()", "dense_rank()", f"sum({value})", "count(*)", f"max({value})"]
        of_one = ["row_number()", f"lag({value})", f"first_value({value})", "ntile(2)"]
        ties = self.pick({"none": 5, "equal": 3, "apart": 2})
        if ties == "none":
            # Rows that are the same in all columns may still tie: either can come first.
            order = ", ".join(dict.fromkeys([order, *(c.sql for c in item.key or item.columns)]))
        if ties == "apart":
            self.note("tied rows")
        function = self.one({"none": of_peers + of_one, "equal": of_peers, "apart": of_one}[ties])
        over = f"(PARTITION BY {key.sql} ORDER BY {order})"
        qualify = ""
        if self.chance(4):
            self.note("QUALIFY")
            number = "rank()" if ties == "equal" else "row_number()"
            qualify = f" QUALIFY {number} OVER {over} <= {self.one(['1', '2'])}"
        text = f"SELECT {item.alias}.*, {function} OVER {over} AS w FROM {item.sql}{qualify}"
        return text, (*item.columns, Column("", "w", "number", None, "few"))

    def computed(self, chosen: tuple[Column, ...], item: Rows) -> tuple[str, tuple[Column, ...]]:
        """Some columns as they are, renamed, or as expressions."""
        outputs, columns = [], []
        for column in chosen:
            how = self.pick({"as it is": 6, "renamed": 2, "computed": 2})
            if how == "as it is":
                outputs.append(column.sql)
                columns.append(column)
                continue
            name = self.fresh("x")
            if how == "renamed":
                outputs.append(f"{column.sql} AS {name}")
                columns.append(replace(column, name=name))
            else:
                kind = column.kind if column.kind != "other" else "number"
                outputs.append(f"{self.expression(item, kind, 2)} AS {name}")
                columns.append(Column("", name, kind, None, "many"))
        return ", ".join(outputs), tuple(columns)

    def some(self, columns: tuple[Column, ...]) -> tuple[Column, ...]:
        """Some columns, those that lead somewhere mostly among them."""
        kept = [c for c in columns if c.role is not None and self.chance(9)]
        rest = [c for c in columns if c.role is None]
        if rest:
            kept += self.draw(st.lists(st.sampled_from(rest), min_size=1, max_size=4))
        found = tuple({c.name: c for c in kept}.values())
        return found or columns[:1]
