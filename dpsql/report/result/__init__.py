"""What the analyst gets: noisy rows, how far each may be off, and what they cost."""

from dpsql.report.figures import cell, shortened
from dpsql.report.result.answer import Answer, Batch, ColumnError
from dpsql.report.result.answer_document import cells, footer, price

__all__ = ["Answer", "Batch", "ColumnError", "cell", "cells", "footer", "price", "shortened"]
