"""Can D be told from D′, without one customer, by how long an answer takes?

    python benchmarks/timing.py                        20 hostile queries, 1,000 runs each on both
    python benchmarks/timing.py --runs 100 --padding 0.1s timing-101 work-106

An analyst asks the same query on either, in turns, and guesses by the time which it was: the AUC is
how often a run on D took longer than one on D′; 0.5 is a coin, 1 is certainty. Without a difference
it is off by about 0.41 / √runs. The time of the processor is what an idle machine
would show of it. That customer has 60 orders and 600 lines, beyond every
declared fan-out, and a text of the greatest length; the eleven others have 30 and 90 together.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dpsql.session.database import Database
from tests.adversarial.probes import WORLDS, Probe, probes

HOSTILE = (
    *("timing-101", "timing-102", "timing-103", "timing-104", "timing-105", "timing-106"),
    *("timing-107", "timing-109", "timing-110", "work-106", "work-107", "work-117"),
    *("work-131", "sensitivity-109", "sensitivity-112", "group_key-117", "distinct-109"),
    *("extremes-102", "provenance-147", "provenance-119"),
)
"""Probes whose work depends most on the customer who goes, and that are answered."""


def hostile() -> list[Probe]:
    """The probes of `HOSTILE`."""
    known = {probe.id: probe for probe in probes()}
    return [known[name] for name in HOSTILE]


def worlds(padding: str | None) -> tuple[Database, Database]:
    """D and D′, under a policy that pads answers to a grid of times, or not."""
    made = WORLDS["tpch"]
    limits = "" if padding is None else f"\nlimits: {{padding: {padding}}}\n"
    rows = made.others + made.seven
    padded = type(made)(made.policy + limits, *(made.tables, made.others, made.seven, made.without))
    return padded.open(rows, seven=True), padded.open(rows, seven=False)


def auc(longer: Sequence[float], shorter: Sequence[float]) -> float:
    """How often one of the first is above one of the second, ties counting half."""
    ranked = sorted([(t, 1) for t in longer] + [(t, 0) for t in shorter])
    above = below = 0.0
    place = 0
    while place < len(ranked):
        end = place
        while end < len(ranked) and ranked[end][0] == ranked[place][0]:
            end += 1
        ones = sum(kind for _, kind in ranked[place:end])
        zeros = end - place - ones
        above += ones * (below + zeros / 2)
        below += zeros
        place = end
    return above / (len(longer) * len(shorter))


def timed(db: Database, sql: str) -> tuple[float, float]:
    """Seconds of one answer with new noise, by the clock and of the processor."""
    begun, busy = time.perf_counter(), time.process_time()
    db.run(sql, 1, fresh=True)
    return time.perf_counter() - begun, time.process_time() - busy


def told(pair: tuple[Database, Database], sql: str, runs: int) -> tuple[list[float], list[float]]:
    """The AUC by the clock and by the processor, and the median times by the clock on D and D′."""
    times: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    for db in pair:
        timed(db, sql)  # what is prepared once is prepared now
    for number in range(runs):
        for which in (0, 1) if number % 2 else (1, 0):
            times[which].append(timed(pair[which], sql))
    clocks = [[[t[which] for t in part] for part in times] for which in (0, 1)]
    medians = [sorted(part)[len(part) // 2] for part in clocks[0]]
    return [auc(*clock) for clock in clocks], medians


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--padding", help="such as 0.1s")
    parser.add_argument("probes", nargs="*", help="some of them; all if none is named")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    pair = worlds(given.padding)
    print("| probe | D, ms | D′, ms | AUC by the clock | AUC by CPU time |")
    print("|---|---|---|---|---|")
    found: tuple[list[float], list[float]] = ([], [])
    for probe in hostile():
        if given.probes and probe.id not in given.probes:
            continue
        values, medians = told(pair, probe.sql, given.runs)
        shown = [*(f"{1000 * m:.1f}" for m in medians), *(f"{v:.3f}" for v in values)]
        print(f"| {probe.id} | {' | '.join(shown)} |", flush=True)
        for kept, value in zip(found, values, strict=True):
            kept.append(max(value, 1 - value))
    for name, kept in zip(("the clock", "CPU time"), map(sorted, found), strict=True):
        print(f"by {name}: median {kept[len(kept) // 2]:.3f}, most {kept[-1]:.3f}")
    print(f"{given.runs} runs on each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
