"""How often scripted agents tell whether a person is in the data, beside what their budget allows.

python benchmarks/agents.py 20   # sessions of each strategy, with the person and without
"""

from __future__ import annotations

import argparse
from time import process_time

from dpsql.audit.binomial import at_least, at_most
from tests.serve.test_mcp_attacks import ALPHA, Heard, most
from tests.support.agents import EPS, STRATEGIES, World


def main() -> None:
    """Each strategy, and all of them together."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sessions", type=int)
    sessions = arguments.parse_args().sessions
    worlds = World(present=True), World(present=False)
    began = process_time()
    every = {strategy.name: Heard(strategy, worlds) for strategy in STRATEGIES}
    for heard in every.values():
        heard.ask(sessions)
    said = {name: heard.said for name, heard in every.items()}
    answers = sum(heard.answered for heard in every.values())
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
