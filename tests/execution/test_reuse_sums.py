"""Groups that are added up are the coarser question, whatever the data is; equal shapes measure the
same. Compared on drawn databases that break every claim, by the exact cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product

import pytest

from dpsql.compile import Compiled, ReleasedQuery, compile_query, plain_source
from dpsql.core.release.statements import statements
from dpsql.errors import Rejected
from dpsql.execution import finer
from dpsql.execution.cells import Clips
from dpsql.execution.identity import Counted, Identity, identities
from dpsql.execution.reading import public_groups
from dpsql.execution.stored import Summands
from tests.support import grammar
from tests.support.brute import Measured, Seen, repeat, store
from tests.support.databases import BROKEN, HOLD, Database, databases
from tests.support.effort import sampled, tries
from tests.support.neighbours import worlds
from tests.support.policies import load
from tests.support.store import source

POLICIES = sorted({case.policy for case in grammar.every() if grammar.accepted(case)})
LARGE = pytest.param("shop", marks=pytest.mark.deep)
"""It has most of the cases, each of which is compared with all others."""

MOST = [LARGE if policy == "shop" else policy for policy in POLICIES]
EXAMPLES = tries(1, 3)


@dataclass(frozen=True)
class Known:
    """A compiled query, and what it is."""

    name: str
    compiled: Compiled
    identities: tuple[Identity, ...]

    @property
    def query(self) -> ReleasedQuery:
        assert isinstance(self.compiled.query, ReleasedQuery)
        return self.compiled.query


def known(name: str, compiled: Compiled) -> Known:
    query = compiled.query
    assert isinstance(query, ReleasedQuery)
    texts = tuple(statements(release, plain_source) for release in query.releases)
    return Known(name, compiled, identities(query, compiled.schema, texts))


def of_policy(policy: str) -> list[Known]:
    """Every accepted query of the grammar's files."""
    cases = [c for c in grammar.every() if c.policy == policy and grammar.accepted(c)]
    found = [(case.name, grammar.compiled(case)) for case in cases]
    return [known(name, made) for name, made in found if isinstance(made.query, ReleasedQuery)]


def summands(one: Known) -> Summands | None:
    """What would be stored of it."""
    (identity,) = one.identities
    parts = identity.parts
    if parts is None:
        return None
    conditions = frozenset(parts.conditions)
    return Summands(conditions, parts.keys, parts.tested, parts.measures, parts.counts)


def drawn(policy: str, text: str, check: object, examples: int = EXAMPLES) -> None:
    loaded = load(policy)
    claims = HOLD if loaded.verified else BROKEN
    repeat(databases(loaded, text, claims), check, examples)  # type: ignore[arg-type]


def cells(seen: Seen) -> object:
    """All that was read for a release."""
    clips = {
        n: (c.units, c.sums if isinstance(c, Clips) else c.taken) for n, c in seen.clips.items()
    }
    return seen.groups, seen.values, seen.points, clips, seen.scores


@pytest.mark.parametrize("policy", MOST)
@pytest.mark.one_in(3)
def test_the_same_shape_measures_the_same(policy: str) -> None:
    shapes: dict[str, list[tuple[Known, int]]] = defaultdict(list)
    for one in of_policy(policy):
        for place, identity in enumerate(one.identities):
            shapes[identity.shape].append((one, place))
    held, loaded = store(policy), load(policy)
    for shape, same in shapes.items():
        if policy != "shop" and not sampled(str(shape), 4):  # which is deep
            continue
        texts = {one.compiled.text: (one, place) for one, place in same if not one.query.feeds}
        if len(texts) < 2:
            continue
        measured = [(Measured(one.compiled, held), place) for one, place in texts.values()][:4]

        def check(database: Database, measured: object = measured) -> None:
            held.fill([worlds(database, loaded)[0][0]])
            seen = [cells(m.see(0)[place]) for m, place in measured]  # type: ignore[attr-defined]
            assert all(other == seen[0] for other in seen)

        drawn(policy, " ".join(texts), check, 2)


def added(
    values: Sequence[Sequence[int]], place: int | Counted, sums: list[list[int]]
) -> tuple[list[int], int]:
    """What the groups of each sum add up to, and in which steps."""
    if isinstance(place, int):
        return [sum(values[place][g] for g in own) for own in sums], 1
    signs = (*((p, 1) for p in place.plus), *((m, -1) for m in place.minus))
    return [sum(s * values[p][g] for p, s in signs for g in own) for own in sums], place.width


def check_sums(
    policy: str, finer_ones: list[Known], coarser_ones: list[Known], database: Database
) -> set[tuple[str, str]]:
    """Of each pair of which one can be added up to the other: the sums are its exact cells.

    Returns:
        The pairs.
    """
    held, where = store(policy), source(0)
    held.fill([worlds(database, load(policy))[0][0]])
    every = {one.name: one for one in (*finer_ones, *coarser_ones)}
    groups = {n: public_groups(one.query.releases[0], held, where) for n, one in every.items()}
    seen: dict[str, Seen] = {}
    found: set[tuple[str, str]] = set()
    for fine, coarse in product(finer_ones, coarser_ones):
        other, parts = summands(fine), coarse.identities[0].parts
        if fine is coarse or other is None or parts is None:
            continue
        places = finer._measures(parts, other)
        if places is None:
            continue
        asked, stored = groups[coarse.name], groups[fine.name]
        assert asked is not None and stored is not None
        sums = finer._sums(parts, asked, other, stored)
        if sums is None:
            continue
        for one in (fine, coarse):
            if one.name not in seen:
                seen[one.name] = Measured(one.compiled, held).see(0)[0]
        for number, place in enumerate(places):
            if place is not None:
                made, width = added(seen[fine.name].values, place, sums)
                wanted = [width * value for value in seen[coarse.name].values[number]]
                assert made == wanted, f"{fine.name} -> {coarse.name}"
        found.add((fine.name, coarse.name))
    return found


@pytest.mark.parametrize("policy", MOST)
@pytest.mark.one_in(3)
def test_sums_of_groups_are_the_coarser_cells(policy: str) -> None:
    families: dict[str, list[Known]] = defaultdict(list)
    for one in of_policy(policy):
        if len(one.identities) == 1 and one.identities[0].parts is not None:
            families[one.identities[0].family("")].append(one)
    found: set[tuple[str, str]] = set()
    for members in families.values():
        if len(members) > 1:
            text = " ".join(one.compiled.text for one in members)
            drawn(
                policy,
                text,
                lambda d, m=members: found.update(check_sums(policy, m, m, d)),
                tries(1, 2),
            )
    assert policy != "shop" or len(found) > 1000


def asked(policy: str, text: str) -> Known | None:
    """A query by its text; None where it is rejected."""
    loaded = load(policy)
    try:
        compiled = compile_query(text, loaded.schema, grammar.EPS)
    except Rejected:
        return None
    return known(text, compiled)


KEYS = ("vip", "level", "segment", "age > 50")
CONDITIONS = (
    *("vip", "NOT vip", "vip IS NOT NULL", "age > 50", "age > 51", "LEFT(segment, 1) = 'h'"),
    *("level = 'plus'", "level <> 'plus'", "level > 'basic'", "level IS NULL"),
    *("level IS NOT NULL", "level IN ('basic', 'gold')", "level NOT IN ('basic')"),
    *("segment = 'home'", "segment IN ('home', 'garden')", "segment <> 'home'"),
    *("segment BETWEEN 'h' AND 'p'", "segment IS NULL", "vip OR level = 'gold'", "1 = 0"),
    *("level = 'plus' AND segment = 'home'", "CASE WHEN vip THEN level = 'gold' ELSE TRUE END"),
)
MEASURES = "COUNT(*) AS n, SUM(balance) AS b, AVG(age) AS a"
APART = "COUNT(*) AS n, COUNT(level) AS c"
BESIDE = "COUNT(*) AS n, SUM(age) AS a"
"""What is measured without one another."""


def written(keys: tuple[str, ...], condition: str = "", measures: str = MEASURES) -> str:
    shown = [f"{key} AS k{n}" for n, key in enumerate(keys)]
    where = f" WHERE {condition}" if condition else ""
    grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
    return f"SELECT {', '.join([*shown, measures])} FROM customers{where}{grouped}"


def some(size: int) -> list[tuple[str, ...]]:
    return [keys for n in range(size + 1) for keys in combinations(KEYS, n)]


def generated(policy: str) -> tuple[list[Known], list[Known]]:
    """Finer queries, and coarser ones with conditions."""
    fine = [written(keys) for keys in some(3) if keys]
    coarse = [written(keys, c) for keys in some(2) for c in ("", *CONDITIONS)]
    every = [
        [one for t in texts if (one := asked(policy, t)) is not None] for texts in (fine, coarse)
    ]
    return every[0], every[1]


@pytest.mark.parametrize("policy", [LARGE, "shop verified"])
def test_totals_of_what_was_measured_apart(policy: str) -> None:
    fine = [
        written(keys, measures=measures)
        for keys in some(2)
        for measures in (APART, BESIDE)
        if "level" in keys
    ]
    coarse = [
        written(keys, condition, measure)
        for keys in some(1)
        for condition in ("", "vip", "level = 'plus'", "level IS NULL")
        for measure in ("COUNT(*) AS n", "COUNT(level) AS c", APART)
    ]
    both = [[one for t in texts if (one := asked(policy, t))] for texts in (fine, coarse)]
    text = " ".join(one.compiled.text for one in (*both[0], *both[1]))
    found: set[tuple[str, str]] = set()
    drawn(policy, text, lambda d: found.update(check_sums(policy, *both, d)), EXAMPLES)
    of_level = written(("level",), measures=APART)
    for measure in ("COUNT(*) AS n", "COUNT(level) AS c"):
        assert (of_level, written((), "", measure)) in found
    assert (of_level, written((), "level IS NULL", "COUNT(*) AS n")) in found
    beside = written(("level",), measures=BESIDE)
    assert (beside, written((), "level = 'plus'", "COUNT(*) AS n")) in found


@pytest.mark.parametrize("policy", [LARGE, "shop verified"])
def test_totals_subsets_and_rollups(policy: str) -> None:
    fine, coarse = generated(policy)
    text = " ".join(one.compiled.text for one in (*fine, *coarse))
    found: set[tuple[str, str]] = set()
    drawn(policy, text, lambda d: found.update(check_sums(policy, fine, coarse, d)), EXAMPLES)

    def told(keys: tuple[str, ...], of: tuple[str, ...], condition: str = "") -> bool:
        return (written(of), written(keys, condition)) in found

    # level is an ENUM, whose values and NULL are all listed.
    assert told((), ("level",)) and told((), ("level",), "level > 'basic'")
    assert told((), ("level",), "level IS NULL") and told((), ("level",), "level <> 'plus'")
    assert told(("vip",), ("vip", "level")) and told(("vip",), ("vip", "level"), "level = 'plus'")
    # Rows with another segment, or none, are in no group: not the same total.
    assert not told((), ("segment",)) and not told((), ("segment",), "segment <> 'home'")
    assert not told((), ("segment",), "segment BETWEEN 'h' AND 'p'")
    assert not told((), ("segment",), "segment IN ('home', 'garden')")
    assert not told((), ("segment",), "segment IS NULL")
    assert told((), ("segment",), "segment = 'home'")
    assert told(("segment",), ("level", "segment"))
    # That there is no NULL is only a claim, unless it is verified.
    verified = policy == "shop verified"
    assert told((), ("vip",)) is verified
    assert told((), ("vip",), "NOT vip") is verified
    # What is no key.
    assert not told((), ("vip", "level"), "age > 50") and not told((), ("level",), "vip")
