"""The three kinds of relation."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """What may be done with the rows of a plan node.

    PUBLIC rows come from public tables alone and may be returned as they are. Each TRACKED row
    belongs to one privacy unit and may never be returned. RELEASED rows carry noise already.
    """

    PUBLIC = "public"
    TRACKED = "tracked"
    RELEASED = "released"
