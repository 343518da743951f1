from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, Verification, claims_digest, null_claims, valid

from .shop import SHOP


def test_round_trip(tmp_path: Path) -> None:
    record = Verification("v1", "d", bounds=frozenset({"b.x", "a.y"}), owners=frozenset({"o.é"}))
    path = tmp_path / "shop.verified.json"
    assert Verification.load(path) is None
    record.save(path)
    Verification("v0", "d").save(path)
    record.save(path)
    assert Verification.load(path) == record
    assert [p.name for p in tmp_path.iterdir()] == ["shop.verified.json"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 100_000, "{}", "\xff", '{"format": 1}', "1" * 5000]
    + [json.dumps({"format": f, "version": v, "policy_digest": "d", "bounds": b, "values": [],
                   "fanouts": [], "lengths": [], "not_null": [], "owners": [], "keys": []})
       for f, v, b in ((4, "1", []), (3, 1, []), (3, "1", "a.b"), (3, "1", [1]), (3, "1", None))],
)  # fmt: skip
def test_malformed(tmp_path: Path, text: str) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(PolicyError, match="not a verification record") as caught:
        Verification.load(path)
    assert caught.value.file == str(path)


@pytest.mark.parametrize("less", [{"keys"}, {"keys", "lengths"}])
def test_a_record_of_a_form_that_spoke_of_fewer_claims_is_none(
    tmp_path: Path, less: set[str]
) -> None:
    path = tmp_path / "record.json"
    Verification("1", "d").save(path)
    content = json.loads(path.read_text())
    path.write_text(json.dumps({k: v for k, v in content.items() if k not in less}))
    assert Verification.load(path) is None


def test_unreadable_and_unwritable(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="cannot be read"):
        Verification.load(tmp_path)
    with pytest.raises(PolicyError, match="cannot be written"):
        Verification("1", "d").save(tmp_path / "none" / "record.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(PolicyError, match="cannot be written"):
        Verification("1", "d").save(tmp_path / "folder")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_valid() -> None:
    policy = Policy.parse(SHOP)
    record = Verification("v1", claims_digest(policy))
    assert valid(record, policy, "v1")
    assert not valid(record, policy, "v2")
    assert not valid(record, policy, None)
    assert not valid(None, policy, "v1")
    assert not valid(record, Policy.parse(SHOP.replace("99]", "98]")), "v1")


def test_the_digest_is_of_the_claims() -> None:
    digest = claims_digest(Policy.parse(SHOP))
    same = [
        SHOP + "# a remark\n",
        SHOP.replace("eps: 10", "eps: 1"),
        SHOP.replace("add_remove", "replace"),
        SHOP.replace("[18, 99]", "[18.0, 99.00]"),
        SHOP.replace("INTEGER", "int"),
        SHOP.replace("customer", "Customer"),
    ]
    assert {claims_digest(Policy.parse(text)) for text in same} == {digest}
    others = [
        SHOP.replace("max_rows: 5", "max_rows: 6"),
        SHOP.replace("[18, 99]", "[18, 99], nullable: false"),
        SHOP.replace("[Graz, Linz]", "[Graz, Wels]"),
        SHOP.replace("{type: DATE, bounds: [1992-01-01, 1998-12-31]}", "{type: DATE}"),
        SHOP.replace("  orders:\n", "  orders:\n    owner: buyer\n"),
        SHOP.replace(", references: land.id", ""),
    ]
    digests = [claims_digest(Policy.parse(text)) for text in others]
    assert len({digest, *digests}) == len(others) + 1


def test_null_claims() -> None:
    policy = Policy.parse(SHOP.replace("[18, 99]", "[18, 99], nullable: false"))
    assert null_claims(policy) == {"customer.age"}
