"""`dpsql serve` and `dpsql token`: a server, and who may ask it."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from dpsql.cli import exits
from dpsql.core.account.amount import decimal_text, parse_delta, parse_eps, read
from dpsql.errors import InvalidArgument, InvalidBudget
from dpsql.platform.policy import Policy
from dpsql.visible import one_line

if TYPE_CHECKING:
    from dpsql.serve.config import ServerConfig
    from dpsql.serve.principals import Principals

TOKENS = ("new", "list", "revoke", "pause", "resume")
NEEDED = ("fastapi", "uvicorn", "prometheus_client")
TIMES = {"day": (1, 1), "week": (7, 7), "month": (28, 31), "quarter": (90, 92), "year": (365, 366)}
"""How many days each may have."""
CONFIG = "server.yaml"
"""That of the folder in which a command is given, where none is named."""

_CAP = re.compile(r"(?:([^:]+):)?eps=([^,/]+)(?:,delta=([^,/]+))?(?:/(\w+))?\Z")
_AGE = re.compile(r"(\d{1,5})([dh])\Z")


def serve(arguments: Namespace) -> int:
    """A server, until it is ended."""
    if any(find_spec(name) is None for name in NEEDED):
        print('dpsql: a server needs more: pip install "dpsql[server]"', file=sys.stderr)
        return exits.USAGE
    from dpsql.serve.config import ServerConfig
    from dpsql.serve.first import demo_server
    from dpsql.serve.process import serve, url

    if (arguments.config is None) == (arguments.demo is None):
        arguments.parser.error("give --config FILE, or --demo")
    tokens: dict[str, str] = {}
    if arguments.demo is not None:
        config, tokens = demo_server(Path(arguments.demo))
    else:
        config = ServerConfig.load(Path(arguments.config))
    if arguments.port is not None:
        http = config.http.model_copy(update={"port": arguments.port})
        config = config.model_copy(update={"http": http})

    def told(port: str) -> None:
        where, name = url(config.http, int(port)), next(iter(config.data))
        print(f"dpsql serves {', '.join(config.data)} at {where}; Ctrl-C ends it")
        for who, token in tokens.items():
            print(f"{who}'s token, which is shown this once: {token}")
        if "analyst" in tokens:
            print("in another terminal:")
            print(f"  export DPSQL_TOKEN={tokens['analyst']}")
            print(f"  dpsql run {where}/{name} --eps 0.5 'SELECT COUNT(*) FROM orders'")
        sys.stdout.flush()

    serve(config, told)
    return exits.OK


def token(arguments: Namespace) -> int:
    """Tokens and principals of a server, which sees changes at once."""
    from dpsql.serve.audit_log import note_here
    from dpsql.serve.config import ServerConfig
    from dpsql.serve.principals import Principals

    file = Path(arguments.config or CONFIG)
    if arguments.config is None and not file.exists():
        raise InvalidArgument(f"there is no {CONFIG} here: say which server by --config FILE")
    config = ServerConfig.load(file)
    state, name = Path(config.state), arguments.name or ""
    principals = Principals(state)
    if (arguments.name is None) != (arguments.action == "list"):
        arguments.parser.error("give a name, but to list")
    if arguments.action == "new":
        _new(arguments, config, principals)
    elif arguments.action == "revoke":
        note_here(state, "revoke", name)
        principals.revoke(name)
    elif arguments.action in ("pause", "resume"):
        note_here(state, arguments.action, name)
        principals.pause(name, arguments.action == "pause")
    else:
        _list(principals)
    return exits.OK


def _new(arguments: Namespace, config: ServerConfig, principals: Principals) -> None:
    from dpsql.serve.audit_log import note_here

    data = frozenset(arguments.data) if arguments.data else None
    unknown = sorted((data or frozenset()) - set(config.data))
    if unknown:
        raise InvalidArgument(f"the server has no data set {unknown[0]}")
    caps = {name: most for text in arguments.cap for name, most in _caps(text, config)}
    # 0 is the account's own, and none.
    least, usual = (
        None if eps is None else parse_eps(eps) if eps else Fraction(0)
        for eps in (arguments.min_eps, arguments.default_eps)
    )
    expires = None
    if arguments.expires is not None:
        age = _AGE.match(arguments.expires)
        if age is None:
            raise InvalidArgument("--expires is a time such as 30d or 12h")
        unit = {"d": "days", "h": "hours"}[age.group(2)]
        expires = datetime.now(UTC) + timedelta(**{unit: int(age.group(1))})
    said = {"role": arguments.role, "of": ", ".join(sorted(data or ())), "ends": arguments.expires}
    said |= {"caps": ", ".join(arguments.cap), "min_eps": str(least or "")}
    said["default_eps"] = str(usual or "")
    note_here(Path(config.state), "token", arguments.name, **said)
    principals.add(
        arguments.name,
        role=arguments.role,
        data=data,
        min_eps=least,
        default_eps=usual,
        caps=caps or None,
    )
    print(principals.new_token(arguments.name, expires))
    print("this token is shown once; the server keeps a hash of it alone", file=sys.stderr)


def _caps(text: str, config: ServerConfig) -> list[tuple[str, tuple[Fraction, Fraction | None]]]:
    """A cap as it is written, `[DATA:]eps=2[,delta=1e-6][/month]`, of each data set.

    Raises:
        InvalidArgument: it is none, or its time is not that of the data set's budget.
    """
    parts = _CAP.match(text)
    if parts is None:
        raise InvalidArgument("--cap is written [DATA:]eps=2[,delta=1e-6][/month]")
    name, eps, delta, time = parts.groups()
    if name is not None and name not in config.data:
        raise InvalidArgument(f"the server has no data set {name}")
    if time is not None and time not in TIMES:
        raise InvalidArgument(f"a cap's time is one of {', '.join(TIMES)}")
    try:
        most = parse_eps(read(eps)), None if delta is None else parse_delta(read(delta))
    except InvalidBudget as problem:
        raise InvalidArgument(f"--cap: {problem}") from None
    if time is not None:
        for data in config.data if name is None else (name,):
            _check_time(text, time, data, Path(config.data[data].policy))
    return [(name or "*", most)]


def _check_time(text: str, time: str, data: str, policy: Path) -> None:
    """Refuse a cap for another time than that in which the budget of a data set renews."""
    renews, (least, longest) = Policy.load(policy).budget.renews, TIMES[time]
    if renews is not None and least <= renews.days <= longest:
        return
    every = "does not renew" if renews is None else f"renews after {renews.days} days"
    whole = "for good" if renews is None else "for those"
    raise InvalidArgument(
        f"the budget of {data} {every}: give --cap {text.removesuffix('/' + time)}, which is "
        f"{whole}; or write budget: {{renews: {least} days}} in {policy}"
    )


def _list(principals: Principals) -> None:
    tokens = principals.tokens()
    for who in principals.all():
        seen = "all data" if who.data is None else ", ".join(sorted(who.data)) or "no data"
        state = "; paused" if who.paused else ""
        usual = (
            "" if who.default_eps is None else f"; ε = {decimal_text(who.default_eps)} if unsaid"
        )
        print(f"{one_line(who.name)}: {who.role}; {seen}{usual}{state}")
        for token in tokens:
            if token.principal == who.name:
                ends = "" if token.expires is None else f", ends {token.expires:%Y-%m-%d %H:%M}"
                gone = "" if token.revoked is None else f", revoked {token.revoked:%Y-%m-%d %H:%M}"
                print(f"  token {token.id}, made {token.made:%Y-%m-%d %H:%M}{ends}{gone}")
