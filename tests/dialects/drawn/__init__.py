"""Expressions of other dialects, drawn from forms that fill one another: {n} stands for a number,
{w} for a whole one, {t} for a text, {d} for a date or a moment, {c} for a condition, {u} for a unit
of time, {a} for an aggregate, {k} for a group key. Forms stand between bars; ¦ is a bar of the
dialect's own.
"""

from __future__ import annotations

import random
from datetime import date, datetime
from decimal import Decimal
from types import ModuleType

COLUMNS = "id INT, i INT, j INT, x {}, m DECIMAL(6, 2), s {}, r {}, d DATE, e DATE, ts {}"
VALUES: tuple[tuple[object, ...], ...] = (
    (-7, -3, -1, 0, 1, 2, 5, 7, 100, 12345),
    (-2, 1, 2, 3, 4, 0),
    (0.5, -2.5, 1e6, 0.1, 3.75, 0.0),
    tuple(map(Decimal, ("2.50", "-2.50", "0.05", "99.99", "1.25", "0.00"))),
    ("ab", "Ab ", " x", "", "12", "a,b,c", "héé", "foo.bar", "2024-01-05"),
    ("b", "a", "", " ", "B", ".", "%"),
    tuple(map(date.fromisoformat, ("2024-02-29", "2024-01-31", "2023-12-31", "2021-01-03"))),
    tuple(map(date.fromisoformat, ("2024-03-01", "2024-01-01", "2020-02-29", "1999-12-31"))),
    tuple(
        map(datetime.fromisoformat, ("2024-12-30 13:45:59", "2024-02-29", "2021-01-01 12:00:01"))
    ),
)
LEAVES = {
    "n": "i|j|x|m|id|2|3|-1|0|1.5|10",
    "w": "i|j|id|2|7",
    "t": "s|r|'a'|'b,c'|'Ab'|''",
    "d": "d|e|ts|DATE '2024-02-29'|TIMESTAMP '2024-01-31 10:20:30'",
}


WINDOWS = (
    *("ROW_NUMBER()", "NTILE(3)", "LAG(i)", "LEAD(i, 2)", "LAG(i, 1, 0)", "SUM(i)", "COUNT(x)"),
    *("FIRST_VALUE(i)", "LAST_VALUE(i)", "NTH_VALUE(i, 2)", "RANK()", "DENSE_RANK()", "MAX(m)"),
    *("PERCENT_RANK()", "CUME_DIST()"),
)
SUMMED = ("SUM(i)", "COUNT(x)", "MAX(m)")
RANGES = (
    "i RANGE BETWEEN 2 PRECEDING AND 1 FOLLOWING",
    "i DESC RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING",
    "id RANGE BETWEEN 3 PRECEDING AND CURRENT ROW",
    "m RANGE BETWEEN 2 PRECEDING AND CURRENT ROW",
    "d RANGE BETWEEN INTERVAL '9' DAY PRECEDING AND INTERVAL '40' DAY FOLLOWING",
    "ts DESC RANGE BETWEEN INTERVAL '30' HOUR PRECEDING AND CURRENT ROW",
)
WINDOW_ORDERS = (
    "id",
    "i, id",
    "s DESC, id",
    "id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
    "d, id",
)


def rows() -> list[tuple[object, ...]]:
    """Forty of them, one value in ten of them NULL."""
    rng = random.Random(7)
    return [
        (n, *(None if rng.random() < 0.1 else rng.choice(values) for values in VALUES))
        for n in range(40)
    ]


class Drawing:
    """Draws expressions of a dialect."""

    def __init__(self, of: ModuleType, seed: int) -> None:
        kinds = {"n": "NUMBERS", "w": "WHOLE", "t": "TEXTS", "d": "MOMENTS", "c": "CONDITIONS"}
        kinds |= {"u": "UNITS", "a": "AGGREGATES", "k": "KEYS"}
        found = {kind: _split(getattr(of, name, "")) for kind, name in kinds.items()}
        self.forms = {kind: forms for kind, forms in found.items() if forms}
        self.rng = random.Random(seed)

    def expression(self) -> str:
        """One of any kind."""
        return self.of(self.rng.choice("ntdc"), self.rng.choice((1, 1, 2))).replace("¦", "|")

    def query(self) -> str:
        """One of an aggregate of all rows, of groups, or of a window; its rows are in order."""
        choice = self.rng.random()
        if choice < 0.3:
            return f"SELECT {self.of('a', 2)} AS v FROM t".replace("¦", "|")
        if choice < 0.7:
            having = self.rng.choice(("", " HAVING COUNT(*) > 1"))
            order = self.rng.choice(("g", "g DESC", "n DESC, g", "2, 1"))
            text = f"SELECT {self.of('k', 2)} AS g, COUNT(*) AS n, {self.of('a', 2)} AS v FROM t"
            return f"{text} GROUP BY 1{having} ORDER BY {order}".replace("¦", "|")
        part = self.rng.choice(("", "PARTITION BY j ", "PARTITION BY r "))
        function = self.rng.choice(WINDOWS)
        order = self.rng.choice((*WINDOW_ORDERS, *(RANGES if function in SUMMED else ())))
        return f"SELECT id, {function} OVER ({part}ORDER BY {order}) AS v FROM t ORDER BY id"

    def of(self, kind: str, depth: int) -> str:
        """One of a kind, of so many levels at most, but for conditions."""
        if depth <= 0 and kind in LEAVES:
            return self.rng.choice(LEAVES[kind].split("|"))
        text = self.rng.choice(self.forms[kind])
        for inner in self.forms:
            while (hole := "{" + inner + "}") in text:
                text = text.replace(hole, self.of(inner, depth - 1), 1)
        return text


def _split(text: str) -> list[str]:
    return [form.strip() for line in text.splitlines() for form in line.split("|") if form.strip()]
