"""The tree of an explanation: nothing of the plan is left out, and what it says is what holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import dpsql
from dpsql import demo
from dpsql.compile import Compiled, ReleasedQuery, compile_query
from dpsql.core.calibrate.options import Options, usual_delta
from dpsql.core.plan.nodes import Apply, Named, Plan, Released, Scan, nodes
from dpsql.core.schema import Table
from dpsql.front.bind import bind
from dpsql.front.parse import parse
from dpsql.front.tables import rewritten
from dpsql.platform.policy import resolve
from dpsql.proven import PublicQuery
from dpsql.report.explanation import Explanation
from dpsql.report.explanation import answer_tree as making
from dpsql.report.explanation import explanation as explaining
from dpsql.report.explanation.explanation import explanation
from dpsql.report.figures import figure
from dpsql.report.steps import TreeStep
from tests.support import grammar
from tests.support.effort import sampled
from tests.support.grammar import FOLDER
from tests.tpch.data import query as tpch_query
from tests.tpch.test_tpch import POLICY, PUBLIC, RELEASED

MOVED = re.compile(r"sensitivity L0 (\S+), L1 (\S+), L2 (\S+), L∞ (\S+)")


def explain(sql: str, eps: object = 1, **wishes: object) -> Explanation:
    return dpsql.explain(sql, eps, policy=demo.policy(), **wishes)  # type: ignore[arg-type]


def explained(compiled: Compiled) -> Explanation:
    return explanation(compiled, tuple)


@cache
def tpch(number: int) -> Compiled:
    schema = resolve(dpsql.Policy.load(POLICY), None, None)
    options = Options(delta=usual_delta(Fraction(1), None, schema))
    return compile_query(tpch_query(number), schema, Fraction(1), options=options)


# --- every accepted query ------------------------------------------------------------------------


def of_release(step: TreeStep) -> Iterator[TreeStep]:
    """The steps of one release point, without those of the releases that it reads."""
    yield step
    for below in step.steps:
        if below.kind == "released" and below.text.startswith(("release ", "noisy rows ")):
            yield TreeStep("released", "another")
        else:
            yield from of_release(below)


def by_name(root: TreeStep) -> dict[str, TreeStep]:
    found = [s for s in root.walk() if s.text.startswith("release ") and s.steps]
    named = {step.text.split(",")[0].removeprefix("release "): step for step in found}
    assert len(named) == len(found), "a release is told twice"
    return named


def tables(compiled: Compiled) -> set[str]:
    """Those that the bound query reads."""
    if isinstance(compiled.query, PublicQuery):
        return {table.name for table in compiled.query.tables}
    tree = rewritten(parse(compiled.text), compiled.schema, lambda query: ()).tree
    bound, _ = bind(tree, compiled.schema)
    return {table.name for table in scanned(bound.plan)}


def scanned(plan: Plan) -> list[Table]:
    return [node.table for node in nodes(plan) if isinstance(node, Scan)]


def check(compiled: Compiled) -> None:
    found = explained(compiled)
    root, query = found.tree, compiled.query
    assert str(root).count("\n") + 1 >= sum(1 for _ in root.walk())
    leaves = {step.table for step in root.walk() if step.table is not None}
    assert all(not step.steps for step in root.walk() if step.table is not None)
    if tables(compiled) - leaves:  # nothing is asked of them, of an outer join or an aggregate
        assert isinstance(query, ReleasedQuery)
        asked = {table.name for point in query.releases for table in scanned(point.aggregate)}
        assert asked <= leaves
    for more in leaves - tables(compiled):  # a foreign key is grouped by the table that it leads to
        table = compiled.schema.table(more)
        assert table is not None
        if table.private:  # a branch of a union is joined to what leads to its unit
            assert "UNION" in compiled.text
            continue
        reasons = str([release.reasons for release in found.releases])
        assert re.search(rf"from the public (\w+, )*{more}\b", reasons)
    if isinstance(query, PublicQuery):
        assert (root.kind, root.text) == ("public", "public, exact and free")
        return
    told = by_name(root)
    assert list(told) == sorted(told, key=list(told).index) and told.keys() == {
        point.table for point in query.releases
    }
    releases = iter(found.releases)
    for point in query.releases:
        measured = [step for step in told[point.table].steps if step.kind == "measured"]
        own = [next(releases) for _ in (*point.measures, *point.picks)]
        assert len(measured) == len(own)
        for step, release in zip(measured, own, strict=True):
            assert step.text.split(" = ")[0] == release.name or step.text == release.name
            moved = MOVED.match(step.why[0])
            if release.l1 is not None:
                assert moved is not None
                each = (release.l0, release.l1, release.l2, release.linf)
                assert [moved[1], moved[2], moved[3], moved[4]] == [
                    str(each[0]),
                    *map(figure, each[1:]),
                ]
            kept = [w for w in release.reasons if not w.startswith(("groups: ", "neighbours: "))]
            assert list(step.why[-len(kept) :]) == kept or not kept
        # One step for the aggregate, and one for each node below it.
        (rows,) = (step for step in told[point.table].steps if step.kind != "measured")
        assert len(list(of_release(rows))) == sum(1 for _ in nodes(point.aggregate))
        scans = [n.table.name for n in nodes(point.aggregate) if isinstance(n, Scan)]
        assert [step.table for step in of_release(rows) if step.table] == scans
    assert next(releases, None) is None
    for name in query.feeds:
        assert f"noisy rows {name}" in {step.text for step in root.walk()}


@pytest.mark.parametrize("path", grammar.paths(), ids=lambda path: path.stem)
@pytest.mark.one_in(3)
def test_of_every_case_of_the_grammar(path: Path) -> None:
    for case in grammar.read(path):
        if grammar.accepted(case) and sampled(case.name, 6):
            try:
                check(grammar.compiled(case))
            except AssertionError as problem:
                raise AssertionError(f"{case.name}\n{case.query}") from problem


@pytest.mark.parametrize("number", RELEASED + PUBLIC)
def test_of_tpch(number: int) -> None:
    check(tpch(number))


def test_the_cases_have_every_node() -> None:
    """What no case has would not be tried above."""
    seen: set[type] = set()
    for case in (*grammar.read(FOLDER / "feeds.sql"), *grammar.read(FOLDER / "join_comma.sql")):
        if grammar.accepted(case):
            query = grammar.compiled(case).query
            assert not isinstance(query, PublicQuery)
            plans = [query.plan, *(feed.plan for feed in query.feeds.values())]
            plans += [point.aggregate for point in query.releases]
            seen |= {type(node) for plan in plans for node in nodes(plan)}
    assert seen == set(get_args(Plan)) - {Apply, Named}  # these are resolved before


def test_a_node_that_nobody_told_of_is_no_step() -> None:
    named = Named(Released("r1", (), ()), ())
    with pytest.raises(AssertionError, match="Named is no step"):
        making._done(named)


# --- what it says --------------------------------------------------------------------------------

JOINED = """
    SELECT r.country, COUNT(*) AS n
    FROM orders o JOIN customers c ON c.customer_id = o.customer_id JOIN regions r USING (region_id)
    WHERE o.shipping BETWEEN 5 AND 10 AND channel = 'web'
    GROUP BY r.country HAVING COUNT(*) > 9 ORDER BY n DESC LIMIT 3"""

UNION = """
    SELECT AVG(x) AS a FROM (
        SELECT shipping AS rating, rating AS x FROM orders
        UNION ALL SELECT rating AS shipping, shipping FROM orders)"""

FED = "SELECT COUNT(*) AS n FROM customers WHERE trust > (SELECT AVG(trust) + 0.1 FROM customers)"


def test_from_the_release_down_to_the_tables() -> None:
    assert (
        str(explain(JOINED).tree)
        == """\
post-processing, free: limit; order by; filter
└─ release r1, groups that only the run tells
   │  · country: from the public regions; a unit is in one group
   │  · neighbours: add_remove
   │  · work of one unit: at most 3,125 of 1,000,000 steps
   ├─ n = count(*): sensitivity L0 1, L1 40, L2 40, L∞ 40
   │     · laplace noise, scale 40, ε 1, ρ 0.368: ± 120 at 95 %
   │     · rows per unit 40, enforced per unit (40 rows of orders per customer_id; customer_id is
   │       the key of customers)
   └─ count(*) by country: at most 40 rows per unit, declared, the unit found by o.customer_id
      └─ join on c.region_id = r.region_id: keeps the unit
         │  · a row of the first part meets one of r at most, by its key r.region_id
         │  · at most 40 rows per unit, declared
         ├─ join on c.customer_id = o.customer_id
         │  │  · the same unit on both sides: o.customer_id = c.customer_id
         │  │  · a row of o meets one of c at most, by its key c.customer_id
         │  │  · a row of c meets at most 40 of o, declared
         │  │  · at most 40 rows per unit, declared
         │  ├─ filter shipping >= 5.00 AND shipping <= 10.00 AND channel = 'web'
         │  │  └─ orders as o: private, unit by orders.customer_id
         │  │        · at most 40 rows per unit, declared (40 rows of orders per customer_id)
         │  │        · a row without a unit is left out
         │  └─ customers as c: private, unit by customers.customer_id
         │        · one row per unit, proven (customer_id is the key of customers)
         └─ regions as r: public"""
    )


def test_columns_are_told_by_what_they_are_and_not_by_name() -> None:
    """Each part's x is another column of orders; its range is that column's."""
    assert (
        str(explain(UNION).tree).partition("└─ avg")[2]
        == """(x): at most 80 rows per unit, declared, the unit found by customer_id
   └─ union all of 2 parts as x, customer_id: at most 80 rows per unit, declared
      ├─ columns x #2, orders.customer_id
      │  └─ columns x #2 = rating, orders.customer_id
      │     └─ orders: private, unit by orders.customer_id
      │           · at most 40 rows per unit, declared (40 rows of orders per customer_id)
      │           · a row without a unit is left out
      │           · rating in [1, 5], declared
      └─ columns shipping, orders #2.customer_id
         └─ columns shipping = orders #2.shipping, orders #2.customer_id
            └─ orders #2: private, unit by orders.customer_id
                  · at most 40 rows per unit, declared (40 rows of orders per customer_id)
                  · a row without a unit is left out
                  · orders #2.shipping in [0, 20], declared"""
    )


def test_a_release_that_another_one_reads_stands_below_it() -> None:
    assert (
        str(explain(FED).tree)
        == """\
release r2, 1 group: neighbours: add_remove; work of one unit: at most 27 of 1,000,000 steps
├─ count(*): sensitivity L0 1, L1 1, L2 1, L∞ 1
│     · laplace noise, scale 2.08, ε 0.480789, ρ 0.1135: ± 6 at 95 %
│     · rows per unit 1, proven (customer_id is the key of customers)
└─ count(*): one row per unit, proven, the unit found by customer_id
   └─ join on trust > "avg(trust) + 0.1": keeps the unit
      │  · a row of customers meets one of f1 at most
      │  · one row per unit, proven
      ├─ customers: private, unit by customers.customer_id
      │     · one row per unit, proven (customer_id is the key of customers)
      └─ noisy rows f1: read like a public table
         └─ post-processing, free: computed columns
            └─ release r1, 1 group: neighbours: add_remove
               │  · work of one unit: at most 21 of 1,000,000 steps
               ├─ sum(trust): sensitivity L0 1, L1 1, L2 1, L∞ 1
               │     · laplace noise, scale 1.926, ε 0.519211, ρ 0.1143, shared: ± 5.77 at 95 %
               │     · rows per unit 1, proven (customer_id is the key of customers)
               │     · trust in [0, 1], clamped
               │     · summed around 0, the least
               │     · a row adds 1 to sum(trust) and sum(trust - 1) together
               ├─ sum(trust - 1): sensitivity L0 1, L1 1, L2 1, L∞ 1
               │     · laplace noise, scale 1.926, ε 0.519211, ρ 0.1143, shared: ± 5.77 at 95 %
               │     · rows per unit 1, proven (customer_id is the key of customers)
               │     · trust in [0, 1], clamped
               │     · summed around 1, the greatest
               │     · a row adds 1 to sum(trust) and sum(trust - 1) together
               └─ avg(trust): one row per unit, proven, the unit found by customer_id
                  └─ customers: private, unit by customers.customer_id
                        · one row per unit, proven (customer_id is the key of customers)
                        · trust in [0, 1], declared"""
    )


def test_a_release_is_told_once() -> None:
    sql = "WITH w AS (SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel) "
    found = explain(sql + "SELECT a.n + b.n AS m FROM w a JOIN w b ON a.channel = b.channel").tree
    words = ("computed columns", "join", "filter")  # of groups that seem to be empty
    assert (found.text, found.why) == ("post-processing, free", words)
    first, again = found.steps
    assert (first.text, len(first.steps)) == ("release r1, 4 groups", 2)
    assert (again.text, again.steps) == ("release r1, as above", ())


def test_public_queries_have_a_tree() -> None:
    found = explain("SELECT category, COUNT(*) FROM products GROUP BY category").tree
    assert str(found) == "public, exact and free\n└─ products: public"
    one = "public, exact and free: computed columns; one row, of no table"
    assert str(explain("SELECT 1 AS one").tree) == one


def test_a_constant_needs_no_noise() -> None:
    policy = dpsql.Policy.parse(
        demo._text("demo.yaml")
        .replace("neighbours: add_remove", "neighbours: replace")
        .replace("  customers:\n", "  customers:\n    rows: 700\n", 1)
    )
    sql = "SELECT COUNT(*) AS n FROM customers"
    (measured, _) = dpsql.explain(sql, 1, policy=policy).tree.steps
    assert measured.why == (
        "sensitivity L0 0, L1 0, L2 0, L∞ 0",
        "no noise: the same on all neighbours",
        "rows per unit 1, proven (customer_id is the key of customers)",
        "the same on all neighbours: 700 rows are public",
    )


def test_long_lines_are_broken_and_long_texts_shortened() -> None:
    words = " OR ".join(f"shipping = {n}" for n in range(100))
    found = explain(f"SELECT COUNT(*) FROM orders WHERE {words} OR gift").tree
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 100
    assert any(line.rstrip().endswith("…") for line in lines)
    deep = " + ".join(["shipping"] * 200)
    assert "nested too deeply" in str(explain(f"SELECT COUNT(*) FROM orders WHERE {deep} > 1").tree)


NASTY = """SELECT COUNT(*) AS "a\u202eb\x9b$<i>" FROM orders WHERE channel = '<b>&\u202e\x9b'"""


def test_letters_that_are_not_printed_are_written_out() -> None:
    found = explain(NASTY)
    for text in (str(found.tree), str(found)):
        assert all(line.isprintable() for line in text.splitlines())
    assert "a\\u202eb\\x9b$<i> = count(*)" in str(found.tree)
    assert r"filter channel = '<b>&\u202e\x9b'" in str(found.tree)


def test_no_text_of_a_query_looks_like_a_step() -> None:
    other = "x" * 90 + " └─ orders: private · at most one row per unit, proven"
    drawn = str(explain(f"SELECT COUNT(*) FROM orders WHERE channel <> '{other}'").tree)
    assert drawn.count("└─") == 3 and drawn.count("orders: private,") == 1
    assert r"\u2514─ orders: private \xb7 at most one row per unit, proven" in drawn
    name = "count(*): sensitivity L0 0; no noise"
    (measured, _) = explain(f'SELECT COUNT(*) AS "{name}" FROM orders').tree.steps
    assert measured.text == f'"{name}" = count(*)'


def test_what_an_expression_is_made_of_is_not_left_out() -> None:
    """A text that may be no number is not shown as a column; frames, fractions and coins are."""
    tried = "SELECT TRY_CAST('trust' AS INTEGER) AS k, COUNT(*) FROM customers GROUP BY 1"
    assert "count(*) by TRY_CAST('trust' AS INT): " in str(explain(tried, 1).tree)
    ends = "1 PRECEDING AND CURRENT ROW", "UNBOUNDED PRECEDING AND 2 FOLLOWING"
    for end in ends:
        over = f"PARTITION BY customer_id ORDER BY rating NULLS FIRST ROWS BETWEEN {end}"
        found = explain(f"SELECT SUM(s) FROM (SELECT SUM(shipping) OVER ({over}) AS s FROM orders)")
        (window,) = (s for s in found.tree.walk() if s.text.startswith("window "))
        assert window.text.endswith(f" rows between {end.lower()})")
        assert "order by rating nulls first, " in window.text
    picked = explain("SELECT QUANTILE_CONT(shipping, 0.9), MEDIAN(shipping) FROM orders").tree
    assert picked.steps[-1].text == "quantile_cont(shipping, 0.9), median(shipping)"
    coins = demo._text("demo.yaml").replace(
        "newsletter:  {type: BOOLEAN, ",
        "newsletter:  {type: BOOLEAN, randomized: {truth: 0.5, yes: 0.25}, ",
    )
    policy = dpsql.Policy.parse(coins)
    asked = "SELECT COUNT(*) FROM customers WHERE newsletter"
    (table,) = (s for s in dpsql.explain(asked, 1, policy=policy).tree.walk() if s.table)
    said = "is randomized, declared: the truth with probability 0.5, else TRUE with 0.25"
    assert f"newsletter {said}" in table.why


# --- its other forms -----------------------------------------------------------------------------


def test_as_plain_data() -> None:
    found = explain(FED)
    plain: Any = json.loads(found.to_json())["tree"]
    assert plain == found.tree.to_dict()

    def again(part: Any) -> TreeStep:
        steps = tuple(map(again, part["steps"]))
        return TreeStep(part["kind"], part["text"], tuple(part["why"]), steps, part["table"])

    assert again(plain) == found.tree


def test_no_form_has_letters_that_are_not_printed() -> None:
    """A change of direction could make a reviewer read the SQL backwards."""
    found = explain(NASTY)
    for page in (found._repr_html_(), found.to_html()):
        assert all(line.isprintable() for line in page.splitlines())
    assert r"\u202e" in found._repr_html_().partition("<summary>SQL")[2]


def test_as_html_each_step_is_an_item_and_every_text_is_escaped() -> None:
    found = explain(NASTY)
    page = found._repr_html_()
    _, _, rest = page.partition("<details><summary>How the answer is made")
    assert rest.count("<li>") == rest.count("</li>") == sum(1 for _ in found.tree.walk())
    assert rest.count("<ul>") == rest.count("</ul>")
    assert "channel = &#x27;&lt;b&gt;&amp;" in rest and "<b>" not in page and "<i>" not in page
    assert "Noise is random" in page and page.index("Noise is random") < page.index("<details>")
    assert "How the answer is made" in explain("SELECT 1 AS one").to_html()


def test_it_is_made_once_and_only_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Compiled] = []

    def counted(compiled: Compiled, releases: Any) -> TreeStep:
        made.append(compiled)
        return making.tree(compiled, releases)

    monkeypatch.setattr(explaining, "tree", counted)
    found = explain(JOINED)
    assert (str(found) != "", made) == (True, [])
    assert found.tree is found.tree
    assert len(made) == 1
