"""Aggregates, and what can be grouped by."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.adversarial.writing.columns import Item, Rows
from tests.adversarial.writing.tables import Tables


class Calls(Tables):
    """Writes one aggregate, or one group key, of given rows."""

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

    def of_unit(self, rows: Rows | Item) -> str:
        """An aggregate of one unit's rows."""
        if not self.chance(4):
            return self.call(rows)
        name = self.one(["MEDIAN", "QUANTILE_DISC", "QUANTILE_CONT", "MODE"])
        self.note(f"{name} of a unit")
        if name == "MODE":
            self.note("tied rows")
        share = f", {self.one(['0', '0.3', '0.9'])}" if name.startswith("QUANTILE") else ""
        return f"{name}({self.expression(rows, 'number', 1)}{share})"

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
