"""What is public, in words: functions of a schema or a budget alone, which read no data."""
