"""An identity provider: its keys, and the tokens that it signs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from dpsql.serve.config import OidcConfig

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)
CURVE = ec.generate_private_key(ec.SECP256R1())


def jwks(folder: Path) -> Path:
    rsa_key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
    ec_key = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(CURVE.public_key()))
    keys = [{**rsa_key, "kid": "one", "alg": "RS256"}, {**ec_key, "kid": "two", "alg": "ES256"}]
    file = folder / "jwks.json"
    file.write_text(json.dumps({"keys": keys}))
    return file


def provider(folder: Path) -> OidcConfig:
    """What a server is told of it."""
    return OidcConfig(issuer="https://id", audience="dpsql", jwks=str(jwks(folder)))


def said(**more: Any) -> dict[str, Any]:
    until = datetime.now(UTC) + timedelta(minutes=5)
    return {"sub": "ann@example.org", "iss": "https://id", "aud": "dpsql", "exp": until, **more}


def signed(
    claims: Mapping[str, Any], key: Any = KEY, algorithm: str = "RS256", kid: str = "one"
) -> str:
    return "Bearer " + jwt.encode(dict(claims), key, algorithm=algorithm, headers={"kid": kid})
