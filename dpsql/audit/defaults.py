"""How much an audit does, if nothing else is said."""

from __future__ import annotations

WORLDS = 4000
"""Generated databases."""

UNITS, SWAPPED = 1000, 150
"""Units that are removed; and that are swapped for each other."""

SAMPLES, SLOW_SAMPLES = 20_000, 2_000
"""Answers of each world; and where they are drawn one by one."""

CONFIDENCE = 0.9999
"""Of the bounds on ε and δ."""
