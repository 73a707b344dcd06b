"""Reading a scheduling policy: a Policy document, as JSON or YAML, or the ConfigMap that holds one.  [L-243]"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, frozen

from model.api.arguments import PredicateArgument, PriorityArgument
from model.api.configuration import Configuration, ConfigurationError, Extender, PolicyEntry
from model.api.decode import ManifestError, structure
from model.api.documents import DocumentError, read_documents

T = TypeVar("T")

CONFIG_MAP_KEY = "policy.cfg"


@frozen
class PredicatePolicy:
    name: str = ""
    argument: PredicateArgument | None = None


@frozen
class PriorityPolicy:
    name: str = ""
    weight: int = 0
    argument: PriorityArgument | None = None


@frozen
class Policy:
    """A Policy document.  None and the empty list differ: the first leaves the defaults in place.  [L-244]"""

    predicates: tuple[PredicatePolicy, ...] | None = None
    priorities: tuple[PriorityPolicy, ...] | None = None
    extenders: tuple[Extender, ...] = ()
    hard_pod_affinity_symmetric_weight: int = 0
    always_check_all_predicates: bool = False


def read_policy(source: str | Mapping[str, Any], base: Configuration | None = None) -> Configuration:
    """The configuration `base` (default: all defaults) under the policy, given as text or as a document.

    Raises ConfigurationError, naming the field, for what cannot be read.  Whether names, weights and
    arguments make sense is decided when a scheduler is made of the configuration.
    """
    document = policy_document(source)
    policy = typed(document, Policy, "policy")
    base = base or Configuration()
    return evolve(
        base,
        provider="DefaultProvider",
        predicates=None if policy.predicates is None else _entries(document["predicates"], policy.predicates),
        priorities=None if policy.priorities is None else _entries(document["priorities"], policy.priorities),
        extenders=policy.extenders,
        always_check_all_predicates=policy.always_check_all_predicates,
        hard_pod_affinity_weight=policy.hard_pod_affinity_symmetric_weight or base.hard_pod_affinity_weight,
    )


def policy_document(source: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """The Policy itself, out of its ConfigMap if it is in one.  Raises ConfigurationError."""
    document = read_document(source, "policy")
    if document.get("kind") == "ConfigMap":
        return policy_document(_config_map_data(document))
    expect_type(document, "policy", "Policy", ("v1", ""))
    return document


def _config_map_data(document: Mapping[str, Any]) -> str:
    data = document.get("data") or {}
    if not isinstance(data, dict) or not isinstance(data.get(CONFIG_MAP_KEY), str):
        raise ConfigurationError(f'missing policy config map value at key "{CONFIG_MAP_KEY}"')
    return str(data[CONFIG_MAP_KEY])


def _entries(
    documents: Sequence[Mapping[str, Any]], policies: Sequence[PredicatePolicy | PriorityPolicy]
) -> tuple[PolicyEntry, ...]:
    return tuple(
        PolicyEntry(policy.name, getattr(policy, "weight", 1), (document or {}).get("argument"))
        for document, policy in zip(documents, policies, strict=True)
    )


# --- documents ------------------------------------------------------------------------------------


def read_document(source: str | Mapping[str, Any], what: str) -> Mapping[str, Any]:
    """The one JSON or YAML document in `source`.  Raises ConfigurationError."""
    if not isinstance(source, str):
        return source
    try:
        documents = read_documents(source.encode())
    except DocumentError as error:
        raise ConfigurationError(f"{what}: {error}") from None
    if len(documents) != 1 or not isinstance(documents[0], dict):
        raise ConfigurationError(f"{what}: expected one object")
    return documents[0]


def expect_type(document: Mapping[str, Any], what: str, kind: str, api_versions: tuple[str, ...]) -> None:
    """Raises ConfigurationError for a document of another kind or version; both may be left out."""
    if (document.get("kind") or kind) != kind:
        raise ConfigurationError(f"{what}: kind: expected {kind}, got {document['kind']!r}")
    if (document.get("apiVersion") or api_versions[0]) not in api_versions:
        raise ConfigurationError(f"{what}: apiVersion: expected {api_versions[0]}, got {document['apiVersion']!r}")


def typed(document: Mapping[str, Any], kind: type[T], what: str) -> T:
    """Read a document into a class of the vocabulary.  Raises ConfigurationError naming the field."""
    try:
        return structure(document, kind)
    except ManifestError as error:
        raise ConfigurationError(f"{what}: {error}") from None
