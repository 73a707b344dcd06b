"""What the path of a request means."""

from attrs import frozen

from oracle.live.resources import RESOURCES, Resource

_NOT_A_NAMESPACE = {"status", "finalize"}
"""Sub-resources of a namespace, where the name of a resource in it could stand."""


@frozen
class Address:
    """A collection (no `name`), an object, or a sub-resource of one."""

    group_version: str
    plural: str
    namespace: str = ""
    name: str = ""
    subresource: str = ""

    @property
    def resource(self) -> Resource | None:
        return RESOURCES.get((self.group_version, self.plural))

    @property
    def key(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


def address_of(path: str) -> Address | None:
    """None where the path is none of a resource."""
    match path.strip("/").split("/"):
        case ["api", version, *rest]:
            group_version = version
        case ["apis", group, version, *rest]:
            group_version = f"{group}/{version}"
        case _:
            return None
    namespace = ""
    if len(rest) > 2 and rest[0] == "namespaces" and rest[2] not in _NOT_A_NAMESPACE:
        namespace, rest = rest[1], rest[2:]
    if not 1 <= len(rest) <= 3 or not all(rest):
        return None
    return Address(group_version, rest[0], namespace, *rest[1:])
