"""dp_predict('pay', age, woman) in a text -> the model's expression, of what is in the brackets.

Claim: a query with a prediction is as private as any other. Why: what comes out is a text without
models, of which all is proven that is proven of any; the numbers in it were told with noise before.
So a model that is put in the wrong place makes another query, and as private.

It is done by tokens: whatever else the analyst wrote stays as it is, and nothing in a string, a
comment or a quoted name is taken for a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from dpsql.errors import Diagnostic, Rejected, Span
from dpsql.front.scope import suggestion
from dpsql.front.unknown import PREDICTION as NAME

_OPEN = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE}
_CLOSE = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE}


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a model says of a row.

    Attributes:
        sql: an expression over columns, whose names are quoted.
        columns: the names of them, in the order of a call's arguments.
    """

    sql: str
    columns: tuple[str, ...]


def expanded(text: str, models: Mapping[str, Foretold]) -> str:
    """The text with each call written out.

    Args:
        text: a query.
        models: by their names, of which case matters not.

    Raises:
        Rejected: DP205, a call that fits no model.
    """
    try:
        tokens = Dialect.get_or_raise("duckdb").tokenize(text)
    except TokenError:
        return text  # which is said of any query
    known = {name.lower(): model for name, model in models.items()}
    return _Expanding(text, tokens, known).between(0, len(tokens), 0, len(text))


@dataclass(frozen=True, slots=True)
class _Expanding:
    text: str
    tokens: Sequence[Token]
    models: Mapping[str, Foretold]

    def between(self, first: int, last: int, start: int, end: int) -> str:
        """The text from one character to another, which has tokens from one to another."""
        made, done, place = [], start, first
        while place < last:
            if not self._calls(place, last):
                place += 1
                continue
            *ends, close = self._ends(place + 1, last)
            made.append(self.text[done : self.tokens[place].start])
            made.append(self._call(place, ends, close))
            done, place = self.tokens[close].end + 1, close + 1
        return "".join((*made, self.text[done:end]))

    def _calls(self, place: int, last: int) -> bool:
        token = self.tokens[place]
        named = token.token_type is not TokenType.STRING and token.text.lower() == NAME
        plain = named and self.text[token.start] != '"'
        return plain and place + 1 < last and self.tokens[place + 1].token_type is TokenType.L_PAREN

    def _ends(self, start: int, last: int) -> Iterator[int]:
        """The commas of a bracket, and where it is closed."""
        depth = 0
        for place in range(start, last):
            kind = self.tokens[place].token_type
            depth += (kind in _OPEN) - (kind in _CLOSE)
            if depth == 0 or (depth == 1 and kind is TokenType.COMMA):
                yield place
            if depth == 0:
                return
        raise self._wrong("a bracket that is not closed", start - 1, start, "close it: )")

    def _call(self, place: int, commas: Sequence[int], close: int) -> str:
        every = f"there are {', '.join(map(repr, self.models))}" if self.models else "there is none"
        name = self.tokens[place + 2]
        ends = [*commas, close]
        if name.token_type is not TokenType.STRING or ends[0] != place + 3:
            help = f"write a model's name first: {NAME}('pay'); {every}"
            raise self._wrong("a prediction without the name of its model", place, close, help)
        model = self.models.get(name.text.lower())
        if model is None:
            help = suggestion(name.text, self.models) or every
            raise self._wrong(f"no model {name.text} is given", place + 2, place + 2, help)
        if not commas:
            return model.sql
        starts = commas
        if len(starts) != len(model.columns) or any(
            after == before + 1 for before, after in zip(starts, ends[1:], strict=True)
        ):
            form = ", ".join((f"'{name.text}'", *model.columns))
            message = f"{name.text} is a model of {len(model.columns)} columns, not {len(starts)}"
            raise self._wrong(message, place, close, f"write {NAME}({form})")
        given = {
            column.lower(): self.between(
                before + 1, after, self.tokens[before].end + 1, self.tokens[after].start
            )
            for column, before, after in zip(model.columns, starts, ends[1:], strict=True)
        }
        return _filled(model.sql, given)

    def _wrong(self, message: str, first: int, last: int, help: str | None) -> Rejected:
        span = Span(self.tokens[first].start, self.tokens[last].end + 1)
        return Rejected(Diagnostic("DP205", message, span, help), self.text)


def _filled(sql: str, given: Mapping[str, str]) -> str:
    """An expression with other expressions in the place of its columns."""
    made, done = [], 0
    for token in Dialect.get_or_raise("duckdb").tokenize(sql):
        if token.token_type is TokenType.IDENTIFIER:
            # A line's end ends a comment that an argument may have.
            made += [sql[done : token.start], f"({given[token.text.lower()]}\n)"]
            done = token.end + 1
    return "".join((*made, sql[done:]))
