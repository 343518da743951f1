"""What is known about a query before anything is read, for analysts and for privacy reviewers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

from dpsql.compile import Compiled
from dpsql.core.account.account import Account
from dpsql.core.account.loss import NOTHING, Loss
from dpsql.errors import InvalidArgument, NotCalibrated
from dpsql.execution.boundary import typed
from dpsql.execution.certify import certificate
from dpsql.execution.target import Target, smallest, widths
from dpsql.once import Once
from dpsql.proven import PublicQuery
from dpsql.report.document import Document
from dpsql.report.explanation import sentences
from dpsql.report.explanation.answer_tree import tree
from dpsql.report.explanation.computed import Computed, computed, measurements
from dpsql.report.explanation.measurement import Release
from dpsql.report.explanation.outlook import Outlook, outlook
from dpsql.report.explanation.releases import releases_of
from dpsql.report.explanation.savings import Savings, savings
from dpsql.report.explanation.totals import Totals, totals
from dpsql.report.figures import QueryCost, float_up
from dpsql.report.forms import Documented, Plain, plain
from dpsql.report.pictures import written
from dpsql.report.steps import TreeStep

if TYPE_CHECKING:
    from matplotlib.figure import Figure


HIDDEN = "-- the policy keeps this to the owner (visible: false)"

Again = Callable[[Fraction], Compiled]
"""A query at another ε."""


@dataclass(frozen=True, slots=True)
class Wanted(Plain):
    """The smallest ε for a wanted accuracy.

    Attributes:
        error: the half-width that no noisy column may pass; relative to `size` where that is given.
        confidence: of the half-width.
        size: public guesses of the columns' sizes.
        eps: the smallest ε, up to a part in a thousand; None where it is not known beforehand.
        why: it is not known.
        widths: the half-width that each noisy column has then; none where it is not known.
    """

    error: float
    confidence: float
    size: Mapping[str, float] | float | None
    eps: float | None
    why: str | None
    widths: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Explanation(Documented):
    """A query's verdict, before any private row is read.

    Attributes:
        kind: "released" (noise is added), or "public" (exact and free).
        cost: of the whole query.
        releases: the measurements, in order.
        computed: the columns that are made of several of them.
        neighbours: the policy's relation.
        unit: the privacy unit.
        totals: the cost by each way of adding up.
        ledger: what a ledger would charge, and what is left then; None in an answer, which was
            charged.
        wanted: the smallest ε for an accuracy, where one was asked for (`within`).
    """

    kind: Literal["released", "public"]
    cost: QueryCost
    releases: tuple[Release, ...]
    computed: tuple[Computed, ...]
    neighbours: str
    unit: str
    totals: Totals
    ledger: Outlook | None
    wanted: Wanted | None
    _compiled: Compiled = field(repr=False, compare=False)
    _statements: Once[tuple[str, ...]] = field(repr=False, compare=False)
    _saved: Once[Savings] = field(repr=False, compare=False)
    _tree: Once[TreeStep] = field(repr=False, compare=False)
    _certificate: Once[str] = field(repr=False, compare=False)
    _noted: Once[tuple[dict[str, object], ...]] = field(repr=False, compare=False)
    _again: Again | None = field(repr=False, compare=False)
    _ahead: Again | None = field(repr=False, compare=False)
    _parts: tuple[tuple[Explanation, int], ...] = field(default=(), repr=False, compare=False)

    @property
    @typed
    def saved(self) -> Savings | None:
        """What it saves to ask for all at once; None for a public query, and for several. Found
        when it is first asked for.
        """
        none = self._parts or isinstance(self._compiled.query, PublicQuery)
        return None if none else self._saved()

    @property
    @typed
    def tree(self) -> TreeStep:
        """How the answer is made, from the tables up, and why each sensitivity is what it is: a
        tree that prints as one. Made when it is first asked for.
        """
        return self._tree()

    @property
    @typed
    def sql(self) -> str:
        """The SQL that the engine will run, one statement after the other; printed when asked. A
        comment where the policy says `visible: false`; so is the certificate.
        """
        return ";\n".join(self._statements())

    @property
    @typed
    def certificate(self) -> str:
        """A second proof that one unit moves no number by more than is claimed: of the statements
        that the engine runs, by a checker of their own text; a tree with a rule a line. Made when
        it is first asked for.

        Raises:
            Rejected: DP601, the checker does not follow; a bug.
        """
        return self._certificate()

    @property
    def _losses(self) -> tuple[Loss, ...]:
        """Of the queries that are charged, one after the other."""
        parts = self._parts or ((self, 1),)
        every = (one.totals.loss for one, times in parts for _ in range(times))
        return tuple(loss for loss in every if loss != NOTHING)

    @typed
    def within(
        self,
        error: float,
        confidence: float = 0.95,
        *,
        size: Mapping[str, float] | float | None = None,
    ) -> Explanation:
        """The same with the smallest ε for an accuracy (`wanted`); see `Database.calibrate`.

        Args:
            error: the half-width that each noisy column may have, in the column's unit; with
                `size`, as a part of it.
            confidence: of the half-width.
            size: a public guess of the columns' sizes, one for all or by column.

        Raises:
            InvalidArgument: an error, a confidence or a size that is none.
        """
        target = Target(error, confidence, size)
        eps, why = None, None
        reached: Mapping[str, float] = {}
        try:
            again = _known(self._ahead)
            found = smallest(again, target)
            eps = float_up(found)
            reached = widths(again(found), confidence) if found else {}
        except NotCalibrated as unknown:
            why = str(unknown)
        return replace(self, wanted=Wanted(error, confidence, size, eps, why, reached))

    def plot(self, column: str | None = None, path: str | os.PathLike[str] | None = None) -> Figure:
        """A picture: the density of each noise with its 95 % interval, and at half and twice the ε.

        Args:
            column: a column of the answer, of which all measurements are drawn, or one of them by
                its name; all if not given.
            path: a file to write it to as well, as PNG, SVG or PDF by its ending.

        Raises:
            InvalidArgument: there is no such column, or no noise of it that is known beforehand.
            ValueError: the ending is of no format that matplotlib writes.
            NotCalibrated: the query is not known at another ε.
            ImportError: matplotlib is missing (`pip install "dpsql[plot]"`).
            OSError: the file cannot be written.
        """
        return written(self._drawn(column), path)

    @typed
    def _drawn(self, column: str | None) -> Figure:
        from dpsql.report.explanation.noise_picture import picture

        return picture(self, self._places(column), self._at)

    def _at(self, eps: Fraction) -> Explanation:
        return explanation(_known(self._again)(eps), self._statements, self._again)

    def _places(self, column: str | None) -> tuple[int, ...]:
        """The measurements that a column is made of."""
        every = range(len(self.releases))
        if column is None:
            return tuple(every)
        named = tuple(i for i in every if self.releases[i].name.lower() == column.lower())
        query = self._compiled.query
        columns = {} if isinstance(query, PublicQuery) else measurements(query)
        found = columns.get(column.lower(), named)
        if not found:
            names = [*columns, *(release.name for release in self.releases)]
            known = ", ".join(dict.fromkeys(names)) or "none"
            raise InvalidArgument(f"{column} is no noisy column of this query; these are: {known}")
        return found

    @typed
    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        found = Plain.to_dict(self)
        last = {"ledger": found.pop("ledger"), "wanted": found.pop("wanted")}
        made = {"tree": self.tree.to_dict(), "sql": self.sql}
        return found | {"saved": plain(self.saved)} | last | made

    @typed
    def _document(self) -> Document:
        """What is told, in order."""
        return sentences.document(self)


def explanation(
    compiled: Compiled, sql: Once[tuple[str, ...]], again: Again | None = None
) -> Explanation:
    """The public view of a compiled query.

    Args:
        compiled: what was proven.
        sql: the statements that the engine will run.
        again: the query at another ε, if that is known.
    """
    schema, query = compiled.schema, compiled.query
    releases = () if isinstance(query, PublicQuery) else releases_of(query)
    return Explanation(
        kind="public" if isinstance(query, PublicQuery) or not query.releases else "released",
        cost=QueryCost(compiled.cost),
        releases=releases,
        computed=() if isinstance(query, PublicQuery) else computed(query, releases),
        neighbours=schema.neighbours,
        unit=schema.unit,
        totals=totals(Counter(compiled.events), compiled.loss, schema.delta),
        ledger=None,
        wanted=None,
        _compiled=compiled,
        _statements=sql if schema.visible else Once(tuple, (HIDDEN,)),
        _saved=Once(savings, compiled),
        _tree=Once(tree, compiled, releases),
        _noted=Once(noted, releases),
        _certificate=Once(certificate, compiled) if schema.visible else Once(str, HIDDEN),
        _again=again,
        _ahead=None,
    )


def noted(releases: tuple[Release, ...]) -> tuple[dict[str, object], ...]:
    """What the ledger's line says of the measurements, in order: made once a query, not a run."""
    told = (release.to_dict() for release in releases)
    return tuple({k: v for k, v in one.items() if k != "reasons"} for one in told)


def _known(again: Again | None) -> Again:
    if again is None:
        raise NotCalibrated("only what `explain` gives knows the query at another ε")
    return again


def beforehand(
    explained: Explanation,
    account: Account,
    spent: Loss,
    again: Again,
    refused: str | None = None,
) -> Explanation:
    """The same for who has not run the query yet.

    Args:
        explained: the query at its ε.
        account: that would be charged.
        spent: of the account.
        again: the query at another ε, for what is wanted `within` an error.
        refused: why who asks would be refused; see `Ledger.refusal`.
    """
    public = explained.kind == "public"
    ledger = None if public else outlook(account, spent, explained.totals.loss, refused)
    return replace(explained, ledger=ledger, _again=again, _ahead=again)
