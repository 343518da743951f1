"""Private linear models beside what others have published of theirs, on data that anybody has.

    python benchmarks/models_published.py [--runs 21] [--diamonds CSV] [--diffprivlib PYTHON]

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

    exact        least squares
    dpsql        `Database.fit`
    AdaSSP       Wang 2018, algorithm 2, as the same authors ran it
    diffprivlib  `LinearRegression` of IBM's library 0.6.6, in another interpreter, that has it

Bounds of the last two data sets are the least and the greatest values that there are, as the
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

import dpsql
from dpsql.models import LinearRegression

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
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    args = parser.parse_args()
    _show("diabetes", diabetes(args.runs, args.diffprivlib))
    _show("synthetic", large(synthetic(), args.runs, args.diffprivlib))
    if args.diamonds:
        _show("diamonds", large(diamonds(args.diamonds), args.runs, args.diffprivlib))


def _show(name: str, found: dict[str, list[float]]) -> None:
    print(f"{name}: R², median and quartiles")
    for method, each in found.items():
        low, middle, high = np.quantile(each, [0.25, 0.5, 0.75])
        print(f"  {method:12} {middle:8.3f}  ({low:.3f} to {high:.3f}; {len(each)})", flush=True)


if __name__ == "__main__":
    sys.exit(main())
