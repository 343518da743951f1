"""The rows of a release in a normal shape: the same rows, so that less must be known of them."""
