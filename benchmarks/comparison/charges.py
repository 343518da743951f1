"""The ε of what a system says that it charged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant


def epsilon(charged: object, delta: float) -> float:
    """A number as it is; an event of dp-accounting, as Qrlew writes it, as an ε at `delta`.

    Gaussian noise is composed by its privacy loss distribution, and what is only known as an (ε, δ)
    is added to it.
    """
    if not isinstance(charged, dict):
        return float(str(charged))
    accountant, eps, left = PLDAccountant(), 0.0, delta
    for event in _events(charged):
        if event["class_name"] == "EpsilonDeltaDpEvent":
            eps += event["epsilon"]
            left -= event["delta"]
        else:
            words = {name: event[name] for name in event["_fields"][2:]}
            accountant.compose(getattr(dp_event, event["class_name"])(**words))
    return eps + float(accountant.get_epsilon(left))


def _events(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if found["class_name"] != "ComposedDpEvent":
        yield found
        return
    for event in found["events"]:
        yield from _events(event)
