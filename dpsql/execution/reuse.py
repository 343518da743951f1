"""Stored answers that answer a query again, at no cost.

Claim: what is given again tells nothing that was not told before. Why: it is a function of stored
noisy answers, of public tables and of the query (post-processing; Dwork and Roth 2014, proposition
2.1). An answer is stored before it is shown, once for a charge; so each charge has one answer at
most that anybody ever sees, however often it is asked for, and to ask a thousand times is to see
the same noise a thousand times.

A release is found by its key: what it measures, and on which version of the data. A query of one
release takes the best of the lines that have it. Of several releases the later ones may have read
what the earlier ones had told: they are taken from one line together, each at its own place. A
query of one release also takes what finer releases of the same rows add up to; see `finer`.

Without a version nothing is found. A retry is found by the key that the caller chose for it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from dpsql.compile import ReleasedQuery
from dpsql.core.plan.expr import Column
from dpsql.core.release.release import Release
from dpsql.errors import RequestExists
from dpsql.execution.exact import Key
from dpsql.execution.fineness import Finenesses, all_as_good, fineness
from dpsql.execution.finer import coarser
from dpsql.execution.identity import Identity
from dpsql.execution.noise import NoisyRelease
from dpsql.execution.processing import Reused
from dpsql.execution.stored import Answered, read, stored
from dpsql.platform.ledger.ledger import Charge, Ledger, Stored
from dpsql.types import Type


@dataclass(frozen=True, slots=True)
class Again:
    """The releases of a query, told before."""

    releases: list[NoisyRelease]
    reused: Reused


@dataclass(frozen=True, slots=True)
class Asked:
    """A query whose answer may be stored.

    Attributes:
        query: what is asked.
        identities: of its releases.
        groups: that are output, for each release; None where they are private.
        version: of the data; None where it cannot be told.
    """

    query: ReleasedQuery
    identities: tuple[Identity, ...]
    groups: list[list[Key] | None]
    version: str | None

    @property
    def fineness(self) -> tuple[Finenesses, ...]:
        """How good each release would be now."""
        return tuple(fineness(self.query, n) for n in range(len(self.query.releases)))


def again(asked: Asked, ledger: Ledger) -> Again | None:
    """The stored answer to a query, at least as good as a new one; None where there is none.

    Raises:
        EngineError: the ledger cannot be read.
    """
    if asked.version is None or not asked.identities:
        return None
    found = _repeat(asked, ledger, asked.version)
    if found is None and len(asked.identities) == 1:
        found = _coarser(asked, ledger, asked.version)
    return found


def retried(asked: Asked, ledger: Ledger, request: str, analyst: str) -> Again | None:
    """The answer of an analyst's request with that key; None where there was no such request.

    Args:
        asked: the query.
        ledger: where its answer may be.
        request: its key.
        analyst: whose: nobody meets the keys of others.

    Raises:
        RequestExists: it was another query, or there is no answer of it.
        EngineError: the ledger cannot be read.
    """
    charge = ledger.request(request, analyst)
    return None if charge is None else answer_of(asked, ledger, charge)


def answer_of(asked: Asked, ledger: Ledger, charge: Charge) -> Again:
    """The answer of a charge.

    Args:
        asked: the query.
        ledger: where its answer may be.
        charge: for a request of the same analyst.

    Raises:
        RequestExists: it was another query, or there is no answer of it.
        EngineError: the ledger cannot be read.
    """
    if not charge.answered:
        message = "a request with this key was charged before, and has no answer (yet)"
        raise RequestExists(message)
    line = [read(answer) for answer in ledger.answers(charge.number)]
    found = [one for one in line if one is not None]
    same = [one.shape for one in found] == [i.shape for i in asked.identities]
    if not same or len(found) < len(line) or not _usable(found, asked, told=True):
        raise RequestExists("the key of this request was used for another query")
    return Again([one.release for one in found], Reused(charge.number, "retry"))


def kept(asked: Asked, released: list[NoisyRelease]) -> tuple[Stored, ...]:
    """A new answer as the ledger keeps it. Without a version under keys that nobody asks for: only
    the same request finds it again.
    """
    once = secrets.token_hex(16)
    return tuple(
        stored(
            identity,
            f"once-{once}" if asked.version is None else identity.key(asked.version),
            "" if asked.version is None else identity.family(asked.version),
            noisy,
            good,
        )
        for identity, noisy, good in zip(asked.identities, released, asked.fineness, strict=True)
    )


def _repeat(asked: Asked, ledger: Ledger, version: str) -> Again | None:
    keys = [identity.key(version) for identity in asked.identities]
    best: list[Answered] | None = None
    for first in ledger.find(key=keys[0]):
        line = (first,) if len(keys) == 1 else ledger.answers(first.number)
        if [one.key for one in line] != keys:
            continue
        found = [one for one in map(read, line) if one is not None]
        if len(found) < len(keys) or not _usable(found, asked):
            continue
        if best is None or (_better(found, best) and not _better(best, found)):
            best = found
    if best is None:
        return None
    return Again([one.release for one in best], Reused(best[0].number, "repeat"))


def _better(one: list[Answered], other: list[Answered]) -> bool:
    """Whether each release is as good."""
    return all(all_as_good(a.fineness, b.fineness) for a, b in zip(one, other, strict=True))


def _coarser(asked: Asked, ledger: Ledger, version: str) -> Again | None:
    (identity,), (groups,) = asked.identities, asked.groups
    if identity.parts is None or groups is None:
        return None
    best: tuple[int, Again] | None = None
    for one in ledger.find(family=identity.family(version)):
        found = read(one)
        made = None if found is None else coarser(asked.query, identity.parts, groups, found)
        if found is None or made is None:
            continue
        # Of equally good ones the one with the fewest groups: its sums have the least noise.
        size = len(found.release.groups)
        if best is None or size < best[0]:
            best = size, Again([made[0]], Reused(found.number, made[1]))
    return None if best is None else best[1]


def _usable(found: list[Answered], asked: Asked, *, told: bool = False) -> bool:
    """Whether releases have the form that is asked for, and are as good. Public groups are those of
    now, unless they are told again as they were.
    """
    parts = zip(found, asked.query.releases, asked.groups, asked.fineness, strict=True)
    return all(
        (told or groups is None or one.release.groups == groups)
        and all_as_good(one.fineness, good)
        and _fits(one.release, release)
        for one, release, groups, good in parts
    )


def _fits(noisy: NoisyRelease, release: Release) -> bool:
    """Whether the numbers are of the release's form: what comes after does not fail on them."""
    keys = release.node.columns[: len(release.node.columns) - len(release.outputs)]
    if len(noisy.noises) != len(release.measures):
        return False
    pairs = zip(release.measures, noisy.noises, strict=True)
    if any(measure.sensitivity.l1 and not noise.scale for measure, (noise, _) in pairs):
        return False
    sizes = [len(getattr(pick, "shares", ())) or 1 for pick in release.picks]
    return all(
        len(group) == len(keys) and all(map(_of_type, group, keys)) for group in noisy.groups
    ) and all([len(pick) for pick in row.picks] == sizes for row in noisy.noisy)


def _of_type(value: object, column: Column) -> bool:
    return value is None or type(value).__name__ in _KINDS.get(_kind(column.type), ())


def _kind(kind: Type) -> str:
    if kind.is_numeric:
        return "number"
    return "text" if kind.is_string else kind.name


_KINDS = {
    "number": ("int", "Fraction"),
    "text": ("str",),
    "BOOLEAN": ("bool",),
    "DATE": ("date",),
    "TIMESTAMP": ("datetime", "date"),
}
