"""Which words of the language can follow."""

from __future__ import annotations

JOINS = ("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "CROSS JOIN", "SEMI JOIN", "ANTI JOIN")
SETS = ("UNION ALL", "UNION", "INTERSECT", "EXCEPT")
_ENDS = ("QUALIFY", "ORDER BY", "LIMIT", *SETS)
_LATER = ("WHERE", "GROUP BY", "HAVING", *_ENDS)

STARTS = ("SELECT", "WITH", "FROM")

FOLLOWING = {
    "SELECT": ("FROM", "AS"),
    "FROM": (*JOINS, "AS", *_LATER),
    "ON": (*JOINS, *_LATER),
    "USING": (*JOINS, *_LATER),
    "WHERE": ("GROUP BY", "HAVING", *_ENDS),
    "GROUP": ("HAVING", *_ENDS),
    "HAVING": _ENDS,
    "QUALIFY": ("ORDER BY", "LIMIT", *SETS),
    "ORDER": ("DESC", "ASC", "NULLS FIRST", "NULLS LAST", "LIMIT"),
    "LIMIT": ("OFFSET", *SETS),
    "WITH": ("AS", "SELECT"),
}
"""After a whole expression or table of a clause: what can come next."""

TESTS = (
    *("AND", "OR", "IN (", "NOT IN (", "BETWEEN", "LIKE", "ILIKE", "IS NULL", "IS NOT NULL"),
    *("IS DISTINCT FROM", "IS NOT DISTINCT FROM"),
)
"""After a whole expression, where it can be tested."""

IN_CASE = ("WHEN", "THEN", "ELSE", "END")

OPERANDS = (
    *("CASE", "CASE WHEN", "NOT", "EXISTS (", "NULL", "TRUE", "FALSE", "DATE '", "TIMESTAMP '"),
    *("INTERVAL", "CAST(", "TRY_CAST(", "EXTRACT(", "CURRENT_DATE"),
)
"""Where an expression begins."""

AFTER = {
    "GROUP": ("BY",),
    "ORDER": ("BY",),
    "PARTITION": ("BY",),
    "IS": ("NULL", "NOT NULL", "TRUE", "FALSE", "DISTINCT FROM", "NOT DISTINCT FROM"),
    "LEFT": ("JOIN",),
    "RIGHT": ("JOIN",),
    "FULL": ("JOIN",),
    "INNER": ("JOIN",),
    "CROSS": ("JOIN",),
    "SEMI": ("JOIN",),
    "ANTI": ("JOIN",),
    "NATURAL": ("JOIN", "LEFT JOIN"),
    "OUTER": ("JOIN",),
    "NULLS": ("FIRST", "LAST"),
    "UNION": ("ALL", "SELECT"),
    "INTERSECT": ("SELECT",),
    "EXCEPT": ("SELECT",),
    "FILTER": ("(WHERE",),
    "OVER": ("(PARTITION BY", "(ORDER BY", "("),
    "WITHIN": ("GROUP (ORDER BY",),
}
"""After one word: the only words that can follow."""

_BEFORE_OPERAND = """
SELECT DISTINCT ALL WHERE ON AND OR NOT BY HAVING QUALIFY WHEN THEN ELSE CASE IN BETWEEN LIKE ILIKE
FROM JOIN LIMIT OFFSET ANY SOME VALUES ESCAPE USING AS INTERVAL
"""
BEFORE_OPERAND = frozenset(_BEFORE_OPERAND.split())
"""Words after which an expression, a table or a name begins."""
