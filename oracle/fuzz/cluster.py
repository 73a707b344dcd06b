"""Portions on a Dask cluster.  What a lost worker was trying is tried again by another; Dask sees to that."""

import logging
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock

from attrs import frozen
from distributed import Client, Future, KilledWorker
from distributed.comm.addressing import parse_address, parse_host_port

import model
import oracle
from oracle.fuzz.plan import PlanError
from oracle.fuzz.portions import Portion, Tried, in_order, try_portion
from oracle.guard import SchedulerFault

PATIENCE = 10
"""Seconds for the cluster to answer, and for its first worker to come."""
LONGEST = 600
"""Seconds for a portion whose turn it is.  On a worker nobody ends a scheduler of its own process that hangs."""


def on_cluster(todo: Iterator[Portion], address: str) -> Generator[Tried]:
    """Raises PlanError, and SchedulerFault where the scheduler takes workers with it when it dies."""
    with _quiet(), _connected(address) as client:
        try:
            yield from in_order(
                todo,
                lambda portion: OnWorker(portion, client.submit(try_here, code(), portion, pure=False)),
                lambda: len(client.nthreads()),  # type: ignore[no-untyped-call]
            )
        except KilledWorker as error:
            raise SchedulerFault("several workers that tried the same cases with it are gone", str(error)) from None
        except RuntimeError as error:
            if "deserialization" not in str(error):
                raise
            raise PlanError("the Dask scheduler and its workers need sched-oracle too, in this version") from None
        except (CancelledError, OSError) as error:
            raise PlanError(f"the Dask scheduler at {address} is gone: {error}") from None


@frozen
class OnWorker:
    """What comes of a portion."""

    portion: Portion
    future: "Future[list[Tried]]"

    def result(self) -> list[Tried]:
        try:
            found: list[Tried] = self.future.result(timeout=LONGEST)
        except TimeoutError:
            text = f"nothing came of {self.portion} in {LONGEST} s: the scheduler hangs, or no worker is left"
            raise PlanError(text) from None
        return found


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        parse_host_port(parse_address(address)[1])  # a client that only finds out later is slow to go away
        client = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise PlanError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise PlanError(f"the Dask cluster at {address} has no worker") from None
        yield client


@contextmanager
def _quiet() -> Iterator[None]:
    """What goes wrong is told once, by our errors, and not in the logs of distributed as well."""
    logs = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [log.handlers for log in logs]
    for log in logs:
        log.handlers = [logging.NullHandler()]
    try:
        yield
    finally:
        for log, handlers in zip(logs, before, strict=True):
            log.handlers = handlers


# --- on a worker ----------------------------------------------------------------------------------

_ALONE = Lock()
"""Rules are counted, and Z3 is asked, for one case at a time in a process, however many threads it has."""


def try_here(wanted: str, portion: Portion) -> list[Tried]:
    """Raises PlanError where other code would be run than where the search was started."""
    if wanted != code():
        raise PlanError("a Dask worker has another version of sched-oracle than this machine")
    with _ALONE:
        return try_portion(portion)


@cache
def code() -> str:
    """Of the model and the oracle: a seed stands for the same cases where they are the same."""
    found = sha256()
    for package in (model, oracle):
        [root] = package.__path__
        for path in sorted(Path(root).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()
