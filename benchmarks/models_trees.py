"""How good private decision trees are, beside the exact one and those of another library.

    python benchmarks/models_trees.py [--runs 11] [--diffprivlib PYTHON] [--choices]

The census (`benchmarks/models.py`): its 1,000 people are taken once, 10 and 100 times, each copy as
a person of its own. Foretold are whether income is above 50,000 and who is married. What is given
is the accuracy and the area under the ROC curve on the rows that a tree was fitted to, the mean of
some runs. All have a depth of 3 and the same public bounds.

    exact        scikit-learn's `DecisionTreeClassifier`, not private
    dpsql        `Database.fit`, δ = 0
    tree, forest `DecisionTreeClassifier` and, of 10 such, `RandomForestClassifier` of IBM's
                 diffprivlib 0.6.6, in another interpreter that has it: these draw the splits at
                 random, and spend all on the leaves

With `--choices`: dpsql's trees of 1,000 people with another constant each.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

from dpsql.models import DecisionTree
from dpsql.models.trees import planning, splits

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.models import Case, cases

Array = NDArray[np.float64]
DEPTH = 3
BOUNDS = {
    "age": (18, 98),
    "educ": (1, 16),
    "sex": (0, 1),
    "married": (0, 1),
    "income": (0, 200_000),
    **{f"race {level}": (0, 1) for level in range(2, 7)},
}
TARGETS = {
    "rich": ("income > 50000", ["age", "educ", "sex", "married", "race"]),
    "wed": ("married = 1", ["age", "educ", "sex", "income", "race"]),
}

OTHER = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import numpy as np
from diffprivlib.models import DecisionTreeClassifier, RandomForestClassifier
data = np.load(sys.argv[1])
x, y, low, high = data["x"], data["y"], data["low"], data["high"]
rows, back = np.unique(x, axis=0, return_inverse=True)
found = {"tree": [], "forest": []}
for seed in range(int(sys.argv[2])):
    own = {"epsilon": float(sys.argv[3]), "bounds": (low, high), "classes": [0, 1],
           "max_depth": int(sys.argv[4]), "random_state": seed}
    for name, made in (("tree", DecisionTreeClassifier(**own)),
                       ("forest", RandomForestClassifier(n_estimators=10, **own))):
        made.fit(x, y)
        found[name].append([float(p) for p in made.predict_proba(rows)[:, 1]])
print(json.dumps(found))
"""


def good(y: Array, p: Array) -> tuple[float, float]:
    """Accuracy and area of probabilities."""
    return float(np.mean((p > 0.5) == (y > 0))), float(roc_auc_score(y, p))


def ours(
    case: Case, target: str, y: Array, eps: float, runs: int, bins: int = 16
) -> list[tuple[float, float]]:
    """Of dpsql's trees."""
    condition, features = TARGETS[target]
    sql = f"SELECT {', '.join(features)}, {condition} AS {target} FROM answers"
    model = DecisionTree(target, features, depth=DEPTH, bins=bins, categorical=["race"])
    found = []
    for _ in range(runs):
        fitted = case.db.fit(sql, model, eps, 0, fresh=True)
        found.append(good(y, fitted.predict_proba(case.frame)[:, 1]))
    return found


def others(
    x: Array, y: Array, names: list[str], eps: float, runs: int, python: str
) -> dict[str, list[tuple[float, float]]]:
    """Of diffprivlib's; what they say of each different row is enough."""
    low, high = (np.array([BOUNDS[name][end] for name in names]) for end in (0, 1))
    _, back = np.unique(x, axis=0, return_inverse=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.npz"
        np.savez(file, x=x, y=y, low=low, high=high)
        told = subprocess.run(
            [python, "-c", OTHER, str(file), str(runs), str(eps), str(DEPTH)],
            capture_output=True,
            text=True,
            check=True,
        )
    return {
        name: [good(y, np.array(p)[back.ravel()]) for p in every]
        for name, every in json.loads(told.stdout).items()
    }


def truths(case: Case, target: str) -> Array:
    """What is foretold."""
    rich, wed = case.frame["income"] > 50_000, case.frame["married"] == 1
    return (rich if target == "rich" else wed).astype(int)


def choices(case: Case, runs: int) -> None:
    """With other constants."""
    usual = (splits.SURE, planning.LEAVES)
    for name, sure, leaves, bins in (
        ("as it is", *usual, 16),
        ("surer", 0.9, usual[1], 16),
        ("unsure", 0.0, usual[1], 16),
        ("less for leaves", usual[0], 0.1, 16),
        ("more for leaves", usual[0], 0.4, 16),
        ("8 bins", *usual, 8),
    ):
        splits.SURE, planning.LEAVES = sure, leaves
        shown = []
        for eps in (1, 10):
            for target in TARGETS:
                every = ours(case, target, truths(case, target), eps, runs, bins)
                a, b = np.mean(every, axis=0)
                shown.append(f"{target}, ε = {eps:g} {a:.3f} {b:.3f}")
        print(f"{name}: {', '.join(shown)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--diffprivlib", metavar="PYTHON")
    parser.add_argument("--choices", action="store_true")
    args = parser.parse_args()
    print(f"accuracy and area, mean of {args.runs} runs")
    if args.choices:
        choices(cases()[0], args.runs)
        return
    for case in cases()[:3]:
        for target, (_, features) in TARGETS.items():
            plain = [name for name in features if name != "race"]
            levels = {f"race {n}": case.frame["race"] == n for n in range(2, 7)}
            x = np.column_stack([*(case.frame[name] for name in plain), *levels.values()])
            x = x.astype(float)
            y = truths(case, target)
            exact = DecisionTreeClassifier(max_depth=DEPTH, random_state=1).fit(x, y)
            best = good(y, exact.predict_proba(x)[:, 1])
            for eps in (0.1, 1, 10):
                told = {"exact": [best], "dpsql": ours(case, target, y, eps, args.runs)}
                if args.diffprivlib:
                    names = [*plain, *levels]
                    told |= others(x, y, names, eps, args.runs, args.diffprivlib)
                means = {name: np.mean(every, axis=0) for name, every in told.items()}
                shown = ", ".join(f"{k} {a:.3f} {b:.3f}" for k, (a, b) in means.items())
                print(f"{case.name}, {target}, ε = {eps:g}: {shown}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
