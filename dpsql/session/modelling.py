"""What a database has of models: it is asked as anybody asks it, here or on a server."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar, Unpack

from dpsql.core.calibrate.options import Amount, Noise, Ways, Wishes
from dpsql.errors import Diagnostic, Rejected
from dpsql.execution.boundary import typed
from dpsql.front.model_statement import model_statement
from dpsql.report.explanation import Explanation
from dpsql.report.result import Answer

if TYPE_CHECKING:  # NumPy is read by who fits a model alone
    from dpsql.models.estimates import Scored
    from dpsql.models.forecasts import FitExplanation
    from dpsql.models.sql_models import Stated
    from dpsql.models.wanted import Specification

F = TypeVar("F")
S = TypeVar("S")


class Modelling:
    """Models of the data of a database, which has `explain` and `run`."""

    def explain(
        self, sql: str, eps: Amount = 1, delta: Amount = None, **wishes: Unpack[Wishes]
    ) -> Explanation:
        """See `Database.explain`."""
        raise NotImplementedError

    def run(
        self,
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        fresh: bool = False,
        then: Ways = (),
        **wishes: Unpack[Wishes],
    ) -> Answer:
        """See `Database.run`."""
        raise NotImplementedError

    @typed
    def explain_fit(
        self,
        sql: str,
        model: Specification[object],
        eps: Amount = 1,
        delta: Amount = None,
        *,
        size: float | None = None,
        noise: Noise = "auto",
    ) -> FitExplanation:
        """What a model would cost and how far off it would be, without a private row.

        Args:
            sql: one SELECT, in DuckDB's SQL: the rows, with a column for the target and each
                feature.
            model: what is wanted, such as `dpsql.models.LinearRegression("y", ["x"])`.
            eps, delta, noise: see `fit`.
            size: a public guess of the number of rows: what coefficients are off by is said then.

        Raises:
            Rejected: the query is not accepted, or a number has no bounds.
            InvalidArgument: a model, a column or another argument that is none.
            InvalidBudget, PolicyError, EngineError: see `explain`.
            ImportError: NumPy is missing (`pip install "dpsql[models]"`).
        """
        from dpsql.models import entry
        from dpsql.models.wanted import How

        return entry.explain_fit(self, sql, model, How(eps, delta, noise), size)

    @typed
    def fit(
        self,
        sql: str,
        model: Specification[F],
        eps: Amount,
        delta: Amount = None,
        *,
        noise: Noise = "auto",
        fresh: bool = False,
    ) -> F:
        """Fit a model to private rows: its parameters are made of the noisy sums of one query.

        It is an ordinary query: proven, priced and charged as such, and free when asked again. Rows
        where a column is NULL, not finite, or not a declared value, do not count.

        Args:
            sql, model: see `explain_fit`.
            eps, delta: of all of it, all groups too.
            noise: "laplace", "gaussian", or "auto" for the more accurate one.
            fresh: see `run`.

        Returns:
            The model; where `by` is given, a model for each group.

        Raises:
            Rejected: the query is not accepted, or a number has no bounds; nothing was charged.
            InvalidArgument: a model, a column or another argument that is none; nothing was
                charged.
            InvalidBudget, BudgetExceeded, PolicyError, EngineError: see `run`.
            ImportError: NumPy is missing (`pip install "dpsql[models]"`).
        """
        from dpsql.models import entry
        from dpsql.models.wanted import How

        return entry.fit(self, sql, model, How(eps, delta, noise, fresh))

    @typed
    def score(
        self,
        model: Scored[S],
        sql: str,
        eps: Amount,
        delta: Amount = None,
        *,
        noise: Noise = "auto",
        fresh: bool = False,
    ) -> S:
        """How good a model is on private rows, from noisy sums: R² and RMSE of a regression, how
        far rows are from the nearest centre of clusters.

        Of a tree of classes it is how often it says which, and how often it is right. On rows of
        public tables alone it is exact, and free.

        Args:
            model: what `fit` gave, of these or of other data.
            sql: the rows, with a column for the target and each feature; predictions and target are
                kept within its bounds here, and what one is off within half of their distance
                (of a truth, all of it).
            eps, delta, noise, fresh: see `fit`.

        Raises:
            Rejected, InvalidArgument, InvalidBudget, BudgetExceeded, EngineError: see `fit`.
        """
        from dpsql.models import entry
        from dpsql.models.wanted import How

        return entry.score(self, model, sql, How(eps, delta, noise, fresh))


def stated(sql: str, wishes: Wishes) -> Stated | None:
    """The model that a text asks for; None for an ordinary query.

    Raises:
        Rejected: it asks for one that cannot be.
    """
    read = model_statement(sql) if wishes.get("dialect", "duckdb") == "duckdb" else None
    if read is None:
        return None
    if find_spec("numpy") is not None:
        from dpsql.models import sql_models

        return sql_models.stated(read)
    help = 'pip install "dpsql[models]", where the query is run'
    raise Rejected(Diagnostic("DP204", f"{read.name} needs NumPy", read.span, help), read.text)
