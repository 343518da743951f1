"""dpsql beside SmartNoise SQL and Qrlew: the same queries on the same data, each with its own API.

python -m benchmarks.comparison
"""
