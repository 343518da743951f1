"""The owner's engine behind one small protocol, and the empty one for post-processing."""
