"""A database under a policy: opened, asked, closed."""
