"""A figure that a notebook shows; needs matplotlib."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class Picture(Figure):
    """A matplotlib figure. Notebooks show others only once pyplot has been imported."""

    def _repr_png_(self) -> bytes:
        content = io.BytesIO()
        self.savefig(content, format="png", dpi=self.dpi)
        return content.getvalue()
