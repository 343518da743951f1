"""Models that are asked for in SQL.

Such a model is fitted as `Database.fit` fits it, to the rows of the statement; so it costs the
same, and is free where either was asked before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from dpsql.core.calibrate.options import Wishes
from dpsql.core.release.decode import Noisy
from dpsql.errors import BudgetExceeded, Diagnostic, InvalidArgument, Rejected, Span
from dpsql.execution.accuracy import Accuracy
from dpsql.front.model_statement import ModelStatement
from dpsql.models import entry
from dpsql.models.clusters.specification import KMeans
from dpsql.models.estimates import Estimate, together
from dpsql.models.factors.specification import MatrixFactorization
from dpsql.models.generalised.specification import LogisticRegression, PoissonRegression
from dpsql.models.linear.specification import LinearRegression
from dpsql.models.literals import quoted
from dpsql.models.model_queries import Asked, elsewhere, shown_in
from dpsql.models.model_rows import Table, centres, coefficients, factors, leaves
from dpsql.models.trees.specification import DecisionTree
from dpsql.models.wanted import How, Specification
from dpsql.platform.policy.messages import did_you_mean
from dpsql.report.explanation import Explanation
from dpsql.report.explanation.query_series import several
from dpsql.report.result import Answer


@dataclass(frozen=True, slots=True)
class Function:
    """A function that is a model.

    Attributes:
        wanted: makes its specification.
        arguments: the names of what it takes, in order; `features` is a list.
        table: what was fitted, as rows.
        grouped: whether there is a model for each group.
    """

    wanted: Callable[..., Specification[Any]]
    arguments: tuple[str, ...]
    table: Callable[[Any], Table]
    grouped: bool = True

    @property
    def options(self) -> tuple[str, ...]:
        """What it takes by name."""
        named = (f.name for f in fields(self.wanted) if f.init)  # type: ignore[arg-type]
        return tuple(name for name in named if name not in {*self.arguments, "by"})


FACTORS = Function(MatrixFactorization, ("rating", "user", "item"), factors, grouped=False)

FUNCTIONS: Mapping[str, Function] = {
    "dp_decision_tree": Function(DecisionTree, ("target", "features"), leaves, grouped=False),
    "dp_kmeans": Function(KMeans, ("features",), centres, grouped=False),
    "dp_linear_regression": Function(LinearRegression, ("target", "features"), coefficients),
    "dp_logistic_regression": Function(LogisticRegression, ("target", "features"), coefficients),
    "dp_matrix_factorisation": FACTORS,
    "dp_matrix_factorization": FACTORS,
    "dp_poisson_regression": Function(PoissonRegression, ("target", "features"), coefficients),
}
"""By their names in SQL."""


PRODUCTS = 10**10
"""Of numbers, that a tree may be made of there: about ten seconds."""

WORK, AS_MUCH = 30_000, 10
"""Sums of all groups together, which take 0.2 ms each where models are computed, maybe a server's
processor; and a group by itself takes as much as so many of them.
"""


@dataclass(frozen=True, slots=True)
class Stated:
    """A model that a statement asks for.

    Attributes:
        read: the statement.
        function: which model.
        wanted: its specification.
    """

    read: ModelStatement
    function: Function
    wanted: Specification[Any]

    @property
    def rows(self) -> str:
        """The query of the rows, with names for its columns."""
        names = ", ".join(map(quoted, self.read.columns))
        return f"SELECT * FROM (\n{self.read.rows}\n) AS r({names})"

    def explained(self, db: Asked, eps: object, delta: object, wishes: Wishes) -> Explanation:
        """The explanation of the queries that it is made of.

        Raises:
            Rejected, InvalidArgument, InvalidBudget, EngineError: see `Database.explain`.
        """
        how = _how(eps, delta, wishes)
        with self._shown():
            before = entry.explain_fit(db, self.rows, self.wanted, how, None)
        found = several([(step.explanation, step.times) for step in before.steps])
        if before.work > PRODUCTS:
            message = "so deep a tree of so many bins and classes is too much to compute at once"
            help = "a smaller depth, fewer bins, or use `fit`, which computes where you are"
            raise Rejected(Diagnostic("DP205", message, self.read.span, help), self.read.text)
        groups = max((release.groups or 1 for release in found.releases), default=1)
        if self.read.keys and groups * (AS_MUCH + len(found.releases)) > WORK:
            message = f"{groups:,} models, each of {len(found.releases)} sums, are too many at once"
            help = "group by less, or use `fit`, which computes where you are"
            told = Diagnostic("DP304", message, self.read.span, help)
            raise Rejected(told, self.read.text)
        return found

    def answer(
        self, db: Asked, eps: object, delta: object, wishes: Wishes, *, fresh: bool = False
    ) -> Answer:
        """Its parameters.

        Raises:
            Rejected, InvalidArgument, InvalidBudget, BudgetExceeded: nothing was charged.
            EngineError: see `Database.run`.
        """
        self.explained(db, eps, delta, wishes)  # or it is refused, before anything is charged
        how = _how(eps, delta, wishes, fresh)
        with self._shown():
            found = entry.fit(db, self.rows, self.wanted, how)
        answers = [found.answer] if hasattr(found, "answer") else found.answers
        return _answer(answers, self.read.keys, self.function.table(found))

    def stored(self, db: Asked, eps: object, delta: object, wishes: Wishes) -> bool:
        """Whether it is free.

        Args:
            db: answers what is free alone.
            eps, delta, wishes: see `answer`.
        """
        try:
            self.answer(db, eps, delta, wishes)
        except BudgetExceeded:
            return False
        return True

    @contextmanager
    def _shown(self) -> Iterator[None]:
        """What is rejected of the rows is shown in the analyst's text; what has no place there, as
        in a query that is an option, at the column that is named, or at the call.
        """
        found: tuple[Diagnostic, ...] = ()
        try:
            with shown_in(self.read.rows, self.rows):
                yield
        except Rejected as rejected:
            found = rejected.diagnostics
            if rejected.text != self.read.rows:
                found = tuple(elsewhere(one, rejected.text) for one in found)
        except InvalidArgument as invalid:
            found = (Diagnostic("DP205", str(invalid)),)
        if found:
            placed = (d if d.span else replace(d, span=self._place(d.message)) for d in found)
            raise Rejected(tuple(placed)).at(self.read.text)

    def _place(self, message: str) -> Span:
        """Where the column stands that a message names."""
        for name, span in sorted(self.read.columns.items(), key=lambda one: -len(one[0])):
            if span is not None and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", message):
                return span
        return self.read.span


def stated(read: ModelStatement) -> Stated | None:
    """The model that a statement asks for; None where there is no such function.

    Raises:
        Rejected: DP205, its arguments do not fit.
    """
    function = FUNCTIONS.get(read.name)
    if function is None:
        return None
    problem: Diagnostic | None = None
    try:
        return Stated(read, function, _wanted(read, function))
    except InvalidArgument as invalid:
        problem = Diagnostic("DP205", str(invalid), read.span, _form(read.name, function))
    raise Rejected(problem, read.text)


def _wanted(read: ModelStatement, function: Function) -> Specification[Any]:
    lists = [isinstance(argument, tuple) for argument in read.arguments]
    if lists != [name == "features" for name in function.arguments]:
        raise InvalidArgument("the arguments of the model do not fit")
    for name in read.options:
        if name not in function.options:
            listed = ", ".join(function.options)
            near = did_you_mean(name, function.options)
            raise InvalidArgument(f"the model has no option {name}{near} (there are {listed})")
    if read.keys and not function.grouped:
        raise InvalidArgument(f"{read.name} is one model, and none for each group")
    given: dict[str, object] = dict(zip(function.arguments, read.arguments, strict=True))
    given |= {"by": read.keys} if function.grouped else {}
    return function.wanted(**given, **read.options)


def _form(name: str, function: Function) -> str:
    form = {"features": "[x1, x2]", "target": "y"}
    each = [form.get(argument, argument) for argument in function.arguments]
    return f"write {name}({', '.join(each)})"


def _how(eps: object, delta: object, wishes: Wishes, fresh: bool = False) -> How:
    if wishes.get("weights") is not None:
        raise InvalidArgument("the columns of a model have weights of their own")
    if wishes.get("clipping", "auto") == "adaptive":
        raise InvalidArgument("a model is fitted within declared bounds: clipping is declared")
    return How(eps, delta, wishes.get("noise", "auto"), fresh)


def _answer(told: Sequence[Answer], keys: Sequence[str], made: Table) -> Answer:
    """Rows that are made of answers, the first columns of the first of which are the keys."""
    names, types, why = zip(*made.columns, strict=True)
    wide = len(keys)
    values = [
        (*key, *(v.value if isinstance(v, Estimate) else v for v in row)) for key, row in made.rows
    ]
    widths = [
        (*(None for _ in key), *(v.noise if isinstance(v, Estimate) else None for v in row))
        for key, row in made.rows
    ]
    noisy = (*(False for _ in keys), *(one is not None for one in why))
    known = Accuracy(
        noisy,
        (None,) * len(noisy),
        (),
        ((Noisy([]), ()),) * len(values),
        why=(*(None for _ in keys), *why),
    )
    return Answer(
        columns=(*keys, *names),
        rows=tuple(values),
        intervals=tuple(widths),
        types=(*told[0].types[:wide], *types),
        cost=together(told),
        explanation=several([(answer.explanation, 1) for answer in told]),
        reused=told[0].reused if all(answer.reused for answer in told) else None,
        accuracy=known,
        notes=made.notes,
    )
