"""Prepared statements that are said in SQL: PREPARE, EXECUTE, DEALLOCATE PREPARE.

A value takes its place as one of the protocol's does, behind the tokenizer; see `statement`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot.tokenizer_core import Token, TokenType

from dpsql.serve.mysql.command_text import Value, places, tokens
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.prepared import MOST
from dpsql.serve.mysql.variables import Variables

UNREAD = (
    "write PREPARE name FROM 'SELECT …' (or FROM @text), EXECUTE name USING @a, @b, or "
    "DEALLOCATE PREPARE name"
)


@dataclass(frozen=True, slots=True)
class Execute:
    """A statement that is to be answered.

    Attributes:
        text: as it was prepared.
        values: of its parameters.
        comments: beside EXECUTE.
    """

    text: str
    values: tuple[Value, ...]
    comments: tuple[str, ...]


class SpokenStatements:
    """Those of one session, by their names.

    Args:
        most: letters that all of them may hold.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: dict[str, str] = {}

    def read(self, text: str, variables: Variables) -> Execute | bool:
        """What a text says of prepared statements: which one is to be answered; or whether it said
        another thing of them, which is done then.

        Raises:
            Refused: it says it otherwise, or there is no such statement.
            Rejected: the text cannot be split into tokens.
        """
        found = _words(text)
        words = [token.text.upper() for token in found]
        if words[:2] in (["DROP", "PREPARE"], ["DEALLOCATE", "PREPARE"]):
            if len(found) != 3:
                raise Refused(1064, "42000", UNREAD)
            self._find(found[2])
            del self._kept[_name(found[2])]
            return True
        if words[:1] == ["PREPARE"]:
            if words[2:3] != ["FROM"]:
                raise Refused(1064, "42000", UNREAD)
            self._prepare(_name(found[1]), _text(found[3:], variables))
            return True
        if words[:1] != ["EXECUTE"]:
            return False
        if len(found) < 2 or words[2:3] not in ([], ["USING"]) or len(found) == 3:
            raise Refused(1064, "42000", UNREAD)
        kept = self._find(found[1])
        values = tuple(map(variables.value, _variables(found[3:])))
        if len(values) != places(kept):
            raise Refused(1210, "HY000", "EXECUTE … USING has one variable for each ?")
        comments = (comment for token in found for comment in token.comments)
        return Execute(kept, values, tuple(comments))

    def _prepare(self, name: str, text: str) -> None:
        places(text)  # which says whether it can be read at all
        self._kept.pop(name, None)
        if len(self._kept) >= MOST or sum(map(len, self._kept.values())) + len(text) > self._most:
            raise Refused(1461, "42000", "too many prepared statements, or they hold too much")
        self._kept[name] = text

    def _find(self, name: Token) -> str:
        if _name(name) not in self._kept:
            raise Refused(1243, "HY000", "there is no such prepared statement")
        return self._kept[_name(name)]


def _words(text: str) -> list[Token]:
    """The tokens of such a statement; of another one a few at most."""
    found = [t for t in tokens(text) if t.token_type is not TokenType.SEMICOLON]
    first = found[0].text.upper() if found else ""
    if first in ("DROP", "DEALLOCATE"):
        return found
    # What is behind these words is one token to the tokenizer.
    if first not in ("PREPARE", "EXECUTE") or len(found) != 2:
        return []
    return [found[0], *tokens(found[1].text)]


def _name(token: Token) -> str:
    """A name; in either case the same."""
    if token.token_type is TokenType.STRING or len(token.text) > 64:
        raise Refused(1064, "42000", UNREAD)
    return token.text.lower()


def _text(said: Sequence[Token], variables: Variables) -> str:
    """What is to be prepared: as it is written, or a variable."""
    if len(said) == 1 and said[0].token_type is TokenType.STRING:
        return said[0].text
    if len(said) == 2:
        return str(variables.value(*_variables(said)) or "")
    raise Refused(1064, "42000", UNREAD)


def _variables(said: Sequence[Token]) -> tuple[str, ...]:
    """The names of `@a, @b, …`."""
    marks = [token.text for n, token in enumerate(said) if n % 3 != 1]
    if marks != [("@", ",")[n % 2] for n in range(len(marks))] or (said and len(said) % 3 != 2):
        raise Refused(1064, "42000", UNREAD)
    return tuple(token.text for token in said[1::3])
