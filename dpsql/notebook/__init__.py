"""`%load_ext dpsql`: the magics `%dpsql` and `%%dpsql` of IPython and Jupyter.

A `magic_line` is split into arguments and a query; `magics` does what it says.
"""
