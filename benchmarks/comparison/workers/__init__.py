"""One program for each system, run by that system's own Python."""
