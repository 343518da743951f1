"""Every diagnostic code and what it stands for. A code is never reused for another meaning."""

from __future__ import annotations

from importlib.resources import files

CODES = {
    "DP101": "the text is not SQL that dpsql can read",
    "DP102": "not exactly one SELECT",
    "DP103": "the query is too large or too deeply nested",
    "DP104": "a construct that dpsql does not model",
    "DP105": "DuckDB itself does not take it",
    "DP106": "the server cannot be asked for it",
    "DP201": "no such table",
    "DP202": "no such column",
    "DP203": "the name is ambiguous",
    "DP204": "the function is not on the allow-list",
    "DP205": "the arguments do not fit",
    "DP206": "a table function",
    "DP207": "an aggregate where none can stand",
    "DP208": "neither grouped nor aggregated",
    "DP301": "nothing bounds the values that are summed",
    "DP302": "nothing bounds how many rows one unit has",
    "DP303": "the group key has no public domain",
    "DP304": "too many groups",
    "DP305": "the noise would not fit the number format",
    "DP306": "the expression could fail on some row",
    "DP307": "a group key of a type that cannot be one",
    "DP401": "rows of individuals",
    "DP402": "a join across privacy units",
    "DP403": "a join that multiplies rows by an unknown factor",
    "DP404": "every group would be one individual",
    "DP405": "an order, a limit or DISTINCT on private rows",
    "DP406": "a randomized answer where it cannot be debiased",
    "DP407": "what is not measured of rows of several kinds of unit",
    "DP501": "one unit could cause too much work",
    "DP502": "public rows could cause too much work",
    "DP601": "dpsql's own checker does not follow",
}


def page(code: str) -> str:
    """The page of a code, as Markdown: what it means, and what to write instead.

    Raises:
        KeyError: there is no such code.
    """
    if code not in CODES:
        raise KeyError(code)
    return (files("dpsql.data") / "errors" / f"{code}.md").read_text(encoding="utf-8")
