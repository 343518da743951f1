"""Logistic and Poisson regression: a query of sums for a start, and one for each Newton step."""
