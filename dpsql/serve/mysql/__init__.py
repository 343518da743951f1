"""MySQL's protocol: what BI tools speak, answered by the same service as HTTP.

Of mysql-mimic it uses what writes packets. What reads them, logs in and keeps a session is here: it
must hold against anybody who connects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpsql.errors import EngineError
from dpsql.serve.config import MysqlConfig
from dpsql.serve.login import Login
from dpsql.serve.service import Service

if TYPE_CHECKING:
    from dpsql.serve.mysql.server import MysqlServer

NEEDED = "MySQL's protocol needs mysql-mimic: pip install 'dpsql[mysql]'"


async def serve_mysql(service: Service, login: Login, config: MysqlConfig) -> MysqlServer:
    """Listen for clients of MySQL, in the running event loop, until `stop` is awaited.

    Raises:
        EngineError: mysql-mimic is not installed.
        PolicyError: the certificate cannot be read.
        OSError: the port is taken.
    """
    try:
        import mysql_mimic
    except ImportError:
        mysql_mimic = None
    if mysql_mimic is None:
        raise EngineError(NEEDED)
    from dpsql.serve.mysql.server import MysqlServer

    made = MysqlServer(service, login, config)
    await made.start()
    return made
