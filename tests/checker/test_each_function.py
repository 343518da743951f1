"""Each function of the language, of many arguments and in many places: what dpsql proves of it the
checker follows, or the query is rejected with a reason of its own.
"""

from __future__ import annotations

import random
import time

import pytest

from dpsql.errors import Rejected
from dpsql.repl.completion.vocabulary import SCALARS
from tests.support.answers import home
from tests.support.effort import tries

NUMBERS = """
units|amount|weight|code|total|rate|units - 5|weight - 10|amount / 100|units * 3|units % 4|-units
CAST(amount AS INTEGER)|CAST(units AS DOUBLE) / 9|units / 2|CAST(code AS TINYINT)|abs(units - 7)
least(units, 4)|CASE WHEN paid THEN units ELSE 0 END|length(status)|month(day)|weight / 20.1|0|2|-3
date_diff('day', DATE '2024-01-01', day)|0.5|(SELECT AVG(units) FROM orders)
(SELECT MAX(amount) FROM orders)|units / (SELECT AVG(units) FROM orders)
amount - (SELECT AVG(amount) FROM orders)|(SELECT COUNT(*) FROM orders)
"""
WHOLE = """
units|code|total|units - 5|units % 4|CAST(amount AS INTEGER)|units * units|7|-2|month(day)
hash(units) % 10
"""
TEXTS = """
status|lower(status)|status || 'x'|left(status, 2)|'ab'|CAST(units AS VARCHAR)
strftime(day, '%Y-%m')|CASE WHEN paid THEN 'yes' ELSE 'no' END|coalesce(status, 'none')
"""
DATES = """
day|DATE '2024-03-31'|placed|last_day(day)|date_trunc('month', placed)|CAST(placed AS DATE)
"""
UNITS = "'day'|'month'|'year'|'week'|'quarter'|'decade'|'hour'|'century'|'minute'"
SMALL = "1|2|units|-1"
ARGUMENTS = {
    **dict.fromkeys(("number", "value", "x", "y"), NUMBERS),
    **dict.fromkeys(("double",), "weight|rate|CAST(units AS DOUBLE)"),
    **dict.fromkeys(("digits", "start", "length", "count", "group"), SMALL),
    **dict.fromkeys(("unit",), UNITS),
    **dict.fromkeys(("month", "day", "hour", "hours", "minutes", "seconds"), SMALL),
    **dict.fromkeys(("pad", "characters", "from", "separator", "regex"), "'o'|'e'|'n+'"),
    **dict.fromkeys(("to", "replacement"), "''|'a'|'zz'"),
    "integer": WHOLE,
    "string": TEXTS,
    "date": DATES,
    "power": "2|3|0.5|-1|units",
    "condition": "paid|units > 3|status = 'open'",
    "part": "1|2|units|-1",
    "end": "'n'|status",
    "pattern": "'o%'",
    "escape": "'!'",
    "options": "'i'",
    "interval": "INTERVAL 1 DAY|INTERVAL 1 MONTH|INTERVAL 1 YEAR",
    "year": "2024|units + 2000",
    "timestamp": "placed|day|placed + INTERVAL 5 HOUR|TIMESTAMP '2024-05-06 07:08:09'",
    "format": "'%Y-%m'|'%d'",
    "text": "'2024-01-01'|strftime(day, '%Y-%m')",
    "list": "[1, 2]",
}
PLACES = (
    *("SUM({})", "AVG({})", "VAR_POP({})", "COUNT({})", "MAX({})", "SUM(LENGTH({}))"),
    *("COUNT(DISTINCT {})", "SUM({} + units)", "SUM(2 * {})", "AVG(abs({}))", "SUM(DISTINCT {})"),
    *("SUM({}) FILTER (WHERE paid)", "COUNT(*) FILTER (WHERE {} > 1)"),
)
ROWS = ("units BETWEEN 2 AND 4", "amount > 100", "paid", "code > 0", "weight < 1")


def call(rng: random.Random, name: str) -> str:
    """The function of arguments that it may take, some of them left out."""
    needed, _, more = SCALARS[name][len(name) + 1 : -1].partition("[")
    named = [p.strip() for p in (needed + more.rstrip("]") * rng.randrange(2)).split(",")]
    args: list[str] = []
    for parameter in filter(None, named):
        kind = parameter.rstrip(".")
        if kind == "part" and name.startswith("date"):
            kind = "unit"
        elif kind in ("start", "part") and name in ("starts_with", "prefix", "contains", "strpos"):
            kind = "string"
        chosen = ARGUMENTS.get(kind, TEXTS).strip().replace("\n", "|").split("|")
        args += rng.sample(chosen, 1 + (parameter.endswith("...") and rng.randrange(2)))
    return f"{name}({', '.join(args)})"


def query(rng: random.Random, name: str) -> str:
    """The function, of another one now and then, in some place of a query."""
    of = call(rng, name)
    if rng.random() < 0.3:
        inner = rng.choice(("units", "amount", "weight", "day", "status"))
        of = of.replace(inner, call(rng, rng.choice([*SCALARS])), 1)
    where = f" WHERE {rng.choice(ROWS)}" if rng.random() < 0.3 else ""
    group = " GROUP BY status" if rng.random() < 0.15 else ""
    return f"SELECT {rng.choice(PLACES).format(of)} AS v FROM orders{where}{group}"


def followed(rng: random.Random, number: int, policy: str) -> int:
    """Explain so many queries; how many of them are answered."""
    names, answered, unfollowed = [*SCALARS], 0, list[str]()
    for place in range(number):
        text = query(rng, names[place % len(names)])
        try:
            home(policy).session.explain(text)
            answered += 1
        except Rejected as rejected:
            if any(d.code == "DP601" for d in rejected.diagnostics):
                unfollowed.append(f"{text}\n{rejected}")
    assert not unfollowed, "\n".join(unfollowed)
    return answered


def test_what_is_proven_of_a_function_is_proven_twice() -> None:
    assert followed(random.Random(7), tries(160, 3_000), "shop verified") > tries(60, 1_500)


@pytest.mark.deep
@pytest.mark.parametrize("policy", ["shop", "shop verified"])
def test_other_queries_each_day(policy: str) -> None:
    day = int(time.time()) // 86_400
    assert followed(random.Random(day), 3_000, policy) > 1_500
