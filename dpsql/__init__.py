"""Plain SQL in, proven differential privacy out."""
