"""How often scripted agents tell whether a person is in the data, beside what their budget allows.

python benchmarks/agents.py 20   # sessions of each strategy, with the person and without
"""

from __future__ import annotations

import argparse
from time import process_time

import anyio

from dpsql.audit.binomial import at_least, at_most
from tests.serve.test_mcp_attacks import ALPHA, most
from tests.support.agents import EPS, STRATEGIES, World, attack, score


def main() -> None:
    """Each strategy, and all of them together."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sessions", type=int)
    sessions = arguments.parse_args().sessions
    worlds = World(present=True), World(present=False)
    said: dict[str, list[int]] = {}
    answers, began = 0, process_time()

    async def all_of_them() -> None:
        nonlocal answers
        for strategy in STRATEGIES:
            told = said.setdefault(strategy.name, [0, 0])
            for number, world in enumerate(worlds):
                for _ in range(sessions):
                    every = await attack(world, strategy)
                    told[number] += score(every, *worlds) > 0
                    answers += sum("rows" in answer for _, answer in every)

    anyio.run(all_of_them)
    print(f"{len(said)} strategies, {sessions} sessions each on D and on D′, {answers} answers")
    apart = {name: (one - other) / sessions for name, (one, other) in said.items()}
    for name in sorted(apart, key=lambda n: -apart[n])[:5]:
        print(f"{name}: {apart[name]:.2f}")
    one, other = (sum(told[number] for told in said.values()) for number in (0, 1))
    of = sessions * len(said)
    low = at_least(one, of, ALPHA / 2) - at_most(other, of, ALPHA / 2)
    high = at_most(one, of, ALPHA / 2) - at_least(other, of, ALPHA / 2)
    print(f"all together: {(one - other) / of:.3f}, surely from {low:.3f} to {high:.3f}")
    print(f"ε = {EPS} allows {most(EPS):.3f}; {process_time() - began:.0f} s of CPU time")


if __name__ == "__main__":
    main()
