"""Who a request is from."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpsql.errors import AccessDenied, EngineError, PolicyError
from dpsql.serve.config import OidcConfig
from dpsql.serve.principals import Principal, Principals


class Login:
    """Tokens of this server's own, and of an identity provider if there is one.

    Args:
        principals: who may ask at all: a provider's name that is none of theirs may not.
        oidc: the provider.

    Raises:
        PolicyError: its keys cannot be read.
        EngineError: PyJWT is not installed.
    """

    def __init__(self, principals: Principals, oidc: OidcConfig | None = None) -> None:
        self.principals, self._oidc = principals, oidc
        self._keys: dict[str, Any] = {}
        if oidc is not None:
            self._keys = _keys(Path(oidc.jwks))

    def principal(self, authorization: str | None) -> Principal:
        """Whose an Authorization header is.

        Raises:
            AccessDenied: nobody's.
        """
        found = self.known(bearer(authorization or ""))
        if found is None:
            raise AccessDenied(AccessDenied.TOKEN)
        return found

    def known(self, token: str) -> Principal | None:
        """Whose token it is; None where it is nobody's, or is over."""
        if not token.isascii():
            return None
        found = self.principals.known(token)
        if found is None and self._oidc is not None and token.count(".") == 2:
            found = self._of_provider(token, self._oidc)
        return found

    def _of_provider(self, token: str, oidc: OidcConfig) -> Principal | None:
        import jwt

        try:
            key = self._keys[str(jwt.get_unverified_header(token).get("kid", ""))]
            said = jwt.decode(
                token,
                key.key,
                algorithms=[a for a in oidc.algorithms if a == key.algorithm_name],
                audience=oidc.audience,
                issuer=oidc.issuer,
                options={"require": ["exp", "iss", "aud"]},
            )
        except (jwt.PyJWTError, KeyError, ValueError, TypeError):
            return None
        if oidc.claim == "email" and said.get("email_verified") in (False, "false"):
            return None  # whoever has an account there may have written any address
        name = said.get(oidc.claim)
        if not isinstance(name, str):
            return None
        try:
            until = datetime.fromtimestamp(int(said["exp"]), UTC)
        except (ValueError, OverflowError, OSError):  # a year that there is none of
            return None
        return self.principals.named(name, token="oidc", until=until)


def bearer(header: str) -> str:
    """The token of an Authorization header; "" where it has none."""
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _keys(file: Path) -> dict[str, Any]:
    try:
        import jwt
    except ImportError:
        jwt = None  # type: ignore[assignment]
    if jwt is None:
        raise EngineError("logins of a provider need PyJWT: pip install 'dpsql[server]'")
    problem = ""
    try:
        found = jwt.PyJWKSet.from_json(file.read_text(encoding="utf-8"))
        return {str(key.key_id or ""): key for key in found.keys}
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
    except (jwt.PyJWTError, ValueError, TypeError, AttributeError):
        problem = "holds no public keys (a JWKS)"
    raise PolicyError(problem, file=str(file))
