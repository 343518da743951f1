"""Privacy spent: exact amounts, events, how they compose, and the ledgers that charge them."""
