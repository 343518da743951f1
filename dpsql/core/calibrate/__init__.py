"""How the ε and δ of a query become the noise of its releases."""
