"""For how long a stored answer is given again: for an epoch, which the owner names.

Claim: whether a query is free or charged tells nothing about private rows. Why: a stored answer is
found by what was asked and by the epoch; the epoch is a function of the policy, of the name that
`connect` was given and of the calendar. The digest of the data is no part of it. (It was once, and
then a repeat at ε = 10⁻⁹ told every night whether any row had changed.)

So within an epoch an answer is given again though the data changed, and is one of the older data:
stale, but no less private, since it was paid for when it was made, and giving it again is
post-processing. New queries read the data as they are now, and pay; a unit is protected in all
versions of the data together, by the total.

A digest that changes within an epoch may be a mistake of the owner's (new data, and nobody named a
new epoch), and the owner's log says so. Nothing that an analyst can see differs: a refusal, or a
word beside the answer, would tell what the epoch is there to hide.

Data that can change while they are open, behind a connection of the owner's, have no epoch unless
one is named; without one each query is charged, whatever becomes of the data.
"""

from __future__ import annotations

from datetime import UTC, datetime

SCHEDULES = {"daily": "%Y-%m-%d", "weekly": "%G-W%V", "monthly": "%Y-%m", "yearly": "%Y"}
"""What names the epoch of a moment, in UTC."""


def epoch_at(declared: str | None, version: str | None, moment: datetime, stable: bool) -> str:
    """The name of an epoch; "" where answers are not given again.

    Args:
        declared: what the policy says: a name, a schedule, or nothing.
        version: of the data, as the owner named it when they were opened; or nothing.
        moment: of the query.
        stable: whether the data cannot change while they are open.
    """
    if declared is None and version is None and not stable:
        return ""
    if declared in SCHEDULES:
        named = f"{declared} {moment.astimezone(UTC):{SCHEDULES[declared]}}"
    else:
        named = "always" if declared is None else f"named {declared}"
    return f"{named}, version {version}" if version is not None else named
