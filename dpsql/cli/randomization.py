"""`dpsql randomize`: what is written, and what it says about the guarantee."""

from __future__ import annotations

import math
import sys
from argparse import Namespace
from collections.abc import Iterator
from fractions import Fraction

from dpsql.cli import exits
from dpsql.core.noise.randomized_response import RandomizedResponse
from dpsql.platform.policy.scalars import decimal_text, show
from dpsql.randomize import randomize as write


def randomize(arguments: Namespace) -> int:
    """A table with randomized answers, and the lines for its policy."""
    coins = _coins(arguments)
    done = write(arguments.input, arguments.output, arguments.column, coins, table=arguments.table)
    rows = "1 row" if done.rows == 1 else f"{done.rows:,} rows"
    print(f"wrote {arguments.output}: {rows}", file=sys.stderr)
    for line in guarantee(arguments.column, coins):
        print(line, file=sys.stderr)
    if done.silent:
        print(
            f"without an answer: {done.silent:,}; NULL stays NULL, so that is seen", file=sys.stderr
        )
    print("in the policy, below the table's columns:", file=sys.stderr)
    print(policy_line(arguments.column, coins))
    return exits.OK


def guarantee(column: str, coins: RandomizedResponse) -> Iterator[str]:
    """What an answer tells, in words."""
    if coins.ratio is None or coins.eps is None:
        sure = "FALSE" if coins.yes == 1 else "TRUE"
        yield f"no local ε: who says {sure} in {column} certainly tells the truth"
        yield "with yes between 0 and 1 there is one"
        return
    eps = math.ceil(coins.eps * 10_000) / 10_000
    yield f"each answer in {column} is private by itself: local ε = ln({show(coins.ratio)}) = {eps}"
    yield "that is for this column alone: all other columns are as they were"


def policy_line(column: str, coins: RandomizedResponse) -> str:
    """The column in the policy of the written table."""
    said = f"truth: {decimal_text(coins.truth)}, yes: {decimal_text(coins.yes)}"
    return f"      {column}: {{type: BOOLEAN, randomized: {{{said}}}}}"


def _coins(arguments: Namespace) -> RandomizedResponse:
    truth, yes = Fraction(arguments.truth), Fraction(arguments.yes)
    if not 0 < truth < 1:
        arguments.parser.error("--truth must be above 0 and below 1")
    if not 0 <= yes <= 1:
        arguments.parser.error("--yes must be from 0 to 1")
    for name, value in (("truth", truth), ("yes", yes)):
        if decimal_text(value) is None:
            arguments.parser.error(f"--{name} must be a decimal: a policy cannot say {value}")
    return RandomizedResponse(truth, yes)
