"""Arrow Flight SQL: the protocol by which ADBC and JDBC drivers ask, over the same `Service`."""

from dpsql.serve.flight.server import FlightServer

__all__ = ["FlightServer"]
