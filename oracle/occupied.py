"""One search at a time in a directory of reports: two would write over each other."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from model.api.bad_input import BadInput


class OccupiedError(BadInput):
    """Another search is under way in the directory that the message names."""


@contextmanager
def occupying(directory: Path) -> Iterator[None]:
    """Makes the directory if need be.  Raises OccupiedError.

    The directory itself is locked: no file shows it, and the lock is gone with its process, however that ends.
    """
    import fcntl  # not on every system, and nothing else here needs it

    directory.mkdir(parents=True, exist_ok=True)
    place = os.open(directory, os.O_RDONLY)
    try:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OccupiedError(f"{directory}: another search is under way there") from None
        except OSError:
            pass  # a file system that locks no directories
        yield
    finally:
        os.close(place)
