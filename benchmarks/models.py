"""How much worse a private linear model is than the exact one, beside other methods.

    python benchmarks/models.py [--runs 50] [--diffprivlib PYTHON]

The census (`tests/data/census/PUMS.csv`) is a part of the public use microdata sample of the US
census for California. Its 1,000 people are taken once, 10 and 100 times, each copy as a person of
its own. Income, kept within [0, 200000], is explained by age, years of education, sex and
marriage; and by these and six races. What is compared is the excess loss: the mean square that a
model leaves on the rows that it was fitted to, over the least there is, minus 1. All have the same
public bounds.

    dpsql        `Database.fit`
    one lambda   the same noisy sums, but with one penalty for all directions, as AdaSSP has it
    AdaSSP       Wang 2018, algorithm 2, with the norm that rows within the bounds have at most
    diffprivlib  `LinearRegression` of IBM's library 0.6.6, in another interpreter, that has it

In `PUMS_dup.csv` each of 1,000 people has up to 4 rows. dpsql protects the person there. AdaSSP is
given as many times the square of the norm; diffprivlib protects a row only.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

import dpsql
from dpsql.models import LinearRegression, noise_law
from dpsql.models.linear import fitting, least_squares
from dpsql.models.linear.least_squares import hold
from dpsql.models.spread import RUNS, seeded

Array = NDArray[np.float64]
DATA = Path(__file__).parents[1] / "tests" / "data" / "census"
POLICY = """
unit: people.id
budget: {{eps: 1e6, delta: 0.1}}
tables:
  people:
    access: private
    key: [id]
    columns: {{id: {{type: BIGINT}}}}
  answers:
    access: private
    columns:
      id: {{type: BIGINT, references: people.id, max_rows: {rows}, nullable: false}}
      age: {{type: BIGINT, bounds: [18, 98], nullable: false}}
      sex: {{type: BIGINT, bounds: [0, 1], nullable: false}}
      educ: {{type: BIGINT, bounds: [1, 16], nullable: false}}
      race: {{type: BIGINT, values: [1, 2, 3, 4, 5, 6], nullable: false}}
      income: {{type: BIGINT, bounds: [0, 200000], nullable: false}}
      married: {{type: BIGINT, bounds: [0, 1], nullable: false}}
"""
BOUNDS = {"age": (18, 98), "educ": (1, 16), "sex": (0, 1), "married": (0, 1)}
INCOME = (0, 200_000)
MODELS = {
    "4 features": LinearRegression("income", list(BOUNDS)),
    "9 terms": LinearRegression("income", [*BOUNDS, "race"], categorical=["race"]),
}
DELTA = 1e-6

OTHER = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from diffprivlib.models import LinearRegression
data = np.load(sys.argv[1])
x, y = data["x"], data["y"]
found = []
for seed in range(int(sys.argv[2])):
    made = LinearRegression(epsilon=float(sys.argv[3]), bounds_X=(-1, 1), bounds_y=(-1, 1),
                            random_state=seed)
    made.fit(x, y)
    found.append([float(made.intercept_), *map(float, made.coef_)])
print(json.dumps(found))
"""


@dataclass(frozen=True, slots=True)
class Case:
    """Some rows.

    Attributes:
        name: of it.
        db: with them.
        rows: of one person, at most.
        frame: the columns.
    """

    name: str
    db: dpsql.Database
    rows: int
    frame: dict[str, Array]


def cases() -> list[Case]:
    """The census once, 10 and 100 times; and with several rows a person."""
    found = [_case(f"{times * 1000:,} people", "PUMS.csv", times) for times in (1, 10, 100)]
    return [*found, _case("1,000 people, 1,948 rows", "PUMS_dup.csv", 1)]


def _case(name: str, file: str, times: int) -> Case:
    data = duckdb.connect()
    own = "pid" if "dup" in file else "row_number() OVER ()"
    data.execute(f"""
        CREATE TABLE answers AS
        SELECT ({own} * {times} + copy)::BIGINT AS id, age, sex, educ, race,
               income::BIGINT AS income, married
        FROM (SELECT *, unnest(range({times})) AS copy FROM read_csv('{DATA / file}'))
    """)
    data.execute("CREATE TABLE people AS SELECT DISTINCT id FROM answers")
    data.execute("ALTER TABLE people ADD PRIMARY KEY (id)")
    counted = "SELECT max(n) FROM (SELECT count(*) AS n FROM answers GROUP BY id)"
    ((most,),) = data.execute(counted).fetchall()
    frame = {k: v.astype(float) for k, v in data.sql("FROM answers").fetchnumpy().items()}
    return Case(name, dpsql.connect(data, POLICY.format(rows=most)), most, frame)


def design(case: Case, model: LinearRegression, *, centred: bool) -> tuple[Array, Array]:
    """Rows in [−1, 1] or, of a race, of 0 and 1; and the target."""
    made = [_scaled(case.frame[name], *bounds) for name, bounds in BOUNDS.items()]
    if "race" in model.features:
        levels = [(case.frame["race"] == level).astype(float) for level in range(2, 7)]
        made += [2 * level - 1 for level in levels] if centred else levels
    return np.column_stack(made), _scaled(case.frame["income"], *INCOME)


def _scaled(values: Array, low: float, high: float) -> Array:
    return (np.clip(values, low, high) - (low + high) / 2) / ((high - low) / 2)


def excess(x: Array, y: Array, theta: Array) -> float:
    """How much more a model leaves than least squares does, as a part of that."""
    x = np.column_stack([np.ones(len(x)), x])
    best = np.linalg.lstsq(x, y, rcond=None)[0]
    least = float(np.mean((y - x @ best) ** 2))
    return float(np.mean((y - x @ theta) ** 2)) / least - 1


def adassp(
    x: Array,
    y: Array,
    eps: float,
    row: float,
    rows: int,
    random: np.random.Generator,
    delta: float = DELTA,
) -> Array:
    """Wang 2018, algorithm 2. `row` is the square of a row's norm, of which a unit has `rows`."""
    norm = row * rows
    x = np.column_stack([np.ones(len(x)), x])
    wide, part, log = x.shape[1], eps / 3, math.log(6 / delta)
    gram = x.T @ x
    smallest = float(np.linalg.eigvalsh(gram)[0])
    noisy = smallest + math.sqrt(log) / part * norm * random.normal() - log / part * norm
    more = math.sqrt(wide * log * math.log(2 * wide**2 / 0.05)) * norm / part
    penalty = max(0.0, more - max(noisy, 0.0))
    upper = np.triu(random.normal(size=(wide, wide)))
    scale = math.sqrt(log) * norm / part
    gram = gram + scale * (upper + np.triu(upper, 1).T)
    # |y| is at most 1: of a unit of R rows X'y moves by R times the norm of a row.
    cross = x.T @ y + scale / norm * math.sqrt(norm * rows) * random.normal(size=wide)
    return np.linalg.solve(gram + penalty * np.eye(wide), cross)


def one_lambda(found: least_squares.Moments, noise: least_squares.Moments) -> Array:
    """One penalty for all directions: as much as the largest noise there may be."""
    largest = np.abs(np.linalg.eigvalsh(noise.gram)).max(axis=1)
    most = float(np.quantile(largest, 0.95))
    penalty = max(0.0, most - float(np.linalg.eigvalsh(found.gram)[0]))
    return np.linalg.solve(found.gram + penalty * np.eye(len(found.gram)), found.cross)


def ours(
    case: Case, model: LinearRegression, eps: float, delta: float, runs: int
) -> tuple[list[float], list[float]]:
    """The excess of dpsql's model, and of one with one penalty."""
    x, y = design(case, model, centred=True)
    made = fitting.plan(case.db, "FROM answers", model)
    law = noise_law.planned(case.db.explain(made.sql, eps, delta, **made.wishes), 0)
    noise = fitting.moments(made.sums, law.drawn(RUNS, seeded(made.sql)))
    at, mine, theirs = hold(noise.gram), list[float](), list[float]()
    for _ in range(runs):
        fitted = case.db.fit("FROM answers", model, eps, delta, fresh=True)
        values = np.array([float(value) for value in fitted.answer.rows[0]])
        found = fitting.moments(made.sums, values)
        up, _ = least_squares.held(found.gram, at)
        mine.append(excess(x, y, np.linalg.solve(up, found.cross)))
        theirs.append(excess(x, y, one_lambda(found, noise)))
    return mine, theirs


def others(case: Case, model: LinearRegression, eps: float, runs: int, python: str) -> list[float]:
    """The excess of diffprivlib's models."""
    x, y = design(case, model, centred=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npz"
        np.savez(file, x=x, y=y)
        told = subprocess.run(
            [python, "-c", OTHER, str(file), str(runs), str(eps)],
            capture_output=True,
            text=True,
            check=True,
        )
    return [excess(x, y, np.array(theta)) for theta in json.loads(told.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--eps", type=float, default=1.0)
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    args = parser.parse_args()
    random = np.random.default_rng(1)
    print(f"excess loss, median of {args.runs} runs, ε = {args.eps:g}")
    for case in cases():
        for name, model in MODELS.items():
            x, y = design(case, model, centred=False)
            row = 1 + len(BOUNDS) + ("race" in model.features)
            mine, single = ours(case, model, args.eps, DELTA, args.runs)
            pure, _ = ours(case, model, args.eps, 0, args.runs)
            reference = [
                excess(x, y, adassp(x, y, args.eps, row, case.rows, random))
                for _ in range(4 * args.runs)
            ]
            told = {
                "dpsql": mine,
                "dpsql δ = 0": pure,
                "one lambda": single,
                "AdaSSP": reference,
            }
            if args.diffprivlib:
                told["diffprivlib"] = others(case, model, args.eps, args.runs, args.diffprivlib)
            shown = ", ".join(f"{k} {np.median(v):.5f}" for k, v in told.items())
            print(f"{case.name}, {name}: {shown}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
