"""How the cost of privacy grows with the data: enforced by each query, and on a prepared copy.

    python benchmarks/scales.py [0.1 1 10]

For each scale of TPC-H `benchmarks/overhead.py --broken`: CPU time over plain DuckDB, on data in
which one customer in a hundred breaks every claim. Then the ratios side by side, and how many times
more the last scale's is than the first's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.overhead import geometric  # noqa: E402

KINDS = ("enforced", "prepared")
MEMORY = "4GB"
"""What preparing may use."""


def measured(scale: str) -> dict[str, dict[str, float]]:
    """For each query its two ratios at a scale."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        words = ["--broken", "--scale", scale, "--memory", MEMORY, "--json", str(file)]
        subprocess.run([sys.executable, str(HERE / "overhead.py"), *words], check=True)
        found = json.loads(file.read_text())
    return {kind: {name: row["ratio"] for name, row in found[kind].items()} for kind in KINDS}


def main() -> None:
    scales = sys.argv[1:] or ["0.1", "1", "10"]
    found = {scale: measured(scale) for scale in scales}
    print(f"\n| query | {' | '.join(f'{k}, SF {s}' for k in KINDS for s in scales)} | growth |")
    print("|---" * (2 + len(KINDS) * len(scales)) + "|")
    names = [*next(iter(found.values()))[KINDS[0]], "geometric mean"]
    for name in names:
        rows = {
            kind: [
                geometric(list(found[s][kind].values()))
                if name == names[-1]
                else found[s][kind][name]
                for s in scales
            ]
            for kind in KINDS
        }
        cells = " | ".join(f"{ratio:.2f}" for kind in KINDS for ratio in rows[kind])
        growth = ", ".join(f"{rows[kind][-1] / rows[kind][0]:.2f}" for kind in KINDS)
        print(f"| {name} | {cells} | {growth} |")


if __name__ == "__main__":
    main()
