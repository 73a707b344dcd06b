"""From bytes to plain JSON documents and back: JSON and YAML, one or several, gzipped or not.

Nothing here knows Kubernetes.
"""

import codecs
import gzip
import io
import re
import zlib
from os import PathLike
from typing import Any

from model.api.documents.json_text import json_document, json_documents, write_json
from model.api.documents.plain import ALIASED_VALUES, DocumentError, check_documents
from model.api.documents.yaml_text import write_yaml, yaml_documents

__all__ = ["DocumentError", "json_document", "read_documents", "read_file", "write_json", "write_yaml"]

_LARGEST = 2**30
"""Bytes, after decompression; a cluster of 5,000 nodes and 150,000 pods has about half of it."""
_ALWAYS_FINE = 2**26
_DENSEST = 200
"""To how many bytes one of a gzipped file may grow beyond those; a cluster of many equal pods comes to 100."""
_JSON = re.compile(r"\s*[{\[](?![{\[\s]*(?:'|[\w./-]+\s*:))(?!.*^---)", re.DOTALL | re.MULTILINE)
"""What begins with a key that is not in double quotes is YAML, and so are JSON documents parted by `---`."""


def read_file(path: str | PathLike[str]) -> list[Any]:
    """All documents of a file.  Raises DocumentError naming the file."""
    try:
        with open(path, "rb") as file:
            return read_documents(file.read(_LARGEST + 1))
    except OSError as error:
        raise DocumentError(f"{path}: {error.strerror or error}") from None
    except DocumentError as error:
        raise DocumentError(f"{path}: {error}") from None
    except ValueError as error:  # a name that no file can have
        raise DocumentError(f"{str(path)!a}: {error}") from None


def read_documents(data: bytes) -> list[Any]:
    """All documents of a file, empty YAML documents left out.  Raises DocumentError."""
    text = _text(_decompressed(data))
    try:
        documents = list(json_documents(text) if _JSON.match(text) else yaml_documents(text))
        check_documents(documents, allowance=len(text) + ALIASED_VALUES)
    except RecursionError:
        raise DocumentError("nested too deeply") from None
    return documents


def _decompressed(data: bytes) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return _limited(data, _LARGEST)
    most = min(_LARGEST, _ALWAYS_FINE + _DENSEST * len(data))
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            plain = stream.read(most + 1)
    except EOFError:
        raise DocumentError("the gzip data end too early") from None
    except (OSError, zlib.error) as error:
        raise DocumentError(f"broken gzip data: {error}") from None
    return _limited(plain, most)


def _limited(plain: bytes, most: int) -> bytes:
    if len(plain) > most:
        raise DocumentError(f"more than {most >> 20} MiB of text")
    return plain


def _text(data: bytes) -> str:
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(f"not UTF-8 text: {error.reason} at byte {error.start}") from None
