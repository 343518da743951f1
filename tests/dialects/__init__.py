"""Queries in other dialects: they mean what they mean there, or they are rejected."""
