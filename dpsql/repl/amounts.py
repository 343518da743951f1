"""An ε or a δ as somebody types it, exactly."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpsql.accounting.amount import parse_delta, parse_eps
from dpsql.errors import InvalidBudget
from dpsql.repl.settings import Exact


def eps(text: str) -> Exact:
    """An ε, such as 0.5 or 1/3.

    Raises:
        InvalidBudget: it is none.
    """
    found = _number("ε", text)
    parse_eps(found)
    return found


def delta(text: str) -> Exact:
    """A δ, such as 1e-6.

    Raises:
        InvalidBudget: it is none.
    """
    found = _number("δ", text)
    parse_delta(found)
    return found


def _number(name: str, text: str) -> Exact:
    problem = InvalidBudget(f"{text!r} is no {name}; write a number such as 0.5 or 1/3")
    if len(text) > 200:
        raise InvalidBudget(f"{name} has too many digits")
    try:
        return Fraction(text) if "/" in text else Decimal(text)
    except (ValueError, InvalidOperation, ZeroDivisionError):
        pass
    raise problem
