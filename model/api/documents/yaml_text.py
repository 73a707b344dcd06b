"""YAML as the API server's reader takes it: times stay text, keys are strings, no tags beyond JSON's types.

Aliases and merge keys work.  Nothing is ever constructed but the values of JSON.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from model.api.documents.plain import DocumentError

_PLAIN = {
    "null": r"~|null|Null|NULL|",
    "bool": r"true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF",
    "int": r"[-+]?(?:0|[1-9][0-9_]*|0[0-7_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+)",
    "float": r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    "merge": r"<<",
}
"""What a plain scalar of this shape is, the first that fits; everything else is a string."""

_DISPUTED = {**_PLAIN, "bool": _PLAIN["bool"] + "|y|Y|n|N"}
"""What some reader takes for something else than a string."""

_PREFIX = "tag:yaml.org,2002:"
_Parser: Any = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
_BaseDumper: Any = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper


class _Loader(_Parser):  # type: ignore[misc]
    """Composes nodes; the shapes above decide about plain scalars."""


class _Dumper(_BaseDumper):  # type: ignore[misc]
    """Quotes every string that some reader could take for something else, and writes no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


for _class, _shapes in ((_Loader, _PLAIN), (_Dumper, _DISPUTED)):
    for _kind, _shape in _shapes.items():
        _class.add_implicit_resolver(_PREFIX + _kind, re.compile(rf"(?:{_shape})\Z"), None)


def yaml_documents(text: str) -> Iterator[Any]:
    try:
        loader = _Loader(text)
        try:
            while loader.check_node():
                document = _value(loader.get_node(), {})
                if document is not None:
                    yield document
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        raise DocumentError(_at(error.problem_mark) + (error.problem or error.context or "not YAML")) from None
    except yaml.reader.ReaderError as error:
        raise DocumentError(f"character {error.position + 1}: {error.reason}") from None


def write_yaml(documents: Iterable[Any]) -> str:
    """A stream of YAML documents that any YAML 1.1 or 1.2 reader understands alike."""
    return yaml.dump_all(documents, Dumper=_Dumper, sort_keys=False, allow_unicode=True, explicit_start=True, width=120)


def _value(node: Any, known: dict[Any, Any]) -> Any:
    """The value of a composed node; `known` holds those made already, None while one is being made."""
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if node in known:
        if known[node] is None:
            raise DocumentError(_at(node.start_mark) + "an alias refers to what it is part of")
        return known[node]
    known[node] = None
    known[node] = _list(node, known) if isinstance(node, yaml.SequenceNode) else _object(node, known)
    return known[node]


def _list(node: Any, known: dict[Any, Any]) -> list[Any]:
    _expect_tag(node, "seq")
    return [_value(item, known) for item in node.value]


def _object(node: Any, known: dict[Any, Any]) -> dict[str, Any]:
    _expect_tag(node, "map")
    own: dict[str, Any] = {}
    merged: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if key_node.tag == _PREFIX + "merge":
            sources = _value(value_node, known)
            for source in sources if isinstance(sources, list) else [sources]:
                if not isinstance(source, dict):
                    raise DocumentError(_at(key_node.start_mark) + "<< needs a mapping")
                merged = {**source, **merged}
            continue
        key = _value(key_node, known)
        if not isinstance(key, str):
            raise DocumentError(_at(key_node.start_mark) + "a key is not a string; put it in quotes")
        if key in own:
            raise DocumentError(_at(key_node.start_mark) + f"key {key!r} occurs twice in one mapping")
        own[key] = _value(value_node, known)
    return {**merged, **own}


def _scalar(node: Any) -> Any:
    text: str = node.value
    match node.tag.removeprefix(_PREFIX):
        case "str":
            return text
        case "null":
            return None
        case "bool":
            return text.lower() in {"yes", "true", "on"}
        case "int":
            return _int(node, text)
        case "float":
            return _float(node, text)
        case _:
            raise DocumentError(_at(node.start_mark) + f"tag {node.tag!r} is not allowed here")


def _int(node: Any, text: str) -> int:
    digits = text.lstrip("+-")
    octal = digits.startswith("0") and digits.isdecimal()
    try:
        magnitude = int(digits, 8 if octal else 0)
    except ValueError:
        raise DocumentError(_at(node.start_mark) + "not an integer, or one of too many digits") from None
    return -magnitude if text.startswith("-") else magnitude


def _float(node: Any, text: str) -> float:
    try:
        return float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
    except ValueError:
        raise DocumentError(_at(node.start_mark) + f"{text!r} is not a number") from None


def _expect_tag(node: Any, kind: str) -> None:
    if node.tag != _PREFIX + kind:
        raise DocumentError(_at(node.start_mark) + f"tag {node.tag!r} is not allowed here")


def _at(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
