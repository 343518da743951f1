"""A database that a server has: the same methods, answered over HTTP."""
