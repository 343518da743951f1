"""How far one unit can move each measurement, and why."""
