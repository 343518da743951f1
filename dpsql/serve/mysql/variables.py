"""Variables of a session: those that drivers ask for and set, and those that mean something here.

| variable | what it says |
|---|---|
| `@eps`, `@delta` | what each query costs that names nothing itself |
| `@intervals` | 1: each noisy column is followed by the ends of its 95 % interval |
"""

from __future__ import annotations

from decimal import Decimal

from sqlglot import exp

from dpsql.core.calibrate.options import Amount
from dpsql.errors import InvalidArgument
from dpsql.report.workloads.price_comments import amount
from dpsql.serve.mysql.errors import Refused
from dpsql.serve.mysql.handshake import CHARSETS, VERSION

MOST, LONGEST = 200, 1000
"""Variables of one's own, and letters of one with its name."""

_COLLATION = "utf8mb4_0900_ai_ci"
_SYSTEM: dict[str, str | int | None] = {
    "auto_increment_increment": 1,
    "autocommit": 1,
    "character_set_client": "utf8mb4",
    "character_set_connection": "utf8mb4",
    "character_set_database": "utf8mb4",
    "character_set_results": "utf8mb4",
    "character_set_server": "utf8mb4",
    "collation_connection": _COLLATION,
    "collation_database": _COLLATION,
    "collation_server": _COLLATION,
    "default_storage_engine": "dpsql",
    "event_scheduler": "OFF",
    "foreign_key_checks": 1,
    "group_concat_max_len": 1024,
    "have_ssl": "YES",
    "init_connect": "",
    "interactive_timeout": 28800,
    "license": "Apache-2.0",
    "local_infile": 0,
    "lock_wait_timeout": 31536000,
    "lower_case_table_names": 2,
    "max_allowed_packet": 1_000_000,
    "max_execution_time": 0,
    "net_buffer_length": 16384,
    "net_read_timeout": 30,
    "net_write_timeout": 60,
    "performance_schema": 0,
    "port": 0,
    "profiling": 0,
    "protocol_version": 10,
    "query_cache_size": 0,
    "query_cache_type": "OFF",
    "read_only": 1,
    "session_track_schema": 0,
    "sql_auto_is_null": 0,
    "sql_mode": "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES",
    "sql_notes": 1,
    "sql_quote_show_create": 1,
    "sql_safe_updates": 0,
    "sql_select_limit": 18446744073709551615,
    "sql_warnings": 0,
    "storage_engine": "dpsql",
    "system_time_zone": "UTC",
    "time_zone": "+00:00",
    "transaction_isolation": "READ-COMMITTED",
    "transaction_read_only": 1,
    "tx_isolation": "READ-COMMITTED",
    "tx_read_only": 1,
    "unique_checks": 1,
    "version": VERSION,
    "version_comment": "dpsql",
    "version_compile_machine": "",
    "version_compile_os": "",
    "wait_timeout": 28800,
}
_FIXED = {"version", "version_comment", "license", "max_allowed_packet", "port"}
_OTHER_GRAMMAR = {"ANSI", "ANSI_QUOTES", "PIPES_AS_CONCAT", "NO_BACKSLASH_ESCAPES", "DB2"}
"""Of sql_mode: by them the same text would mean something else."""

_ONES_OWN = (exp.Literal, exp.Null, exp.Boolean)


class Variables:
    """Of one session.

    Args:
        packet: the bytes that a packet may have.
    """

    def __init__(self, packet: int) -> None:
        self.system = {**_SYSTEM, "max_allowed_packet": packet}
        self._own: dict[str, exp.Expr] = {}

    @property
    def eps(self) -> Amount:
        """Of each query; None where nothing is set."""
        return self._amount("eps")

    @property
    def delta(self) -> Amount:
        """Of each query; None where nothing is set."""
        return self._amount("delta")

    @property
    def intervals(self) -> bool:
        """Whether the ends of intervals are shown."""
        return _written(self._own.get("intervals", exp.null())).lower() not in _NO

    @property
    def timeout(self) -> float | None:
        """Seconds that a query may take, by max_execution_time; None for the policy's."""
        found = self.system["max_execution_time"]
        return found / 1000 if isinstance(found, int) and 0 < found < 10**9 else None

    @property
    def client_codec(self) -> str:
        """How the client's texts are written."""
        return str(CHARSETS[str(self.system["character_set_client"])].codec)

    @property
    def results(self) -> str:
        """The character set of what the client is given."""
        return str(self.system["character_set_results"] or "utf8mb4")

    def set(self, tree: exp.Set) -> None:
        """Do what a SET says, all of it or nothing.

        Raises:
            Refused: a variable that is none, or a value that it cannot have.
            InvalidBudget: an ε or δ that is none.
        """
        before = dict(self.system), dict(self._own)
        try:
            for item in tree.expressions:
                self._item(item)
        except BaseException:
            self.system, self._own = before
            raise

    def names(self, charset: str) -> None:
        """Write and read texts in a character set from now on."""
        name = charset.lower()
        if name not in CHARSETS:
            text = f"the character set is one of {', '.join(CHARSETS)}"
            raise Refused(1115, "42000", text)
        for which in ("client", "connection", "results"):
            self.system[f"character_set_{which}"] = name

    def literal(self, node: exp.Parameter | exp.SessionParameter) -> exp.Expr:
        """The value of `@x` or `@@x`, as a query has it.

        Raises:
            Refused: there is no such system variable.
        """
        name = node.name.lower()
        if isinstance(node, exp.Parameter):
            return self._own.get(name, exp.null()).copy()
        value = self.system[self._known(name)]
        if value is None:
            return exp.null()
        is_number = isinstance(value, int)
        return exp.Literal.number(value) if is_number else exp.Literal.string(str(value))

    def value(self, name: str) -> Decimal | float | str | int | None:
        """The value of `@x`, as a parameter has it; None for NULL, and for what is not set."""
        found = self._own.get(name.lower(), exp.null())
        if isinstance(found, exp.Null):
            return None
        if isinstance(found, exp.Boolean):
            return int(found.this)
        if isinstance(found, exp.Literal) and found.is_string:
            return found.name
        text = _written(found)
        return float(text) if "e" in text.lower() else Decimal(text)

    def _amount(self, name: str) -> Amount:
        text = _written(self._own.get(name, exp.null()))
        return amount(name, text) if text else None

    def _item(self, item: exp.Expr) -> None:
        kind = item.text("kind").upper()
        if kind in ("NAMES", "CHARACTER SET"):
            name = item.name
            self.names("utf8mb4" if name.upper() == "DEFAULT" else name)
            return
        if kind == "TRANSACTION":
            return
        left, right = item.this.args.get("this"), item.this.args.get("expression")
        if not (isinstance(left, exp.Expr) and isinstance(right, exp.Expr)):
            raise Refused(1064, "42000", "this SET is not read")
        if isinstance(left, exp.Parameter):
            self._set_own(left.name.lower(), right)
            return
        scope = (left.text("kind") or kind).upper()
        if scope not in ("", "SESSION", "LOCAL"):
            raise Refused(1227, "42000", "variables are set for one's own session alone")
        self._set_system(self._known(left.name.lower()), right)

    def _set_own(self, name: str, value: exp.Expr) -> None:
        value = value.unnest()
        if isinstance(value, exp.Parameter | exp.SessionParameter):
            value = self.literal(value)
        text = _written(value)  # says whether it is a value at all
        if name in ("eps", "delta") and text:
            amount(name, text)
        if len(name) + len(text) > LONGEST or (name not in self._own and len(self._own) >= MOST):
            raise Refused(1231, "42000", "there are too many variables, or a value is too long")
        negative = isinstance(value, exp.Neg) and isinstance(value.this, exp.Literal)
        made = value if negative or isinstance(value, _ONES_OWN) else exp.Literal.string(text)
        self._own[name] = made.copy()

    def _set_system(self, name: str, value: exp.Expr) -> None:
        value = value.unnest()
        try:
            text: str | None = _written(value)
        except InvalidArgument:
            return  # CONCAT(@@sql_mode, …) and the like: none of these changes what is done
        if isinstance(value, exp.SessionParameter | exp.Parameter):
            return
        if name in _FIXED:
            raise Refused(1238, "HY000", f"the variable {name} is read-only")
        if text is None or len(text) > LONGEST:
            raise Refused(1231, "42000", "the value is too long")
        if name.startswith("character_set_"):
            default = text == "" or text.upper() == "DEFAULT"
            name_of_set = "utf8mb4" if default else text.lower()
            if name_of_set not in CHARSETS:
                raise Refused(1115, "42000", f"the character set is one of {', '.join(CHARSETS)}")
            self.system[name] = name_of_set
            return
        if name == "sql_mode" and _OTHER_GRAMMAR & set(text.upper().replace(" ", "").split(",")):
            raise Refused(1231, "42000", "no sql_mode that gives a text another meaning is there")
        if text.upper() == "DEFAULT":
            self.system[name] = _SYSTEM[name]
        else:
            self.system[name] = int(text) if text.isascii() and text.isdigit() else text

    def _known(self, name: str) -> str:
        if name not in self.system:
            help = f": write SET @{name} = …" if name in ("eps", "delta", "intervals") else ""
            raise Refused(1193, "HY000", f"there is no system variable {name[:64]}{help}")
        return name


_NO = ("", "0", "false", "off", "no")


def _written(value: exp.Expr) -> str:
    """A value as it was written: a constant, a word, or an amount such as -1 or 1/3.

    Raises:
        InvalidArgument: something else.
    """
    if isinstance(value, exp.Null):
        return ""
    if isinstance(value, exp.Boolean):
        return str(int(value.this))
    if isinstance(value, exp.Literal):
        return str(value.this)
    if isinstance(value, exp.Column | exp.Var | exp.Identifier):
        return value.name
    if isinstance(value, exp.Neg):
        return f"-{_written(value.this)}"
    if isinstance(value, exp.Div):
        sides = value.this, value.expression
        if all(isinstance(side, exp.Literal) and not side.is_string for side in sides):
            return f"{sides[0].this}/{sides[1].this}"
    if isinstance(value, exp.SessionParameter | exp.Parameter):
        return ""
    raise InvalidArgument("a variable is set to a constant")
