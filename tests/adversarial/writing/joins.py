"""Joins, mostly by keys that lead somewhere."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.adversarial.writing.columns import Column, Item, Rows, moved, once, pairs_of
from tests.adversarial.writing.conditions import Conditions


class Joins(Conditions):
    """Joins what there is with one more item."""

    def join(self, rows: Rows, depth: int, private: bool | None = None) -> Rows:
        """The rows joined with one more item."""
        ways = {"JOIN": 6, "comma": 3, "LEFT JOIN": 4, "RIGHT JOIN": 1, "FULL JOIN": 1}
        ways |= {"SEMI JOIN": 2, "ANTI JOIN": 2, "USING": 3, "LEFT USING": 1, "LATERAL": 2}
        ways |= {"FULL USING": 1, "NATURAL JOIN": 1, "CROSS JOIN": 1}
        way = self.pick(ways)
        item = self.partner(rows, depth, way, private)
        both = replace(
            rows, columns=(*rows.columns, *item.columns), private=rows.private or item.private
        )
        pairs = pairs_of(rows, item)
        same = [a.name for a, b in pairs if a.name == b.name]
        same = [n for n in same if all(once(n, side.columns) for side in (rows, item))]
        if "USING" in way and not same:
            way = "LEFT JOIN" if way == "LEFT USING" else "JOIN"
        self.note(way)
        if (way.startswith(("LEFT", "FULL")) and _of_nobody(rows) and item.private) or (
            way.startswith(("RIGHT", "FULL")) and rows.private and _of_nobody(item)
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
        some = way == "LATERAL" and pairs and item.private and self.chance(6)
        condition = self.tie(pairs, replace(both, columns=item.columns) if some else both)
        if way == "LATERAL":
            name = self.fresh("s")
            first = self.first(item) if some else ""
            text = f"(SELECT {item.alias}.* FROM {item.sql} WHERE {condition}{first}) AS {name}"
            columns = (*rows.columns, *moved(item.columns, name))
            return replace(both, sql=f"{rows.sql} CROSS JOIN LATERAL {text}", columns=columns)
        if way == "comma":
            pending = (*rows.pending, condition)
            return replace(both, sql=f"{rows.sql}, {item.sql}", pending=pending)
        joined = f"{rows.sql} {way} {item.sql} ON {condition}"
        if way in ("SEMI JOIN", "ANTI JOIN"):
            return replace(rows, sql=joined)
        return replace(both, sql=joined)

    def first(self, item: Item) -> str:
        """The first of the rows; none that differs is as early."""
        self.note("LATERAL first")
        order = [self.draw(st.sampled_from(item.columns)), *(item.key or item.columns)]
        listed = ", ".join(dict.fromkeys(c.sql for c in order))
        return f" ORDER BY {listed} {self.one(['LIMIT 1', 'LIMIT 2', 'LIMIT 2 OFFSET 1'])}"

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


def _of_nobody(rows: Rows | Item) -> bool:
    """Whether rows are of no unit, or may not be: distinct ones of private rows are noisy."""
    return not rows.private or "DISTINCT" in rows.sql
