"""The help of a rejected query is followed to the letter, and what comes of it is accepted."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
import yaml

from dpsql.codes import CODES
from dpsql.compile import compile_query
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.schema import Schema
from dpsql.errors import Rejected
from dpsql.platform.policy import Policy, resolve
from tests.support.policies import load, path_of

Declared = dict[tuple[str, str | None, str], object]


@dataclass(frozen=True)
class Fix:
    """A rejected query and the change that its help names.

    Attributes:
        code: it is rejected with.
        query: the text; the part to be changed stands between « and ».
        help: a pattern that the whole help matches. Its groups are what it tells to write.
        change: what is written in place of that part; {0} is the first group.
        names: what the help's placeholders (x, low, …) stand for in this query.
        policy: of `grammar_tests/policies`.
        declared: what the help says to declare, by table, column or None, and key.
    """

    code: str
    query: str
    help: str
    change: str = "{0}"
    names: dict[str, str] = field(default_factory=dict)
    policy: str = "shop"
    declared: Declared = field(default_factory=dict)


N = "SELECT COUNT(*) AS n FROM "
BETWEEN = r"write (BETWEEN LEAST\(a, b\) AND GREATEST\(a, b\))"
CLAMP = r".*write (LEAST\(GREATEST\(x, low\), high\)) around it"
JOINED = r"join on (?:the unit|a key that leads to the unit): (.+)"
LIMITS = {"low": "0", "high": "9"}
ROWS: Declared = {("orders", "customer", "max_rows"): 3}
SIZE: Declared = {("products", None, "rows"): 10}

MANY = "".join(f" {{0}} holidays {alias}" for alias in "abcdefg")

UNITS = {"x": "units", "t": "orders"}

FIXES = (
    Fix("DP101", N + "orders«\x01»", "remove the character", ""),
    Fix("DP102", N + "orders«; SELECT 1»", "send one SELECT at a time", ""),
    Fix("DP103", N + f"holidays«{MANY.format('JOIN')}»", "write (CROSS JOIN)", MANY),
    Fix(
        "DP104",
        N + "orders WHERE units «BETWEEN SYMMETRIC 5 AND 2»",
        BETWEEN,
        names={"a": "5", "b": "2"},
    ),
    Fix("DP104", "SELECT MODE(«DISTINCT »age) AS m FROM customers", "leave out DISTINCT", ""),
    Fix(
        "DP104",
        "SELECT «COUNT(DISTINCT code, units)» AS n FROM orders",
        r"write (COUNT\(DISTINCT \(a, b\)\))",
        "{0}",
        {"a": "code", "b": "units"},
    ),
    Fix("DP104", N + "orders «USING SAMPLE 10%»", "leave out USING SAMPLE", ""),
    Fix("DP104", N + "orders WHERE amount > «$1»", "write the value in its place", "3"),
    Fix("DP104", N + "orders «LIMIT 10%»", "write a number of rows", "LIMIT 10"),
    Fix(
        "DP104",
        N + "orders WHERE «(units, code) < (1, 2)»",
        "compare each part: (a < x OR a = x AND b < y)",
        names={"a": "units", "b": "code", "x": "1", "y": "2"},
    ),
    Fix(
        "DP104",
        N + "customers WHERE «email LIKE ANY ('a%', 'b%')»",
        "write (x LIKE 'a%' OR x LIKE 'b%')",
        names={"x": "email"},
    ),
    Fix(
        "DP104",
        N + "orders WHERE day« AT TIME ZONE 'UTC'» > DATE '2024-03-01'",
        "leave out AT TIME ZONE",
        "",
    ),
    Fix("DP104", "SELECT MAX(units« ORDER BY day») AS m FROM orders", "leave out ORDER BY", ""),
    Fix("DP101", N.replace("FROM", "«FORM»") + "orders", r"did you mean (\w+)\?"),
    Fix("DP102", N.replace("SELECT", "«SELCT»") + "orders", r"did you mean (\w+)\?"),
    Fix(
        "DP104", N + "orders WHERE day + «INTERVAL '3'» > DATE '2024-03-01'", "write (INTERVAL .*)"
    ),
    Fix(
        "DP104",
        N + "orders «FETCH FIRST 3 ROWS WITH TIES»",
        "leave out WITH TIES",
        "FETCH FIRST 3 ROWS ONLY",
    ),
    Fix("DP104", N + "orders WHERE «TRY(units + 1)» > 1", "leave out TRY", "units + 1"),
    Fix(
        "DP207",
        "SELECT SUM(«COUNT(*)) AS n FROM orders»",
        "aggregate in a subquery of FROM first",
        "n) AS n FROM (SELECT COUNT(*) AS n FROM orders) AS t",
    ),
    Fix("DP105", "SELECT SUM(«IIF»(paid, 1, 0)) AS s FROM orders", "write (.*)"),
    Fix(
        "DP204",
        N + "orders WHERE «TO_CHAR(day, 'YYYY')» = '2024'",
        "write (STRFTIME.*)",
        names={"x": "day"},
    ),
    Fix("DP201", N + "«ordres»", r"did you mean (\w+)\?"),
    Fix("DP202", "SELECT SUM(«amuont») AS s FROM orders", r"did you mean (\w+)\?"),
    Fix(
        "DP203",
        "SELECT SUM(«price») AS s FROM lines l JOIN products p ON l.product = p.id",
        r"write (\S+)",
    ),
    Fix("DP204", N + "orders WHERE day < «CURRENT_DATE»", "write a constant, such as (.*)"),
    Fix("DP204", "SELECT «SMU»(units) AS s FROM orders", r"did you mean (\w+)\?"),
    Fix("DP204", N + "orders WHERE paid« AND random() < 0.5»", "leave it out: .*", ""),
    Fix("DP204", "SELECT «FIRST»(units) AS s FROM orders", "use MIN, (MAX) or MODE"),
    *(
        Fix("DP204", f"SELECT «{of}(units)» AS s FROM orders", "write (.*)", names=UNITS)
        for of in ("SKEWNESS", "KURTOSIS", "KURTOSIS_POP", "MAD")
    ),
    Fix(
        "DP204",
        "SELECT «PRODUCT(units)» AS s FROM orders",
        "write (.*), of numbers .*",
        names={**UNITS, "low": "1"},
    ),
    Fix("DP204", "SELECT «BIT_OR(units)» AS s FROM orders", "count a bit: (.*)", names=UNITS),
    Fix(
        "DP204",
        "«SELECT ENTROPY(status) AS e FROM orders»",
        "count the values: (.*)",
        names={"x": "status", "…": "FROM orders"},
    ),
    Fix(
        "DP205",
        "SELECT SUM(«email») AS s FROM customers",
        r"write COUNT\(x\), or (.*)",
        names={"x": "email"},
    ),
    Fix(
        "DP205",
        "SELECT SUM(«day») AS s FROM orders",
        r"use MIN, MAX or MEDIAN, .*: (.*)",
        names={"x": "day"},
    ),
    Fix(
        "DP205",
        "SELECT SUM(«paid») AS s FROM orders",
        r"write COUNT_IF\(x\), or (.*)",
        names={"x": "paid"},
    ),
    Fix(
        "DP205",
        "SELECT SUM(«placed - day») AS s FROM orders",
        r"use its seconds: (.*)",
        names={"a": "placed", "b": "day"},
    ),
    Fix(
        "DP205",
        N + "orders WHERE «placed + 3» > day",
        r"write (x \+ INTERVAL 3 DAY) to move it, .*",
        names={"x": "placed"},
    ),
    Fix(
        "DP205",
        N + "orders WHERE «placed * 2» > 3",
        r"write .*, or (DATE_DIFF\('day', a, b\)) for .*",
        names={"a": "day", "b": "placed"},
    ),
    Fix(
        "DP205",
        N + "orders WHERE amount = «paid»",
        r"write (CAST\(x AS INTEGER\)) for the condition",
        names={"x": "paid"},
    ),
    Fix(
        "DP205",
        N + "orders WHERE «status» = 1",
        r"write (TRY_CAST\(x AS INTEGER\)) for the text, .*",
        names={"x": "status"},
    ),
    Fix(
        "DP205",
        "SELECT SUM(«amount // 2») AS s FROM orders",
        r"write (CAST\(FLOOR\(x / y\) AS BIGINT\))",
        names={"x": "amount", "y": "2"},
    ),
    Fix("DP206", N + "«read_csv('x.csv')»", "name a table of the policy", "orders"),
    Fix(
        "DP207",
        "SELECT status, COUNT(*) AS n FROM orders «WHERE COUNT(*) > 1 GROUP BY status»",
        "use (HAVING)",
        "GROUP BY status {0} COUNT(*) > 1",
    ),
    Fix(
        "DP208",
        "SELECT segment, level, COUNT(*) AS n FROM customers GROUP BY segment«»",
        r"add (\w+) to GROUP BY, or aggregate it",
        ", {0}",
    ),
    Fix("DP301", "SELECT SUM(«code») AS s FROM orders", CLAMP, names={"x": "code", **LIMITS}),
    Fix(
        "DP301",
        "SELECT SUM(code) AS s FROM orders",
        "declare bounds for code in the policy.*",
        declared={("orders", "code", "bounds"): [0, 9]},
    ),
    Fix(
        "DP301",
        "SELECT SUM(«m») AS s FROM customers, (SELECT COUNT(*) AS m FROM orders) AS t",
        CLAMP.replace(".*", ""),
        names={"x": "m", **LIMITS},
    ),
    Fix(
        "DP302",
        "SELECT MODE(amount > 5) AS m FROM orders",
        "declare max_rows for orders.customer in the policy",
        policy="unbounded",
        declared=ROWS,
    ),
    Fix(
        "DP303",
        "SELECT «score», COUNT(*) AS n FROM customers GROUP BY 1",
        r"group by .* or (ROUND\(x, 1\)), of bounded x; .*",
        names={"x": "score"},
    ),
    Fix(
        "DP303",
        "SELECT email, COUNT(*) AS n FROM customers«» GROUP BY email",
        r".*, filter it with (IN) \(…\), .*",
        " WHERE email {0} ('a', 'b')",
    ),
    Fix(
        "DP304",
        "SELECT «born», day, COUNT(*) FROM customers c JOIN orders ON customer = c.id GROUP BY ALL",
        "group by coarser keys",
        "YEAR(born) AS born",
    ),
    Fix(
        "DP305",
        "SELECT SUM(«LEAST(GREATEST(income, -1e300), 1e300)») AS s FROM customers",
        "use narrower bounds",
        "LEAST(GREATEST(income, -1e5), 1e5)",
        policy="unbounded",
    ),
    Fix(
        "DP306",
        N + "customers WHERE «CAST(email AS INTEGER)» = 1",
        r"use (TRY_CAST\(… AS INTEGER\)), .*",
        names={"…": "email"},
    ),
    Fix(
        "DP307",
        "SELECT «photo», COUNT(*) AS n FROM customers GROUP BY 1",
        "group by whether it is NULL: (x IS NULL)",
        names={"x": "photo"},
    ),
    Fix("DP401", "SELECT «status» FROM orders", r"aggregate: SELECT (COUNT\(\*\)), .*"),
    Fix("DP402", N + "orders a JOIN orders b ON «a.day = b.day»", JOINED),
    Fix("DP402", N + "orders o JOIN lines l ON «l.price < o.amount»", JOINED),
    Fix("DP402", N + "customers c, orders o«»", JOINED, " WHERE {0}"),
    Fix(
        "DP403",
        N + "customers c JOIN regions r ON «c.age < r.id»",
        "equate its key as it is with something of the other side: (.*) = …",
        "c.region = {0}",
    ),
    Fix(
        "DP403",
        N + "customers c JOIN regions r ON «c.age = r.id % 2»",
        "equate its key as it is with something of the other side: (.*) = …",
        "c.age % 2 = {0}",
    ),
    Fix(
        "DP403", N + "customers c JOIN regions r ON «TRUE»", "join on its key, (.*)", "c.age = {0}"
    ),
    Fix(
        "DP403",
        N + "lines l JOIN rumours r ON r.product = l.product",
        "declare max_rows for r.product in the policy, or .*",
        declared={("rumours", "product", "max_rows"): 2},
    ),
    Fix(
        "DP403",
        N + "lines l, rumours r",
        "declare the key of rumours .*, or its rows",
        declared={("rumours", None, "rows"): 9},
    ),
    Fix(
        "DP404",
        "SELECT «customer», COUNT(*) AS n FROM orders GROUP BY 1",
        "group by something that many units share, or .*",
        "status",
    ),
    Fix(
        "DP405",
        N + "(SELECT * FROM orders« LIMIT 5») AS o",
        "aggregate first; ORDER BY and LIMIT may follow",
        "",
    ),
    Fix("DP405", N + "orders «TABLESAMPLE BERNOULLI (10)»", "remove TABLESAMPLE", ""),
    Fix(
        "DP405",
        "SELECT part, COUNT(*) AS n FROM (SELECT «NTILE(2) OVER (ORDER BY age, id)» AS part "
        "FROM customers) AS parts GROUP BY part",
        ".*; or (NTILE) by one number or date, of up to 100 parts",
        "{0}(2) OVER (ORDER BY age)",
    ),
    Fix(
        "DP406",
        "SELECT «COUNT(DISTINCT age)» AS n FROM people WHERE smokes",
        "use COUNT, SUM or (AVG)",
        "{0}(age)",
        policy="survey",
    ),
    Fix(
        "DP407",
        "SELECT «AVG(amount)» AS a FROM lines",
        "use COUNT and SUM; an average is (.*)",
        names={"x": "amount"},
        policy="two",
    ),
    Fix(
        "DP501",
        N + "orders a JOIN orders b ON a.customer = b.customer",
        "declare max_rows for the column that leads to the unit, .*",
        policy="unbounded",
        declared=ROWS,
    ),
    Fix(
        "DP502",
        N + "products a, products b, products c, products d",
        "join on equal columns, or declare .* how many rows the tables have",
        declared=SIZE,
    ),
)
CHANGELESS = {"DP601", "DP106"}
"""No query is known that has the one: it is a bug of dpsql's. The other is not of DuckDB's data."""


def schema_of(policy: str, declared: Declared) -> Schema:
    """What the policy declares, and this besides."""
    if not declared:
        return load(policy).schema
    raw = yaml.safe_load(path_of(policy).read_text(encoding="utf-8"))
    for (table, column, key), value in declared.items():
        place = raw["tables"][table]
        (place if column is None else place["columns"][column])[key] = value
    return resolve(Policy.from_mapping(raw), None, None)


def ask(query: str, policy: str, declared: Declared) -> None:
    """Compile the query for ε = 1.

    Raises:
        Rejected: it is not accepted.
    """
    schema = schema_of(policy, declared)
    eps = Fraction(1)
    compile_query(query, schema, eps, options=Options(delta=usual_delta(eps, None, schema)))


@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: f"{fix.code}: {fix.query!r}"[:70])
def test_the_help_makes_the_query_accepted(fix: Fix) -> None:
    before, _, rest = fix.query.partition("«")
    part, _, after = rest.partition("»")
    with pytest.raises(Rejected) as caught:
        ask(before + part + after, fix.policy, {})
    assert [d.code for d in caught.value.diagnostics] == [fix.code]
    told = re.fullmatch(fix.help, caught.value.help or "", re.DOTALL)
    assert told is not None, caught.value.help
    placeholders = re.compile(
        "|".join(rf"(?<!\w){re.escape(n)}(?!\w)" for n in fix.names) or r"(?!)"
    )
    written = [placeholders.sub(lambda m: fix.names[m[0]], group) for group in told.groups()]
    changed = fix.change.format(*written) if rest else ""
    assert changed != part or fix.declared
    ask(before + changed + after, fix.policy, fix.declared)


def test_every_code_has_a_fix() -> None:
    assert {fix.code for fix in FIXES} == CODES.keys() - CHANGELESS
