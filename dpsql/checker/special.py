"""Two kinds of statement with an answer of their own: clipped sums, and what units offer."""

from __future__ import annotations

from collections.abc import Sequence

from dpsql.checker.facts import Clips, Offers
from dpsql.checker.proof import Refused, Step
from dpsql.checker.select import Answer


def clips(answers: Sequence[Answer], claim: Clips) -> Step:
    raise Refused("clips: todo")


def offers(answer: Answer, claim: Offers) -> Step:
    raise Refused("offers: todo")
