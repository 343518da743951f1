"""The checker: what it follows, what it refuses, and what it believes of functions."""
