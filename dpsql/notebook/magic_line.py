"""The line after `%dpsql` or `%%dpsql`: options, then perhaps a query."""

from __future__ import annotations

import argparse
import re
from decimal import Decimal
from fractions import Fraction
from keyword import iskeyword
from typing import NoReturn, get_args

from IPython.core.error import UsageError

from dpsql.core.account.amount import read
from dpsql.core.calibrate.options import Clipping, Noise
from dpsql.errors import InvalidBudget
from dpsql.front.dialects import DIALECTS

EPILOG = """\
examples:
  %dpsql --connect shop.duckdb --policy shop.yaml --eps 0.5
  %dpsql SELECT COUNT(*) FROM orders
  %dpsql --budget

  %%dpsql --eps 1 -o channels
  SELECT channel, COUNT(*) AS n
  FROM orders GROUP BY channel

Without --connect and --db it is the database of dpsql.use, else the one of dpsql.run. Options on a
line without a query hold for the queries that follow. A query that was answered before on the same
data is answered from what is kept, for free. Python values are never put into a query: {name} and
$name are no part of SQL; dpsql.dbapi takes a ? for each value.
"""


class _LineParser(argparse.ArgumentParser):
    """Errors are IPython's own: no traceback, and the cell fails."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see %dpsql --help")


def split(line: str) -> tuple[argparse.Namespace, str]:
    """The options, and what follows them just as it was written.

    Raises:
        UsageError: options that are none.
    """
    words = list(_WORDS.finditer(line))
    found = _PARSER.parse_args([word[0] for word in words])
    rest = len(found.query)
    return found, line[words[-rest].start() :] if rest else ""


def help_text() -> str:
    """What `%dpsql --help` says."""
    return _PARSER.format_help()


_WORDS = re.compile(r"""(?:"[^"]*"|'[^']*'|\S)+""")


def _unquoted(text: str) -> str:
    """A word without the quotes around it."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if quoted else text


def _amount(text: str) -> Decimal | Fraction:
    """An ε or δ as it is written: a decimal or a fraction, exactly."""
    try:
        return read(text)
    except InvalidBudget as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _name(text: str) -> str:
    if not text.isidentifier() or iskeyword(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a variable")
    return text


def _made() -> _LineParser:
    made = _LineParser(
        prog="%dpsql",
        usage="%(prog)s [options] [QUERY], or %%%(prog)s [options] with the query below",
        description="Answer a query with noise, and charge the budget.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    add = made.add_argument
    add("--eps", metavar="E", type=_amount, help="the ε of the query, such as 0.5")
    add("--delta", metavar="D", type=_amount, help="its δ; by default a part of the policy's")
    add("--noise", choices=get_args(Noise))
    add("--clipping", choices=get_args(Clipping))
    add("--dialect", choices=DIALECTS, help="whose SQL it is")
    add("--fresh", action="store_true", help="draw new noise, and pay, even for a repeat")
    add("-o", "--out", metavar="NAME", type=_name, help="keep the result in this variable too")
    add("--db", metavar="NAME", type=_name, help="the dpsql.Database in this variable")
    what = made.add_mutually_exclusive_group()
    what.add_argument("--explain", action="store_true", help="only what it would cost and release")
    what.add_argument(
        "--estimate", action="store_true", help="what several would cost together, with ; between"
    )
    what.add_argument("--budget", action="store_true", help="what was spent and what is left")
    what.add_argument("--connect", metavar="DATA", type=_unquoted, help="open it, as the default")
    what.add_argument("--help", action="store_true")
    add("--policy", metavar="FILE", type=_unquoted, help="of --connect")
    add("--ledger", metavar="PLACE", type=_unquoted, help="of --connect: a file or a URL")
    add("--analyst", metavar="WHO", type=_unquoted, help="of --connect")
    add("query", metavar="QUERY", nargs=argparse.REMAINDER)
    return made


_PARSER = _made()
