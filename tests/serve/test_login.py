"""Bearer tokens of an identity provider: only its own, for this server, for who is known here."""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives import serialization

from dpsql.errors import AccessDenied, PolicyError
from dpsql.serve.config import OidcConfig
from dpsql.serve.login import Login
from dpsql.serve.principals import Principals
from tests.support.provider import CURVE, KEY, OTHER, jwks, provider, said, signed


@pytest.fixture
def login(tmp_path: Path) -> Login:
    principals = Principals(tmp_path / "state")
    principals.add("ann@example.org", role="owner")
    oidc = provider(tmp_path)
    return Login(principals, oidc)


def by_hand(head: Mapping[str, str], secret: bytes) -> str:
    def part(text: bytes) -> bytes:
        return urlsafe_b64encode(text).rstrip(b"=")

    claims = {**said(), "exp": int(said()["exp"].timestamp())}
    told = part(json.dumps(head).encode()) + b"." + part(json.dumps(claims).encode())
    return (told + b"." + part(hmac.digest(secret, told, "sha256"))).decode()


def test_who_it_is(login: Login) -> None:
    for header in (signed(said()), signed(said(), CURVE, "ES256", "two")):
        found = login.principal(header)
        assert (found.name, found.role, found.token) == ("ann@example.org", "owner", "oidc")


def test_what_is_not_the_providers(login: Login) -> None:
    past = datetime.now(UTC) - timedelta(minutes=1)
    later = datetime.now(UTC) + timedelta(minutes=9)
    public = KEY.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    bare = said()
    del bare["exp"]
    good = signed(said())
    wrong = [
        signed(said(), OTHER),
        signed(said(), kid="two"),
        signed(said(), kid="three"),
        signed(said(exp=past)),
        signed(said(nbf=later)),
        signed(said(aud="other")),
        signed(said(iss="https://evil")),
        signed(said(sub="nobody")),
        signed({**said(), "sub": ""}),
        signed(bare),
        "Bearer " + by_hand({"alg": "HS256", "kid": "one"}, public),  # the public key as a secret
        "Bearer " + jwt.encode(said(), None, algorithm="none", headers={"kid": "one"}),
        good[:-4] + "AAAA",
        good.replace("Bearer", "Basic"),
        good + ".x",
    ]
    for header in wrong:
        with pytest.raises(AccessDenied) as caught:
            login.principal(header)
        assert str(caught.value) == AccessDenied.TOKEN and caught.value.__context__ is None


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"keys": [{}]}', '{"keys": 3}', "no"])
def test_keys_that_are_none(tmp_path: Path, text: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(text)
    oidc = OidcConfig(issuer="https://id", audience="dpsql", jwks=str(file))
    with pytest.raises(PolicyError, match="holds no public keys"):
        Login(Principals(tmp_path), oidc)
    file.unlink()
    with pytest.raises(PolicyError, match="cannot be read"):
        Login(Principals(tmp_path), oidc)


@pytest.mark.parametrize(("verified", "known"), [(None, True), (True, True), (False, False)])
def test_an_address_that_nobody_verified(
    tmp_path: Path, verified: bool | None, known: bool
) -> None:
    principals = Principals(tmp_path / "state")
    principals.add("ann@example.org", role="owner")
    keys = str(jwks(tmp_path))
    oidc = OidcConfig(issuer="https://id", audience="dpsql", jwks=keys, claim="email")
    claims = said(sub="7", email="ann@example.org")
    if verified is not None:
        claims["email_verified"] = verified
    login = Login(principals, oidc)
    if known:
        assert login.principal(signed(claims)).name == "ann@example.org"
    else:
        with pytest.raises(AccessDenied):
            login.principal(signed(claims))
