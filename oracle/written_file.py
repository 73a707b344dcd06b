"""Writing a file: where that fails, the error names it, which the system does not do when a disk is full."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def write_file(path: Path, data: bytes) -> None:
    """Raises OSError with the name of the file."""
    with writing(path):
        path.write_bytes(data)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raises the OSError of what is done inside, with the name of the file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
