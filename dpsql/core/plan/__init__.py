"""Plans, typed expressions and what they can be."""
