"""What a review of the noise found: claims that must hold for every ε that is accepted."""

from __future__ import annotations

import secrets
from fractions import Fraction

import pytest

from dpsql.core.noise.quantiles import JointQuantiles


@pytest.mark.parametrize("eps", [1, 40, 140, 150, 1000, 10**6])
def test_a_quantile_can_be_every_cell(monkeypatch: pytest.MonkeyPatch, eps: int) -> None:
    """Pure ε: of two cells, both are drawn for no row (1/2 each), so both must be for one row.

    The greatest of all random numbers belongs to the last cell that has any chance.
    """
    picker = JointQuantiles.calibrate(1, Fraction(eps), 2, [Fraction(1, 2)])
    monkeypatch.setattr(secrets, "randbelow", lambda n: n - 1)
    assert picker.draw([], []) == [1]
    assert picker.draw([0], [1]) == [1]
