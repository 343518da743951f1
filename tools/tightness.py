"""How near the claimed sensitivities are to what the drawn databases show, over all accepted cases.

`python -m tools.tightness [DATABASES]` (100 if not given; or `make tightness`) draws so many small
databases for each accepted case of `grammar_tests/`, takes each unit away (or swaps it), and prints
the distribution of the largest observed L1 over the claimed one, a ratio for each measurement. With
`DPSQL_TIGHTNESS=FILE` it also appends a line for each case to that file, as the suite does.

A case that has a measurement below one half needs a note in its file that says why: the exit code
is 1 where one has none.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from multiprocessing import Pool
from statistics import median

from dpsql.proven import PublicQuery
from tests.support import grammar
from tests.support.brute import Measured, check_database, note_tightness, repeat, store
from tests.support.databases import BROKEN, HOLD, Database, databases
from tests.support.policies import load

LOW = 0.5
"""What is below is explained."""


def main(arguments: list[str]) -> int:
    """Measure and print; see above."""
    examples = int(arguments[0]) if arguments else 100
    cases = {c.name: c for c in grammar.every() if grammar.accepted(c)}
    found: dict[str, dict[str, float]] = {}
    with Pool(2) as pool:
        work = [(case, examples) for case in cases.values()]
        for name, tight in pool.imap_unordered(_measured, work):
            if tight:  # nothing is measured for what is public
                found[name] = tight
                note_tightness(name, tight)
    silent = 0
    for line in report({name: list(tight.values()) for name, tight in found.items()}):
        print(line)
    for name in cases:
        part = min(found.get(name, {}).values(), default=1.0)
        if part < LOW:
            silent += not cases[name].notes
            print(f"  {part:.2f} {name}: {_why(cases[name])}")
    return int(silent > 0)


def report(found: dict[str, list[float]]) -> list[str]:
    """The distribution of the ratios by case, in words."""
    every = sorted(part for tight in found.values() for part in tight)
    least = [min(tight) for tight in found.values()]
    deciles = [every[(len(every) - 1) * tenth // 10] for tenth in range(11)]
    return [
        f"{len(every)} measurements of {len(found)} cases, of observed over claimed L1",
        "deciles " + " ".join(f"{part:.2f}" for part in deciles),
        f"median {median(every):.2f}; 1 in {_share(every, 1)}, at least 0.9 in "
        f"{_share(every, 0.9)}, at least 0.5 in {_share(every, LOW)}",
        f"cases with a measurement below 0.5: {sum(part < LOW for part in least)}",
    ]


def _share(parts: list[float], least: float) -> str:
    reached = sum(part >= least for part in parts)
    return f"{reached} ({100 * reached // len(parts)} %)"


def _why(case: grammar.Case) -> str:
    notes = [note.partition(": ")[2] for note in case.notes if note.startswith("# note: ")]
    return "; ".join(notes) or "NO NOTE SAYS WHY"


class _Reached(BaseException):
    """Every measurement reached what is claimed: more databases cannot show more."""


def _measured(work: tuple[grammar.Case, int]) -> tuple[str, dict[str, float]]:
    case, examples = work
    compiled, loaded = grammar.compiled(case), load(case.policy)
    if isinstance(compiled.query, PublicQuery):
        return case.name, {}
    measured = Measured(compiled, store(case.policy))
    tight: dict[str, float] = {}

    def check(database: Database) -> None:
        check_database(measured, loaded, database, tight)
        if tight and min(tight.values()) >= 1:
            raise _Reached

    drawn = databases(loaded, compiled.text, HOLD if loaded.verified else BROKEN)
    with suppress(_Reached):
        repeat(drawn, check, examples)
    return case.name, tight


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
