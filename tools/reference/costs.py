"""How much a function does with one row at most, from the limits and weights of the program."""

from __future__ import annotations

from collections.abc import Iterator

from dpsql.core.functions import boolean, regex, regex_states, string_search, string_shape
from dpsql.core.functions.string_length import MAX_LENGTH, MAX_REPEAT
from dpsql.core.infer.work import CHARACTERS, WEIGHTS, WINDOW
from dpsql.core.limits import Limits

HEAD = f"""\
### What one row may cost

How long a function takes must not tell what is in the row that it reads. So nothing here has a cost
that depends on a row's values without a bound: each is constant, or linear in the length of a text
that is cut beforehand, and what has no such bound is rejected. A *step* is one operation, or
{CHARACTERS} characters of a text: all steps that one unit can cause are counted before a row is
read, and limited ([limits.work_per_unit](policy.md#limits)).

| what | the bound |
|---|---|"""


def section() -> Iterator[str]:
    """The lines of the section."""
    yield HEAD
    rows = {
        "a text that a function reads": "`max_length` characters, or `limits.text_length`, "
        f"{Limits().text_length:,}, where none is declared; more are cut off",
        "a text that a function makes": f"{MAX_LENGTH:,} characters, by the lengths of what it is "
        "made of; what could be longer is rejected",
        "`repeat`, `lpad`, `rpad`": f"a constant number of times, up to {MAX_REPEAT}; a constant "
        f"length, up to {string_shape.MAX_PAD:,}",
        "`LIKE`, `ILIKE`": f"a constant pattern of up to {boolean.MAX_PATTERN} characters, with up "
        f"to {boolean.MAX_FLOATING} `_` in a piece after a `%`: linear in the text",
        "`GLOB`": f"a constant pattern of up to {string_search.MAX_GLOB} characters, with up to "
        f"{string_search.MAX_GLOB_FLOATING} `?` or `[…]` in a piece after a `*`",
        "regular expressions": f"a constant pattern of up to {regex_states.MAX_PATTERN} characters "
        f"whose automata have up to {regex_states.MAX_STATES} states: linear in the text; with "
        f"groups, up to {regex.MAX_LIVE} ways to go on at once; with `'g'`, up to "
        f"{regex.MAX_AHEAD} characters that a search reads beyond its match",
        "`TRY_CAST` of a text": f"{WEIGHTS['try_cast']} steps for {CHARACTERS} characters, whether "
        "it succeeds or not",
        "window functions": f"{WINDOW} steps for a row and each of them, more with its texts",
        "lists, structs, maps": "stand only as constants; what would make one of rows is rejected",
    }
    yield from (f"| {what} | {bound} |" for what, bound in rows.items())
    dear: dict[int, list[str]] = {}
    for name, weight in WEIGHTS.items():
        dear.setdefault(weight, []).append(name)
    yield ""
    yield (
        f"{CHARACTERS} characters are one step, but "
        + "; ".join(
            f"{weight} for {', '.join(f'`{n}`' for n in names)}"
            for weight, names in sorted(dear.items())
        )
        + "."
    )
    yield ""
