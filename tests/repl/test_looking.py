r"""The commands that look at tables and functions: `\d`, `\dt`, `\df`, `\policy`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction

import pytest

from dpsql import demo
from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import Cost
from dpsql.core.schema import Schema
from dpsql.platform.policy import Policy, resolve
from dpsql.repl.command import UsageError
from dpsql.repl.completion import vocabulary as signatures
from dpsql.repl.schema_text import listing, policy_text, table_text
from dpsql.report.policies.policy_words import WIDTH
from dpsql.session.database import Database
from tests.repl.looker import Looker, command


@pytest.fixture(scope="module")
def shop() -> Iterator[Database]:
    with demo.database() as db:
        yield db


@pytest.fixture
def look(shop: Database) -> Looker:
    return Looker(shop)


def schema(text: str) -> Schema:
    return resolve(Policy.parse(text), None, None)


# --- tables --------------------------------------------------------------------------------------

TABLES = """\
table        kind     columns  unit
-----------  -------  -------  -----------------------------------------------------------------
customers    private  8        customers.customer_id
orders       private  7        orders.customer_id → customers.customer_id
order_lines  private  5        order_lines.order_id → orders.customer_id → customers.customer_id
products     public   4
regions      public   3"""

ORDERS = """\
table  orders, private
unit   orders.customer_id → customers.customer_id
       each row leads to one (proven)
key    order_id

column       type          null         known
-----------  ------------  -----------  --------------------------------------------------------
order_id     BIGINT        no (proven)  unique (proven)
customer_id  BIGINT        no (proven)  → customers.customer_id; at most 40 rows each (enforced)
ordered_on   DATE          no (proven)  2023-01-01 to 2025-12-31 (enforced)
channel      VARCHAR       no (proven)  'web', 'app', 'phone', 'shop' (enforced)
gift         BOOLEAN       no (proven)
shipping     DECIMAL(6,2)  no (proven)  0 to 20 (enforced)
rating       INTEGER       yes          1 to 5 (proven)

(enforced)  declared; queries clamp values, drop or limit rows to make it so
(proven)    true of the data: the database enforces it, or it was checked"""

REGIONS = """\
table  regions, public
key    region_id

column     type     null  known
---------  -------  ----  ------
region_id  INTEGER  no    unique
region     VARCHAR  no
country    VARCHAR  no"""


@pytest.mark.parametrize("line", [r"\d", r"\dt", r"\d ;", r"\dt *"])
def test_the_tables(look: Looker, line: str) -> None:
    assert look(line) == TABLES


@pytest.mark.parametrize("line", [r"\dt ord*", r"\dt ORD*;", r"\dt *de*"])
def test_the_tables_that_are_like_a_pattern(look: Looker, line: str) -> None:
    head, rule, _, orders, lines, *_ = TABLES.splitlines()
    assert look(line).splitlines() == [head, rule, orders, lines]


@pytest.mark.parametrize("name", ["orders", "ORDERS", " orders ;", '"Orders"'])
def test_a_table(look: Looker, name: str) -> None:
    assert look(rf"\d {name}") == ORDERS


def test_a_public_table(look: Looker) -> None:
    assert look(r"\d regions") == REGIONS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (r"\d order", r"no table order; did you mean orders?; \d lists all"),
        (r"\d pg_class", r"no table pg_class; \d lists all"),
        ("\\d a\x1b[31m", r"no table a\x1b[31m; \d lists all"),
        (r"\dt x*", r"no table x*; \d lists all"),
        (r"\policy orders", r"\policy takes nothing; \d TABLE shows a table"),
    ],
)
def test_what_is_not_there(look: Looker, line: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        look(line)
    assert str(refused.value) == message


def test_names_to_complete(look: Looker) -> None:
    names = ("customers", "orders", "order_lines", "products", "regions")
    assert tuple(command(r"\d").words(look)) == names  # type: ignore[arg-type]
    assert tuple(command(r"\dt").words(look)) == names  # type: ignore[arg-type]


CLAIMS = """
unit: people
neighbours: replace
budget: {eps: 1}
tables:
  people:
    access: private
    rows: 1200
    columns:
      "na\\u202eme": {type: VARCHAR, values: ["it's", "a\\nb"]}
      town: {type: INTEGER, values: [%s], nullable: false}
      long: {type: VARCHAR, values: ["%s", b]}
      smokes: {type: BOOLEAN, randomized: {truth: 0.5, yes: 0.25}}
      mood: {type: "ENUM('good', 'bad')", nullable: true}
"""


CLAIMED = """\
table  people, private
unit   each row of people
rows   1,200, which is public

column      type     null          known
----------  -------  ------------  --------------------------------------------------------------------
na\\u202eme  VARCHAR  maybe         'it''s', 'a\\nb' (enforced)
town        INTEGER  no (claimed)  100, 101, 102, 103, 104, 105, 106, 107, … of 1,900 values (enforced)
long        VARCHAR  maybe         … of 2 values (enforced)
smokes      BOOLEAN  maybe         randomized: truth 0.5, yes 0.25
mood        ENUM     yes           'good', 'bad' (proven)

(enforced)  declared; queries clamp values, drop or limit rows to make it so
(claimed)   declared; if it is wrong, answers are wrong, but no less private
(proven)    true of the data: the database enforces it, or it was checked"""  # noqa: E501


def test_claims_and_untrusted_texts() -> None:
    found = schema(CLAIMS % (", ".join(map(str, range(100, 2000))), "x" * WIDTH))
    (table,) = found.tables.values()
    assert table_text(found, table) == CLAIMED


BROKEN = """
unit: c.id
budget: {eps: 1}
tables:
  l: {access: private, columns: {o: {type: BIGINT, references: o.id}}}
  o:
    access: private
    key: [id]
    columns: {id: {type: BIGINT}, c: {type: BIGINT, references: c.id}}
  c: {access: private, key: [id], columns: {id: {type: BIGINT}}}
"""


def test_a_path_of_which_nothing_is_proven() -> None:
    found = schema(BROKEN)
    assert (
        listing(found, found.tables.values())
        == """\
table  kind     columns  unit
-----  -------  -------  ----------------
l      private  1        l.o → o.c → c.id
o      private  2        o.c → c.id
c      private  1        c.id"""
    )
    lines = table_text(found, found.tables["l"]).splitlines()
    assert lines[1:3] == ["unit   l.o → o.c → c.id", "       rows without one are left out"]


# --- the policy ----------------------------------------------------------------------------------


def test_the_policy(look: Looker) -> None:
    assert (
        look(r"\policy")
        == """\
unit        customers.customer_id
neighbours  add_remove: one unit more or less, with all its rows
budget      ε = 10, δ = 1e-6
accountant  approx
renews      never
caps        none: whoever asks may spend all that is left
private     customers, orders, order_lines
public      products, regions
verified    no: queries enforce its claims"""
    )


def test_a_policy_with_all_there_is() -> None:
    found = schema(CLAIMS.replace("budget", "min_units: 20\nbudget") % ("1, 2", "x"))
    caps = (
        Cap("ann", Cost(Fraction(2))),
        Cap("b\nw", Cost(Fraction(3)), frozenset({"bob", "cy"})),
        Cap("*", Cost(Fraction(1))),
    )
    total = Cost(Fraction(10), Fraction(1, 10**6))
    account = Account(total, "zcdp", "", caps, timedelta(days=30))
    assert (
        policy_text(found, account, True)
        == """\
unit        each row of people
neighbours  replace: the rows of one unit are others; how many units there are is public
budget      ε = 10, δ = 1e-6
accountant  zcdp
renews      every 30 days
cap         ann: ε = 2
cap         b\\nw (bob, cy) together: ε = 3
cap         each other analyst: ε = 1
min units   20 in each group whose key is private
private     people
verified    in part: queries enforce what is said of people.na\\u202eme, people.town, people.long"""
    )
    hourly = Account(total, window=timedelta(hours=1))
    assert "renews      every hour\n" in policy_text(found, hourly, False)


# --- functions -----------------------------------------------------------------------------------


def test_functions_that_are_like_a_pattern(look: Looker) -> None:
    assert (
        look(r"\df date_*")
        == """\
function                     kind
---------------------------  ------
date_add(date, interval)     scalar
date_diff(unit, date, date)  scalar
date_part(part, date)        scalar
date_sub(unit, date, date)   scalar
date_trunc(unit, date)       scalar"""
    )
    assert look(r"\df COUNT();") == "function      kind\n------------  ---------\n" + (
        "count(value)  aggregate"
    )


def test_all_functions(look: Looker) -> None:
    every = {*signatures.SCALARS, *signatures.AGGREGATES, *signatures.WINDOWS}
    lines = look(r"\df").splitlines()[2:]
    assert {line.partition("(")[0] for line in lines} == every
    assert set(command(r"\df").words(look)) == every  # type: ignore[arg-type]


def test_a_function_that_is_not_there(look: Looker) -> None:
    with pytest.raises(UsageError) as refused:
        look(r"\df conut")
    more = r"did you mean count?; \df lists all, \df date* those that begin so"
    assert str(refused.value) == f"no function conut; {more}"
