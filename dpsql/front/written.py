"""What a person wrote: the name of a function as it was typed, and a construct in its own words.
The parser's names for them (BITWISEXORAGG, ATTIMEZONE) are in nobody's query.
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.errors import Span

_NAME = "dpsql_name"
_LONGEST = 60


class Names:
    """The names of functions in a text.

    Args:
        tokens: of the text.
        dialect: whose parser made the tree of them.
    """

    def __init__(self, tokens: list[Token], dialect: Dialect) -> None:
        self._tokens = tokens
        self._at = {token.start: index for index, token in enumerate(tokens)}
        parser = dialect.parser_class
        self._own = frozenset(parser.FUNCTION_PARSERS)
        self._bare: dict[type[exp.Expr], Token] = {}
        kinds = {**parser.NO_PAREN_FUNCTIONS, TokenType.PLACEHOLDER: exp.Placeholder}
        kinds[TokenType.PARAMETER] = exp.Placeholder
        for token in reversed(tokens):
            if token.token_type in kinds:
                self._bare[kinds[token.token_type]] = token

    def mark(self, node: exp.Expr, first: int | None) -> Span | None:
        """Note the name of a function as it was typed.

        Args:
            node: any node.
            first: where the text of its parts begins; None where the tree remembers none.

        Returns:
            Where the name stands; of a word without brackets, where it stands first.
        """
        token = self._bare.get(type(node)) if first is None else self._before(node, first)
        if token is None:
            return None
        node.meta[_NAME] = token.text
        return Span(token.start, token.end + 1)

    def _before(self, node: exp.Expr, first: int) -> Token | None:
        if not isinstance(node, exp.Func):
            return None
        own = (node._meta or {}).get("start")
        index = self._at.get(first if own is None else own)
        if index is None:
            return None
        if own is not None:
            called = index + 1 < len(self._tokens) and _opens(self._tokens[index + 1])
            return self._tokens[index] if called else None
        if index < 2 or not _opens(self._tokens[index - 1]):
            return None
        name = self._tokens[index - 2]
        return name if name.text.upper() in self._own and not isinstance(node, exp.Cast) else None


def _opens(token: Token) -> bool:
    return token.token_type is TokenType.L_PAREN


def unnamed(item: exp.Expr) -> str:
    """What the column of an expression is called that has no name: as it is written, in short."""
    text = _printed(item)
    for node in item.find_all(exp.Func):
        name = name_of(node)
        if name is None:
            continue
        own = text if node is item else _printed(node)
        known, brackets, rest = own.partition("(")
        if brackets and known.isidentifier() and known != name.lower():
            text = text.replace(own, f"{name.lower()}({rest}", 1)
    return text[:60]


def _printed(node: exp.Expr) -> str:
    return node.sql(dialect="duckdb", normalize_functions="lower").lower()


def name_of(node: exp.Expr) -> str | None:
    """The name of a function as it was typed; None for what has none, such as x -> y."""
    if isinstance(node, exp.Anonymous):
        return str(node.this)
    found = (node._meta or {}).get(_NAME)
    return None if found is None else str(found)


def called(node: exp.Expr) -> str:
    """The name of a function for people: as it was typed, where that is known."""
    return (name_of(node) or (node.sql_name() if isinstance(node, exp.Func) else node.key)).upper()


_HERE = {
    "charindex": "write STRPOS(text, part)",
    "dateadd": "write x + INTERVAL 3 DAY",
    "iff": "write IF",
    "iif": "write IF",
    "isnull": "write IFNULL",
    "len": "write LENGTH",
    "nvl": "write COALESCE",
    "std": "write STDDEV",
    "stdevp": "write STDDEV_POP",
    "sysdate": "write CURRENT_DATE, or NOW() for the time of day as well",
    "to_char": "write STRFTIME(x, '%Y-%m-%d')",
    "width_bucket": "write FLOOR((x - low) / width) + 1",
    "to_date": "write TRY_CAST(x AS DATE)",
    "var": "write VAR_SAMP",
    "varp": "write VAR_POP",
}


def of_elsewhere(name: str) -> str | None:
    """What to write in place of a function that only other systems have; None where not known."""
    return _HERE.get(name.lower())


_PARTS = {
    "cluster": "CLUSTER BY",
    "distribute": "DISTRIBUTE BY",
    "except_": "EXCLUDE",
    "exclude": "EXCLUDE",
    "hints": "a hint",
    "kind": "SELECT AS",
    "laterals": "LATERAL VIEW",
    "locks": "FOR UPDATE or FOR SHARE",
    "operation_modifiers": "a word after SELECT",
    "options": "OPTION",
    "pivots": "PIVOT",
    "rename": "RENAME",
    "sample": "USING SAMPLE",
    "sort": "SORT BY",
    "version": "FOR … AS OF, an earlier state of a table",
    "windows": "WINDOW",
}
"""How a query says a part of which the parser has another word."""


def part_of(node: exp.Expr, key: str, otherwise: str) -> str:
    """A part of a node for people.

    Args:
        node: a node.
        key: what the tree calls the part.
        otherwise: for what has no words of its own.
    """
    name = name_of(node)
    if name is not None and isinstance(node.args[key], exp.Expr):
        return f"the argument {words(node.args[key], otherwise)} of {name.upper()}"
    return _PARTS.get(key, otherwise)


def words(part: object, otherwise: str, dialect: str = "duckdb") -> str:
    """A part of a query in words of SQL, not too many.

    Args:
        part: nodes, texts and marks, as the tree has them.
        otherwise: for what has no words.
        dialect: whose words.
    """
    found = ""
    for each in part if isinstance(part, list) else [part]:
        try:
            said = each.sql(dialect) if isinstance(each, exp.Expr) else str(each)
        except Exception:  # a node that was made without its parts
            return otherwise
        if isinstance(each, bool):
            return otherwise
        found += f", {said}" if found else said
    found = " ".join(found.split())
    short = found if len(found) <= _LONGEST else f"{found[:_LONGEST]}…"
    return short or otherwise
