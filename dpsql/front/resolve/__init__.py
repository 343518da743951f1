"""A plan at its release points, without WITH queries, subqueries and FULL JOINs of private rows."""
