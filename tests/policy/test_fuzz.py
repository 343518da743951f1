"""Whatever the text is, reading a policy fails with a PolicyError or not at all."""

from __future__ import annotations

import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from dpsql.errors import PolicyError
from dpsql.platform.policy import Policy, claims_digest, key_checks, resolve, row_checks
from tests.support.effort import tries

from .shop import SHOP
from .test_errors import CASES

_PIECES = st.sampled_from(
    ["{", "}", "[", "]", ":", ": ", "\n", "  ", "- ", "'", '"', "#", "&a ", "*a", "!!str ", "? "]
    + ["|", ">", "%YAML 9.9\n", "---\n", "...", "\\", '"\\UFFFFFFFF"', '"\\x0"', "null", "~", "1e9"]
    + [".nan", "-", "customer", "orders", "private", "public", "id", "references: orders.id", "\t"]
    + ["2020-99-99", "ENUM('", "\ud800", "\0", "\x85", "\ufeff", "1" * 5000, "<<", "=", "@", "`"]
    + [new for _, new, _, _ in CASES.values()]
)


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    text = SHOP
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        text = text[:start] + draw(_PIECES | st.text(max_size=4)) + text[end:]
    return text


def _use(text: str) -> None:
    with contextlib.suppress(PolicyError):
        policy = Policy.parse(text)
        claims_digest(policy)
        resolve(policy, None, None)
        key_checks(policy, None)
        row_checks(policy)


@settings(max_examples=tries(150, 400), deadline=None)
@given(_mutated())
def test_mutated(text: str) -> None:
    _use(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(_PIECES | st.text(max_size=3), max_size=20).map("".join))
def test_anything(text: str) -> None:
    _use(text)
