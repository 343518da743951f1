"""Plan -> SQL."""
