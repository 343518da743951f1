"""From a compiled query to noisy rows; the only place that holds exact cells."""
