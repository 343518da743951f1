"""A server: one process owns policies, ledgers and data; others have a login and SQL."""
