"""`server.yaml`: what is served, where, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from dpsql.core.account.amount import parse_eps
from dpsql.core.account.amount import read as amount
from dpsql.errors import PolicyError
from dpsql.platform.policy.files import read
from dpsql.serve.principals import NAME

MAX_BYTES = 1_000_000
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")]
"""Of a data set: it stands in URLs, ledgers and logs."""

AT_HOME = ("127.0.0.1", "::1", "localhost")
"""Hosts that nobody else listens to."""

Algorithm = Literal["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]


def _amount(value: float | str) -> Fraction:
    return parse_eps(amount(value, "ε") if isinstance(value, str) else value)


def _written(value: float | str) -> float | str:
    _amount(value)  # an InvalidBudget is a ValueError
    return value


def _name(value: str) -> str:
    if not NAME.match(value):
        raise ValueError("no name of a principal")
    return value


Eps = Annotated[float | str, AfterValidator(_written)]
PrincipalName = Annotated[str, AfterValidator(_name)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _Priced(_Part):
    """Whose queries may say no ε."""

    default_eps: Eps | None = Field(
        default=None, description='The ε of a query that names none, such as 0.1 or "1/3".'
    )

    @property
    def eps(self) -> Fraction | None:
        """The same, exactly."""
        return None if self.default_eps is None else _amount(self.default_eps)


class DataConfig(_Part):
    """A data set; the names are those of `dpsql.connect`."""

    data: str = Field(description="A file, a folder, or the URL of a server.")
    policy: str = Field(description="Its policy's file.")
    ledger: str | None = Field(
        default=None, description="The ledger's file or URL; by default the file beside the data."
    )
    version: str | None = Field(default=None, description="Of the data, such as a date.")
    workers: int = Field(default=2, ge=1, le=64, description="Processes kept for queries.")
    threads: int | None = Field(default=None, ge=1)
    memory_limit: str | None = None
    temp_directory: str | None = None
    in_place: bool = False


class TlsConfig(_Part):
    """The server's own certificate."""

    certificate: str = Field(description="A PEM file, with the chain.")
    key: str = Field(description="A PEM file.")


class HttpConfig(_Part):
    """Where it listens."""

    host: str = "127.0.0.1"
    port: int = Field(default=8321, ge=0, le=65535)
    tls: TlsConfig | None = None
    behind_proxy: bool = Field(
        default=False, description="A proxy ends TLS; needed to listen elsewhere without tls."
    )


class MysqlConfig(_Priced):
    """Where MySQL's protocol is spoken."""

    host: str = "127.0.0.1"
    port: int = Field(default=3306, ge=0, le=65535)
    tls: TlsConfig | None = None


class FlightConfig(_Priced):
    """Where Arrow Flight SQL listens."""

    host: str = "127.0.0.1"
    port: int = Field(default=8322, ge=0, le=65535)
    tls: TlsConfig | None = None
    behind_proxy: bool = Field(
        default=False, description="A proxy ends TLS; needed to listen elsewhere without tls."
    )


class PrincipalConfig(_Priced):
    """Of one principal, where the server's own is not to hold."""

    requests_per_minute: int | None = Field(
        default=None, ge=1, description="By default that of `limits`."
    )


class LimitsConfig(_Part):
    """What clients may use."""

    running: int = Field(default=2, ge=1, le=256, description="Queries that run at once.")
    running_each: int = Field(default=2, ge=1, description="The same, of one principal.")
    waiting: int = Field(default=200, ge=1, description="Queries that wait.")
    waiting_each: int = Field(default=50, ge=1, description="The same, of one principal.")
    batch: int = Field(default=200, ge=1, description="Queries of one batch.")
    requests_per_minute: int = Field(default=600, ge=1, description="Of one principal.")
    body: int = Field(default=1_000_000, ge=1_000, description="Bytes of a request.")
    seconds: float = Field(default=10.0, gt=0, description="In which a request must have come.")
    connections: int = Field(default=500, ge=1)
    connections_each: int = Field(
        default=50, ge=1, description="The same, of one principal; of MySQL's protocol and Flight."
    )
    kept_seconds: int = Field(default=3600, ge=0, description="That answers can be fetched.")


class OidcConfig(_Part):
    """Bearer tokens of an identity provider."""

    issuer: str
    audience: str
    jwks: str = Field(description="A file with its public keys.")
    claim: str = Field(default="sub", description="Which claim is the principal's name.")
    algorithms: tuple[Algorithm, ...] = ("RS256", "ES256")


class ServerConfig(_Part):
    """All of it. Paths are of the file's own folder."""

    data: Mapping[Name, DataConfig] = Field(min_length=1)
    state: str = Field(default="state", description="A folder: logins, the audit log.")
    http: HttpConfig = HttpConfig()
    mysql: MysqlConfig | None = None
    flight: FlightConfig | None = None
    limits: LimitsConfig = LimitsConfig()
    principals: Mapping[PrincipalName, PrincipalConfig] = Field(
        default={}, description="By the principal's name."
    )
    oidc: OidcConfig | None = None

    @field_validator("http", "flight")
    @classmethod
    def _secret(cls, value: HttpConfig | FlightConfig | None) -> HttpConfig | FlightConfig | None:
        if value is None:
            return None
        if not (value.host in AT_HOME or value.tls or value.behind_proxy):
            raise ValueError(
                "tokens would be read by others: give tls, or say behind_proxy: true where a proxy "
                "ends it"
            )
        return value

    @field_validator("mysql")
    @classmethod
    def _secret_too(cls, value: MysqlConfig | None) -> MysqlConfig | None:
        if value is not None and not (value.host in AT_HOME or value.tls):
            raise ValueError("tokens would be read by others: give tls")
        return value

    @classmethod
    def load(cls, file: Path) -> ServerConfig:
        """A configuration, with all paths absolute.

        Raises:
            PolicyError: it cannot be read, or is none.
        """
        problem = ""
        try:
            found = yaml.safe_load(read(file, MAX_BYTES).decode("utf-8-sig"))
            return cls.model_validate(_placed(found, file.resolve().parent))
        except OSError as error:
            problem = f"cannot be read: {error.strerror}"
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
            problem = "is no YAML"
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            problem = f"{place}: {first['msg'].removeprefix('Value error, ')}"
        except ValueError:
            problem = "is too long"
        raise PolicyError(problem, file=str(file))


def _placed(found: object, folder: Path) -> object:
    """The same with paths that do not hang on where the server was started."""
    if not isinstance(found, dict):
        return found

    def absolute(part: object, *names: str) -> object:
        if not isinstance(part, dict):
            return part
        return {
            k: str(folder / v) if k in names and isinstance(v, str) and "://" not in v else v
            for k, v in part.items()
        }

    made = dict(found)
    made.setdefault("state", "state")
    made = dict(absolute(made, "state"))  # type: ignore[call-overload]
    if isinstance(made.get("data"), dict):
        parts = made["data"].items()
        paths = ("data", "policy", "ledger", "temp_directory")
        made["data"] = {name: absolute(part, *paths) for name, part in parts}
    for name in ("http", "mysql", "flight"):
        part = made.get(name)
        if isinstance(part, dict) and "tls" in part:
            made[name] = part | {"tls": absolute(part["tls"], "certificate", "key")}
    if "oidc" in made:
        made["oidc"] = absolute(made["oidc"], "jwks")
    return made
