"""Writing a file: where that fails, the error names it, which the system does not do when a disk is full."""

from pathlib import Path


def write_file(path: Path, data: bytes) -> None:
    """Raises OSError with the name of the file."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
