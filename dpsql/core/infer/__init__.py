"""Properties inferred from a plan, one file each: kind, unit, keys, ranges, multiplicity."""
