"""Rewrites of a plan, one file each: so that what was inferred holds on any data."""
