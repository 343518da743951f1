"""Linear and ridge regression: one query of sums, and least squares on its answer."""
