"""Code under test that ends the process would take the judge with it, and leave a search that looks like a success."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import NoReturn


@contextmanager
def no_exit() -> Iterator[None]:
    """Inside the block `os._exit` raises SystemExit; it ends other threads' and forked processes as ever."""
    leave, here = os._exit, (os.getpid(), get_ident())

    def stay(status: int) -> NoReturn:
        if (os.getpid(), get_ident()) != here:
            leave(status)
        raise SystemExit(status)

    os._exit = stay
    try:
        yield
    finally:
        os._exit = leave
