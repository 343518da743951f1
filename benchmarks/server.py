"""What a server adds to a query, and whether it charges exactly what is asked of it by many.

python benchmarks/server.py                # 1, 16 and 64 clients, beside the same in process
python benchmarks/server.py --minutes 10   # and 64 clients for so long; the ledger is added up
python benchmarks/server.py --each 0 --minutes 10   # that alone
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from time import monotonic, perf_counter

import dpsql
from dpsql import demo
from dpsql.serve.audit_log import checked
from dpsql.serve.principals import Principals
from dpsql.session.database import Database

FREE = "SELECT region_id, COUNT(*) AS n FROM customers GROUP BY region_id"
"""Asked once with noise, and from then on given again."""


def fresh(client: int, number: int) -> str:
    """A query that nobody asked before, of few rows: what is measured is what lies around it."""
    return f"SELECT COUNT(*) FROM customers WHERE birth_year > {1900 + client} AND trust < {number}"


def together(clients: int, each: int, ask: Callable[[int, int], object]) -> list[float]:
    """The times, in ms, of queries that so many clients ask at once, one after the other each."""
    times: list[list[float]] = [[] for _ in range(clients)]

    def work(client: int) -> None:
        for number in range(each):
            began = perf_counter()
            ask(client, number)
            times[client].append(1e3 * (perf_counter() - began))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [time for own in times for time in own]


def _asked(kind: str, dbs: list[Database], first: int, client: int, number: int) -> object:
    if kind == "free":
        return dbs[client].run(FREE, 0.01)
    return dbs[client].run(fresh(client, number + first), 0.001, fresh=True)


def told(name: str, times: list[float]) -> None:
    """A line of a table."""
    print(f"| {name} | {median(times):.1f} | {quantiles(times, n=20)[-1]:.1f} |", flush=True)


def compared(local: Database, urls: list[Database], each: int) -> None:
    """In process and over the server, free and fresh."""
    analysts = [local.asked_by(f"client{n}") for n in range(64)]  # as many as the server has
    print("| | median, ms | p95, ms |\n|---|---|---|")
    for kind in ("free", "fresh"):
        for clients in (1, 16, 64):
            asked: dict[str, list[float]] = {}
            for where, dbs in (("in process", analysts), ("server", urls)):
                ask = partial(_asked, kind, dbs, 1000 * (dbs is urls) + 100_000 * clients)
                ask(0, 9999)
                asked[where] = together(clients, max(4, each // clients), ask)
                told(f"{kind}, {clients} clients, {where}", asked[where])


def lasting(urls: list[Database], owner: Database, minutes: float) -> None:
    """Many clients for long: nothing is lost, and nothing charged twice."""
    urls[0].run(FREE, 0.01)  # or two who ask it first, at once, each pay for it
    until, answers, lock = monotonic() + 60 * minutes, list[int](), threading.Lock()
    before = owner.budget.spent.exact.eps
    errors: list[str] = []

    def work(client: int) -> None:
        number = 0
        while monotonic() < until:
            number += 1
            try:
                urls[client].run(fresh(client, number), 0.001, idempotency_key=f"{client}-{number}")
                urls[client].run(FREE, 0.01)
            except dpsql.DpsqlError as error:
                errors.append(f"{type(error).__name__}: {error}")
                continue
            with lock:
                answers.append(number)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(urls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = owner.budget.spent.exact.eps - before
    print(f"{len(answers)} answers of {len(urls)} clients in {minutes:g} min; {len(errors)} errors")
    print(f"charged {spent * 1000} thousandths, for {len(answers)} thousandths of answers")
    for error in sorted(set(errors))[:5]:
        print(error)


def main() -> None:
    """Both measurements."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=0)
    arguments.add_argument("--each", type=int, default=320, help="of a measurement; 0 for none")
    asked = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, policy = demo.save(folder)
        text = policy.read_text(encoding="utf-8")
        policy.write_text(re.sub(r"budget: .*", "budget: {eps: 100000, delta: 1e-6}", text))
        (folder / "server.yaml").write_text(
            f"data: {{shop: {{data: {data.name}, policy: {policy.name}, workers: 2}}}}\n"
            "http: {port: 0}\nlimits: {requests_per_minute: 1000000}\n"
        )
        principals = Principals(folder / "state")
        command = [sys.executable, "-m", "dpsql", "serve", "--config", "server.yaml"]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        found = re.search(r"at (http://\S+);", process.stdout.readline())
        assert found is not None
        urls, local = [], dpsql.connect(data, policy, workers=2)
        try:
            for number in range(64):
                principals.add(f"client{number}")
                token = principals.new_token(f"client{number}")
                urls.append(dpsql.connect(f"{found.group(1)}/shop", token=token))
            if asked.each:
                compared(local, urls, asked.each)
            if asked.minutes:
                lasting(urls, local, asked.minutes)
        finally:
            for db in (*urls, local):
                db.close()
            process.terminate()
            process.wait(60)
        print(f"the audit log: {checked(folder / 'state/audit.jsonl') or 'each line follows'}")


if __name__ == "__main__":
    main()
