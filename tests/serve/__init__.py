"""The server, and who asks it."""
