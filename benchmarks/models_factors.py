"""How well private factors of items predict ratings, beside other methods.

    python benchmarks/models_factors.py [--users N] [--items N] [--runs N] [--rounds N] [--starts]

Invented ratings, 1 to 5 stars: two factors of each item and user, a bias of each item, and noise;
10 to 50 ratings of each user, of items that are more and less popular. 15 % of the ratings are kept
back, and predicted from the user's others (root mean square error). A user is what is protected,
with up to 50 ratings; δ = 1e-6; so many rounds after a look, of the others one more.

    middle      every rating is the mean of all
    means       every rating is the mean of its item; private: those of `Database.fit`
    dpsql       `Database.fit`
    plain sums  the noise of the same rounds as sums by item, without levels and DISTINCT: what the
                bound on a user's rows alone proves
    DPALS       Chien, Jain, Krichene, Rendle, Song, Thakurta and Zhang 2021, in NumPy: Gaussian
                noise on Σu·uᵀ and Σr·u of items, where u has the norm that the box has; one zCDP
                account of all rounds; grams are made positive, and have a ridge of their noise. The
                start is two directions of a look of dpsql, and biases are shrunk as there
    ALS         least squares without noise, 20 rounds

With `--starts` the errors after each round without noise are printed instead: of rounds that start
from as many directions as factors, and from a look.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass

import duckdb
import numpy as np
from numpy.typing import NDArray

import dpsql
from dpsql.models import MatrixFactorization
from dpsql.models.factors import directions, fitting, solving
from dpsql.models.factors.ratings import Ratings
from dpsql.models.noise_law import Law

Array = NDArray[np.float64]
MOST, DELTA = 50, 1e-6
EPS = (1.0, 3.0, 10.0)
SQL = "SELECT user_id, item_id, stars FROM ratings"
POLICY = f"""
unit: users.user_id
budget: {{eps: 1e6, delta: 0.1}}
tables:
  users:
    access: private
    key: [user_id]
    columns:
      user_id: {{type: BIGINT}}
  ratings:
    access: private
    columns:
      user_id: {{type: BIGINT, references: users.user_id, max_rows: {MOST}, nullable: false}}
      item_id: {{type: BIGINT, nullable: false}}
      stars: {{type: DOUBLE, bounds: [1, 5], nullable: false}}
"""


@dataclass(frozen=True)
class Data:
    """Ratings: of whom, of what, how many stars; and which are kept back."""

    users: int
    items: int
    user: NDArray[np.int64]
    item: NDArray[np.int64]
    stars: Array
    kept: NDArray[np.bool_]


def invented(users: int, items: int, seed: int) -> Data:
    """Ratings of so many."""
    random = np.random.default_rng(seed)
    popular = (np.arange(items) + 10.0) ** -0.8
    popular /= popular.sum()
    biases, of_items = random.normal(3.4, 0.4, items), random.normal(size=(items, 2))
    of_users = random.normal(0, 0.55, (users, 2))
    chosen = [
        random.choice(items, min(int(random.integers(10, 51)), items // 2), False, popular)
        for _ in range(users)
    ]
    user, item = np.repeat(np.arange(users), list(map(len, chosen))), np.concatenate(chosen)
    exact = biases[item] + (of_users[user] * of_items[item]).sum(axis=1)
    stars = np.clip(np.rint(exact + random.normal(0, 0.7, len(user))), 1, 5)
    return Data(users, items, user, item, stars, random.random(len(user)) < 0.15)


def folded(data: Data, biases: Array, factors: Array, ridge: float) -> Array:
    """The factors of users, from the ratings that are not kept back."""
    rank, own = factors.shape[1], ~data.kept
    user, v = data.user[own], factors[data.item[own]]
    left = data.stars[own] - 3 - biases[data.item[own]]
    gram, cross = np.zeros((data.users, rank, rank)), np.zeros((data.users, rank))
    for i in range(rank):
        cross[:, i] = np.bincount(user, left * v[:, i], data.users)
        for j in range(rank):
            gram[:, i, j] = np.bincount(user, v[:, i] * v[:, j], data.users)
    made: Array = np.linalg.solve(gram + ridge * np.eye(rank), cross[:, :, None])[:, :, 0]
    return made


def rmse(data: Data, biases: Array, factors: Array, ridge: float = 3.0) -> float:
    """Of the ratings that are kept back."""
    u, rows = folded(data, biases, factors, ridge), data.kept
    guess = (
        3 + biases[data.item[rows]] + (u[data.user[rows]] * factors[data.item[rows]]).sum(axis=1)
    )
    return float(np.sqrt(np.mean((np.clip(guess, 1, 5) - data.stars[rows]) ** 2)))


def sums(data: Data, u: Array, biases: Array) -> tuple[Array, Array]:
    """Σu·uᵀ and Σ(r − bias)·u of each item."""
    own, rank = ~data.kept, u.shape[1]
    item, of = data.item[own], u[data.user[own]]
    left = data.stars[own] - 3 - biases[item]
    gram, cross = np.zeros((data.items, rank, rank)), np.zeros((data.items, rank))
    for i in range(rank):
        cross[:, i] = np.bincount(item, left * of[:, i], data.items)
        for j in range(rank):
            gram[:, i, j] = np.bincount(item, of[:, i] * of[:, j], data.items)
    return gram, cross


def exact(data: Data, rounds: int = 20) -> tuple[Array, Array]:
    """Without noise: means of items, and factors."""
    own = ~data.kept
    n = np.bincount(data.item[own], minlength=data.items)
    means = np.bincount(data.item[own], data.stars[own] - 3, data.items) / np.maximum(n, 1)
    v = np.random.default_rng(1).normal(size=(data.items, 2))
    for _ in range(rounds):
        gram, cross = sums(data, folded(data, means, v, 3.0), means)
        v = np.linalg.solve(gram + np.eye(2), cross[:, :, None])[:, :, 0]
        v = solving.scaled(v, (v * (n / n.sum())[:, None]).T @ v)
    return means, v


def start(of: Ratings, ratings: Array) -> Array:
    """As many directions as there are factors."""
    return directions.directions(of, ratings)[:, : of.model.rank]


def level_sums(data: Data, of: Ratings, u: Array, pairs: bool) -> Array:
    """Without noise: what a look adds up of users' numbers, and with pairs what a round does."""
    own, wide = ~data.kept, of.model.levels
    cell = data.item[own] * wide + data.stars[own].astype(int) - 1
    box = np.clip(u, -of.box, of.box)[data.user[own]]
    both = [box[:, i - 1] * box[:, j - 1] for i, j in of.pairs] if pairs else []
    made = [np.bincount(cell, one, data.items * wide) for one in (*box.T, *both)]
    return np.stack(made, axis=1).reshape(data.items, wide, -1)


def quiet(wide: int) -> Law:
    """Next to no noise."""
    return Law(("gaussian",) * wide, np.full(wide, 1e-6), np.eye(wide))


def starts(data: Data, of: Ratings, rounds: int = 5) -> dict[str, list[float]]:
    """The errors after each round without noise."""
    own = ~data.kept
    counts = np.zeros((data.items, 5))
    np.add.at(counts, (data.item[own], data.stars[own].astype(int) - 1), 1.0)
    known = solving.biases(of, counts, quiet(1))
    along = directions.directions(of, known.ratings)
    user, left = data.user[own], data.stars[own] - 3 - known.biases[data.item[own]]
    w = np.zeros((data.users, along.shape[1]))
    for k, s in enumerate(along[data.item[own]].T):
        w[:, k] = np.bincount(user, s * left, data.users)
        w[:, k] /= np.bincount(user, s * s, data.users) + of.model.ridge
    looked = directions.found(of, level_sums(data, of, w, False), quiet(w.shape[1]), known)
    found = {}
    for name, v in (("directions", start(of, known.ratings)), ("a look", looked)):
        errors = [rmse(data, known.biases, v)]
        for _ in range(rounds):
            told = level_sums(data, of, folded(data, known.biases, v, of.model.ridge), True)
            v = solving.solved(of, told, quiet(told.shape[2]), known).factors
            errors.append(rmse(data, known.biases, v))
        found[name] = errors
    return found


def rho_of(eps: float) -> float:
    """The ρ of zCDP that is (ε, δ): Bun and Steinke 2016, proposition 1.3."""
    root = math.sqrt(math.log(1 / DELTA) + eps) - math.sqrt(math.log(1 / DELTA))
    return root**2


def dpals(data: Data, of: Ratings, eps: float, seed: int) -> tuple[Array, Array]:
    """See above."""
    random, own, rank = np.random.default_rng(seed), ~data.kept, of.model.rank
    rho = rho_of(eps)
    shares = np.array([1.0] * (of.model.rounds + 1) + [2.0]) ** 2
    shares /= shares.sum()
    counts = np.zeros((data.items, 5))
    np.add.at(counts, (data.item[own], data.stars[own].astype(int) - 1), 1.0)
    scale = math.sqrt(MOST / (2 * rho * shares[0]))
    counts += random.normal(0, scale, counts.shape)
    known = solving.biases(of, counts, Law(("gaussian",), np.array([scale]), np.eye(1)))
    v, norm = start(of, known.ratings), of.box * math.sqrt(rank)
    for share in shares[1:]:
        u = folded(data, known.biases, v, of.model.ridge)
        u *= np.minimum(1, norm / np.maximum(np.linalg.norm(u, axis=1), 1e-12))[:, None]
        gram, cross = sums(data, u, known.biases)
        wide = math.sqrt(MOST / (2 * rho * share / 2))
        noise = random.normal(0, wide * norm**2, gram.shape)
        gram = gram + np.triu(noise) + np.triu(noise, 1).transpose(0, 2, 1)
        cross = cross + random.normal(0, wide * norm * 2 * of.half, cross.shape)
        values, vectors = np.linalg.eigh(gram)
        values = np.maximum(values, 0) + wide * norm**2
        v = np.einsum("mij,mj,mkj,mk->mi", vectors, 1 / values, vectors, cross)
        often = np.maximum(known.ratings, 1e-9)
        v = solving.scaled(v, (v * (often / often.sum())[:, None]).T @ v)
    return known.biases, v


def plain(data: Data, of: Ratings, eps: float, seed: int) -> tuple[Array, Array]:
    """Laplace noise of sums by item, of which a user moves one by all of their ratings at once."""
    random, own, rank = np.random.default_rng(seed), ~data.kept, of.model.rank
    shares = np.array([1.0] * (of.model.rounds + 1) + [2.0])
    shares *= eps / shares.sum()
    counts = np.zeros((data.items, 5))
    np.add.at(counts, (data.item[own], data.stars[own].astype(int) - 1), 1.0)
    scale = MOST / shares[0]
    counts += random.laplace(0, scale, counts.shape)
    known = solving.biases(of, counts, Law(("laplace",), np.array([scale]), np.eye(1)))
    v = start(of, known.ratings)
    parts = np.array([2.0] * rank + [1.0] * len(of.pairs))
    for share in shares[1:]:
        u = np.clip(folded(data, known.biases, v, of.model.ridge), -of.box, of.box)
        gram, cross = sums(data, u, known.biases)
        mags = np.array([of.box * of.half] * rank + [of.box**2] * len(of.pairs))
        scales = MOST * mags * parts.sum() / parts / share
        cross = cross + random.laplace(0, scales[0], cross.shape)
        flat = np.stack([gram[:, i - 1, j - 1] for i, j in of.pairs], axis=1)
        flat += random.laplace(0, scales[-1], flat.shape)
        # One level, whose rating is 1 beyond the bias of each item.
        one = np.concatenate([cross, flat], axis=1)[:, None, :]
        unit = solving.Biases(known.ratings, 0.0, 0.0, np.zeros(data.items), known.seen)
        law = Law(("laplace",) * one.shape[2], scales, np.eye(one.shape[2]))
        v = solving.solved(_One(of), one, law, unit).factors  # type: ignore[arg-type]
    return known.biases, v


class _One:
    """Ratings with one level."""

    def __init__(self, of: Ratings) -> None:
        self.model, self.pairs, self.half = of.model, of.pairs, of.half
        self.levels = np.ones(1)


def opened(data: Data) -> dpsql.Database:
    """The ratings that are not kept back."""
    owner, own = duckdb.connect(), ~data.kept
    owner.execute("CREATE TABLE users AS SELECT range AS user_id FROM range(?)", [data.users])
    owner.execute("CREATE TABLE ratings (user_id BIGINT, item_id BIGINT, stars DOUBLE)")
    parts = [data.user[own].tolist(), data.item[own].tolist(), data.stars[own].tolist()]
    owner.execute("INSERT INTO ratings SELECT unnest(?), unnest(?), unnest(?)", parts)
    return dpsql.connect(owner, POLICY, version="1")


def measured(
    data: Data, rounds: int, seed: int, counted: Data | None = None
) -> dict[tuple[str, float], float]:
    """The errors of all methods; what is private sees of the ratings those that count."""
    counted = data if counted is None else counted
    own, items = ~data.kept, range(data.items)
    model = MatrixFactorization("user_id", "item_id", "stars", items=items, rounds=rounds)
    means, v = exact(data)
    found = {("ALS", 0.0): rmse(data, means, v), ("means", 0.0): rmse(data, means, 0 * v)}
    middle = np.full(data.items, data.stars[own].mean() - 3)
    found["middle", 0.0] = rmse(data, middle, 0 * v)
    with opened(counted) as db:
        of = fitting.ratings_of(db, SQL, model)
        for eps in EPS:
            start = time.perf_counter()
            made = db.fit(SQL, model, eps, DELTA)
            found["seconds", eps] = time.perf_counter() - start
            found["dpsql", eps] = rmse(data, made.biases, made.factors)
            found["means, private", eps] = rmse(data, made.biases, 0 * made.factors)
            found["DPALS", eps] = rmse(data, *dpals(counted, of, eps, seed))
            found["plain sums", eps] = rmse(data, *plain(counted, of, eps, seed))
            scored = db.score(made, SQL, eps).rmse
            found["score", eps] = math.nan if scored is None else scored.value
    return found


def told(every: list[dict[tuple[str, float], float]]) -> None:
    """The mean errors of several runs, a line each."""
    for name, eps in every[0]:
        mean = float(np.mean([one[name, eps] for one in every]))
        print(f"{name:<16} {f'ε = {eps:g}' if eps else '':<8} {mean:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--users", type=int, default=20_000)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--starts", action="store_true")
    options = parser.parse_args()
    if options.starts:
        for seed in range(1, options.runs + 1):
            data = invented(options.users, options.items, seed)
            model = MatrixFactorization("user_id", "item_id", "stars", items=range(data.items))
            with opened(data) as db:
                of = fitting.ratings_of(db, SQL, model)
            for name, errors in starts(data, of).items():
                print(f"{seed} {name:<12} {' '.join(f'{one:.3f}' for one in errors)}")
        return
    every = [
        measured(invented(options.users, options.items, seed), options.rounds, seed)
        for seed in range(1, options.runs + 1)
    ]
    print(f"{options.users:,} users, {options.items} items, mean of {options.runs} runs")
    told(every)


if __name__ == "__main__":
    main()
