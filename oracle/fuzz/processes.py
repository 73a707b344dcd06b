"""Portions on several cores of this machine.  What a lost process was trying is tried again by another."""

from collections.abc import Generator, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from types import TracebackType

from attrs import define

from oracle.fuzz.portions import Portion, Tried, in_order, try_portion
from oracle.guard import SchedulerFault
from oracle.process_pool import end, no_interrupts, process_pool

TRIES = 3
"""The last one is without company, so that it is known who took the process with it."""


def on_processes(todo: Iterator[Portion], workers: int) -> Generator[Tried]:
    """Raises SchedulerFault where the scheduler takes the process with it when it dies."""
    with Processes(workers) as processes:
        yield from in_order(todo, processes.submit, lambda: workers)


class Processes:
    """A pool of them, made anew after a loss."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._before: set[BaseProcess] = set()

    def __enter__(self) -> "Processes":
        self._before = set(active_children())
        self._pool = process_pool(self._workers)
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        end(self._pool, self._before)

    def submit(self, portion: Portion) -> "Retried":
        return Retried(self, portion, self.start(portion))

    def start(self, portion: Portion) -> Future[list[Tried]]:
        with no_interrupts():
            try:
                return self._pool.submit(try_portion, portion)
            except BrokenProcessPool:
                self._pool.shutdown()
                self._pool = process_pool(self._workers)
                return self._pool.submit(try_portion, portion)


@define
class Retried:
    """What comes of a portion."""

    processes: Processes
    portion: Portion
    future: Future[list[Tried]]

    def result(self) -> list[Tried]:
        for _ in range(TRIES - 1):
            with suppress(BrokenProcessPool):
                return self.future.result()
            self.future = self.processes.start(self.portion)
        try:
            return self.future.result()
        except BrokenProcessPool as error:
            text = f"{TRIES} times the process in which {self.portion} were tried is gone"
            raise SchedulerFault(text, str(error)) from None
