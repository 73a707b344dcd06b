"""Pools of processes that Ctrl-C does not reach, as it is ours to end them, and that end with us."""

import os
import signal
from collections.abc import Iterator, Set
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread


def process_pool(workers: int, tasks_each: int | None = None) -> ProcessPoolExecutor:
    """`tasks_each`: after so many a process makes way for another."""
    return ProcessPoolExecutor(workers, get_context("spawn"), _end_with_parent, max_tasks_per_child=tasks_each)


@contextmanager
def no_interrupts() -> Iterator[None]:
    """A process started meanwhile never gets one."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def short_lived(workers: int, tasks_each: int | None = None) -> Iterator[ProcessPoolExecutor]:
    """A pool that ends with the block, whatever is still being worked on.  Submit without interrupts."""
    before, pool = set(active_children()), process_pool(workers, tasks_each)
    try:
        yield pool
    finally:
        end(pool, before)


def end(pool: ProcessPoolExecutor, others: Set[BaseProcess]) -> None:
    """At once: nobody asks for what is still being worked on.  `others`: processes of ours that are not the pool's."""
    pool.shutdown(wait=False, cancel_futures=True)
    for process in set(active_children()) - others:
        process.terminate()
    pool.shutdown()


def _end_with_parent() -> None:
    """A process whose parent was killed would wait for work forever."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
