"""The budget's parts, and which data set a budget is for."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction

import pytest

from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, json_schema, resolve
from dpsql.platform.policy.data_identity import identity

from .shop import SHOP

BUDGET = "budget: {eps: 10, delta: 1e-5}"


def with_budget(text: str) -> Policy:
    return Policy.parse(SHOP.replace(BUDGET, f"budget: {text}"))


def test_all_of_a_budget() -> None:
    budget = with_budget(
        "{eps: 10, delta: 1e-5, accountant: zcdp, account: shop, renews: 30 days, "
        "caps: {ann: {eps: 2}, interns: {eps: 0.1, delta: 1e-6, members: [bob, cy]}, "
        '"*": {eps: 1}}}'
    ).budget
    assert (budget.accountant, budget.account) == ("zcdp", "shop")
    assert budget.renews == timedelta(days=30)
    assert list(budget.caps) == ["ann", "interns", "*"]
    assert budget.caps["interns"].eps == Fraction(1, 10)
    assert budget.caps["interns"].delta == Fraction(1, 10**6)
    assert budget.caps["interns"].members == ("bob", "cy")
    assert budget.caps["ann"].delta is None


def test_what_is_not_given() -> None:
    budget = Policy.parse(SHOP).budget
    assert (budget.accountant, budget.account, budget.renews) == (None, None, None)
    assert budget.caps == {}


@pytest.mark.parametrize(
    ("text", "renews"),
    [("1 hour", timedelta(hours=1)), ("2 weeks", timedelta(weeks=2)), ("1 days", timedelta(1))],
)
def test_times(text: str, renews: timedelta) -> None:
    assert with_budget(f"{{eps: 1, renews: {text}}}").budget.renews == renews


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{eps: 1, renews: monthly}", 'expected a time such as "30 days", in hours, days or weeks'),
        ("{eps: 1, renews: 0 days}", 'expected a time such as "30 days"'),
        ("{eps: 1, renews: -1 days}", 'expected a time such as "30 days"'),
        ("{eps: 1, renews: 30}", 'expected a time such as "30 days"'),
        ("{eps: 1, accountant: zcdp}", "the accountant zcdp needs a delta, such as 1e-6"),
        ("{eps: 1, accountant: rdp}", "the accountant rdp needs a delta, such as 1e-6"),
        ("{eps: 1, delta: 1e-6, accountant: pure}", "the accountant pure allows no delta"),
        ("{eps: 1, accountant: best}", "expected pure, approx, zcdp, rdp or pld, not 'best'"),
        ("{eps: 1, caps: {ann: {eps: 0}}}", "eps must be above 0, not 0"),
        ("{eps: 1, caps: {ann: {}}}", "the key eps is missing"),
        ("{eps: 1, caps: {ann: {eps: 1, member: [a]}}}", "unknown key; did you mean members?"),
        ('{eps: 1, caps: {"*": {eps: 1, members: [a]}}}', "a group needs a name"),
        (
            "{eps: 1, delta: 1e-6, accountant: zcdp, caps: {ann: {eps: 1, delta: 0}}}",
            "the accountant zcdp needs a delta",
        ),
    ],
)
def test_budgets_that_are_none(text: str, message: str) -> None:
    with pytest.raises(PolicyError) as caught:
        with_budget(text)
    assert message in str(caught.value)
    assert caught.value.line == 3


def test_the_schema_for_editors_knows_the_keys() -> None:
    budget = json_schema()["$defs"]["BudgetPolicy"]["properties"]
    keys = {"eps", "delta", "accountant", "account", "renews", "caps", "epoch", "min_eps", "rate"}
    assert keys == set(budget)


@pytest.mark.parametrize(
    "rate", ["0 per hour", "1 per week", "per hour", "1.5 per day", "-1 per day", 1]
)
def test_a_rate_that_is_none(rate: object) -> None:
    with pytest.raises(PolicyError, match='expected a rate such as "100 per hour"'):
        with_budget(f"{{eps: 1, rate: {rate}}}")


@pytest.mark.parametrize("epoch", ["[1]", "'a b'", "''", "true", "x" * 65, "null: 1"])
def test_an_epoch_that_is_none(epoch: str) -> None:
    with pytest.raises(PolicyError):
        with_budget(f"{{eps: 1, epoch: {epoch}}}")


@pytest.mark.parametrize(
    ("written", "near"),
    [
        *(("dayly", "daily"), ("Daily", "daily"), ("day", "daily"), ("weekley", "weekly")),
        *(("montly", "monthly"), ("month", "monthly"), ("year", "yearly")),
        *(("hourly", ""), ("quarterly", ""), ("annually", "")),
    ],
)
def test_an_epoch_that_is_nearly_a_schedule(written: str, near: str) -> None:
    more = f"; did you mean {near}\\?" if near else ""
    said = f"no schedule {written}: there are daily, weekly, monthly, yearly{more}"
    with pytest.raises(PolicyError, match=said):
        with_budget(f"{{eps: 1, epoch: {written}}}")


@pytest.mark.parametrize(
    ("written", "epoch"),
    [
        *(("2026-11", "2026-11"), ("2026-11-01", "2026-11-01"), ("2026", "2026")),
        *(("daily", "daily"), ("spring", "spring"), ("July", "July"), ("weekly-2", "weekly-2")),
    ],
)
def test_an_epoch_as_it_is_written(written: str, epoch: str) -> None:
    policy = with_budget(f"{{eps: 1, epoch: {written}}}")
    assert policy.budget.epoch == epoch


def of(text: str, name: str | None = None) -> str:
    return identity(resolve(Policy.parse(text), None, None), name)


RENAMED = (
    SHOP.replace("orders", "purchases")
    .replace("lines", "items")
    .replace("customer", "client")
    .replace("order_id", "purchase")
    .replace("client.id", "client.number")
    .replace(
        "key: [id]\n    columns:\n      id: {type: BIGINT}\n      age",
        "key: [number]\n    columns:\n      number: {type: BIGINT}\n      age",
    )
)


def test_names_bounds_and_public_tables_do_not_tell_a_data_set() -> None:
    assert "client.number" in RENAMED
    assert of(RENAMED) == of(SHOP)
    assert of(SHOP.replace("[18, 99]", "[0, 120]")) == of(SHOP)
    assert of(SHOP.replace("eps: 10", "eps: 20")) == of(SHOP)
    assert of(SHOP.replace("max_rows: 5", "max_rows: 6")) == of(SHOP)
    public = "  land2: {access: public, columns: {x: {type: INTEGER}}}\n"
    assert of(SHOP + public) == of(SHOP)


def test_the_order_of_tables_does_not_matter() -> None:
    policy = Policy.parse(SHOP)
    turned = policy.model_copy(update={"tables": dict(reversed(list(policy.tables.items())))})
    assert list(turned.tables) == list(policy.tables)[::-1]
    assert identity(resolve(turned, None, None), None) == of(SHOP)


def test_ownership_and_neighbours_do() -> None:
    seen = {
        of(SHOP),
        of(SHOP.replace("add_remove", "replace")),
        of(
            SHOP + "  visits:\n    access: private\n    columns:\n"
            "      who: {type: BIGINT, references: customer.id}\n"
        ),
        of(
            SHOP + "  notes:\n    access: private\n    columns:\n"
            "      order_id: {type: BIGINT, references: orders.id}\n"
        ),
        of(SHOP, "shop"),
        of(SHOP, "Shop"),
    }
    assert len(seen) == 6
    assert of(RENAMED, "shop") == of(SHOP, "shop")
