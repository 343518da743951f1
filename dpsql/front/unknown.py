"""What is not in the language, and what was perhaps meant."""

from __future__ import annotations

from sqlglot import exp

from dpsql.core.functions import SPELLINGS
from dpsql.core.functions.aggregates import AGGREGATE_NAMES
from dpsql.core.functions.calculator import is_function
from dpsql.errors import Diagnostic, Rejected
from dpsql.front.parse import span_of
from dpsql.front.scope import suggestion
from dpsql.front.written import name_of, of_elsewhere, words


def unknown_function(node: exp.Expr) -> Rejected:
    """DP204 for a function, with what was perhaps meant; DP207 for an aggregate that is known."""
    name = name_of(node)
    if name is None:
        message = f"{words(node, node.key)} is not on the allow-list"
        return Rejected(Diagnostic("DP204", message, span_of(node), INSTEAD.get(type(node))))
    if isinstance(node, exp.AggFunc) and name.lower() in AGGREGATE_NAMES:
        message = f"the aggregate {name.lower()} cannot stand here"  # maybe by its alias
        instead = "use HAVING, or compute it in a subquery of FROM"
        return Rejected(Diagnostic("DP207", message, span_of(node), instead))
    if isinstance(node, exp.AggFunc):
        message = f"the aggregate {name.lower()} is not supported"
        return Rejected(Diagnostic("DP204", message, span_of(node), "use COUNT, SUM or AVG"))
    message = f"the function {name.lower()} is not on the allow-list"
    help = INSTEAD.get(type(node)) or of_elsewhere(name)
    if name.lower() == PREDICTION:
        help = A_PREDICTION
    elif help is None and not is_function(name):
        help = A_MODEL if name.lower().startswith(PREFIX) else near(name)
    return Rejected(Diagnostic("DP204", message, span_of(node), help))


def near(name: str) -> str | None:
    """ "did you mean …" for a function of nearly that name, or of the same letters; other systems
    have many whose names are a little like one of these, and mean something else.
    """
    letters = sorted(name.lower())
    turned = [known for known in _CALLED if sorted(known) == letters]
    return suggestion(name, turned, 0) if turned else suggestion(name, _CALLED, ALIKE)


ALIKE = 0.78
"""SOUNDEX is like ROUND by 0.67, SQUARE like QUARTER by 0.77, and COUT like COUNT by 0.89."""
PREFIX = "dp_"
"""What the names of models begin with, and those of no function of DuckDB do."""
A_MODEL = "run a model alone, as a query: SELECT dp_linear_regression(y, [x1, x2]) FROM t"
PREDICTION = "dp_predict"
"""What stands for a model inside of a query."""
A_PREDICTION = "name its model: run(dpsql.models.with_models(sql, {'pay': fitted}), eps)"
_CALLED = (*SPELLINGS, *AGGREGATE_NAMES, "cast", "extract", "quantile", "stddev", "variance")

BY_CHANCE = "leave it out: an answer says nothing that is drawn by chance but its noise"
INSTEAD: dict[type[exp.Expr], str] = {
    exp.Rand: BY_CHANCE,
    exp.Uuid: BY_CHANCE,
    exp.Tuple: "compare each part: a < x OR a = x AND b < y",
    exp.Placeholder: "write the value in its place",
    exp.Order: "leave out ORDER BY",
    exp.Collate: "leave out COLLATE, or compare LOWER(x)",
    exp.AtTimeZone: "leave out AT TIME ZONE",
    exp.Any: "write x LIKE 'a%' OR x LIKE 'b%'",
    exp.All: "write x LIKE 'a%' AND x LIKE 'b%'",
    exp.ByteString: "write '…' without E",
    exp.RawString: "write '…'",
    exp.Explode: "write it in FROM: FROM generate_series(1, 3) AS t(x)",
    exp.Split: "write SPLIT_PART(x, '@', 2) for a part of it",
    exp.Unnest: "write it in FROM: FROM generate_series(1, 3) AS t(x)",
}
"""What to write in place of what is not of the language."""
