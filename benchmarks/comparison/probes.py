"""The probes: a query each, what is right, and how the verdict is made of what came back."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.comparison.data import SECRET

Outcome = dict[str, Any]
DELTA = 1e-6
WORDS = ("right", "rejected", "wrong", "leak", "over", "none", "failed", "crashed")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One of the words of `WORDS`, and what was measured."""

    word: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Probe:
    """One question to every system.

    Attributes:
        name: short.
        sql: the query.
        right: what a right answer is, for people; a rejection is never wrong.
        judge: the verdict of an outcome that is an answer.
        do, n, eps, extra: what the worker is asked; `n` is how often.
    """

    name: str
    sql: str
    right: str
    judge: Callable[[Outcome], Verdict]
    do: str = "answers"
    n: int = 1
    eps: float = 1
    extra: dict[str, Any] = field(default_factory=dict)

    def request(self) -> dict[str, Any]:
        asked = {"do": self.do, "sql": self.sql, "n": self.n, "eps": self.eps, "delta": DELTA}
        return {**asked, **self.extra}


def numbers(outcome: Outcome) -> list[float]:
    """The number in the last column of the first row, of each draw."""
    return [float(draw[0][-1]) for draw in outcome["draws"]]


def shown(number: float) -> str:
    """With thousands separated, to a unit where it is large."""
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:,.5g}"


def near(truth: float, off: float, bad: str = "wrong") -> Callable[[Outcome], Verdict]:
    """Right if the median of the draws is within `off` of the truth, else `bad`."""

    def judge(outcome: Outcome) -> Verdict:
        middle = statistics.median(numbers(outcome))
        good = math.isfinite(middle) and abs(middle - truth) <= off
        return Verdict("right" if good else bad, f"{shown(middle)} for {shown(truth)}")

    return judge


def unbiased(truth: float) -> Callable[[Outcome], Verdict]:
    """Right if the mean is within four standard errors of the truth."""

    def judge(outcome: Outcome) -> Verdict:
        drawn = numbers(outcome)
        off = statistics.fmean(drawn) - truth
        error = statistics.stdev(drawn) / math.sqrt(len(drawn))
        word = "right" if abs(off) <= 4 * error else "wrong"
        return Verdict(word, f"mean off by {off:+.2f}, standard error {error:.2f}")

    return judge


def at_most(most: float) -> Callable[[Outcome], Verdict]:
    """A leak if a number is more than what the declared bounds and the noise allow."""

    def judge(outcome: Outcome) -> Verdict:
        top = max((float(row[-1]) for draw in outcome["draws"] for row in draw), default=0.0)
        good = math.isfinite(top) and top <= most
        return Verdict("right" if good else "leak", f"at most {top:,.0f}; allowed {most:,.0f}")

    return judge


def noisy(truth: float, least: float) -> Callable[[Outcome], Verdict]:
    """Wrong if the mean is off by more than four standard errors and 1 %; a leak if the standard
    deviation is less than what the sensitivity needs."""

    def judge(outcome: Outcome) -> Verdict:
        drawn = numbers(outcome)
        middle, found = statistics.fmean(drawn), statistics.stdev(drawn)
        if abs(middle - truth) > 4 * found / math.sqrt(len(drawn)) + 0.01 * truth:
            return Verdict("wrong", f"{shown(middle)} for {shown(truth)}")
        word = "right" if found >= least else "leak"
        return Verdict(word, f"standard deviation {found:.2g}; needs {least:.2g}")

    return judge


def ordered(outcome: Outcome) -> Verdict:
    """Right if every draw is sorted by its second column."""
    draws = [[row[1] for row in draw] for draw in outcome["draws"]]
    good = sum(draw == sorted(draw) for draw in draws)
    return Verdict("right" if good == len(draws) else "wrong", f"{good} of {len(draws)} sorted")


def charged(most: float) -> Callable[[Outcome], Verdict]:
    """`over` if the system's own count is more than the ε that was asked for."""

    def judge(outcome: Outcome) -> Verdict:
        cost = outcome["cost"]
        return Verdict("right" if cost <= most * 1.001 else "over", f"ε = {cost:.3g}")

    return judge


def hidden(name: str) -> Callable[[Outcome], Verdict]:
    """A leak if the group `name` is in an answer."""

    def judge(outcome: Outcome) -> Verdict:
        seen = sum(any(row[0] == name for row in draw) for draw in outcome["draws"])
        word = "leak" if seen else "right"
        return Verdict(word, f"shown in {seen} of {len(outcome['draws'])}")

    return judge


def refused(outcome: Outcome) -> Verdict:
    """Anything that is answered is a leak."""
    return Verdict("leak", f"{len(outcome['draws'][0]):,} rows")


def stopped(limit: int) -> Callable[[Outcome], Verdict]:
    """Right if no more than `limit` queries were answered."""

    def judge(outcome: Outcome) -> Verdict:
        count = outcome["answered"]
        return Verdict("right" if count <= limit else "none", f"{count} answered")

    return judge


PROBES = (
    Probe(
        "COUNT without bias",
        "SELECT COUNT(*) AS n FROM people",
        "over 2,000 draws at ε = 1 the mean is 10,000, within 4 standard errors",
        unbiased(10_000),
        n=2000,
    ),
    Probe(
        "ε of a COUNT",
        "SELECT COUNT(*) AS n FROM people",
        "asked at ε = 1, the system's own count of the cost is ε ≤ 1",
        charged(1),
        do="cost",
    ),
    Probe(
        "ε of two aggregates",
        "SELECT region, COUNT(*) AS n, AVG(age) AS a FROM people GROUP BY region",
        "asked at ε = 1, the system's own count of the cost is ε ≤ 1",
        charged(1),
        do="cost",
    ),
    Probe(
        "ORDER BY 2",
        "SELECT region, COUNT(*) AS n FROM people GROUP BY region ORDER BY 2",
        "20 answers of 20 are sorted by the noisy count",
        ordered,
        n=20,
    ),
    Probe(
        "comma join",
        "SELECT COUNT(*) AS n FROM people, regions",
        "40,000 (10,000 people, 4 regions), within 5 %; the median of 25 draws at ε = 10",
        near(40_000, 2_000),
        n=25,
        eps=10,
    ),
    Probe(
        "COUNT(DISTINCT x)",
        "SELECT COUNT(DISTINCT age) AS n FROM people",
        "101, within 10; the median of 25 draws at ε = 10",
        near(101, 10),
        n=25,
        eps=10,
    ),
    Probe(
        "VARIANCE",
        "SELECT VARIANCE(age) AS v FROM people",
        "850, within 10 %; the median of 25 draws at ε = 10",
        near(850, 85),
        n=25,
        eps=10,
    ),
    Probe(
        "values outside of the bounds",
        "SELECT age, SUM(age) AS s FROM outliers GROUP BY age",
        "50 people are 1,000,000 years old and ages are declared to be at most 100: no sum of a "
        "group is above 20,000",
        at_most(20_000),
    ),
    Probe(
        "one NaN",
        "SELECT SUM(income) AS s FROM not_numbers",
        "one income of 10,000 is NaN: the sum, 4,995,000, is within 5 %",
        near(4_995_000, 250_000, bad="leak"),
        n=25,
        eps=10,
    ),
    Probe(
        "rows of nobody",
        "SELECT COUNT(*) AS n FROM unowned",
        "10,000 rows have a person and 5,000 have NULL: the count is at most 10,100",
        at_most(10_100),
    ),
    Probe(
        "a person with 50,000 rows",
        "SELECT COUNT(*) AS n FROM visits",
        "at most 10 rows a person are declared, and the others have 19,998: the count is at most "
        "20,500",
        at_most(20_500),
    ),
    Probe(
        "a group of one",
        "SELECT region, COUNT(*) AS n FROM lonely GROUP BY region",
        "the group of one person is in none of 200 answers (δ = 10⁻⁶)",
        hidden("alone"),
        n=200,
    ),
    Probe(
        "a column redefined",
        "SELECT SUM(income) AS s FROM (SELECT income * 1000000 AS income FROM people) AS t",
        "4.995 · 10¹²; one person moves it by up to 10⁹: the standard deviation of 50 draws at "
        "ε = 1 is at least 5 · 10⁸",
        noisy(4.995e12, 5e8),
        n=50,
    ),
    Probe(
        "a window over all rows",
        "SELECT SUM(m) AS s FROM (SELECT MAX(age) OVER () AS m FROM people) AS t",
        "1,000,000; one person moves all 10,000 rows by up to 100: the standard deviation of 50 "
        "draws at ε = 1 is at least 5 · 10⁵",
        noisy(1e6, 5e5),
        n=50,
    ),
    Probe(
        "rows of people",
        "SELECT pid, age FROM people",
        "rejected",
        refused,
    ),
    Probe(
        "a value in an error",
        "SELECT SUM(CAST(name AS INTEGER)) AS s FROM people",
        "no text that the caller can read, causes included, has a value of `name`",
        lambda _: Verdict("right"),
    ),
    Probe(
        "a limit on spending",
        "SELECT COUNT(*) AS n FROM people",
        "where the owner allows ε = 10 in all, at most 10 of 20 queries at ε = 1 are answered",
        stopped(10),
        do="spend",
        n=20,
        extra={"limit": 10},
    ),
)


def verdict(probe: Probe, outcome: Outcome) -> Verdict:
    """What came of a probe, judged."""
    if outcome["status"] == "answered":
        return probe.judge(outcome)
    if SECRET in outcome["text"]:
        return Verdict("leak", "the error shows a value")
    return Verdict(outcome["status"], first_line(outcome["message"]))


def first_line(message: str) -> str:
    """The first line of what a system said, cut to 160 characters."""
    return message.strip().partition("\n")[0][:160]
