"""A server of the demo's data, with everything in one folder."""

from __future__ import annotations

from pathlib import Path

from dpsql import demo
from dpsql.serve.audit_log import note_here
from dpsql.serve.config import ServerConfig
from dpsql.serve.principals import Principals

CONFIG = "server.yaml"

_TEXT = f"""\
# What `dpsql serve --config {CONFIG}` serves; docs/how-to/serve.md says more.
data:
  shop:
    data: {demo.DATABASE_FILE}
    policy: {demo.POLICY_FILE}
state: state      # logins and the audit log: for the server alone
http:
  host: 127.0.0.1
  port: 8321
"""


def demo_server(folder: Path) -> tuple[ServerConfig, dict[str, str]]:
    """The demo's server in a folder, made if it is not there.

    Returns:
        Its configuration, and the tokens of an analyst and an owner, where they were just made.

    Raises:
        PolicyError, EngineError: the folder cannot be used.
    """
    file, tokens = folder / CONFIG, dict[str, str]()
    if not file.exists():
        demo.save(folder)
        file.write_text(_TEXT, encoding="utf-8")
    config = ServerConfig.load(file)
    principals = Principals(Path(config.state))
    if not principals.all():
        for name in ("analyst", "owner"):
            note_here(Path(config.state), "token", name, role=name)
            principals.add(name, role=name)
            tokens[name] = principals.new_token(name)
    return config, tokens
