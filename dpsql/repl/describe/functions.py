"""The functions of the language, and how each is called."""

from __future__ import annotations

from fnmatch import fnmatchcase

from dpsql.policy.messages import did_you_mean
from dpsql.repl.completion.signatures import AGGREGATES, SCALARS, WINDOWS
from dpsql.report.plaintext import aligned
from dpsql.visible import one_line

KINDS = {"aggregate": AGGREGATES, "window": WINDOWS, "scalar": SCALARS}


def functions_text(pattern: str) -> str:
    """Those whose names are like a pattern with * and ?, in lines.

    Raises:
        LookupError: there is none; the text is a message.
    """
    rows = [
        [call, kind]
        for kind, calls in KINDS.items()
        for name, call in sorted(calls.items())
        if fnmatchcase(name, pattern.lower())
    ]
    if not rows:
        names = (name for calls in KINDS.values() for name in calls)
        raise LookupError(one_line(f"no function {pattern}{did_you_mean(pattern, names)}"))
    return "\n".join(aligned(["function", "kind"], rows))


def names() -> tuple[str, ...]:
    """All of them."""
    return tuple(sorted(name for calls in KINDS.values() for name in calls))
