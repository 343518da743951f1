"""Random SELECTs over a grammar policy, made by its grammar: their tables, columns and types exist,
joins are mostly by keys that lead somewhere, and groups mostly have a public domain. About half of
them are accepted, so that accepted and rejected ones are equally well explored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from tests.adversarial.writing.columns import Rows
from tests.adversarial.writing.sources import Sources
from tests.support.policies import load


@dataclass(frozen=True)
class Query:
    """A text, and which constructs it has."""

    policy: str
    text: str
    constructs: frozenset[str]


def queries(policy: str) -> st.SearchStrategy[Query]:
    """Random queries over a policy of the grammar tests."""

    @st.composite
    def drawn(draw: st.DrawFn) -> Query:
        writer = Writer(draw, load(policy))
        text = writer.query()
        return Query(policy, text, frozenset(writer.seen))

    return drawn()


class Writer(Sources):
    """Writes one query; `seen` are its constructs."""

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
            if function == "row_number()":
                self.note("tied rows")
            outputs.append(f"{function} OVER ({partition}ORDER BY COUNT(*)) AS w")
        group = self.grouping(keys)
        if not calls[0].startswith(("COUNT", "SUM")) and (not keys or group.endswith(")")):
            self.note("value of nothing")
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
        if ">" in where:
            self.note("WHERE above")
            if "value of nothing" in self.seen:
                self.note("nothing above")
        if "NULL" in where:
            self.note("NULL above")
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
