"""Mutated inputs for everything that takes one from outside; see `benchmarks/fuzz.py`."""
