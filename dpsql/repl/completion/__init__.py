"""What can come at the cursor: tables, columns, functions, values, commands.

`candidates` is pure: it sees the text, what the policy makes public, and nothing else.
"""

from dpsql.repl.completion.candidate import Candidate
from dpsql.repl.completion.suggest import candidates

__all__ = ["Candidate", "candidates"]
