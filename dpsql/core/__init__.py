"""What must be right: from a plan to what is released, and what that costs."""
