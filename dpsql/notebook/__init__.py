"""`%load_ext dpsql`: the magics `%dpsql` and `%%dpsql` of IPython and Jupyter.

A line is split into `arguments` and a query; `magics` does what it says, `running` asks the query,
and what goes wrong is told by `errors`.
"""
