"""The pages of the docs that are written by a program: `python -m tools.reference` writes them."""
