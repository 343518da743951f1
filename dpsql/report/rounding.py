"""Values as text, for people: rounded by their half-widths, on one line, and not endless.

Rounding follows the usual rule of measurement (two significant digits of the half-width, the value
to the same place; GUM 7.2.6), but never left of the decimal point: 12,345 ± 218 stays, since zeros
there would look like digits that were measured. The data are never rounded.
"""

from __future__ import annotations

import math
from decimal import Decimal

from dpsql.visible import one_line

LONGEST = 1000
"""Characters of a value that a table shows: more than anybody reads, and a table of a thousand rows
stays below a few megabytes, however long one value is."""

ABOUT = "≈ "
"""Before a value that may hold noise of which no half-width is known."""

_SMALLEST = 12
"""Decimal places at most; beyond, numbers have an exponent."""


def marked(value: object, width: float | None, noisy: bool) -> tuple[str, str]:
    """A value and its half-width; the value marked where there may be noise that none tells."""
    text, reach = cell(value, width)
    if noisy and width == 0 and value is not None:
        # There is noise, and with that probability it is none.
        return (f"{value:,}" if isinstance(value, int) else text), " ± 0"
    about = noisy and width is None and value is not None
    return (ABOUT + text if about else text), reach


def cell(value: object, width: float | None) -> tuple[str, str]:
    """A value and its half-width (" ± 3", or "") as text; a noisy number is rounded for show."""
    if value is None:
        return "NULL", ""
    if isinstance(value, bool):
        return ("true" if value else "false"), ""
    if not isinstance(value, int | float | Decimal) or not math.isfinite(value):
        return str(value), ""
    if not width:
        return (f"{value:g}" if isinstance(value, float) else str(value)), ""
    places = _places(width)
    if isinstance(value, int):
        whole = places > _SMALLEST or width == int(width)
        return f"{value:,}", f" ± {width:,.0f}" if whole else f" ± {width:,.{places}f}"
    if places > _SMALLEST:
        return f"{value:.12g}", f" ± {width:.2g}"
    return f"{value:,.{places}f}", f" ± {width:,.{places}f}"


def _places(width: float) -> int:
    """The decimal places worth showing: two significant digits of the half-width, once rounded."""
    return max(0, 1 - int(f"{width:.1e}".partition("e")[2]))


def shortened(text: str, most: int = LONGEST) -> str:
    """`text` on one line, of at most so many characters; what is cut off is said by "…"."""
    line = one_line(text[: most + 1])
    return line if len(line) <= most and len(text) <= most else line[: most - 1] + "…"
