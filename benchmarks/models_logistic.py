"""How much worse a private logistic regression is than the exact one, beside other methods.

    python benchmarks/models_logistic.py [--runs 40] [--steps] [--diffprivlib PYTHON]

The census as `models.py` takes it, with the same public bounds. Explained are marriage (by age,
education and sex) and an income above 50,000 (which is rare, and skewed); and both with six races,
too. What is compared is the excess loss: the mean log loss on the rows that a model was fitted to,
over the least there is, minus 1.

    dpsql        the sums of the queries, and noise drawn from the law that `explain` proves of them
    objective    objective perturbation (Chaudhuri, Monteleoni and Sarwate 2011, algorithm 2), with
                 the norm that rows within the bounds have at most, and a penalty of 1e-3, or so
                 much that a half of ε is left for the noise
    gradient     noisy gradient descent with Gaussian noise by zCDP, of norms that are clipped to
                 those that rows have at most: the best of 5, 10, 20 and 40 steps, by the outcome
    diffprivlib  `LogisticRegression` of IBM's library 0.6.6 in another interpreter, that has it

In `PUMS_dup.csv` each of 1,000 people has up to 4 rows. dpsql protects the person there; the next
two are given as many times the norm; diffprivlib protects a row only.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from models import BOUNDS, DELTA, Case, cases
from numpy.typing import NDArray

from dpsql.models import LogisticRegression, noise_law
from dpsql.models.generalised.exponential_families import Logistic
from dpsql.models.generalised.path import State, goes_on, started, stepped
from dpsql.models.generalised.plan import plan
from dpsql.models.linear.fitting import moments
from dpsql.models.linear.least_squares import Moments
from dpsql.models.querying import explained
from dpsql.models.spread import RUNS
from dpsql.models.wanted import How, joined

Array = NDArray[np.float64]

SQL = "SELECT *, income > 50000 AS rich FROM answers"
TARGETS = {"married": ["age", "educ", "sex"], "rich": ["age", "educ", "sex"]}
OTHER = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from diffprivlib.models import LogisticRegression
data = np.load(sys.argv[1])
x, y = data["x"], data["y"]
found = []
for seed in range(int(sys.argv[2])):
    made = LogisticRegression(epsilon=float(sys.argv[3]), data_norm=float(np.sqrt(x.shape[1])),
                              max_iter=500, random_state=seed)
    made.fit(x, y)
    found.append([float(made.intercept_[0]), *map(float, made.coef_[0])])
print(json.dumps(found))
"""


def design(case: Case, features: list[str]) -> Array:
    """Rows in [−1, 1], with a 1 first."""
    made = [np.ones(len(case.frame["age"]))]
    for name in features:
        if name == "race":
            made += [2.0 * (case.frame["race"] == level) - 1 for level in range(2, 7)]
        else:
            low, high = BOUNDS[name]
            values = np.clip(case.frame[name], low, high)
            made.append((values - (low + high) / 2) / ((high - low) / 2))
    return np.column_stack(made)


def loss(z: Array, y: Array, theta: Array) -> float:
    """The mean log loss."""
    eta = z @ theta
    return float(np.mean(np.logaddexp(0, eta) - y * eta))


def best(z: Array, y: Array) -> Array:
    """Where it is least."""
    theta = np.zeros(z.shape[1])
    for _ in range(50):
        mean = Logistic().mean(z @ theta)
        curved = (z * (mean * (1 - mean))[:, None]).T @ z
        theta = theta + np.linalg.solve(curved + 1e-9 * np.eye(len(theta)), z.T @ (y - mean))
    return theta


def ours(
    case: Case, model: LogisticRegression, z: Array, y: Array, how: How, runs: int
) -> tuple[list[Array], float]:
    """θ of so many fits, and how many steps they took on the average."""
    made = plan(case.db, SQL, model, how)
    first = explained(case.db, SQL, made.first_sql, made.at_first, made.first_wishes)
    before = noise_law.planned(first, 0)
    laws: dict[object, tuple[noise_law.Law, Array]] = {}
    gram, cross = z.T @ z, z.T @ (2 * y - 1)
    random = np.random.default_rng(1)
    noise = moments(made.first, before.drawn(RUNS, random))

    def step(state: State, own: How) -> State:
        if own.eps not in laws:
            later = explained(case.db, SQL, made.widest, own, made.step_wishes)
            found = noise_law.planned(later, 0)
            laws[own.eps] = found, found.drawn(RUNS, random)
        law, draws = laws[own.eps]
        mean = Logistic().mean(z @ state.theta)
        (off,) = law.drawn(1, random)
        gradient = z.T @ (y - mean) + off @ made.later.gradient
        curvature = (z * (mean * (1 - mean))[:, None]).T @ z
        curvature = curvature + np.tensordot(off, made.later.curvature, 1)
        spread = (draws @ made.later.gradient, np.tensordot(draws, made.later.curvature, 1))
        return stepped(made, state, gradient, curvature, spread)

    found, taken = [], 0
    for _ in range(runs):
        off = moments(made.first, before.drawn(1, random))
        sums = Moments(gram + off.gram[0], cross + off.cross[0], np.array(0.0))
        state, early = started(made, sums, noise), list(made.early)
        while early and goes_on(made, [state]):
            state = step(state, early.pop())
            taken += 1
        found.append(step(state, joined([*early, made.last])).theta)
    return found, taken / runs + 1


def objective(z: Array, y: Array, eps: float, rows: int, random: np.random.Generator) -> Array:
    """Chaudhuri, Monteleoni and Sarwate 2011, algorithm 2, for a loss that is 1/4-smooth."""
    n, wide = z.shape
    norm = math.sqrt(wide)
    x, usual = z / norm, 0.25 / (n * (math.exp(eps / (4 * rows)) - 1))
    held = max(1e-3, usual)  # so that a half of ε is left at least
    left = eps - 2 * rows * math.log(1 + 0.25 / (n * held))
    direction = random.normal(size=wide)
    b = direction / np.linalg.norm(direction) * random.gamma(wide, 2 * rows / left)
    theta = np.zeros(wide)
    for _ in range(60):
        mean = Logistic().mean(x @ theta)
        slope = x.T @ (mean - y) / n + held * theta + b / n
        curved = (x * (mean * (1 - mean))[:, None]).T @ x / n + held * np.eye(wide)
        theta = theta - np.linalg.solve(curved, slope)
    return theta / norm


def gradient(
    z: Array, y: Array, eps: float, rows: int, count: int, random: np.random.Generator
) -> Array:
    """So many steps of noisy gradient descent, with ρ-zCDP that is (ε, δ)."""
    log = math.log(1 / DELTA)
    rho = (math.sqrt(log + eps) - math.sqrt(log)) ** 2
    scale = rows * math.sqrt(z.shape[1]) / math.sqrt(2 * rho / count)
    theta = np.zeros(z.shape[1])
    for _ in range(count):
        slope = z.T @ (y - Logistic().mean(z @ theta)) + scale * random.normal(size=len(theta))
        theta = theta + 4 / z.shape[1] * slope / len(z)
    return theta


def others(z: Array, y: Array, eps: float, runs: int, python: str) -> list[Array]:
    """θ of diffprivlib's models."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npz"
        np.savez(file, x=z[:, 1:], y=y)
        told = subprocess.run(
            [python, "-c", OTHER, str(file), str(runs), str(eps)],
            capture_output=True,
            text=True,
            check=True,
        )
    return [np.array(theta) for theta in json.loads(told.stdout)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--eps", type=float, default=1.0)
    parser.add_argument("--steps", action="store_true", help="beside what each number gives")
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    args = parser.parse_args()
    print(f"excess log loss, median of {args.runs} runs, ε = {args.eps:g}")
    for case in cases():
        for target, numbers in TARGETS.items():
            for features in (numbers, [*numbers, "race"]):
                compared(case, target, features, args)


def compared(case: Case, target: str, features: list[str], args: argparse.Namespace) -> None:
    """One line."""
    random = np.random.default_rng(2)
    z = design(case, features)
    y = case.frame["income"] > 50_000 if target == "rich" else case.frame["married"] == 1
    y = y.astype(float)
    least = loss(z, y, best(z, y))

    def median(found: list[Array]) -> float:
        return float(np.median([loss(z, y, theta) / least - 1 for theta in found]))

    told = {}
    for name, delta in (("dpsql", DELTA), ("dpsql δ = 0", 0)):
        for count in (None, 1, 2, 3, 4) if args.steps else (None,):
            model = LogisticRegression(
                target, features, categorical=["race"] if "race" in features else (), steps=count
            )
            found, taken = ours(case, model, z, y, How(args.eps, delta), args.runs)
            told[f"{name} ({taken:.1f} steps)" if count is None else f"{count}"] = median(found)

    def often(made: Callable[[], Array]) -> float:
        return median([made() for _ in range(args.runs)])

    told["objective"] = often(lambda: objective(z, y, args.eps, case.rows, random))
    told["gradient"] = min(
        often(lambda n=n: gradient(z, y, args.eps, case.rows, n, random)) for n in (5, 10, 20, 40)
    )
    if args.diffprivlib:
        told["diffprivlib"] = median(others(z, y, args.eps, args.runs, args.diffprivlib))
    shown = ", ".join(f"{k} {v:.5f}" for k, v in told.items())
    print(f"{case.name}, {target}, {z.shape[1] - 1} terms: {shown}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
