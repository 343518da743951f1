"""What noise must do: hide one bit, lie on one lattice whatever the data, never repeat."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import duckdb
import pytest

import dpsql
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from tests.adversarial.world import database, opened
from tests.support.effort import tries

BITS = """
unit: p.id
budget: {eps: 1000000}
tables:
  p:
    access: private
    key: [id]
    columns: {bit: {bounds: [0, 1]}}
"""


@pytest.mark.deep
def test_subset_counts_at_a_total_of_one_reveal_no_more_than_one_epsilon(tmp_path: Path) -> None:
    """Dinur and Nissim (2003): 4n random subset sums of n secret bits, at ε = 1 altogether."""
    people, rng = 200, random.Random(3)
    secret = [rng.randint(0, 1) for _ in range(people)]
    rows = ", ".join(f"({i}, {bit})" for i, bit in enumerate(secret))
    db = opened(
        f"CREATE TABLE p (id INTEGER, bit INTEGER); INSERT INTO p VALUES {rows}", BITS, tmp_path
    )
    score = [0.0] * people
    questions, each = 4 * people, 100
    for _ in range(questions // each):
        factors = [rng.randint(1, 10**6) for _ in range(each)]
        sums = ", ".join(f"SUM(CASE WHEN id * {f} % 211 % 2 = 0 THEN bit END)" for f in factors)
        (answer,) = db.run(f"SELECT {sums} FROM p", eps=Fraction(each, questions)).rows
        for factor, value in zip(factors, answer, strict=True):
            subset = [i * factor % 211 % 2 == 0 for i in range(people)]
            centred = float(value) - sum(subset) / 2
            score = [s + (centred if m else -centred) for s, m in zip(score, subset, strict=True)]
    assert db.budget.spent.eps == 1
    right = sum((s > 0) == bool(bit) for s, bit in zip(score, secret, strict=True)) / people
    limit = math.e / (1 + math.e)
    assert right <= limit + 3 * math.sqrt(limit * (1 - limit) / people)


@pytest.mark.deep
def test_answers_lie_on_one_lattice_whatever_the_data() -> None:
    supports: list[set[object]] = []
    for seven in (True, False):
        db = database(seven=seven)
        sql = "SELECT COUNT(*), SUM(c_acctbal), AVG(c_acctbal) FROM customer"
        rows = [db.run(sql, eps=1, fresh=True).rows[0] for _ in range(tries(30, 60))]
        assert all(type(n) is int and s.as_tuple().exponent == -2 for n, s, _ in rows)
        supports.append({n for n, _, _ in rows})
    assert len(supports[0] & supports[1]) >= 3


_FORK = """
import os
from dpsql.core.noise.laplace import DiscreteLaplace
noise = DiscreteLaplace.calibrate(1, __import__("fractions").Fraction(1, 10**6))
noise.draw(10)
ends = [os.pipe() for _ in range(8)]
for read, write in ends:
    if os.fork() == 0:
        os.write(write, repr(noise.draw(20)).encode())
        os._exit(0)
for _ in ends:
    os.wait()
print(len({os.read(read, 10_000) for read, _ in ends}))
"""


def test_forked_workers_draw_different_noise() -> None:
    done = subprocess.run([sys.executable, "-c", _FORK], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "8"


_KILL = """
import os, signal, sys
import duckdb, dpsql
from dpsql.execution import cells
cells.read = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
con = duckdb.connect(":memory:")
con.execute("CREATE TABLE p (id INTEGER, bit INTEGER)")
dpsql.connect(con, sys.argv[1], ledger=sys.argv[2]).run("SELECT COUNT(*) FROM p", eps=3)
"""


def test_a_killed_query_stays_charged(tmp_path: Path) -> None:
    policy, ledger = tmp_path / "p.yaml", tmp_path / "ledger"
    policy.write_text(BITS, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", _KILL, str(policy), str(ledger)], check=False)
    assert done.returncode == -signal.SIGKILL
    with duckdb.connect(":memory:") as con:
        con.execute("CREATE TABLE p (id INTEGER, bit INTEGER)")
        assert dpsql.connect(con, policy, ledger=ledger).budget.spent.eps == 3


def test_many_charges_add_up_exactly() -> None:
    ledger = MemoryLedger(Cost(Fraction(10**6)))
    con = duckdb.connect(":memory:")
    con.execute("CREATE TABLE p (id INTEGER, bit INTEGER)")
    db = dpsql.connect(con, dpsql.Policy.parse(BITS), ledger=ledger)
    for _ in range(100):
        db.run("SELECT COUNT(*) FROM p", eps=0.1, fresh=True)
    assert db.budget.spent.eps == 10
