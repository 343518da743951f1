"""The ε that would do where a model is refused for its own: what is said, in the model's words.

It is sought by explanations, which read no private row and charge nothing; so it is as public as
the refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal

from dpsql.core.account.amount import decimal_text, parse_eps
from dpsql.errors import Diagnostic, DpsqlError, InvalidBudget, Rejected
from dpsql.models.wanted import How, TooLittle

TOO_WIDE = "DP305"
STEPS = (1, 2, 5)
MOST = 6
"""The greatest power of ten that is tried."""


@contextmanager
def named(how: How, attempt: Callable[[How], object]) -> Iterator[None]:
    """What is refused for its ε names one at which it is not.

    Args:
        how: it is asked so.
        attempt: explains all of it; raises what it is refused for.
    """
    problem: DpsqlError | None = None
    try:
        yield
    except TooLittle as little:
        problem = little
    except Rejected as rejected:
        if not _for_its_eps(rejected):
            raise
        problem = rejected
    if problem is None:
        return
    enough = _least(how, attempt)
    if isinstance(problem, TooLittle):
        would = "" if enough is None else f"; about ε = {enough} would do"
        raise InvalidBudget(f"{problem}{would}")
    own = decimal_text(parse_eps(how.eps))
    message = f"ε = {own} is too small for this model: the noise of a sum would not fit 64 bits"
    help = "use narrower bounds"
    if enough is not None:
        help = f"use about ε = {enough} or more, or narrower bounds"
    raise Rejected(Diagnostic(TOO_WIDE, message, None, help))


def _for_its_eps(rejected: Rejected) -> bool:
    """Whether all that is wrong is of a noise, which has no place in a text."""
    return all(one.code == TOO_WIDE and one.span is None for one in rejected.diagnostics)


def _least(how: How, attempt: Callable[[How], object]) -> str | None:
    """The least of 1, 2, 5, 10, … times a power of ten at which it is accepted, above its own."""
    own = parse_eps(how.eps)
    power = Decimal(float(own)).adjusted()

    def does(eps: Decimal) -> bool:
        try:
            attempt(replace(how, eps=eps))
        except (TooLittle, Rejected):
            return False
        return True

    for place in range(power, MOST):
        if does(Decimal((0, (1,), place + 1))):  # up to ten times as much
            each = (Decimal((0, (digit,), place)) for digit in STEPS)
            found = next((eps for eps in each if eps > own and does(eps)), None)
            return f"{float(found or Decimal((0, (1,), place + 1))):.2g}"
    return None
