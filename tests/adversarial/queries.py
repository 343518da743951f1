"""Random SELECTs over a grammar policy, made by its grammar: their tables, columns and types exist,
joins are mostly by keys that lead somewhere, and groups mostly have a public domain. About half of
them are accepted, so that accepted and rejected ones are equally well explored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from hypothesis import strategies as st

from dpsql.policy.schema import Column as Declared
from dpsql.policy.schema import Table
from tests.support.policies import Loaded, load

WIDE = 20
"""A column with more values than this is a group key only in a coarser form."""


@dataclass(frozen=True)
class Query:
    """A text, and which constructs it has."""

    policy: str
    text: str
    constructs: frozenset[str]


@dataclass(frozen=True)
class Column:
    """A column of a FROM item.

    Attributes:
        sql: how it is written.
        name: without its table.
        kind: number, text, date, time, boolean or other.
        role: the key that it leads to, such as customers.id; None for none.
        domain: "few" values, "many", or "none" that are known.
    """

    sql: str
    name: str
    kind: str
    role: str | None = None
    domain: str = "none"


@dataclass(frozen=True)
class Item:
    """What can stand in FROM, and its columns."""

    sql: str
    alias: str
    columns: tuple[Column, ...]
    private: bool


@dataclass(frozen=True)
class Rows:
    """A FROM clause; `pending` belongs into its WHERE."""

    sql: str
    columns: tuple[Column, ...]
    private: bool
    pending: tuple[str, ...] = ()


def queries(policy: str) -> st.SearchStrategy[Query]:
    """Random queries over a policy of the grammar tests."""

    @st.composite
    def drawn(draw: st.DrawFn) -> Query:
        writer = Writer(draw, load(policy))
        text = writer.query()
        return Query(policy, text, frozenset(writer.seen))

    return drawn()


class Writer:
    """Writes one query; `seen` are its constructs."""

    def __init__(self, draw: st.DrawFn, loaded: Loaded) -> None:
        self.draw = draw
        self.tables = loaded.schema.tables
        self.private = [t for t in self.tables.values() if t.private]
        self.public = [t for t in self.tables.values() if not t.private]
        self.ctes: list[str] = []
        self.named: list[tuple[str, tuple[Column, ...], bool]] = []
        self.seen: set[str] = set()
        self.number = 0
        self.wanted: set[str] = set()  # roles of columns that the next table should have

    # --- choices ---

    def pick(self, options: Mapping[str, int]) -> str:
        """One of the options, as often as their weights say."""
        return self.draw(st.sampled_from([o for o, n in options.items() for _ in range(n)]))

    def one(self, options: Sequence[str]) -> str:
        return self.draw(st.sampled_from(options))

    def chance(self, tenths: int) -> bool:
        return self.draw(st.sampled_from([False] * (10 - tenths) + [True] * tenths))

    def fresh(self, letter: str) -> str:
        self.number += 1
        return f"{letter}{self.number}"

    def note(self, construct: str) -> None:
        self.seen.add(construct)

    # --- whole queries ---

    def query(self) -> str:
        shape = self.pick(
            {"plain": 14, "above": 3, "union": 2, "joined": 2, "scalars": 2, "public": 1}
        )
        text = {
            "plain": self.aggregate,
            "above": self.above,
            "union": self.union,
            "joined": self.joined,
            "scalars": self.scalars,
            "public": self.public_query,
        }[shape]()
        self.note(f"query {shape}")
        return f"WITH {', '.join(self.ctes)} {text}" if self.ctes else text

    def aggregate(self, keys: Sequence[str] | None = None) -> str:
        """SELECT keys, aggregates FROM … GROUP BY …"""
        rows = self.source(2)
        condition = self.where(rows)
        if keys is None:
            count = self.pick({"0": 5, "1": 4, "2": 2})
            keys = [self.key(rows) for _ in range(int(count))]
        keys = list(dict.fromkeys(keys))
        calls = [self.call(rows) for _ in range(int(self.pick({"1": 5, "2": 3, "3": 1})))]
        outputs = [f"{k} AS k{i}" for i, k in enumerate(keys)]
        outputs += [f"{c} AS v{i}" for i, c in enumerate(calls)]
        if keys and self.chance(1):
            self.note("window above")
            partition = self.one(["", "PARTITION BY k0 "]) if len(keys) > 1 else ""
            function = self.one(["rank()", "row_number()", "sum(COUNT(*))"])
            outputs.append(f"{function} OVER ({partition}ORDER BY COUNT(*)) AS w")
        group = self.grouping(keys)
        having = ""
        if self.chance(2):
            self.note("HAVING")
            test = self.one([f"{calls[0]} > 0", "COUNT(*) >= 1", f"NOT {calls[-1]} < 2"])
            having = f" HAVING {test}"
        text = f"SELECT {', '.join(outputs)} FROM {rows.sql}{condition}{group}{having}"
        return text + self.ending(keys)

    def ending(self, keys: Sequence[str]) -> str:
        """ORDER BY and LIMIT."""
        ending = ""
        if self.chance(2):
            self.note("ORDER BY")
            ending = " ORDER BY " + self.one(["v0", "v0 DESC", "1", *(["k0, v0"] if keys else [])])
            if self.chance(4):
                self.note("LIMIT")
                ending += self.one([" LIMIT 2", " LIMIT 3 OFFSET 1"])
        return ending

    def grouping(self, keys: list[str]) -> str:
        if not keys:
            return ""
        places = [str(i) for i in range(1, len(keys) + 1)]
        names = [f"k{i}" for i in range(len(keys))]
        form = self.pick(
            {"keys": 8, "places": 3, "names": 3, "all": 2, "rollup": 1, "cube": 1, "sets": 1}
        )
        self.note(f"GROUP BY {form}")
        listed = ", ".join(keys)
        sets = ", ".join(f"({k})" for k in keys)
        return (
            " GROUP BY "
            + {
                "keys": listed,
                "places": ", ".join(places),
                "names": ", ".join(names),
                "all": "ALL",
                "rollup": f"ROLLUP ({listed})",
                "cube": f"CUBE ({listed})",
                "sets": f"GROUPING SETS (({listed}), {sets}, ())",
            }[form]
        )

    def above(self) -> str:
        """A query over an aggregate's answer."""
        inner = self.aggregate()
        name = self.fresh("q")
        wide = " k0" in inner.split(" FROM ")[0]
        if self.chance(4):
            self.note("CTE released")
            self.ctes.append(f"{name} AS ({inner})")
            source = name
            if self.chance(3):
                source = f"{name} CROSS JOIN (SELECT MAX(v0) AS top FROM {name}) m"
        else:
            source = f"({inner}) AS {name}"
        output = self.one(["v0 + 1 AS x", "COUNT(*) AS x", "SUM(v0) AS x", "MAX(v0) AS x", "*"])
        if self.chance(2) and wide:
            self.note("DISTINCT")
            output = "DISTINCT k0"
        where = self.one(["", "", " WHERE v0 > 0", " WHERE v0 IS NOT NULL"])
        return f"SELECT {output} FROM {source}{where}"

    def union(self) -> str:
        parts = [f"({self.aggregate([])})", f"({self.aggregate([])})"]
        parts = [f"SELECT v0 FROM {p} AS {self.fresh('u')}" for p in parts]
        how = self.pick({"UNION ALL": 4, "UNION": 1, "INTERSECT": 1, "EXCEPT": 1})
        self.note(how)
        return f" {how} ".join(parts)

    def joined(self) -> str:
        """Two aggregates with the same keys, joined."""
        rows = self.item(0, private=True)
        key = self.key(Rows(rows.sql, rows.columns, True))
        a, b = self.fresh("q"), self.fresh("q")
        sides = [
            f"(SELECT {key} AS k, {self.call(rows)} AS v FROM {rows.sql} GROUP BY 1) AS {alias}"
            for alias in (a, b)
        ]
        how = self.one(["JOIN", "LEFT JOIN", "FULL JOIN"])
        self.note(f"released {how}")
        on = self.one(["USING (k)", f"ON {a}.k = {b}.k", f"ON {a}.k IS NOT DISTINCT FROM {b}.k"])
        return f"SELECT {a}.v - {b}.v AS d FROM {sides[0]} {how} {sides[1]} {on}"

    def scalars(self) -> str:
        """Scalar subqueries, each an aggregate, in a SELECT list."""
        self.note("scalar in SELECT")
        a, b = (self.aggregate_one() for _ in range(2))
        operator = self.one("+-*/")
        if operator == "/":
            self.note("quotient")
        return f"SELECT ({a}) {operator} ({b}) AS x"

    def aggregate_one(self) -> str:
        rows = self.source(1)
        return f"SELECT {self.call(rows)} FROM {rows.sql}{self.where(rows)}"

    def public_query(self) -> str:
        table = self.draw(st.sampled_from(self.public or self.private))
        item = self.table(table)
        return f"SELECT COUNT(*) AS v0 FROM {item.sql}{self.where(item)}"

    # --- FROM ---

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
            return self.table(self.draw(st.sampled_from(self._of(private))))
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
            columns = (Column(f"{alias}.v", "v", "number", None, "many"),)
            return Item(f"({text}) AS {alias}", alias, columns, False)
        text, made = self.rows(shape, depth - 1, private)
        return Item(f"({text}) AS {alias}", alias, _moved(made, alias), private)

    def _of(self, private: bool) -> list[Table]:
        tables = (self.private if private else self.public) or self.private
        fitting = [t for t in tables if self.wanted & {self.role(t, c) for c in t.columns}]
        return fitting or tables

    def table(self, table: Table) -> Item:
        alias = self.fresh("t")
        form = self.one(["{} AS {}", "{} {}", '"{}" {}'])
        columns = tuple(self.column(alias, table, c) for c in table.columns)
        return Item(form.format(table.name, alias), alias, columns, table.private)

    def column(self, alias: str, table: Table, declared: Declared) -> Column:
        role, domain = self.role(table, declared), _domain(declared, table.private)
        return Column(f"{alias}.{declared.name}", declared.name, _kind(declared), role, domain)

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
        return Item(f"{name} AS {alias}", alias, _moved(columns, alias), private)

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
            calls = [self.call(item), "COUNT(*)"]
            listed = f"{key.sql} AS k, {calls[0]} AS v, {calls[1]} AS n"
            having = self.one(["", "", " HAVING COUNT(*) > 1"])
            text = f"SELECT {listed} FROM {item.sql}{self.where(item)} GROUP BY {key.sql}{having}"
            made = (Column("", "v", "number", None, "many"), Column("", "n", "number", None, "few"))
            return text, (*made, replace(key, name="k", sql=""))
        return self.window(item, key)

    def window(self, item: Item, key: Column) -> tuple[str, tuple[Column, ...]]:
        value = self.expression(item, "number", 1)
        order = self.draw(st.sampled_from(item.columns)).sql
        function = self.one(
            ["row_number()", "rank()", "dense_rank()", f"sum({value})", f"lag({value})",
             "count(*)", f"max({value})", f"first_value({value})", "ntile(2)"]
        )  # fmt: skip
        over = f"(PARTITION BY {key.sql} ORDER BY {order})"
        qualify = ""
        if self.chance(4):
            self.note("QUALIFY")
            qualify = f" QUALIFY row_number() OVER {over} <= {self.one(['1', '2'])}"
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

    def leads(self, column: Column) -> bool:
        """Whether a column leads to the unit."""
        return column.role is not None and any(
            column.role.startswith(f"{t.name.lower()}.") for t in self.private
        )

    # --- joins ---

    def join(self, rows: Rows, depth: int, private: bool | None = None) -> Rows:
        """The rows joined with one more item."""
        ways = {"JOIN": 6, "comma": 3, "LEFT JOIN": 4, "RIGHT JOIN": 1, "FULL JOIN": 1}
        ways |= {"SEMI JOIN": 2, "ANTI JOIN": 2, "USING": 3, "LEFT USING": 1, "LATERAL": 1}
        ways |= {"FULL USING": 1, "NATURAL JOIN": 1, "CROSS JOIN": 1}
        way = self.pick(ways)
        item = self.partner(rows, depth, way, private)
        both = replace(
            rows, columns=(*rows.columns, *item.columns), private=rows.private or item.private
        )
        pairs = _pairs(rows, item)
        same = [a.name for a, b in pairs if a.name == b.name]
        same = [n for n in same if all(_once(n, side.columns) for side in (rows, item))]
        if "USING" in way and not same:
            way = "LEFT JOIN" if way == "LEFT USING" else "JOIN"
        self.note(way)
        if (way.startswith(("LEFT", "FULL")) and not rows.private and item.private) or (
            way.startswith(("RIGHT", "FULL")) and rows.private and not item.private
        ):
            self.note("public kept")
        if "USING" in way:
            name = self.one(same)
            how = "JOIN" if way == "USING" else way.replace("USING", "JOIN")
            shared = next(c for c in rows.columns if c.name == name)
            rest = tuple(c for c in both.columns if c.name != name)
            columns = (replace(shared, sql=name), *rest)
            return replace(both, sql=f"{rows.sql} {how} {item.sql} USING ({name})", columns=columns)
        if way in ("NATURAL JOIN", "CROSS JOIN"):
            return replace(both, sql=f"{rows.sql} {way} {item.sql}")
        condition = self.tie(pairs, both)
        if way == "LATERAL":
            name = self.fresh("s")
            text = f"(SELECT {item.alias}.* FROM {item.sql} WHERE {condition}) AS {name}"
            columns = (*rows.columns, *_moved(item.columns, name))
            return replace(both, sql=f"{rows.sql} CROSS JOIN LATERAL {text}", columns=columns)
        if way == "comma":
            pending = (*rows.pending, condition)
            return replace(both, sql=f"{rows.sql}, {item.sql}", pending=pending)
        joined = f"{rows.sql} {way} {item.sql} ON {condition}"
        if way in ("SEMI JOIN", "ANTI JOIN"):
            return replace(rows, sql=joined)
        return replace(both, sql=joined)

    def partner(self, rows: Rows, depth: int, way: str, private: bool | None) -> Item:
        """What is joined: mostly something that has a key in common with the rows."""
        if way == "CROSS JOIN" and private is None and self.chance(8):
            counted = [t for t in self.public if t.rows is not None]
            if counted and self.chance(5):
                return self.table(self.draw(st.sampled_from(counted)))
            return self.values()
        if private is None:
            private = not self.chance(4)
            if way in ("SEMI JOIN", "ANTI JOIN") and not rows.private:
                private = self.chance(1)
        before, self.wanted = self.wanted, self.roles(rows)
        try:
            return self.item(depth - 1, private)
        finally:
            self.wanted = before

    def roles(self, rows: Rows | Item) -> set[str]:
        return {c.role for c in rows.columns if c.role is not None} if not self.chance(1) else set()

    def values(self) -> Item:
        self.note("VALUES")
        alias = self.fresh("s")
        columns = (
            Column(f"{alias}.a", "a", "number", None, "few"),
            Column(f"{alias}.b", "b", "text", None, "few"),
        )
        return Item(f"(VALUES (1, 'a'), (2, 'b')) AS {alias}(a, b)", alias, columns, False)

    def tie(self, pairs: list[tuple[Column, Column]], both: Rows) -> str:
        """A join condition: nearly always by a key."""
        if not pairs or self.chance(1):
            return self.condition(both, 1)
        a, b = self.draw(st.sampled_from(pairs))
        sides = [a.sql, b.sql] if self.chance(5) else [b.sql, a.sql]
        text = f"{sides[0]} = {sides[1]}"
        if self.chance(3):
            text += f" AND {self.condition(both, 1)}"
        return text

    # --- conditions ---

    def where(self, rows: Rows | Item) -> str:
        terms = list(rows.pending) if isinstance(rows, Rows) else []
        if self.chance(5):
            terms.append(self.condition(rows, 2))
        if self.chance(2):
            terms.append(self.subquery_test(rows))
        return " WHERE " + " AND ".join(terms) if terms else ""

    def condition(self, rows: Rows | Item, depth: int) -> str:
        if depth > 0 and self.chance(3):
            a, b = self.condition(rows, depth - 1), self.condition(rows, depth - 1)
            return self.one([f"({a} OR {b})", f"({a} AND {b})", f"NOT ({a} OR {b})", f"NOT {a}"])
        kind = self.pick({"number": 6, "text": 3, "date": 2, "boolean": 2, "null": 1})
        if kind == "null":
            return f"{self.draw(st.sampled_from(rows.columns)).sql} IS {self.one(['', 'NOT '])}NULL"
        if kind == "boolean":
            return self.expression(rows, "boolean", depth)
        x = self.expression(rows, kind, depth)
        if kind == "text":
            return f"{x} {self.one(_TEXT_TESTS)}"
        if kind == "date":
            return f"{x} {self.one(_DATE_TESTS)}"
        if self.chance(3):
            compare = self.one(["<", "<=", "=", "<>", "IS DISTINCT FROM"])
            return f"{x} {compare} {self.expression(rows, 'number', 1)}"
        return f"{x} {self.one(_NUMBER_TESTS)}"

    def subquery_test(self, rows: Rows | Item) -> str:
        """EXISTS, IN and scalar subqueries, mostly tied to the rows around them."""
        private = self.chance(7) if rows.private else self.chance(1)
        before, self.wanted = self.wanted, self.roles(rows)
        inner = self.item(1 if self.chance(2) else 0, private)
        self.wanted = before
        pairs = _pairs(rows, inner)
        shape = self.pick({"EXISTS": 3, "IN": 3, "scalar": 3, "uncorrelated": 1, "ANY": 1})
        negated = self.one(["", "", "NOT "])
        self.note(f"subquery {negated}{shape}" if shape != "scalar" else "subquery scalar")
        if not pairs and shape != "uncorrelated":
            shape = "EXISTS"
            tie = self.condition(Rows("", (*rows.columns, *inner.columns), True), 0)
        else:
            a, b = self.draw(st.sampled_from(pairs)) if pairs else (rows.columns[0],) * 2
            tie = f"{b.sql} = {a.sql}"
        more = f" AND {self.condition(inner, 1)}" if self.chance(4) else ""
        if shape == "EXISTS":
            return f"{negated}EXISTS (SELECT 1 FROM {inner.sql} WHERE {tie}{more})"
        if shape == "IN":
            return f"{a.sql} {negated}IN (SELECT {b.sql} FROM {inner.sql}{self.where(inner)})"
        if shape == "ANY":
            test = self.one(["= ANY", "<> ALL"])
            return f"{a.sql} {test} (SELECT {b.sql} FROM {inner.sql}{self.where(inner)})"
        value, call = self.expression(rows, "number", 1), self.call(inner)
        compare = self.one(["<", ">", "=", ">="])
        tied = f" WHERE {tie}{more}" if shape == "scalar" else ""
        return f"{value} {compare} (SELECT {call} FROM {inner.sql}{tied})"

    # --- aggregates and keys ---

    def call(self, rows: Rows | Item) -> str:
        name = self.pick(
            {"COUNT(*)": 5, "COUNT": 3, "SUM": 5, "AVG": 3, "COUNT_IF": 2, "FILTER": 2, "CASE": 2,
             "other": 1}
        )  # fmt: skip
        if name == "other":
            name = self.one(["COUNT(*)", "COUNT DISTINCT", "MAX"])
        self.note(f"call {name}")
        if name == "COUNT(*)":
            return name
        if name == "COUNT":
            return f"COUNT({self.draw(st.sampled_from(rows.columns)).sql})"
        if name == "COUNT DISTINCT":
            return f"COUNT(DISTINCT {self.draw(st.sampled_from(rows.columns)).sql})"
        if name == "COUNT_IF":
            return f"COUNT_IF({self.condition(rows, 1)})"
        value = self.expression(rows, "number", 2)
        if name == "FILTER":
            function = self.one(["SUM({})", "COUNT({})", "AVG({})"]).format(value)
            return f"{function} FILTER (WHERE {self.condition(rows, 1)})"
        if name == "CASE":
            return f"SUM(CASE WHEN {self.condition(rows, 1)} THEN {value} ELSE 0 END)"
        return f"{name}({value})"

    def key(self, rows: Rows | Item) -> str:
        """What can be grouped by: mostly something with a public domain."""
        few = [c for c in rows.columns if c.domain == "few" and not self.leads(c)]
        dates = [c for c in rows.columns if c.kind in ("date", "time") and c.domain == "many"]
        shapes = {"few": 8 if few else 0, "date": 2 if dates else 0, "condition": 2, "CASE": 2}
        shape = self.pick(shapes | {"any": 1, "COALESCE": 1 if few else 0})
        self.note(f"key {shape}")
        if shape == "few":
            return self.draw(st.sampled_from(few)).sql
        if shape == "date":
            column = self.draw(st.sampled_from(dates)).sql
            return self.one([f"month({column})", f"year({column})", f"dayofweek({column})"])
        if shape == "CASE":
            tests = [self.condition(rows, 0) for _ in range(2)]
            return f"CASE WHEN {tests[0]} THEN 'a' WHEN {tests[1]} THEN 'b' ELSE 'c' END"
        if shape == "COALESCE":
            column = self.draw(st.sampled_from(few)).sql
            return f"COALESCE(CAST({column} AS VARCHAR), 'none')"
        if shape == "any":
            column = self.draw(st.sampled_from([c for c in rows.columns if c.domain != "many"] or
                                               [*rows.columns]))  # fmt: skip
            return column.sql
        return self.condition(rows, 0)

    # --- expressions ---

    def expression(self, rows: Rows | Item, kind: str, depth: int) -> str:
        """An expression of a kind; a constant where the rows have no such column."""
        found = [c for c in rows.columns if c.kind == kind]
        if kind == "number" and not self.chance(1):
            found = [c for c in found if c.domain != "none"]
        columns = [c.sql for c in found]
        if not columns or (depth > 0 and self.chance(1)):
            columns = _CONSTANTS[kind]
        if depth <= 0 or self.chance(5):
            return self.one(columns)
        shape = self.one(_SHAPES[kind])
        for other, letter in _LETTERS.items():
            while letter in shape:
                text = self.expression(rows, other, depth - 1)
                shape = shape.replace(letter, text.replace("$", ""), 1)
        return shape


_LETTERS = {"number": "$n", "text": "$t", "date": "$d", "boolean": "$b", "time": "$m"}

_CONSTANTS = {
    "number": ["1", "2", "0.5", "-3", "10", "NULL::INTEGER"],
    "text": ["'a'", "'home'", "''", "'none'"],
    "date": ["DATE '2024-02-29'", "DATE '2000-01-01'"],
    "time": ["TIMESTAMP '2024-02-29 12:00:00'"],
    "boolean": ["TRUE", "NULL::BOOLEAN"],
}

_SHAPES = {
    "number": [
        "($n + $n)", "($n - $n)", "($n * $n)", "($n / 4)", "CAST($n AS INTEGER) % 7", "- $n",
        "abs($n)", "round($n)", "sign($n)",
        "round($n, 1)", "COALESCE($n, 0)", "CASE WHEN $b THEN $n ELSE $n END", "LEAST($n, 7)",
        "GREATEST($n, $n)", "NULLIF($n, 1)", "CASE WHEN $n > 2 THEN $n END", "floor($n)",
        "length($t)", "year($d)", "month($d)", "CAST($n AS INTEGER)", "TRY_CAST($n AS INTEGER)",
        "CAST($n AS INTEGER) // 2", "sqrt(abs($n))", "date_diff('day', $d, $d)",
        "IF($b, $n, 0)", "hour($m)",
    ],
    "text": ["lower($t)", "upper($t)", "$t || 'x'", "substr($t, 1, 2)", "trim($t)",
             "COALESCE($t, 'none')", "CASE WHEN $b THEN $t ELSE 'no' END", "replace($t, 'o', 'u')",
             "concat($t, $t)", "CAST($n AS VARCHAR)"],
    "date": ["date_trunc('month', $d)::DATE", "$d + INTERVAL 1 DAY", "COALESCE($d, $d)",
             "CAST($m AS DATE)", "last_day($d)"],
    "time": ["$m", "date_trunc('hour', $m)"],
    "boolean": ["$n > 1", "$n <= $n", "$t = 'a'", "$d < DATE '2024-03-01'", "$b IS TRUE",
                "($b AND $b)", "($b OR $b)", "NOT $b", "$n BETWEEN 0 AND 5", "$n IN (1, 2, 3)",
                "COALESCE($b, FALSE)", "$b IS NOT TRUE", "$n IS NOT DISTINCT FROM $n",
                "starts_with($t, 'a')"],
}  # fmt: skip

_NUMBER_TESTS = [
    "> 2", "< 30", "= 1", "<> 0", ">= 0.5", "BETWEEN 0 AND 25", "NOT BETWEEN 1 AND 3",
    "IN (1, 2, 9)", "NOT IN (1, 2)", "IS NOT NULL",
]  # fmt: skip
_TEXT_TESTS = [
    "= 'a'", "<> 'home'", "IN ('a', 'home', 'F')", "LIKE 'h%'", "NOT LIKE '%o%'", "IS NULL",
    "> 'b'", "BETWEEN 'a' AND 'm'", "ILIKE 'A%'",
]  # fmt: skip
_DATE_TESTS = [
    "< DATE '2024-03-01'", ">= DATE '2024-02-29'", "= DATE '2024-03-01'", "IS NOT NULL",
    "BETWEEN DATE '2024-01-01' AND DATE '2024-12-30'",
]  # fmt: skip


def _kind(column: Declared) -> str:
    kind = column.type
    if kind.is_boolean:
        return "boolean"
    if kind.is_numeric:
        return "number"
    return {"VARCHAR": "text", "DATE": "date", "TIMESTAMP": "time"}.get(kind.name, "other")


def _domain(column: Declared, private: bool) -> str:
    if column.type.is_float or column.type.name == "BLOB":
        return "none"
    if column.values is not None or column.type.is_boolean or column.type.name == "ENUM":
        return "few"
    if not private or column.references is not None:
        return "few"
    if column.bounds is None:
        return "none"
    low, high = column.bounds
    if isinstance(low, date) or isinstance(high, date):
        return "many"
    few = column.type.is_integer and high - low <= WIDE  # type: ignore[operator]
    return "few" if few else "many"


def _once(name: str, columns: Sequence[Column]) -> bool:
    return sum(c.name == name for c in columns) == 1


def _pairs(rows: Rows | Item, item: Item) -> list[tuple[Column, Column]]:
    """Columns that lead to the same key."""
    return [
        (a, b)
        for a in rows.columns
        for b in item.columns
        if a.role is not None and a.role == b.role
    ]


def _moved(columns: Sequence[Column], alias: str) -> tuple[Column, ...]:
    """The columns of a subquery, under its alias; of two of one name the first."""
    found = {c.name: replace(c, sql=f"{alias}.{c.name}") for c in reversed(columns)}
    return tuple(reversed(found.values()))
