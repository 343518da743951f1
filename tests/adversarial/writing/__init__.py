"""The parts of the grammar of random queries; see `tests/adversarial/queries.py`."""
