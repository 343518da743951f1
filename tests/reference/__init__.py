"""The pages of the docs that are written by a program: `python -m tests.reference` writes them."""
