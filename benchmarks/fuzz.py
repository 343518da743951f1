"""Mutated inputs against everything that takes one: nothing but typed errors, and none too slow.

    python benchmarks/fuzz.py --minutes 60
    python benchmarks/fuzz.py --inputs 1000000 --seed 3 --out findings.txt

An accepted query that the engine then refuses counts as a finding too, as does a message with a
value of the data. The seed makes the same inputs again.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.fuzzing.loop import Finding, explore
from tests.fuzzing.tries import clean


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--inputs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", help="where findings are written as they come")
    given = parser.parse_args()
    if given.minutes is None and given.inputs is None:
        given.inputs = 20_000
    warnings.simplefilter("ignore")
    begun = time.monotonic()
    known: set[str] = set()
    tally = None
    for tally in explore(given.seed, inputs=given.inputs, minutes=given.minutes):
        for what in tally.findings.keys() - known:
            known.add(what)
            tell(tally.findings[what], given.out)
        print(f"\r{sum(tally.tried.values()):,}", end="", file=sys.stderr, flush=True)
    assert tally is not None
    print(
        f"\n{tally.report()}\nin {(time.monotonic() - begun) / 60:.1f} minutes, seed {given.seed}"
    )
    clean()
    return 1 if tally.findings else 0


def tell(found: Finding, out: str | None) -> None:
    text = (
        f"{found.what} [{found.target}, seed {found.seed}]\n{found.shown[:2000]}\n{found.trace}\n"
    )
    print(text, flush=True)
    if out is not None:
        with open(out, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
