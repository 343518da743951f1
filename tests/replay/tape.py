"""What a run shows of the data to anything but exact cells: a tape of every primitive it calls.

In the manner of grey-box auditing (Re:cord-play, PETS 2026): a query is run on D and on a
neighbour D′ with the same coins, and every primitive that sees data is written down. In the run on
D′ what was released of D is put in the place of what is released of D′, where noise hides the
difference. Then no event may differ but exact cells, which nothing writes down: whatever else
depends on the data depends on it without noise.

Written down are the statements of the engine and their parameters, and before the charge also the
rows; each draw of noise, with its mechanism and its scale; all calls of the ledger; what goes into
a workspace, and what is asked of it, and its rows; what the release says of its own noise; and the
answer, or the error. Not written down are times; how many groups there are where that is private;
and the digest of the data that goes with a charge to the second place, which is the owner's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from dpsql.compile import ReleasedQuery
from dpsql.core.account.amount import Cost
from dpsql.core.noise import exponential, sampler
from dpsql.core.noise.adaptive import AdaptiveLaplace
from dpsql.errors import DpsqlError
from dpsql.execution import cells, noise, reuse, run
from dpsql.execution.heavy_units import Truncated
from dpsql.execution.matching import Matches
from dpsql.execution.noise import NoisyRelease
from dpsql.platform.engine.deadline import Deadline
from dpsql.platform.engine.protocol import Engine, Snapshot, Workspace
from dpsql.platform.ledger.ledger import Entry
from dpsql.platform.ledger.memory_ledger import MemoryLedger
from dpsql.session.database import Database

Event = tuple[object, ...]

FAR = 30
"""How many scales the fixed noise is above 0: so many that private groups pass their thresholds."""


@dataclass(slots=True)
class Tape:
    """What was written down of one run.

    Attributes:
        events: in order.
        released: the noisy releases, and the numbers of the clips that were chosen.
        original: the tape whose releases are given instead of this run's own.
        charged: whether the ledger was charged: rows read before are public.
        hidden: whether the groups of the release that noise is added to are private.
    """

    original: Tape | None = None
    events: list[Event] = field(default_factory=list)
    released: list[object] = field(default_factory=list)
    charged: bool = False
    hidden: bool = False

    def note(self, *event: object) -> None:
        """Write an event down, as a text: what it holds may change later."""
        self.events.append(tuple(e if isinstance(e, str) else repr(e) for e in event))

    def told(self, own: Any) -> Any:
        """What is released: this run's own, or that of the original in its place."""
        place = len(self.released)
        self.released.append(own)
        return own if self.original is None else self.original.released[place]


class _Watched:
    """An object whose methods are all written down, with their arguments."""

    def __init__(self, inner: object, name: str, tape: Tape) -> None:
        self._inner, self._name, self._tape = inner, name, tape

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if not callable(value):
            return value

        def call(*arguments: object, **named: object) -> object:
            shown = [a for a in arguments if not isinstance(a, Recorded)]
            self._tape.note(f"{self._name}.{name}", shown, named)
            return value(*arguments, **named)

        return call


class Recorded:
    """A snapshot; its statements are written down, and their rows before the charge."""

    def __init__(self, inner: Snapshot, tape: Tape) -> None:
        self._inner, self._tape = inner, tape

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def rows(
        self,
        sql: str,
        parameters: Mapping[str, object] | None = None,
        kept: Sequence[str] = (),
    ) -> list[tuple[object, ...]]:
        found = self._inner.rows(sql, parameters, kept)
        self._tape.note("engine.rows", sql, parameters, "private" if self._tape.charged else found)
        return found

    def arrow(self, sql: str) -> object:
        self._tape.note("engine.arrow", sql)
        return self._inner.arrow(sql)


class _Engine(_Watched):
    @contextmanager
    def snapshot(self, deadline: Deadline | None = None) -> Iterator[Recorded]:
        self._tape.note("engine.snapshot", deadline is not None)
        with self._inner.snapshot(deadline) as inner:  # type: ignore[attr-defined]
            yield Recorded(inner, self._tape)


class _Ledger(_Watched):
    def reserve(self, loss: object, entry: Entry, *, wait: float) -> int:
        noted = replace(entry, time=None, data="some" if entry.data else "")  # type: ignore[arg-type]
        self._tape.note("ledger.reserve", loss, noted, wait)
        found: int = self._inner.reserve(loss, entry, wait=wait)  # type: ignore[attr-defined]
        self._tape.charged = True
        return found

    def commit(self, number: int, answers: tuple[Any, ...]) -> None:
        self._tape.note("ledger.commit", number, [(a, a.body) for a in answers])
        self._inner.commit(number, answers)  # type: ignore[attr-defined]


class _Workspace(_Watched):
    def run(self, sql: str, most: int | None = None, **options: object) -> object:
        found = self._inner.run(sql, most, **options)  # type: ignore[attr-defined]
        self._tape.note("scratch.run", sql, most, options, found)
        return found

    def copy(self, table: str, columns: object, snapshot: Snapshot, source: object) -> None:
        self._tape.note("scratch.copy", table, columns, source)
        self._inner.copy(table, columns, snapshot, source)  # type: ignore[attr-defined]


class _Workspaces(_Watched):
    @contextmanager
    def take(self, snapshot: Snapshot | None = None) -> Iterator[Workspace]:
        with self._inner.take(snapshot) as inner:  # type: ignore[attr-defined]
            yield _Workspace(inner, "scratch", self._tape)  # type: ignore[misc]


def recorded(
    session: Database, ask: Callable[[Database], object], original: Tape | None = None
) -> Tape:
    """The tape of one run, whose coins are fixed and whose ledger is new.

    Args:
        session: the database; its data may be another's meanwhile.
        ask: runs something.
        original: whose releases are given in the place of this run's own.
    """
    tape = Tape(original)
    engine: Engine = _Engine(session._engine, "engine", tape)  # type: ignore[assignment]
    ledger = MemoryLedger(Cost(Fraction(10**6), Fraction(1)))
    with (
        patch.object(session, "_engine", engine),
        patch.object(session, "_ledger", _Ledger(ledger, "ledger", tape)),
        patch.object(session, "_scratches", _Workspaces(session._scratches, "scratches", tape)),
        patch.object(reuse, "secrets", SimpleNamespace(token_hex=lambda n: "0" * 2 * n)),
        _coins(tape),
    ):
        try:
            tape.note("answer", ask(session))
        except DpsqlError as error:
            tape.note("error", type(error).__name__, str(error))
    return tape


@contextmanager
def _coins(tape: Tape) -> Iterator[None]:
    """Fixed noise; each draw is written down, and each release goes by `Tape.told`."""
    with (
        patch.object(sampler, "laplace", lambda scale: _fixed(tape, "laplace", scale)),
        patch.object(sampler, "gaussian", lambda scale: _fixed(tape, "gaussian", scale)),
        patch.object(sampler, "noisy_max", lambda s, m: _first(tape, "noisy_max", s, m)),
        patch.object(exponential, "draw", _exponential(tape, exponential.draw)),
        patch.object(exponential, "secrets", SimpleNamespace(randbelow=lambda n: n // 2)),
        patch.object(cells.Clips, "choose", _choice(tape, cells.Clips.choose)),
        patch.object(Matches, "choose", _choice(tape, Matches.choose)),
        patch.object(Truncated, "choose", _choice(tape, Truncated.choose)),
        patch.object(noise, "_noised", _noised(tape, noise._noised)),
        patch.object(noise, "_picked", _noised(tape, noise._picked)),
        patch.object(noise, "_best", _noised(tape, noise._best)),
        patch.object(run, "add_noise", _added(tape, run.add_noise)),
    ):
        yield


def _fixed(tape: Tape, kind: str, scale: float) -> Callable[[list[int]], list[int]]:
    def draw(zeros: list[int]) -> list[int]:
        if not tape.hidden:
            tape.note("sampler", kind, scale, len(zeros))
        return [z + int(FAR * scale) + i % 3 for i, z in enumerate(zeros)]

    return draw


def _first(tape: Tape, kind: str, scale: float, monotone: bool) -> Callable[[list[int]], int]:
    def draw(scores: list[int]) -> int:
        if not tape.hidden:
            tape.note("sampler", kind, scale, monotone, len(scores))
        return 0

    return draw


def _exponential(tape: Tape, real: Callable[..., Any]) -> Callable[..., Any]:
    def draw(pieces: Any, rate: Fraction) -> Any:
        if not tape.hidden:
            tape.note("exponential", rate)
        return real(pieces, rate)

    return draw


def _choice(tape: Tape, real: Callable[..., Any]) -> Callable[..., Any]:
    def choose(self: cells.Adapted, noise: AdaptiveLaplace) -> Any:
        tape.note("choose", noise)
        return tape.told(real(self, noise))

    return choose


def _noised(tape: Tape, real: Callable[..., Any]) -> Callable[..., Any]:
    """Of what draws noise on exact numbers: whatever is no number of the data."""

    def draw(*arguments: Any) -> Any:
        public = [a for a in arguments if not isinstance(a, list | dict)]
        tape.note(real.__name__, *public)
        return real(*arguments)

    return draw


def _added(tape: Tape, real: Callable[..., NoisyRelease]) -> Callable[..., NoisyRelease]:
    def add(query: ReleasedQuery, number: int, exact: cells.ExactCells) -> NoisyRelease:
        tape.hidden = query.planned[number].threshold is not None
        tape.note("release", number, "private" if tape.hidden else exact.groups)
        own = real(query, number, exact)
        tape.note("released", own.noises, sorted(own.unsure))
        tape.hidden = False
        found: NoisyRelease = tape.told(own)
        return found

    return add


def first_difference(one: Tape, other: Tape) -> tuple[Event | None, Event | None] | None:
    """The first event that is not the same on both; None where all are."""
    for a, b in zip_longest(one.events, other.events):
        if a != b:
            return a, b
    return None
