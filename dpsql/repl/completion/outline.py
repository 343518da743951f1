"""tokens -> the SELECT in which the cursor is, with what is in scope there.

Nothing is rejected: what is not understood is passed over, since the text is still being written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dpsql.core.schema import Schema
from dpsql.front.scope import fold
from dpsql.repl.completion.from_items import FromItem, NamedColumn, SelectScope, Spot
from dpsql.repl.lexer import Token

MAX_DEPTH = 60
"""Deeper queries than this are passed over."""

_STARTS = {"SELECT", "WITH", "FROM", "VALUES"}
_CLAUSES = {"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "QUALIFY"}
_CLAUSES |= {"WINDOW", "VALUES"}
_JOINS = {"JOIN", "LEFT", "RIGHT", "FULL", "INNER", "OUTER", "CROSS", "NATURAL", "SEMI", "ANTI"}
_JOINS |= {"ASOF", "POSITIONAL"}
_WITH_FROM = {"EXTRACT", "SUBSTRING", "TRIM", "OVERLAY"}
"""What may have a FROM between its parentheses."""
_SETS = {"UNION", "INTERSECT", "EXCEPT"}


@dataclass(slots=True)
class _Outliner:
    tokens: Sequence[Token]
    schema: Schema | None
    at: int = 0
    spot: Spot | None = None

    def peek(self, ahead: int = 0) -> Token | None:
        index = self.at + ahead
        return self.tokens[index] if 0 <= index < len(self.tokens) else None

    def words(self, ahead: int) -> str:
        token = self.peek(ahead)
        return "" if token is None else token.word or token.text

    def subquery(
        self, outer: SelectScope | None, ctes: Mapping[str, FromItem], depth: int
    ) -> tuple[NamedColumn, ...]:
        """Reads from behind `(` to behind its `)`; the columns of the query that is there."""
        found = _Query(self, outer, dict(ctes), depth).read()
        self.at = min(self.at + 1, len(self.tokens))
        return found.outputs()


@dataclass(slots=True)
class _Query:
    """Reads one query, its WITH and its set operations, up to the `)` that ends it."""

    reader: _Outliner
    outer: SelectScope | None
    ctes: dict[str, FromItem]
    depth: int
    clause: str = ""
    item: bool = False
    joined: bool = False
    lateral: bool = False
    cte: str = ""
    names: list[str] = field(default_factory=list)
    brackets: list[str] = field(default_factory=list)
    nested: int = 0

    def read(self) -> SelectScope:
        first = block = SelectScope(self.outer, self.ctes)
        while (token := self.reader.peek()) is not None:
            if token.text == ")" and not self.brackets:
                break
            if token.kind == "cursor":
                inside = self.nested > 0
                self.reader.spot = Spot(block, self.clause, self.item, self.joined, inside)
            if token.word in _SETS and not self.brackets and self.reader.words(-1) != "*":
                block, self.clause = SelectScope(self.outer, self.ctes), ""
                self.reader.at += 1
            else:
                self.step(block, token)
        return first

    def step(self, block: SelectScope, token: Token) -> None:
        reader = self.reader
        if self.nested and self.is_unclosed(token):
            self.brackets, self.nested = [b for b in self.brackets if b == "join"], 0
        plain = not self.nested and reader.words(-1) != "."
        if token.text == "(":
            self.opened(block)
        elif token.text == ")":
            self.nested -= self.brackets.pop() != "join"
            self.selected(block, token)
            reader.at += 1
        elif self.nested:
            reader.at += 1
        elif plain and token.word in _CLAUSES and not self.is_operator(token):
            self.clause, self.item = token.word, token.word == "FROM"
            self.joined = False
            block.has.add(token.word)
            if token.word == "SELECT":
                block.items.append([])
            reader.at += 1
        elif plain and token.word == "WITH" and not self.clause:
            self.clause = "WITH"
            reader.at += 1
        elif plain and self.clause == "WITH":
            self.defining(token)
        elif plain and self.clause in ("FROM", "ON", "USING"):
            self.joining(block, token)
        else:
            self.selected(block, token)
            reader.at += 1

    def is_operator(self, token: Token) -> bool:
        """FROM in IS DISTINCT FROM."""
        return token.word == "FROM" and [self.reader.words(n) for n in (-2, -1)] in (
            ["IS", "DISTINCT"],
            ["NOT", "DISTINCT"],
        )

    def is_unclosed(self, token: Token) -> bool:
        """Whether a clause begins here, so that the parentheses before it lack their end."""
        within, before = self.brackets[-1], self.reader.words(-1)
        if token.word == "FROM":
            return within not in _WITH_FROM and not self.is_operator(token)
        if token.word == "WHERE":
            return within != "FILTER" or before != "("
        return token.word == "HAVING" or (token.word == "GROUP" and before != "WITHIN")

    def selected(self, block: SelectScope, token: Token) -> None:
        """Keep the tokens of the select list, those in parentheses as one."""
        if self.clause != "SELECT" or self.brackets:
            return
        if token.text == ",":
            block.items.append([])
        elif token.kind != "cursor" and token.word not in ("DISTINCT", "ALL"):
            block.items[-1].append(token)

    def opened(self, block: SelectScope) -> None:
        reader = self.reader
        query = reader.words(1) in _STARTS
        if not query or self.depth >= MAX_DEPTH:
            table = self.clause == "FROM" and self.item
            self.brackets.append("join" if table else reader.words(-1))
            self.nested += not table
            reader.at += 1
            return
        reader.at += 1
        if self.clause == "WITH":
            columns = reader.subquery(self.outer, self.ctes, self.depth + 1)
            self.ctes[fold(self.cte)] = FromItem(self.cte, columns).renamed(self.names)
        elif self.clause == "FROM" and self.item:
            outer = block if self.lateral else self.outer
            self.add(block, FromItem("", reader.subquery(outer, self.ctes, self.depth + 1)))
        else:
            reader.subquery(block, self.ctes, self.depth + 1)
            self.selected(block, reader.tokens[reader.at - 1])

    def defining(self, token: Token) -> None:
        """name (columns) AS MATERIALIZED ( query )"""
        if token.is_name and token.word not in ("AS", "NOT", "MATERIALIZED", "RECURSIVE"):
            self.cte = token.name
            self.reader.at += 1
            self.names = self.list_of_names()
        else:
            self.reader.at += 1

    def joining(self, block: SelectScope, token: Token) -> None:
        reader = self.reader
        join = token.word in _JOINS and reader.words(1) != "("
        if join or token.text == ",":
            self.clause, self.item = "FROM", token.word == "JOIN" or token.text == ","
            self.joined = token.word == "JOIN"
            reader.at += 1
        elif token.word in ("ON", "USING"):
            self.clause, self.item = token.word, False
            reader.at += 1
        elif self.clause != "FROM" or not token.is_name or token.word == "AS":
            reader.at += 1
        elif token.word == "LATERAL":
            self.lateral = True
            reader.at += 1
        elif self.item:
            self.table(block, token)
        else:
            reader.at += 1
            self.alias(block, token.name)

    def table(self, block: SelectScope, token: Token) -> None:
        reader = self.reader
        parts = [token.name]
        while reader.words(1) == "." and (part := reader.peek(2)) is not None and part.is_name:
            token = part
            parts.append(token.name)
            reader.at += 2
        reader.at += 1
        cte = None if len(parts) > 1 else self.ctes.get(fold(token.name))
        table = self.schema_table(token.name, ".".join(parts)) if cte is None else None
        relation = FromItem(token.name, () if cte is None else cte.columns)
        self.add(block, relation if table is None else table)

    def schema_table(self, name: str, full: str) -> FromItem | None:
        schema = self.reader.schema
        found = None if schema is None else schema.table(full) or schema.table(name)
        if found is None:
            return None
        return FromItem(name, tuple(NamedColumn(c.name, c, found) for c in found.columns), found)

    def add(self, block: SelectScope, relation: FromItem) -> None:
        block.relations.append(relation)
        self.item = self.lateral = False

    def alias(self, block: SelectScope, name: str) -> None:
        names = self.list_of_names()
        if block.relations:
            last = block.relations[-1]
            block.relations[-1] = FromItem(name, last.columns, last.table).renamed(names)

    def list_of_names(self) -> list[str]:
        """The names in parentheses here; none where no list of names is."""
        reader, ahead, names = self.reader, 1, []
        if reader.words(0) != "(" or reader.words(1) in _STARTS:
            return []
        while (token := reader.peek(ahead)) is not None and (token.is_name or token.text == ","):
            names += [token.name] if token.is_name else []
            ahead += 1
        if token is None or token.text != ")":
            return []
        reader.at += ahead + 1
        return names


def spot(tokens: Sequence[Token], schema: Schema | None) -> Spot:
    """Where the token of kind "cursor" is."""
    reader = _Outliner(tokens, schema)
    while reader.at < len(tokens):
        _Query(reader, None, {}, 0).read()
        reader.at += 1  # a `)` too many
    return reader.spot or Spot(SelectScope(None, {}))
