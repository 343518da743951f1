"""Expressions and conditions over given columns."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.adversarial.writing.choices import Choices
from tests.adversarial.writing.columns import Item, Rows


class Expressions(Choices):
    """Writes what is true, and what is computed, of one row."""

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
