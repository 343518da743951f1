"""What the owner has: the policy, the engines with the data, the ledgers."""
