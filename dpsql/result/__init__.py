"""What the analyst gets: noisy rows, how far each may be off, and what they cost."""

from dpsql.result.answer import Answer, ColumnError
from dpsql.result.batch import Batch
from dpsql.result.cells import cell, cells, shortened
from dpsql.result.notes import AGAIN, notes, price
from dpsql.result.text import table_lines

__all__ = [
    "AGAIN",
    "Answer",
    "Batch",
    "ColumnError",
    "cell",
    "cells",
    "notes",
    "price",
    "shortened",
    "table_lines",
]
