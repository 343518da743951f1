"""An audit: every claim of a query, on the owner's data and on generated databases, and what its
answers show of ε."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Unpack

from dpsql.audit.databases import Tables
from dpsql.audit.defaults import CONFIDENCE, WORLDS
from dpsql.audit.estimate import Estimate, estimate
from dpsql.audit.observed_claims import GROUPS, Observer
from dpsql.audit.removal import Removal
from dpsql.audit.report import Checked, Report
from dpsql.audit.search import Search, Searched
from dpsql.audit.worlds import World
from dpsql.compile import Compiled
from dpsql.core.account.amount import parse_eps
from dpsql.core.calibrate.options import Amount, Wishes
from dpsql.core.schema import Schema
from dpsql.errors import PolicyError
from dpsql.platform.engine.sql_text import text
from dpsql.proven import PublicQuery
from dpsql.session.database import Database

Progress = Callable[[str, int, int], None]
"""Told of a stage, of how much of it is done, and of how much there is."""


def check(
    db: Database,
    sql: str,
    eps: Amount = 1,
    delta: Amount = None,
    *,
    units: int | None = None,
    worlds: int = WORLDS,
    samples: int | None = None,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    progress: Progress = lambda *_: None,
    **wishes: Unpack[Wishes],
) -> Report:
    """Try to contradict what a query claims: for the owner, since private rows are read.

    Nothing is charged. The report is private, but for the neighbours that were generated.

    Args:
        db: the data.
        sql: one SELECT.
        eps: the ε that it would be run with.
        delta: the δ; see `Database.explain`.
        units: how many units are removed from the data (or swapped, under `replace`); by default
            1,000 (150), or fewer where the data is large. If there are more, half of them are those
            with the most rows, and the others a random sample.
        worlds: how many databases are generated; 0 for none.
        samples: answers that are drawn of each of the two worlds that differ most; by default
            20,000, or 2,000 where they are drawn one by one. 0 for none.
        confidence: of the bounds on ε and δ, between 0 and 1.
        seed: of the sample and of what is generated. Noise has none.
        progress: told how far it is.
        wishes: noise, clipping, weights, dialect; see `dpsql.core.calibrate.options.Wishes`.

    Raises:
        Rejected: the query is not accepted.
        InvalidBudget: an ε or δ that is none.
        UnknownDialect: a dialect that is none.
        ValueError: a number that is out of range.
        PolicyError: each row is a unit, and the engine has no row numbers to remove one by.
        EngineError: the engine failed on the data.
    """
    compiled = db._analysis.first_proof(sql, delta, wishes, parse_eps(eps))
    return check_compiled(
        db,
        compiled,
        units=units,
        worlds=worlds,
        samples=samples,
        confidence=confidence,
        seed=seed,
        progress=progress,
    )


def check_compiled(
    db: Database,
    compiled: Compiled,
    *,
    units: int | None = None,
    worlds: int = WORLDS,
    samples: int | None = None,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    progress: Progress = lambda *_: None,
) -> Report:
    """The same of a query that is compiled already; see `check`."""
    if units is not None and units < 0:
        raise ValueError("units must not be negative")
    if worlds < 0 or (samples is not None and (samples < 0 or 0 < samples < 4)):
        raise ValueError(
            "worlds and samples must not be negative, and fewer than 4 samples tell nothing"
        )
    if not 0 < confidence < 1:
        raise ValueError("a confidence is between 0 and 1")
    query = compiled.query
    if isinstance(query, PublicQuery) or not query.releases:
        return Report.public(compiled)
    if db.schema.kinds:
        raise PolicyError("the audit removes units of one kind, and this policy has several")
    observer = Observer.of(compiled)
    data = _Data.of(db, observer, units, seed, progress)
    generated = _counted(progress, "databases generated", worlds)
    found = Search(observer, db.schema, seed).run(worlds, generated)
    pairs = [(data.loss, data.worst, "your data"), (found.loss, found.worst, "generated databases")]
    known = [(loss, pair, where) for loss, pair, where in pairs if pair is not None]
    estimated: Estimate | None = None
    if known and samples != 0:
        loss, pair, where = max(known, key=lambda item: item[0])
        drawn = _counted(progress, "answers drawn", 0)
        estimated = estimate(compiled, pair, where, loss, samples, confidence, drawn)
    checked = tuple(
        Checked(
            name=claim.name,
            what=claim.what,
            claimed=claim.shown(claim.bound),
            data=claim.shown(on_data) if data.tried else None,
            generated=claim.shown(of_worlds) if worlds else None,
            ratio=max(claim.ratio(on_data), claim.ratio(of_worlds)),
            holds=on_data <= claim.bound and of_worlds <= claim.bound,
        )
        for claim, on_data, of_worlds in zip(
            observer.claims, data.observed, found.observed, strict=True
        )
    )
    return Report(
        sql=compiled.sql,
        unit=db.schema.unit,
        neighbours=db.schema.neighbours,
        released=True,
        checked=checked,
        units=data.total,
        removed=data.tried,
        heaviest=data.heaviest,
        databases=found.databases,
        failed=found.failed,
        estimate=estimated,
        example=_example(found.broken, db.schema),
        notes=_notes(compiled, data, found, samples, estimated),
    )


@dataclass(slots=True)
class _Data:
    """What the owner's data shows."""

    observed: list[Fraction]
    worst: tuple[World, World] | None = None
    loss: float = 0.0
    total: int = 0
    tried: int = 0
    heaviest: int = 0
    one_by_one: bool = False

    @classmethod
    def of(
        cls, db: Database, observer: Observer, units: int | None, seed: int, progress: Progress
    ) -> _Data:
        found = cls([Fraction(0)] * len(observer.claims))
        if units == 0:
            return found
        with Removal(db, observer.query, units, seed) as removal:
            names = removal.units
            found.total, found.tried = names.total, len(names.names)
            found.heaviest = names.heaviest
            for a, b in removal.pairs(_counted(progress, "units removed", found.tried)):
                seen = observer.observe(a, b)
                found.observed = list(map(max, found.observed, seen))
                loss = observer.loss(seen)
                if loss > found.loss or found.worst is None:
                    found.loss, found.worst = loss, (a, b)
            found.one_by_one = removal.one_by_one
        return found


def _counted(progress: Progress, stage: str, most: int) -> Callable[[int], None]:
    """Told of how much more is done; tells of how much is, by now."""
    done = 0

    def more(by: int) -> None:
        nonlocal done
        done += by
        progress(stage, min(done, most) if most else done, most)

    return more


def _example(found: tuple[Tables, Tables] | None, schema: Schema) -> tuple[str, ...]:
    """Generated neighbours that break a claim, as INSERT statements: nobody's rows."""
    if found is None:
        return ()
    lines: list[str] = []
    for low, table in schema.tables.items():
        ours, others = list(found[0].get(low, ())), list(found[1].get(low, ()))
        both = [row for row in ours if row in others and not others.remove(row)]  # type: ignore[func-returns-value]
        alone = list(ours)
        for row in both:
            alone.remove(row)
        for rows, where in ((both, "both"), (alone, "the first world"), (others, "the second")):
            cells = (["NULL" if c is None else text(c) for c in row] for row in rows)
            listed = ", ".join(f"({', '.join(row)})" for row in cells)
            if listed:
                lines.append(f"INSERT INTO {table.name} VALUES {listed};  -- {where}")
    return tuple(lines)


def _notes(
    compiled: Compiled,
    data: _Data,
    found: Searched,
    samples: int | None,
    estimated: Estimate | None,
) -> tuple[str, ...]:
    """What was not audited, and what numbers mean that could be misread."""
    query = compiled.query
    assert not isinstance(query, PublicQuery)
    notes: list[str] = []
    if data.total > data.tried:
        notes.append(
            f"not audited: {data.total - data.tried:,} of {data.total:,} units were not removed; "
            f"of the others, {data.heaviest:,} have the most rows and the rest are a random sample"
        )
    if query.feeds:
        notes.append(
            "a release reads others: what it reads of them was held fixed, as it would be without "
            "noise. Other noise may make it read other rows: not audited"
        )
    if any(release.domain.private for release in query.releases):
        notes.append(
            f"private group keys: “{GROUPS}” is an event of δ, and none of ε. The threshold keeps "
            "the probability that any of them comes out below δ. That is proven by calculation "
            "and too rare to be seen in samples: not audited. All other numbers are compared over "
            "the groups of both worlds, as if all of them had come out"
        )
    if any(r.clipping is not None for r in query.releases):
        notes.append(
            "sums that are clipped when the query is run: the claim is that one unit moves them by "
            "one clip at most, at each clip that can be chosen; those of one average together"
        )
    if any(release.picks for release in query.releases):
        notes.append(
            "what is picked (MIN, MAX, quantiles, MODE, the best group): the scores are compared; "
            "what the mechanism makes of them is seen in the samples, as far as these reach"
        )
    if data.one_by_one or found.one_by_one:
        notes.append(
            "the engine could not be asked for all databases at once, and was asked for each"
        )
    if samples == 0:
        notes.append("not audited: ε, since no answers were drawn")
    elif estimated is None:
        notes.append("not audited: ε, since no two worlds were found whose answers differ")
    notes.append(
        "not audited: what is computed from noisy numbers afterwards, which costs nothing; how "
        "long an answer takes; the ledger"
    )
    return tuple(notes)
