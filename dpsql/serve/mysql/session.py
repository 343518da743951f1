"""What a statement gives: one principal's session, on the one path to the data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from secrets import token_hex
from typing import Any

from sqlglot import exp

from dpsql.core.account.amount import ZERO, decimal_text
from dpsql.core.calibrate.options import Amount, Question
from dpsql.errors import InvalidBudget, Rejected, shallow
from dpsql.report.explanation import Explanation, sentences
from dpsql.report.result import Answer
from dpsql.serve import off_by
from dpsql.serve.asked import Asked, How
from dpsql.serve.mysql import shows
from dpsql.serve.mysql.catalog import SCHEMA, Catalog, Catalogs
from dpsql.serve.mysql.command_text import Statement, Value, statement
from dpsql.serve.mysql.errors import NO_DATA, NOT_HERE, Refused
from dpsql.serve.mysql.handshake import VERSION
from dpsql.serve.mysql.sent_columns import Rows, of_answer, texts
from dpsql.serve.mysql.spoken import SpokenStatements
from dpsql.serve.mysql.translate import duckdb, named
from dpsql.serve.mysql.typed_places import placed
from dpsql.serve.mysql.variables import Variables
from dpsql.serve.principals import Principal
from dpsql.serve.service import Service

HOW_TO_PAY = (
    "the query has no ε: write /* eps: 0.2 */ into it, or SET @eps = 0.2 before it; "
    "EXPLAIN SELECT … is free"
)

OF_A_MODEL = "of a model: each number has its ± when it is run"


@dataclass(frozen=True, slots=True)
class Kill:
    """A connection whose query is to end, or the whole of it."""

    number: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Running:
    """A query that is in the row.

    Attributes:
        asked: what the service gave.
        data: of which data set.
        sql, typed: what it is asked, and what was typed.
        intervals: whether their ends are shown.
    """

    asked: Asked
    data: str
    sql: str
    typed: str
    intervals: bool

    def rows(self, found: Any) -> Rows:
        """What came out, for a client."""
        answer: Answer = found[0]
        return of_answer(answer, self.intervals)

    def placed(self, rejected: Rejected) -> Rejected:
        """What is wrong with it, in the text that was typed."""
        return placed(rejected, self.sql, self.typed)


Begun = Rows | Running | Kill | None
"""What a statement comes to; None for one that says nothing."""


class Session:
    """Statements of one connection, one after another.

    Args:
        service: the one path to the data.
        who: the principal; set again before each statement, as it is known then.
        number: of the connection.
        catalogs: of what there is.
        charset: of its texts, at first.
    """

    def __init__(
        self, service: Service, who: Principal, number: int, catalogs: Catalogs, charset: str
    ) -> None:
        self._service, self.who, self.number = service, who, number
        self._catalogs = catalogs
        self.data, self._charset = "", charset
        self.reset()

    def use(self, name: str) -> None:
        """Ask another data set from now on.

        Raises:
            Refused: there is none of that name, or it is not theirs; which is not said.
        """
        if not name:
            seen = [data for data in self._service.data if self.who.may_see(data)]
            self.data = seen[0] if len(seen) == 1 else ""
            return
        names = self._catalog.databases()
        found = next((n for n in names if n == name), None)
        found = found or next((n for n in names if n.lower() == name.lower()), None)
        if found is None:
            raise Refused(1049, "42000", "there is no such data set, or it is not yours")
        self.data = found

    def reset(self) -> None:
        """Forget all variables, and what was prepared in SQL."""
        self._spoken = SpokenStatements(self._service.config.limits.body)
        self.variables = Variables(self._service.config.limits.body)
        self.variables.names(self._charset)

    def fields(self, name: str) -> Rows:
        """The columns of a table, without rows.

        Raises:
            Refused: there is no such table.
        """
        table = self._catalog.table(self.data, name)
        names = [column.name for column in table.columns]
        return Rows(names, [str(column.type) for column in table.columns], ())

    def begin(self, text: str, values: tuple[Value, ...] = ()) -> Begun:
        """Answer a statement, or put it in the row.

        Raises:
            DpsqlError, Refused: it is not answered.
        """
        return shallow(lambda: self._said(text, values), text)

    def _said(self, text: str, values: tuple[Value, ...]) -> Begun:
        found = self._spoken.read(text, self.variables)
        if found is True:
            return None
        if found is False:
            return self._begun(statement(text, values))
        return self._begun(statement(found.text, found.values, found.comments))

    def _begun(self, read: Statement) -> Begun:
        tree = read.tree
        if tree is None:
            return None
        if isinstance(tree, exp.Set):
            self.variables.set(tree)
            return None
        if isinstance(tree, exp.Use):
            parts = tree.this.parts if isinstance(tree.this, exp.Table) else ()
            self.use(".".join(part.name for part in parts))
            return None
        if isinstance(tree, exp.Transaction | exp.Commit | exp.Rollback):
            return None
        if isinstance(tree, exp.Kill):
            return _kill(tree)
        if isinstance(tree, exp.Show):
            return shows.show(tree, self._catalog, self.data, self.variables)
        if isinstance(tree, exp.Describe):
            return self._described(tree, read)
        if isinstance(tree, exp.Query):
            return self._selected(tree, read)
        if isinstance(tree, exp.Command) and tree.name.upper() == "SHOW":
            return self._shown(str(tree.expression).strip())
        raise Refused(1235, "42000", NOT_HERE)

    @property
    def _catalog(self) -> Catalog:
        seen = {n: data for n, data in self._service.data.items() if self.who.may_see(n)}
        return self._catalogs.of({name: data.db.schema for name, data in seen.items()})

    def _described(self, tree: exp.Describe, read: Statement) -> Rows:
        about = tree.this
        if isinstance(about, exp.Query):
            return self._explained(about, read)
        if isinstance(about, exp.Table):
            return shows.columns(self._catalog, about.text("db") or self.data, about.name)
        raise Refused(1235, "42000", NOT_HERE)

    def _shown(self, said: str) -> Rows:
        what = said.upper()
        if what == "BUDGET":
            return self._budget()
        if what.startswith("KEYS "):  # the parser knows the other two words for it alone
            again = statement("SHOW INDEX " + said[5:]).tree
            if isinstance(again, exp.Show):
                return shows.show(again, self._catalog, self.data, self.variables)
        return shows.other(what)

    def _selected(self, tree: exp.Query, read: Statement) -> Begun:
        tree = self._expanded(tree)
        tables = _tables(tree)
        if not tables:
            constant = _constants(tree)
            if constant is not None:
                return constant
        at = {table.text("db").lower() or self.data.lower() for table in tables}
        if tables and at == {SCHEMA}:
            return self._catalog.query(tree)
        data, sql = self._asked(tree)
        eps = self._eps(read)
        delta = read.delta if read.delta is not None else self.variables.delta
        if eps is None:
            eps = self._for_free(data, sql, read.text)
        question = Question(sql, eps, delta, {})
        how = How(token_hex(16), timeout=self.variables.timeout, typed=read.text)
        asked = self._service.run(self.who, data, question, how)
        return Running(asked, data, sql, read.text, self.variables.intervals)

    def _asked(self, tree: exp.Query) -> tuple[str, str]:
        """The data set, and the text that it is asked."""
        data = self.data
        if not data or data == SCHEMA:
            found = {table.text("db").lower() for table in _tables(tree)} - {""}
            every = [n for n in self._service.data if self.who.may_see(n)]
            meant = [n for n in every if n.lower() in found] if found else every
            if len(meant) != 1:
                raise Refused(1046, "3D000", NO_DATA)
            data = meant[0]
        return data, duckdb(tree, data, self._catalog.tables(data))

    def _eps(self, read: Statement) -> Amount:
        """The ε of a query: its own, the session's, the principal's, or the server's for all."""
        for found in (read.eps, self.variables.eps):
            if found is not None:
                return found
        mysql = self._service.config.mysql
        return self._service.usual_eps(self.who, None if mysql is None else mysql.eps)

    def _for_free(self, data: str, sql: str, typed: str) -> Amount:
        """Any ε, for a query that costs nothing.

        Raises:
            InvalidBudget: it does.
            Rejected: it is not accepted.
        """
        eps, problem = max(Fraction(1), self.who.min_eps), None
        try:
            question = Question(sql, eps, None, {})
            _, explained = self._service.explain(self.who, data, question, typed)
        except Rejected as rejected:
            problem = placed(rejected, sql, typed)
        if problem is not None:
            raise problem
        if explained.cost.exact != ZERO:
            raise InvalidBudget(HOW_TO_PAY)
        return eps

    def _explained(self, tree: exp.Query, read: Statement) -> Rows:
        data, sql = self._asked(self._expanded(tree))
        eps = self._eps(read) or max(Fraction(1), self.who.min_eps)
        delta = read.delta if read.delta is not None else self.variables.delta
        try:
            question = Question(sql, eps, delta, {})
            _, found = self._service.explain(self.who, data, question, read.text)
        except Rejected as rejected:
            said = [("verdict", "rejected"), ("code", rejected.code)]
            said += [("problem", rejected.message), ("help", rejected.help or "")]
            return texts(("item", "value"), [*said, ("asked", sql)])
        return texts(("item", "value"), [*_verdict(found, sql), ("asked", sql)])

    def _budget(self) -> Rows:
        if not self.data or self.data == SCHEMA:
            raise Refused(1046, "3D000", NO_DATA)
        found, _ = self._service.budget(self.who, self.data)
        amounts = [("total", found.total), ("spent", found.spent), ("remaining", found.remaining)]
        amounts += [("of yours", cap.left) for cap in found.caps_of(self.who.name)]
        exact = [(name, cost.exact) for name, cost in amounts]
        rows = [(name, decimal_text(c.eps), decimal_text(c.delta)) for name, c in exact]
        return texts(("amount", "eps", "delta"), rows)

    def _expanded(self, tree: exp.Query) -> exp.Query:
        """The query with constants for what it asks of the session."""
        named(tree)
        if isinstance(tree, exp.Select) and _is_dual(tree):
            tree.set("from_", None)
        clock = not _tables(tree)

        def constant(node: exp.Expr) -> exp.Expr:
            if isinstance(node, exp.SessionParameter | exp.Parameter):
                return self.variables.literal(node)
            found = self._told(node, clock)
            return node if found is None else found

        made = tree.transform(constant)
        assert isinstance(made, exp.Query)
        return made

    def _told(self, node: exp.Expr, clock: bool) -> exp.Expr | None:
        """What a function says of the session, where it is one that does."""
        if isinstance(node, exp.CurrentSchema | exp.CurrentDatabase):
            return exp.Literal.string(self.data) if self.data else exp.null()
        if isinstance(node, exp.CurrentUser | exp.SessionUser):
            return exp.Literal.string(f"{self.who.name}@%")
        if isinstance(node, exp.CurrentVersion):
            return exp.Literal.string(VERSION)
        if isinstance(node, exp.CurrentTimestamp | exp.UtcTimestamp) and clock:
            return _now()
        if not isinstance(node, exp.Anonymous) or node.expressions:
            return None
        name = node.name.upper()
        if name in ("USER", "SYSTEM_USER"):
            return exp.Literal.string(f"{self.who.name}@%")
        if name == "CONNECTION_ID":
            return exp.Literal.number(self.number)
        if name in ("LAST_INSERT_ID", "ROW_COUNT", "FOUND_ROWS"):
            return exp.Literal.number(0)
        return _now() if name in ("NOW", "SYSDATE") and clock else None


def _now() -> exp.Expr:
    return exp.Literal.string(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}")


def _tables(tree: exp.Query) -> list[exp.Table]:
    """The tables of a query, without those that it makes itself."""
    own = {cte.alias_or_name.lower() for cte in tree.find_all(exp.CTE)}
    return [t for t in tree.find_all(exp.Table) if t.text("db") or t.name.lower() not in own]


def _is_dual(tree: exp.Select) -> bool:
    tables = list(tree.find_all(exp.Table))
    return len(tables) == 1 and tables[0].sql().lower() == "dual"


def _constants(tree: exp.Query) -> Rows | None:
    """The row of a query that has constants alone; None for any other."""
    present = {key for key, part in tree.args.items() if part}
    if not isinstance(tree, exp.Select) or not present <= {"expressions", "limit", "hint"}:
        return None
    if not tree.expressions:
        return None  # the protocol has no result without columns
    names, row = [], []
    for part in tree.expressions:
        inside = part.unalias()
        value = _constant(inside)
        if value is _NONE:
            return None
        names.append(part.alias_or_name or inside.sql(dialect="mysql"))
        row.append(value)
    limit = tree.args.get("limit")
    none = isinstance(limit, exp.Limit) and limit.expression.name == "0"
    return texts(names, []) if none else texts(names, [row])


_NONE = object()
_TEXTS = {exp.DType.CHAR, exp.DType.VARCHAR, exp.DType.NCHAR, exp.DType.TEXT}


def _constant(node: exp.Expr) -> object:
    node = node.unnest()
    if isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Boolean):
        return int(node.this)
    if isinstance(node, exp.Literal) and node.is_string:
        return node.name
    if isinstance(node, exp.Literal) and node.name.isascii() and node.name.isdigit():
        return int(node.name) if len(node.name) < 19 else node.name
    if isinstance(node, exp.Cast) and node.to.this in _TEXTS and _is_text(node.this):
        most = node.to.expressions[0].name if node.to.expressions else ""
        return node.this.name[: int(most)] if most.isdigit() else node.this.name
    return _NONE


def _is_text(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and node.is_string


def _kill(tree: exp.Kill) -> Kill:
    number = tree.this.name
    if not (number.isascii() and number.isdigit() and len(number) < 12):
        raise Refused(1064, "42000", "KILL takes the number of a connection")
    return Kill(int(number), tree.text("kind").upper() != "QUERY")


def _verdict(found: Explanation, sql: str) -> Iterator[tuple[str, str]]:
    """An explanation as rows: its words are those of `dpsql estimate`."""
    granted = found.ledger is None or found.ledger.fits
    yield "verdict", "accepted" if granted else "refused"
    yield "kind", found.kind
    yield "cost", str(found.cost)
    columns = off_by.columns(found, sql)
    if columns is None:
        yield "error", OF_A_MODEL
    for column in columns or ():
        yield f"error of {column.name}", column.off_by
    if found.ledger is not None:
        yield "ledger" if granted else "problem", sentences.ledger(found.ledger)
