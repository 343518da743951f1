"""What can come at the cursor: tables, columns, functions, values, commands.

`suggest.proposals` is pure: it sees the text, what the policy makes public, and nothing else.
"""
