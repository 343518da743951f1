"""The second record, and who is stopped while it is locked."""

from __future__ import annotations

import fcntl
from pathlib import Path
from types import SimpleNamespace

import pytest

from dpsql.accounting import witness


def test_ctrl_c_just_after_the_lock_was_taken_lets_go_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the next query of this process, and of any other, would wait for ever."""

    def pressed(handle: int, how: int) -> None:
        fcntl.flock(handle, how)
        raise KeyboardInterrupt

    record = witness.Witness(tmp_path)
    double = SimpleNamespace(
        flock=pressed, LOCK_EX=fcntl.LOCK_EX, LOCK_NB=fcntl.LOCK_NB, LOCK_UN=fcntl.LOCK_UN
    )
    with monkeypatch.context() as patched:
        patched.setattr(witness, "fcntl", double)
        with pytest.raises(KeyboardInterrupt):
            record.put("place", "uuid")
    (lock,) = (tmp_path / "witness").glob("*.lock")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
