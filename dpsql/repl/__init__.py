"""`dpsql repl`: a shell for analysts who know psql, and its use in scripts.

Data flows one way: text is split into `statements`, each is a query or a `command`, the `shell`
runs it, and what it says goes through one `output`. Only `terminal` knows of a person.
"""
