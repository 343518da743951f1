"""What known attacks on noisy answers reach within a budget, beside what the budget allows.

    python benchmarks/attacks.py

Each attack is also run without noise to speak of, where it must succeed: an attack that never works
shows nothing.
"""

from __future__ import annotations

import math
import random
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import dpsql

PEOPLE = 200
PRIME = 211
TOGETHER = 100
"""Counts in a query of the reconstruction."""
POLICY = """
unit: p.id
budget: {{eps: {eps}, delta: {delta}, accountant: {accountant}}}
tables:
  p:
    access: private
    key: [id]
    columns: {{bit: {{bounds: [0, 1]}}}}
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """How well an attack went.

    Attributes:
        attack: its name.
        reached: how often it was right, or for averaging the spread of its estimate.
        allowed: the most that the budget allows of that; the least, for a spread.
        without: the same with next to no noise.
        answers: how many answers it got.
    """

    attack: str
    reached: float
    allowed: float
    without: float
    answers: int


def database(
    bits: list[int], eps: object, delta: str = "0", accountant: str = "approx"
) -> dpsql.Database:
    """People with one secret bit each, under a budget."""
    connection = duckdb.connect(":memory:")
    rows = ", ".join(f"({i}, {bit})" for i, bit in enumerate(bits))
    connection.execute(f"CREATE TABLE p (id INTEGER, bit INTEGER); INSERT INTO p VALUES {rows}")
    text = POLICY.format(eps=eps, delta=delta, accountant=accountant)
    return dpsql.connect(connection, dpsql.Policy.parse(text), version="1")


def averaging(asked: int = 1000, eps: Fraction = Fraction(1, 100), total: int = 1) -> Figure:
    """The same query again and again, with fresh noise each time, and the mean of the answers.

    Whoever spends all on one answer gets noise of a standard deviation of about √2/ε. The mean of k
    answers at ε/k each is off by √(2k)/ε: averaging loses.
    """
    means: list[float] = []
    granted = 0
    for _ in range(8):
        db = database([1] * PEOPLE, total)
        answers: list[float] = []
        try:
            for _ in range(asked):
                answers.append(db.run("SELECT COUNT(*) FROM p", eps, fresh=True).rows[0][0])
        except dpsql.BudgetExceeded:
            pass
        granted = len(answers)
        means.append(sum(answers) / granted - PEOPLE)
    reached = math.sqrt(sum(m * m for m in means) / len(means))
    return Figure("averaging", reached, math.sqrt(2) / total, 0.0, granted)


def repeated(asked: int = 1000, eps: Fraction = Fraction(1, 100)) -> tuple[set[int], Fraction]:
    """The same query again and again without paying for fresh noise: the answers, and the cost."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "people.duckdb"
        with duckdb.connect(str(file)) as made:
            made.execute("CREATE TABLE p AS SELECT i AS id, 1 AS bit FROM range(200) AS r(i)")
        text = POLICY.format(eps=1, delta=0, accountant="approx")
        with dpsql.connect(file, dpsql.Policy.parse(text)) as db:
            answers = {db.run("SELECT COUNT(*) FROM p", eps).rows[0][0] for _ in range(asked)}
            return answers, db.budget.spent.exact.eps


def differencing(trials: int = 200, total: Fraction = Fraction(1)) -> Figure:
    """Everybody, and everybody but one: the difference is a guess of that one's bit."""

    def right(eps: Fraction) -> float:
        hits = 0
        for trial in range(trials):
            bit = trial % 2
            db = database([bit, *([1, 0] * 10)], 2 * eps)
            with_one = db.run("SELECT SUM(bit) FROM p", eps).rows[0][0]
            without = db.run("SELECT SUM(bit) FROM p WHERE id <> 0", eps).rows[0][0]
            hits += (with_one - without > Fraction(1, 2)) == bool(bit)
        return hits / trials

    return Figure("differencing", right(total / 2), most(total), right(Fraction(100)), 2)


def reconstruction(accountant: str = "approx", delta: str = "0", seed: int = 3) -> Figure:
    """Dinur and Nissim (2003): 4n counts of random subsets of n bits, solved for the bits."""
    questions = 4 * PEOPLE

    def right(total: int) -> float:
        rng = random.Random(seed)
        secret = [rng.randint(0, 1) for _ in range(PEOPLE)]
        db = database(secret, total, delta, accountant)
        eps = Fraction(total, questions)
        if accountant == "zcdp":  # n counts at ε cost as much as one at √n·ε
            once = db.budget.remaining.exact.eps
            eps = Fraction(math.floor(once / math.sqrt(questions) * 10**6), 10**6)
        subsets: list[list[int]] = []
        answers: list[float] = []
        for _ in range(questions // TOGETHER):
            # Without repetition: the same count twice would be one measurement, with more of ε.
            drawn = rng.sample(range(PRIME, PRIME * PRIME), TOGETHER)
            pairs = [divmod(number, PRIME) for number in drawn]
            counts = (
                f"COUNT(*) FILTER (WHERE bit = 1 AND (id * {f} + {g}) % {PRIME} % 2 = 0)"
                for f, g in pairs
            )
            sql = f"SELECT {', '.join(counts)} FROM p"
            (row,) = db.run(sql, eps * TOGETHER, noise="laplace").rows
            answers += row
            subsets += [
                [int((i * f + g) % PRIME % 2 == 0) for i in range(PEOPLE)] for f, g in pairs
            ]
        solved = numpy.linalg.lstsq(numpy.array(subsets), numpy.array(answers), rcond=None)[0]
        hits = sum((x > 0.5) == bool(bit) for x, bit in zip(solved, secret, strict=True))
        return hits / PEOPLE

    allowed = most(Fraction(1)) + float(Fraction(delta))
    return Figure(f"reconstruction, {accountant}", right(1), allowed, right(100_000), questions)


def most(eps: Fraction) -> float:
    """How often a guess of one bit can be right at ε: e^ε / (1 + e^ε) (Kairouz et al. 2015)."""
    return 1 / (1 + math.exp(-eps))


def main() -> None:
    """Print the figures."""
    figure = averaging()
    print(f"{'attack':<24}{'answers':>8}{'reached':>10}{'the budget':>12}{'no noise':>10}")
    made = [figure, differencing(), reconstruction(), reconstruction("zcdp", "1e-6")]
    for f in made:
        limit = ("≥ " if f.attack == "averaging" else "≤ ") + f"{f.allowed:.3f}"
        print(f"{f.attack:<24}{f.answers:>8}{f.reached:>10.3f}{limit:>12}{f.without:>10.3f}")
    answers, spent = repeated()
    print(f"the same query 1,000 times, not fresh: {len(answers)} answer, ε = {float(spent):g}")


if __name__ == "__main__":
    main()
