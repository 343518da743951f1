"""A ledger where Python has no `fcntl`: by another lock, or not at all.

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
sys.modules["fcntl"] = None
for name in ("O_NONBLOCK", "O_CLOEXEC", "getuid"):
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
