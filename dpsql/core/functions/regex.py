r"""Regular expressions: regexp_matches, regexp_full_match, regexp_extract and regexp_replace.

The pattern is a constant, in the part of RE2's syntax that `regex_states` reads, and the engine has
compiled it once before any row is read; so has it the replacement. The group is a constant from 0
to 9: one that the pattern does not have is '', as in DuckDB. All are strict. No row can fail: \C,
which can cut a character, is refused.

Time. Linear in the string's length; the automaton is small, so that it is built once.

- A group other than 0 is found by following each way in which the match can go on, so there may be
  MAX_LIVE of them at once; with 60 it took 1000 times as long as a string without a match.
- 'g' searches again after each match. Where a search can read on beyond its match, as for
  `a(.*z)?`, that is quadratic in the length; so it may by MAX_AHEAD characters.
"""

from __future__ import annotations

from functools import lru_cache

import duckdb

from dpsql.core.functions.regex_states import MAX_PATTERN, Refused, check
from dpsql.core.functions.spec import Args, TypeMismatch, any_string, named
from dpsql.core.functions.string_length import bounded
from dpsql.core.functions.string_search import search, strings
from dpsql.core.functions.typing import integer_constant, require, text
from dpsql.types import BOOLEAN, VARCHAR, Type

MAX_REPLACEMENT = 32
MAX_LIVE = 4
MAX_AHEAD = 8


def _pattern(args: Args, options_at: int, allowed: str, groups: bool = False) -> str:
    """The pattern, which is known to be good; `groups` if other groups than 0 are asked for."""
    pattern, options = text(args[1], 1, "pattern", MAX_PATTERN), ""
    if options_at < len(args):
        options = text(args[options_at], options_at, "list of options", len(allowed))
        if set(options) - set(allowed) or set(options) >= {"c", "i"}:
            raise TypeMismatch(f"the options are some of {', '.join(allowed)}", options_at)
    try:
        facts = check(pattern, options.replace("g", ""))
        if groups and facts.live > MAX_LIVE:
            raise Refused(
                f"a match can go on in {facts.live} ways at once, so the time to find its groups "
                f"would depend on the row; at most {MAX_LIVE} are taken"
            )
        if "g" in options and facts.ahead > MAX_AHEAD:
            raise Refused(
                "a search can read far beyond its match, so the time to replace all of them would "
                "depend on the row; leave out 'g', or what may follow a complete match"
            )
    except Refused as refused:
        message = str(refused)
    else:
        message = _problem("regexp_full_match", pattern)
    if message:
        raise TypeMismatch(message, 1)
    return pattern


@lru_cache(maxsize=512)
def _problem(function: str, *constants: str) -> str:
    """What the engine has against these constants; '' for nothing."""
    from dpsql.core.functions.calculator import calculator

    quoted = ", ".join("'" + c.replace("'", "''") + "'" for c in ("", *constants))
    try:
        with calculator() as connection:
            connection.execute(f"SELECT {function}({quoted})").fetchall()
    except (duckdb.Error, UnicodeError) as error:
        first = str(error).splitlines()[0]
        return first.partition("Error: ")[2][:200] or "the engine does not take it"
    return ""


def _matches(args: Args) -> tuple[Args, Type]:
    require(args, (2, 3))
    _pattern(args, 2, "cis")
    return strings(args, len(args)), BOOLEAN


def _extract(args: Args) -> tuple[Args, Type]:
    require(args, (2, 4))
    group = integer_constant(args[2], 2, 0, 9) if len(args) > 2 else 0
    _pattern(args, 3, "cis", groups=group > 0)
    return strings(args, 2), VARCHAR


def _replace(args: Args) -> tuple[Args, Type]:
    require(args, (3, 4))
    replacement = text(args[2], 2, "replacement", MAX_REPLACEMENT)
    names = "\\" in replacement.replace("\\\\", "").replace("\\0", "")
    pattern = _pattern(args, 3, "cisg", groups=names)
    message = _problem("regexp_replace", pattern, replacement)
    if message:
        raise TypeMismatch(message, 2)
    return strings(args, len(args)), VARCHAR


FUNCTIONS = (
    search("regexp_matches", _matches, "0.3 to 3 ns a byte"),
    search("regexp_full_match", _matches, "0.3 to 3 ns a byte"),
    named(
        "regexp_extract",
        _extract,
        any_string,
        timing="2 to 5 ns a byte without a match; its groups 10 to 110 ns, nested 250 ns",
    ),
    named(
        "regexp_replace",
        _replace,
        any_string,
        bounded,
        timing="0.4 to 5 ns a byte without a match, and 40 to 190 ns for each match",
    ),
)
