"""Measures that share what a row adds, and weights that add up to one whole."""

from __future__ import annotations

from dpsql.checker.certificate import certify
from dpsql.checker.facts import Measure, Sums
from tests.checker.claims import SHOP, F, refused


def test_measures_of_one_family_share_what_a_row_adds() -> None:
    def family(first: str, second: str) -> Sums:
        text = f"SELECT COUNT({first}), COUNT({second}) FROM main.customers"
        one, two = (Measure("it", ((n, F(1)),), 1, 1, 1, 1, 0) for n in (0, 1))
        return Sums(text, 0, (one, two))

    young, old = (f"CASE WHEN age {sign} 50 THEN 1 END" for sign in ("<", ">="))
    certify(family(young, old), SHOP)
    refused(family(young, "CASE WHEN age >= 49 THEN 1 END"))
    refused(family("age", "age"))


def test_columns_of_one_family_are_what_they_were_made_of() -> None:
    def family(first: str, second: str, above: str = "r") -> Sums:
        rows = f"WITH r AS (SELECT id, {first} AS a, {second} AS b FROM main.customers) "
        one, two = (Measure("it", ((n, F(1)),), 1, 1, 1, 1, 0) for n in (0, 1))
        return Sums(f"{rows} SELECT COUNT(a), COUNT(b) FROM {above}", 0, (one, two))

    young, old = (f"CASE WHEN age {sign} 50 THEN 1 END" for sign in ("<", ">="))
    certify(family(young, old), SHOP)
    certify(family(young, old, "r JOIN main.customers c ON r.id = c.id"), SHOP)
    refused(family(young, "CASE WHEN age >= 49 THEN 1 END"))
    refused(family(young, f"COALESCE({old}, 2)"))
    crossed = "(SELECT r.a, s.b FROM r CROSS JOIN (VALUES (1), (NULL)) AS s(b)) AS t"
    refused(family(young, old, crossed))


def test_weights_add_up_to_one_whole() -> None:
    clamp = "CASE WHEN wild < 0 THEN 0 WHEN wild > 10 THEN 10 ELSE wild END"

    def parts(first: str, second: str, whole: int = 100, l1: int = 100) -> Sums:
        text = f"SELECT COUNT({second}), SUM({first}), SUM({second}) FROM main.customers"
        terms = (((1, F(1)),), ((2, F(1)), (1, F(-1))), ((0, F(whole)), (2, F(-1))))
        made = tuple(Measure("it", t, 1, l1, l1 * l1, l1, 0) for t in terms)
        return Sums(text, 0, made)

    low, high = f"(10 - {clamp}) * (10 - {clamp})", f"100 - {clamp} * {clamp}"
    certify(parts(low, high), SHOP)
    refused(parts(low, high, l1=99))
    refused(parts(low, high, whole=99))
    refused(parts(high, low))
    refused(parts(low.replace("> 10 THEN 10", "> 10 THEN 11"), high))
    refused(parts(f"10 - {clamp} + 0 * age", high))
    certify(parts(f"({low} + 3) // 7", f"({high} + 3) // 7", 14, 14), SHOP)
    refused(parts(f"({low} + 3) // 7", f"({high} + 4) // 7", 13, 14))
