"""Where Python has no `fcntl`: a ledger and an audit log by another lock, or not at all; and what
is imported.

Run in a process of its own, from which `fcntl` is taken away, with what else Windows has not; the
stand-in for `msvcrt` locks as Windows does: at once or not at all, freed with who held it. It is
put there last, since Python's own modules take it for Windows.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HEAD = """
import fcntl as real, os, sys, types
for name in ("fcntl", "termios", "resource", "pwd", "grp"):
    sys.modules[name] = None
for name in ("O_NONBLOCK", "O_CLOEXEC", "getuid", "pread", "fork", "register_at_fork"):
    delattr(os, name)
calls = []
def locking(handle, how, count):
    calls.append((how, count, os.lseek(handle, 0, os.SEEK_CUR)))
    real.flock(handle, real.LOCK_UN if how == 0 else real.LOCK_EX | real.LOCK_NB)
"""
WINDOWS = 'sys.modules["msvcrt"] = types.SimpleNamespace(LK_UNLCK=0, LK_NBLCK=2, locking=locking)\n'
IMPORTS = """
from fractions import Fraction
from pathlib import Path
from dpsql.platform.ledger import locking as ours, witness
from dpsql.core.account.amount import Cost
from dpsql.platform.ledger.ledger import Entry
from tests.support.ledgers import durable
from dpsql.errors import EngineError
"""
LEDGER = """
assert ours.fcntl is None and ours.FLAGS == 0
folder = Path(sys.argv[1])
ledger = durable(folder / "ledger", Cost(Fraction(2)), witness=folder / "state")
ledger._witness._wait = 0.1
other = witness.Witness(folder / "state")
with other.held(ledger._made[1]):
    try:
        ledger.reserve(Cost(Fraction(1)), Entry("1"))
    except EngineError as error:
        print(error)
assert ledger.reserve(Cost(Fraction(1)), Entry("1")) == 1
again = durable(folder / "ledger", Cost(Fraction(2)), witness=folder / "state")
print(again.spent.eps, {how for how, *_ in calls}, {tuple(rest) for _, *rest in calls})
"""


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", text, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_without_fcntl_a_byte_is_locked(tmp_path: Path) -> None:
    done = run(HEAD + IMPORTS + WINDOWS + LEDGER, tmp_path)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert "locked by others for too long" in first
    assert second == "1 {0, 2} {(1, 0)}"


def test_without_any_lock_nothing_is_charged(tmp_path: Path) -> None:
    done = run(HEAD + IMPORTS + LEDGER, tmp_path)
    assert done.returncode != 0
    assert "the ledger's second record cannot be kept" in done.stderr


AUDIT = """
from dpsql.serve import audit_log
log = audit_log.AuditLog(Path(sys.argv[1]))
log.write({"action": "ask", "sql": "x" * 100_000})
log.write({"action": "next"})
print(audit_log.checked(Path(sys.argv[1]) / audit_log.FILE), len(log.lines()))
print({how for how, *_ in calls}, {tuple(rest) for _, *rest in calls})
held = real.flock(os.open(Path(sys.argv[1]) / audit_log.FILE, os.O_RDWR), real.LOCK_EX)
audit_log.PATIENCE = 0.1
try:
    log.write({"action": "late"})
except EngineError as error:
    print(error, len(log.lines()))
"""


def test_an_audit_log_without_fcntl(tmp_path: Path) -> None:
    done = run(HEAD + IMPORTS + WINDOWS + AUDIT, tmp_path)
    assert done.returncode == 0, done.stderr
    whole, locks, late = done.stdout.splitlines()
    assert whole == "None 3" and locks == "{0, 2} {(1, 0)}"
    assert "cannot be written" in late and late.endswith(" 3")


HELP = """
from dpsql.cli import main
for words in ((), ("serve",), ("token",), ("mcp",), ("repl",), ("run",)):
    try:
        main([*words, "--help"])
    except SystemExit as left:
        assert not left.code
import dpsql.serve.service, dpsql.serve.process
from dpsql.repl import terminal
pressed = list("yes")
sys.modules["msvcrt"] = types.SimpleNamespace(
    kbhit=lambda: bool(pressed), getwch=lambda: pressed.pop()
)
terminal._forget_typed(None)
assert terminal.termios is None and not pressed
"""


def test_what_is_imported_where_there_is_less(tmp_path: Path) -> None:
    """`import dpsql`, the help of each command, the server and the shell."""
    done = run(HEAD + "import dpsql" + HELP, tmp_path)
    assert done.returncode == 0, done.stderr
    assert "usage: dpsql" in done.stdout
