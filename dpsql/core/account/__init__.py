"""What noise costs, and how costs add up: exact, or rounded up."""
