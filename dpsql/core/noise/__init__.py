"""Noise: mechanisms, each with its argument beside its code, and the intervals they give."""
