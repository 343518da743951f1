"""Matrix factorisation of ratings: alternating least squares, of which items' factors are told."""
