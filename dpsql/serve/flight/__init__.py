"""Arrow Flight SQL: the protocol by which ADBC and JDBC drivers ask, over the same `Service`."""
