"""Everything but exact cells is the same on D and D′, once the same is released of both."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database
from tests.adversarial import world
from tests.replay.pairs import pairs, shown, tapes
from tests.replay.tape import Event, Tape, first_difference, recorded
from tests.support import grammar
from tests.support.effort import FULL
from tests.support.grammar import Case
from tests.support.policies import load
from tests.support.unwatched import unwatched
from tests.tpch.data import database, query
from tests.tpch.test_tpch import POLICY, RELEASED

EVERY = [case for case in grammar.every() if grammar.accepted(case)]

SHARE = 50
"""One in so many of the language's cases is replayed by `make test`, and these."""
ALWAYS = (
    "best/count",
    "clipping/grouped",
    "distinct_values/many-values",
    "feeds/key-compared-with-a-wider-column",
    "matched/replace",
    "private_keys/mode",
    "private_keys/replaced-dates",
    "quantiles/median",
    "subquery_scalar/null-of-a-group",
    "two_kinds/with",
)
WISHES: tuple[dict[str, object], ...] = (
    {},
    {"noise": "gaussian", "delta": Fraction(1, 10**6)},
    {"clipping": "adaptive"},
)


def usual() -> list[Case]:
    """What `make test` replays."""
    named = [case for case in EVERY if case.name in ALWAYS]
    assert len(named) == len(ALWAYS)
    return list(dict.fromkeys([*named, *EVERY[::SHARE]]))


def replayed(case: Case, number: int, seed: int, **wishes: object) -> list[Tape]:
    """The tapes of so many pairs, each of which must be like its replay."""
    found = []
    for one, other in islice(pairs(case.policy, case.query, seed), number):
        first, second = tapes(case, one, other, **wishes)
        assert first_difference(first, second) is None, case.name
        found.append(first)
    return found


@pytest.mark.parametrize("case", usual(), ids=lambda case: case.name)
@pytest.mark.one_in(3)
def test_a_neighbour_shows_nothing_but_cells(case: Case) -> None:
    assert replayed(case, 1, seed=1)


@pytest.mark.deep
@pytest.mark.parametrize("path", grammar.paths(), ids=lambda path: path.stem)
def test_no_neighbour_shows_anything_but_cells(path: Path) -> None:
    for case in grammar.read(path):
        if grammar.accepted(case):
            # Where a row is the unit there is nothing to be clipped: DP403.
            row = load(case.policy).schema.unit_column is None
            for wishes in WISHES[: 2 if row else None]:
                assert replayed(case, 1, 2, **wishes)


def test_each_primitive_is_heard() -> None:
    """A tape that hears nothing finds nothing."""
    heard: Counter[object] = Counter()
    for case in usual()[: len(ALWAYS)]:
        for tape in replayed(case, 1, seed=3):
            heard.update(_kind(event) for event in tape.events)
    kinds = {"engine.rows", "engine.snapshot", "ledger.reserve", "ledger.commit", "scratch.load"}
    kinds |= {"scratch.run", "laplace", "noisy_max", "exponential", "choose", "released", "answer"}
    assert heard.keys() >= kinds


def _kind(event: Event) -> object:
    return event[1].strip("'") if event[0] == "sampler" else event[0]  # type: ignore[attr-defined]


# --- TPC-H: a customer who has bought, and the same without her -----------------------------------

WITHOUT = """
DELETE FROM lineitem WHERE l_orderkey IN (SELECT o_orderkey FROM orders WHERE o_custkey = {0});
DELETE FROM orders WHERE o_custkey = {0};
DELETE FROM customer WHERE c_custkey = {0};
"""
MOST = "SELECT o_custkey FROM orders GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"


def _large(folder: Path) -> tuple[Database, Database]:
    """Scale 0.01 as it is, and without the customer of the most orders."""
    opened = []
    for name in ("one", "other"):
        path = folder / name / "tpch.duckdb"
        path.parent.mkdir()
        shutil.copy(database("0.01"), path)
        if name == "other":
            with duckdb.connect(str(path)) as connection:
                (found,) = connection.execute(MOST).fetchall()
                connection.execute(WITHOUT.format(found[0]))
        ledger = MemoryLedger(Cost(Fraction(10**6), Fraction(1)))
        # In this process: what a worker is asked is what is asked here.
        opened.append(dpsql.connect(path, POLICY, ledger=ledger, workers=0, version="1"))
    return opened[0], opened[1]


@pytest.fixture(
    scope="module", params=["small", pytest.param("large", marks=pytest.mark.deep)], name="shops"
)
def _shops(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, Database]]:
    """TPC-H with and without a customer; of the small one, whose rows break every claim."""
    if request.param == "large":
        opened = _large(tmp_path_factory.mktemp("replay"))
    else:
        opened = world.database(), world.database(seven=False)
    yield opened
    for db in opened:
        db.close()


@pytest.mark.parametrize("number", RELEASED if FULL else RELEASED[::2])
@pytest.mark.one_in(2)
def test_tpch_shows_nothing_but_cells(number: int, shops: tuple[Database, Database]) -> None:
    with unwatched():
        first = recorded(shops[0], lambda db: shown(db.run(query(number), 1)))
        second = recorded(shops[1], lambda db: shown(db.run(query(number), 1)), first)
    assert first_difference(first, second) is None
    assert first.events[-1][0] == "answer"


def test_a_batch_shows_nothing_but_cells(shops: tuple[Database, Database]) -> None:
    texts = [query(1), query(5), query(17)]

    def ask(db: Database) -> object:
        return [shown(answer) for answer in db.run_batch(texts, 1)]

    with unwatched():
        first = recorded(shops[0], ask)
        second = recorded(shops[1], ask, first)
    assert first_difference(first, second) is None
    assert first.events[-1][0] == "answer"
