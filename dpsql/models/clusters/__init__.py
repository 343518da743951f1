"""Private k-means: a histogram is clustered; then Lloyd's steps by sums of each cluster."""
