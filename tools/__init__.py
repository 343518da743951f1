"""What writes pages of the docs, and figures: `python -m tools.reference`, and others."""
