"""WHERE, with subqueries in it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from hypothesis import strategies as st

from tests.adversarial.writing.calls import Calls
from tests.adversarial.writing.columns import Item, Rows, pairs_of


class Conditions(Calls, ABC):
    """Writes the conditions that a FROM clause is given."""

    @abstractmethod
    def item(self, depth: int, private: bool) -> Item:
        """Something that can stand in FROM; with subqueries in it down to `depth`."""

    def where(self, rows: Rows | Item) -> str:
        terms = list(rows.pending) if isinstance(rows, Rows) else []
        if self.chance(5):
            terms.append(self.condition(rows, 2))
        if self.chance(2):
            terms.append(self.subquery_test(rows))
        return " WHERE " + " AND ".join(terms) if terms else ""

    def subquery_test(self, rows: Rows | Item) -> str:
        """EXISTS, IN and scalar subqueries, mostly tied to the rows around them."""
        private = self.chance(7) if rows.private else self.chance(1)
        before, self.wanted = self.wanted, self.roles(rows)
        inner = self.item(1 if self.chance(2) else 0, private)
        self.wanted = before
        pairs = pairs_of(rows, inner)
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
