"""Decision trees: a query of counts for each level, and one for what the leaves say."""
