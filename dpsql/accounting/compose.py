"""Basic composition: the costs of adaptively chosen releases add up.

Dwork, McSherry, Nissim and Smith 2006 for ε; Dwork, Kenthapadi, McSherry, Mironov and Naor 2006
for (ε, δ). It holds whatever the analyst chooses next after seeing each answer.
"""

from __future__ import annotations

from collections.abc import Iterable

from dpsql.accounting.amount import ZERO, Cost
from dpsql.accounting.events import Event


def basic(events: Iterable[Event]) -> Cost:
    """(Σ ε, Σ δ) over `events`, exact; the zero cost if there are none."""
    return sum((event.cost for event in events), ZERO)
