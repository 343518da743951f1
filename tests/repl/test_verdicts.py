r"""The commands that say what a query would do: `\explain`, `\cost`, `\sql`, `\why`, `\calibrate`;
and that no command that looks reads data or is charged for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import dpsql
from dpsql import demo
from dpsql.codes import CODES, page
from dpsql.core.account.account import Account, Cap
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.repl import commands
from dpsql.repl.command import UsageError
from dpsql.repl.commands import explanations, listings, plot, spending
from dpsql.repl.settings import ShellSettings
from dpsql.repl.verdict import verdict
from dpsql.report.explanation import sentences as text
from dpsql.session.database import Database
from tests.repl.looker import Looker, command
from tests.support.public_reads import forbid_private_reads

COUNT = "SELECT COUNT(*) AS n FROM orders"
MEAN = "SELECT AVG(shipping) AS mean FROM orders"
PUBLIC = "SELECT region FROM regions"
JOINED = "SELECT region, COUNT(*) FROM customers JOIN regions USING (region_id) GROUP BY 1"
LOOKING = (explanations, listings, spending, plot)


@pytest.fixture(scope="module")
def shop() -> Iterator[Database]:
    with demo.database() as db:
        yield db


@pytest.fixture
def look(shop: Database) -> Looker:
    return Looker(shop)


# --- which query ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [r"\explain", r"\cost", r"\sql", r"\why", r"\calibrate 100"])
def test_without_a_query(look: Looker, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        look(name)
    assert str(refused.value) == f"no query yet: type one, or write {name} SELECT …"


@pytest.mark.parametrize("name", [r"\explain", r"\cost", r"\sql", r"\why", r"\calibrate 100"])
def test_the_last_query_or_the_one_that_is_written(look: Looker, name: str) -> None:
    look.query = COUNT
    last = look(name)
    assert look(f"{name}  {PUBLIC} ;\n") != last
    assert look.query == PUBLIC  # from now on the last one
    assert look(f"{name} {COUNT};") == last == look(name)


# --- verdicts ------------------------------------------------------------------------------------


def test_explain(look: Looker, shop: Database) -> None:
    assert (
        look(rf"\explain {COUNT}")
        == """\
released: costs ε = 0.5; unit customers.customer_id, neighbours add_remove
  n, 1 group
    sensitivity L0 1, L1 40, L2 40, L∞ 40
    laplace noise, scale 80, ε 0.5, ρ 0.1066: ± 240 at 95 %
    because rows per unit 40, enforced per unit (40 rows of orders per customer_id)
  total ε 0.5 by basic composition, 0.5 by zCDP (ρ 0.1066), 0.5 by PLD, at δ 1e-6
  bounds are enforced while it runs: on a copy that `dpsql prepare` writes it is faster
  the ledger (approx) charges ε = 0.5; then ε = 9.5, δ = 1e-6 is left, 19 more such queries"""
    )
    assert look(rf"\explain {PUBLIC}") == text.PUBLIC


def test_the_settings_hold(look: Looker, shop: Database) -> None:
    look.settings = replace(
        look.settings, eps=Decimal("0.25"), delta=Decimal("1e-7"), noise="gaussian"
    )
    told = str(shop.explain(COUNT, Decimal("0.25"), Decimal("1e-7"), noise="gaussian"))
    assert "gaussian noise" in told
    assert look(rf"\explain {COUNT}") == told
    assert look(r"\cost").startswith("the ledger (approx) charges ε = 0.25, δ = ")


@pytest.mark.parametrize("word", ["DP402", "dp402", " DP402; "])
def test_the_page_of_a_code(look: Looker, word: str) -> None:
    lines = look(rf"\explain {word}").splitlines()
    assert lines[:5] == [
        "DP402: a join across privacy units",
        "==================================",
        "",
        "A joined row would belong to two units at once, and removing either would",
        "remove it. Join private tables on the unit, or on a key that leads to it.",
    ]
    query = "SELECT COUNT(*) FROM orders AS a JOIN orders AS b ON a.ordered_on = b.ordered_on"
    assert lines[6] == f"    {query}"
    at = lines.index("What to write instead")
    assert lines[at - 1] == "" and lines[at + 1] == "-" * len(lines[at])
    assert look.query is None


@pytest.mark.parametrize("code", CODES)
def test_every_page_is_plain(look: Looker, code: str) -> None:
    told = look(rf"\explain {code}")
    bare = re.sub(r"^(```(sql|text)?|#+)(?=\s)", "", page(code), flags=re.MULTILINE)
    bare = re.sub(r"^ (eps|policy)=", r"-- \1: ", bare, flags=re.MULTILINE)
    bare = re.sub(r"^```yaml file=", "# file: ", bare, flags=re.MULTILINE)
    assert re.sub(r"^[=-]+$", "", told, flags=re.MULTILINE).split() == bare.split()
    assert "](" not in told and "```" not in told
    prose = [line for line in told.splitlines() if not line.startswith("    ")]
    assert max(map(len, prose)) < 80


def test_a_code_that_is_none(look: Looker) -> None:
    with pytest.raises(UsageError) as refused:
        look(r"\explain DP999")
    told = str(refused.value).splitlines()
    assert told[0] == "no error code DP999; these are:"
    assert told[1:] == [f"{code}  {meaning}" for code, meaning in CODES.items()]
    assert tuple(command(r"\explain").words(look)) == tuple(CODES)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [r"\explain", r"\cost", r"\sql", r"\why", r"\calibrate 1"])
def test_a_rejected_query_shows_where(look: Looker, name: str) -> None:
    with pytest.raises(dpsql.Rejected) as rejected:
        look(f"{name} SELECT email FROM customers;")
    assert rejected.value.code == "DP401" and "  | SELECT email FROM customers\n" in str(
        rejected.value
    )


def test_cost(look: Looker) -> None:
    left = "the ledger (approx) charges ε = 0.5; then ε = 9.5, δ = 1e-6 is left"
    assert look(rf"\cost {COUNT}") == f"{left}, 19 more such queries"
    assert look(rf"\cost {PUBLIC}") == text.PUBLIC
    look.settings = replace(look.settings, eps=Decimal(20))
    few = "the ledger (approx) has too little for ε = 20: ε = 10, δ = 1e-6 is left"
    assert look(rf"\cost {COUNT}") == few


def test_a_verdict_and_a_cost_know_who_asks() -> None:
    """What `run` would refuse is not called accepted: beyond a cap, or below the least ε."""
    caps = (Cap("ann", Cost(Fraction(1, 4))),)
    account = Account(Cost(Fraction(10)), caps=caps, min_eps=Fraction(1, 10))
    over = "the query asks for ε = 0.5; ε = 0.25 is left of ε = 0.25, the cap of ann"
    under = "the query costs ε = 0.01; the least that is charged is ε = 0.1"
    with dpsql.connect(demo.connection(), demo.policy(), ledger=MemoryLedger(account)) as db:
        ann = db.asked_by("ann")
        for eps, why in (("0.5", over), ("0.01", under)):
            settings = ShellSettings(eps=Decimal(eps))
            found = verdict(ann, COUNT, settings)
            assert (found.kind, found.message) == ("too little", why)
            look = Looker(ann)
            look.settings = settings
            assert look(rf"\cost {COUNT}").startswith(f"it would be refused: {why}")
            with pytest.raises(dpsql.DpsqlError, match=re.escape(why)):
                ann.run(COUNT, Fraction(eps))
        assert verdict(ann, COUNT, ShellSettings(eps=Decimal("0.25"))).kind == "accepted"
        assert verdict(db, COUNT, ShellSettings(eps=Decimal("0.5"))).kind == "accepted"
        assert str(ann.explain(COUNT, 0.5)).count(over) == 1


def test_cost_of_what_is_stored() -> None:
    with demo.database() as db:
        db.run(COUNT, 0.5)
        said = "stored, free: the answer that was paid for is given again"
        assert Looker(db)(rf"\cost {COUNT}") == said


def test_cost_tells_of_the_cap_of_whoever_asks() -> None:
    caps = (Cap("ann", Cost(Fraction(2))), Cap("*", Cost(Fraction(1))))
    account = Account(Cost(Fraction(10), Fraction(1, 10**6)), caps=caps)
    with dpsql.connect(
        demo.connection(), demo.policy(), ledger=MemoryLedger(account), analyst="ann"
    ) as db:
        assert Looker(db)(rf"\cost {COUNT}") == (
            "the ledger (approx) charges ε = 0.5; then ε = 9.5, δ = 1e-6 is left, 19 more such "
            "queries; the cap of ann has ε = 2 left now"
        )


def test_sql(look: Looker, shop: Database) -> None:
    assert look(rf"\sql {COUNT}") == shop.explain(COUNT, Decimal("0.5")).sql
    assert look(rf"\sql {COUNT}").startswith('WITH "cells" AS (\n')


def test_why(look: Looker, shop: Database) -> None:
    assert look(rf"\why {COUNT}") == str(shop.explain(COUNT, Decimal("0.5")).tree)
    lines = look(r"\why").splitlines()
    assert lines[0].startswith("release r1, 1 group")
    assert any("orders: private, unit by orders.customer_id" in line for line in lines[1:])


def test_why_fits_the_screen(look: Looker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    wide = look(rf"\why {COUNT}").splitlines()
    assert max(map(len, wide)) > 72
    look.interactive = True
    narrow = look(r"\why").splitlines()
    assert max(map(len, narrow)) <= 72
    branches = str.maketrans(dict.fromkeys("│├└─·:;", " "))
    words = [" ".join(lines).translate(branches).split() for lines in (wide, narrow)]
    assert words[0] == words[1]  # nothing is lost


# --- calibrate -----------------------------------------------------------------------------------


@pytest.mark.parametrize("size", ["size=100000", "n=1e5", '"n"=100000', "N=100000"])
def test_calibrate_a_part_of_the_size(look: Looker, size: str) -> None:
    look.query = COUNT
    assert (
        look(rf"\calibrate 0.1% {size}")
        == """\
each number within ± 0.1 % of its size at 95 % needs ε 1.193
the ledger (approx) charges ε = 1.193; then ε = 8.807, δ = 1e-6 is left, 7 more such queries
to choose it: \\eps 1.193"""
    )


def test_calibrate_a_width(look: Looker, shop: Database) -> None:
    told = look(rf"\calibrate 100 {COUNT};")
    assert told.splitlines()[0] == "each number within ± 100 at 95 % needs ε 1.193"
    assert told.splitlines()[2] == r"to choose it: \eps 1.193"
    # What is told is enough, and a hundredth less is not.
    assert shop.explain(COUNT, Decimal("1.193")).releases[0].interval() <= 100
    assert shop.explain(COUNT, Decimal("1.181")).releases[0].interval() > 100


def test_calibrate_by_column(look: Looker) -> None:
    sql = 'SELECT COUNT(*) AS "size", SUM(shipping) AS "a ""b" FROM orders'
    sizes = '"size"=100000 "a ""b"=1e6'
    told = look(rf"\calibrate 1% {sizes} {sql}")
    assert told.startswith("each number within ± 1 % of its size at 95 % needs ε 0.")
    assert look.query == sql
    with pytest.raises(UsageError, match=r'^no size is given for a "b$'):
        look(rf'\calibrate 1% "size"=100000 {sql}')


def test_calibrate_far_away(look: Looker) -> None:
    sql = "SELECT SUM(price * quantity) AS s FROM order_lines"
    assert (
        look(rf"\calibrate 1000 {sql}")
        == """\
each number within ± 1000 at 95 % needs ε 2,398
the ledger (approx) has too little for ε = 2398: ε = 10, δ = 1e-6 is left"""
    )
    none = "each number within ± 1 at 95 %: no ε makes the answer so accurate"
    assert look(r"\calibrate 1") == none


def test_calibrate_what_depends_on_the_data_or_is_public(look: Looker) -> None:
    assert look(rf"\calibrate 1 {MEAN}") == (
        "each number within ± 1 at 95 %: how far mean is off depends on the data; calibrate counts "
        "and sums whose bounds are declared"
    )
    assert look(rf"\calibrate 1 {PUBLIC}") == text.PUBLIC


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("", "how accurate? Write "),
        ("1%", "a percentage needs a public guess of the size that it is of; write "),
        ("many", "'many' is no error and no size: a number above 0 is; write "),
        ("-1", "'-1' is no error and no size: a number above 0 is; write "),
        ("nan", "'nan' is no error and no size: a number above 0 is; write "),
        ("1% size=0", "'0' is no error and no size: a number above 0 is; write "),
        ("1% size=10 n=10", "a size is given once for all columns, or for each by its name; "),
        ("1% m=10", "a size is given for m, which is no column of the answer"),
        ("1% a\x1bb=10", r"a size is given for a\x1bb, which is no column of the answer"),
    ],
)
def test_calibrate_written_wrongly(look: Looker, written: str, message: str) -> None:
    look.query = COUNT
    with pytest.raises(UsageError) as refused:
        look(rf"\calibrate {written}")
    assert str(refused.value).startswith(message)


# --- free ----------------------------------------------------------------------------------------


def test_looking_reads_no_private_row_and_is_free(
    shop: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    look = Looker(shop)
    look.query = "SELECT channel, COUNT(*) AS n FROM orders GROUP BY channel"
    forbid_private_reads(shop, monkeypatch)
    monkeypatch.setattr(shop._ledger, "reserve", lambda *_, **__: pytest.fail("charged"))
    names = [command.name for module in LOOKING for command in module.COMMANDS]
    told = {name: look(rf"{name} 100" if name == r"\calibrate" else name) for name in names}
    assert set(told) == {
        *(r"\explain", r"\cost", r"\sql", r"\why", r"\calibrate", r"\d", r"\dt", r"\df"),
        *(r"\policy", r"\budget", r"\history", r"\plot"),
    }
    assert all(words for name, words in told.items() if name != r"\plot")
    for query in (
        PUBLIC,
        "SELECT r.region, COUNT(*) FROM customers JOIN regions AS r USING (region_id) GROUP BY 1",
    ):
        for name in (r"\explain", r"\cost", r"\sql", r"\why", r"\calibrate 100"):
            look(f"{name} {query}")
    look(r"\d orders")
    assert shop.budget.history == () and shop.budget.spent.eps == 0


def test_every_command_says_how_it_is_written() -> None:
    for module in LOOKING:
        for found in module.COMMANDS:
            assert found.usage.split()[0] == found.name
            assert commands.COMMANDS[found.name] is found
