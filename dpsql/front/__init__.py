"""Text to plan, and plan to SQL."""
