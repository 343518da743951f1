"""The Model Context Protocol: agents ask, each as a principal of its own, and people are asked
before much is spent.
"""
