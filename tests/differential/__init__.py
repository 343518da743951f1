"""What was written against what is printed, run by DuckDB; see `benchmarks/differential.py`."""
