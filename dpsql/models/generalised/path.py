"""Where a fit goes: from noisy sums to θ, step by step. What is asked is elsewhere.

How many steps. An error of an early step is squared by the next, and that of the last one stays.
So early ones get little of ε, and the last all that is left. An early step is taken where its noise
is not too large to be of use, and as long as the step before moved more than noise does
(`benchmarks/models_logistic.py --steps` has what fixed numbers of steps give). That is a function
of noisy answers, and which queries follow may depend on them (see `How.shared`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpsql.models.estimates import Estimate
from dpsql.models.generalised.newton import Curvature, Step, limited, newton
from dpsql.models.generalised.plan import EARLY, START, Plan
from dpsql.models.linear.least_squares import Moments, held, hold
from dpsql.models.spread import half_width

Array = NDArray[np.float64]

NOISIEST = 0.5
"""The root mean square by which noise may move η in an early step."""
SETTLED = 1.5
"""A step that moved η by less than so many times what noise does was the last early one."""


@dataclass(frozen=True, slots=True)
class State:
    """A group on its way.

    Attributes:
        rows: how many there are.
        known: of the first query.
        theta: now.
        usual: the root mean square by which noise moves η at the start.
        step: the last one.
    """

    rows: Estimate
    known: Curvature
    theta: Array
    usual: float
    step: Step | None = None


def started(made: Plan, found: Moments, noise: Moments) -> State:
    """Where the first query leads.

    Args:
        made: what is fitted.
        found: its sums of a group.
        noise: draws of their noise.
    """
    half, centre = (float(x) for x in (made.columns.target.half, made.columns.target.centre))
    counted = float(found.gram[0, 0])
    rows = max(counted, 1.0)
    at = hold(noise.gram)
    gram, _ = held(found.gram, at)
    cross = half * found.cross + centre * found.gram[:, 0]
    off = half * noise.cross + centre * noise.gram[:, :, 0]
    origin, mean, slope = made.family.start(float(cross[0]), counted)
    inverse = np.asarray(np.linalg.inv(slope * gram + made.penalty), np.float64)
    theta = limited(inverse @ (cross - mean * found.gram[:, 0]), gram, rows)
    moved = (off - mean * noise.gram[:, :, 0] - slope * noise.gram @ theta) @ inverse
    squares = np.einsum("ri,ij,rj->r", moved, gram, moved) / rows
    theta[0] += origin
    known = Curvature(gram, noise.gram, found.gram, at, rows, made.penalty)
    usual = float(np.sqrt(np.mean(squares)))
    return State(Estimate(counted, half_width(noise.gram[:, 0, 0])), known, theta, usual)


def goes_on(made: Plan, states: Sequence[State]) -> bool:
    """Whether another early step is taken; of groups, where one of them asks for it."""
    if made.model.steps is not None or not states:
        return True
    if max(state.usual for state in states) * START / EARLY > NOISIEST:
        return False
    return any(s.step is None or s.step.moved > SETTLED * s.step.usual for s in states)


def stepped(
    made: Plan, state: State, gradient: Array, curvature: Array, noise: tuple[Array, Array]
) -> State:
    """After a step.

    Args:
        made: what is fitted.
        state: before.
        gradient, curvature: g and H there.
        noise: draws of the noise of both.
    """
    most = float(made.family.steepest)
    step = newton(state.theta, gradient, curvature, noise, state.known, most)
    return replace(state, theta=step.theta, step=step)
