"""Queries in the SQL of each dialect, and what they mean in DuckDB's."""
