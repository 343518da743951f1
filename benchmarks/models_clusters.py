"""How much further rows are from private centres than from the best ones, beside other methods.

    python benchmarks/models_clusters.py [--runs 11] [--diffprivlib PYTHON]

Rows are in the box [−1, 1]: 10,000 around 5 centres in 2 and in 4 dimensions, normal with a
standard deviation of 0.1; and the census sample (`tests/data/census/PUMS.csv`) by age, years of
education and income up to 200,000, of 1,000 people, who are taken once, 10 and 100 times, each copy
as a person of its own.
What is compared is the mean square of the distance to the nearest centre (the normalised
intra-cluster variance) over that of scikit-learn's `KMeans` with 10 starts, which is not private.

    dpsql        `Database.fit`
    Su et al.    their hybrid as it is written: the grid for c = 10, counts below 0 count as 0, then
                 one step of sums of z, half of ε each. It knows how many rows there are
    diffprivlib  `KMeans` of IBM's library 0.6.6, in another interpreter, that has it
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans as OfSklearn

import dpsql
from dpsql.models import KMeans
from dpsql.models.clusters.packing import clustered, distances

Array = NDArray[np.float64]
CENSUS = Path(__file__).parents[1] / "tests" / "data" / "census" / "PUMS.csv"

OTHER = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from diffprivlib.models import KMeans
rows = np.load(sys.argv[1])
found = []
for seed in range(int(sys.argv[2])):
    made = KMeans(int(sys.argv[4]), epsilon=float(sys.argv[3]), bounds=(-1, 1), random_state=seed)
    found.append(made.fit(rows).cluster_centers_.tolist())
print(json.dumps(found))
"""


def blobs(rows: int, clusters: int, wide: int, seed: int) -> Array:
    """Normal clusters of different sizes."""
    random = np.random.default_rng(seed)
    centres = random.uniform(-0.8, 0.8, (clusters, wide))
    own = random.choice(clusters, rows, p=random.dirichlet(5 * np.ones(clusters)))
    return np.clip(centres[own] + random.normal(0, 0.1, (rows, wide)), -1, 1)


def census(times: int) -> Array:
    """Age, education and income."""
    sql = f"SELECT age, educ, income FROM read_csv('{CENSUS}')"
    rows = np.array(duckdb.sql(sql).fetchall(), dtype=float)
    scaled = (rows - [58, 8.5, 1e5]) / [40, 7.5, 1e5]
    return np.repeat(np.clip(scaled, -1, 1), times, axis=0)


CASES: dict[str, tuple[Array, int]] = {
    "10,000 rows, 5 clusters in 2-d": (blobs(10_000, 5, 2, 1), 5),
    "10,000 rows, 5 clusters in 4-d": (blobs(10_000, 5, 4, 3), 5),
    "census, 1,000 people": (census(1), 4),
    "census, 10,000 people": (census(10), 4),
    "census, 100,000 people": (census(100), 4),
}


def opened(rows: Array) -> dpsql.Database:
    """The rows in a database, each of its own unit."""
    data = duckdb.connect()
    names = [f"x{i}" for i in range(rows.shape[1])]
    columns = dict(zip(names, rows.T, strict=True))
    frame = {"id": np.arange(len(rows)), **columns}
    data.register("frame", __import__("pandas").DataFrame(frame))
    data.execute("CREATE TABLE people AS FROM frame")
    data.execute("ALTER TABLE people ADD PRIMARY KEY (id)")
    told = "\n".join(
        f"      {name}: {{type: DOUBLE, bounds: [-1, 1], nullable: false}}" for name in names
    )
    policy = (
        "unit: people.id\nbudget: {eps: 1e6, delta: 0.1}\ntables:\n  people:\n    access: private\n"
        f"    key: [id]\n    columns:\n      id: {{type: BIGINT}}\n{told}\n"
    )
    return dpsql.connect(data, policy, version="1")


def far(rows: Array, centres: Array) -> float:
    """The mean square of the distance to the nearest centre."""
    return float(distances(rows, centres).min(axis=1).mean())


def hybrid(rows: Array, clusters: int, eps: float, random: np.random.Generator) -> Array:
    """Su et al. 2016."""
    n, wide = rows.shape
    half = eps / 2
    parts = max(2, int(min(n * half / 10, 1e4) ** (2 / (wide + 2))))
    place = np.clip(((rows + 1) / 2 * parts).astype(int), 0, parts - 1)
    counts = np.bincount(
        np.ravel_multi_index(tuple(place.T), (parts,) * wide), minlength=parts**wide
    )
    counts = np.maximum(counts + random.laplace(0, 1 / half, len(counts)), 0)
    middles = (2 * np.arange(parts) + 1 - parts) / parts
    every = np.array(np.meshgrid(*[middles] * wide, indexing="ij")).reshape(wide, -1).T
    centres = clustered(every, counts, clusters)
    near, scale = distances(rows, centres).argmin(axis=1), (wide + 1) / half
    for number in range(clusters):
        own = rows[near == number]
        total = own.sum(axis=0) + random.laplace(0, scale, wide)
        size = len(own) + random.laplace(0, scale)
        if size > 0:
            centres[number] = np.clip(total / size, -1, 1)
    return centres


def others(rows: Array, clusters: int, eps: float, runs: int, python: str) -> list[Array]:
    """diffprivlib's centres."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npy"
        np.save(file, rows)
        told = subprocess.run(
            [python, "-c", OTHER, str(file), str(runs), str(eps), str(clusters)],
            capture_output=True,
            text=True,
            check=True,
        )
    return [np.array(one) for one in json.loads(told.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--only", default="", help="cases with that in their names")
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")
    print(f"mean square of the distance over the best, mean of {args.runs} runs")
    for name, (rows, clusters) in ((k, v) for k, v in CASES.items() if args.only in k):
        seen = rows[:: max(1, len(rows) // 20_000)]
        best = far(rows, OfSklearn(clusters, n_init=10, random_state=1).fit(seen).cluster_centers_)
        model = KMeans([f"x{i}" for i in range(rows.shape[1])], clusters)
        with opened(rows) as db:
            for eps in (0.1, 1):
                found = {
                    "dpsql": [
                        db.fit("FROM people", model, eps, fresh=True)._centres
                        for _ in range(args.runs)
                    ],
                    "Su et al.": [
                        hybrid(rows, clusters, eps, np.random.default_rng(seed))
                        for seed in range(args.runs)
                    ],
                }
                if args.diffprivlib:
                    found["diffprivlib"] = others(rows, clusters, eps, args.runs, args.diffprivlib)
                told = {k: np.mean([far(rows, c) for c in v]) / best for k, v in found.items()}
                shown = ", ".join(f"{k} {value:.3f}" for k, value in told.items())
                print(f"{name}, ε = {eps:g}: {shown}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
