"""One form for all that is told of queries, answers, budgets and audits: a document, which is drawn
as text, as HTML and as plain data.
"""
