"""MySQL's protocol: what BI tools speak, answered by the same service as HTTP."""
