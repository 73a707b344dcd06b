"""Portions on several cores of this machine.  What a lost process was trying is tried again by another."""

import os
import signal
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from types import TracebackType

from attrs import define

from oracle.fuzz.portions import Portion, Tried, in_order, try_portion
from oracle.guard import SchedulerFault

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
        self._pool = self._made()
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        """At once: nobody asks for what is still being tried."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        for process in set(active_children()) - self._before:
            process.terminate()
        self._pool.shutdown()

    def submit(self, portion: Portion) -> "Retried":
        return Retried(self, portion, self.start(portion))

    def start(self, portion: Portion) -> Future[list[Tried]]:
        with _no_interrupts():
            try:
                return self._pool.submit(try_portion, portion)
            except BrokenProcessPool:
                self._pool.shutdown()
                self._pool = self._made()
                return self._pool.submit(try_portion, portion)

    def _made(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"), _end_with_parent)


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


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """A process started meanwhile never gets one: Ctrl-C goes to all, and it is ours to end the others."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work forever."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
