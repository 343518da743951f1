"""A second proof, of the statements that the engine runs; see docs/explanation/certificates.md."""
