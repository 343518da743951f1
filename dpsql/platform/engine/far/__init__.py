"""Engines that compute the exact cells elsewhere: DuckDB binds a statement, a server runs it."""
