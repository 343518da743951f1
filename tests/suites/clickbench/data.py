"""A small table of hits of our own making: rows that pass the conditions of the 43 queries, and
that satisfy every claim of `policy.yaml`.
"""

from __future__ import annotations

import duckdb

from tests.suites.making import mixed

ROWS = 4_000
USERS = 400

COLUMNS = {
    "WatchID": ("BIGINT", "1000000007 * i"),
    "UserID": ("BIGINT", f"435090932899640449 + i % {USERS}"),
    "EventTime": ("TIMESTAMP", f"TIMESTAMP '2013-07-14' + INTERVAL 1 MINUTE * {mixed(1, '2880')}"),
    "EventDate": ("DATE", "DATE '2013-07-14'"),
    "CounterID": ("INTEGER", f"[62, 62, 62, 17, 3][1 + {mixed(2, '5')}]"),
    "ClientIP": ("INTEGER", f"1000 + {mixed(3, '12')}"),
    "RegionID": ("INTEGER", f"{mixed(4, '9')}"),
    "URL": (
        "VARCHAR",
        f"['http://a.de/1', 'http://www.google.de/x', 'http://google.b/', ''][1 + {mixed(5, '4')}]",
    ),
    "Title": ("VARCHAR", f"['Google it', 'News', '', 'Shop'][1 + {mixed(6, '4')}]"),
    "Referer": (
        "VARCHAR",
        f"['https://www.c.org/a/b', 'http://d.net/', '', 'e'][1 + {mixed(7, '4')}]",
    ),
    "SearchPhrase": ("VARCHAR", f"['', '', 'karelia', 'smr', 'cars'][1 + {mixed(8, '5')}]"),
    "SearchEngineID": ("SMALLINT", f"{mixed(9, '3')}"),
    "AdvEngineID": ("SMALLINT", f"greatest(0, {mixed(10, '6')} - 2)"),
    "TraficSourceID": ("SMALLINT", f"[-1, 6, 3][1 + {mixed(11, '3')}]"),
    "ResolutionWidth": ("SMALLINT", f"800 + 40 * {mixed(12, '40')}"),
    "WindowClientWidth": ("SMALLINT", f"700 + 100 * {mixed(13, '3')}"),
    "WindowClientHeight": ("SMALLINT", f"500 + 100 * {mixed(14, '3')}"),
    "MobilePhone": ("SMALLINT", f"{mixed(15, '3')}"),
    "MobilePhoneModel": ("VARCHAR", f"['', 'iPad', 'N95'][1 + {mixed(16, '3')}]"),
    "IsRefresh": ("SMALLINT", f"{mixed(17, '2')}"),
    "DontCountHits": ("SMALLINT", f"{mixed(18, '2')}"),
    "IsLink": ("SMALLINT", f"{mixed(19, '2')}"),
    "IsDownload": ("SMALLINT", f"{mixed(20, '2')}"),
    "URLHash": ("BIGINT", f"[2868770270353813622, 5][1 + {mixed(21, '2')}]"),
    "RefererHash": ("BIGINT", f"[3594120000172545465, 7][1 + {mixed(22, '2')}]"),
}


def database() -> duckdb.DuckDBPyConnection:
    """The table, in memory; a hit's day is that of its time."""
    connection = duckdb.connect()
    items = ", ".join(f"({sql})::{kind} AS {name}" for name, (kind, sql) in COLUMNS.items())
    connection.execute(
        f"CREATE TABLE hits AS SELECT * REPLACE (EventTime::DATE AS EventDate) "
        f"FROM (SELECT {items} FROM range({ROWS}) AS r(i))"
    )
    return connection
