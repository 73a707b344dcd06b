"""Reading what a scheduler is to be configured with."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from model.api.component_config import ComponentConfig, PolicySource, read_component_config
from model.api.configuration import Configuration, ConfigurationError
from model.api.policy import Policy, policy_document, read_document, read_policy
from oracle.cli.streams import notice
from oracle.cli.unknown_fields import unknown_fields
from oracle.trace import DEFAULTS

TYPE = ("kind", "apiVersion")
OF_NO_CONSEQUENCE = (
    *("enableHttps", "tlsConfig", "leaderElection", "clientConnection", "healthzBindAddress", "metricsBindAddress"),
    *("enableProfiling", "enableContentionProfiling"),
)
"""Fields that kube-scheduler knows and no decision depends on."""
NAMES: Mapping[type[Any], str] = {Policy: "Policy", ComponentConfig: "KubeSchedulerConfiguration"}


def read_configuration(policy: Path | None, config: Path | None) -> Configuration:
    """What the two files say; without a component configuration all nodes are scored.

    Gives notice of fields that kube-scheduler ignores.  Raises ConfigurationError naming file and field.
    """
    configuration = DEFAULTS
    if config is not None:

        def component_config(text: str) -> Configuration:
            document = read_document(text, "component config")
            known = _known(document, ComponentConfig, config)
            return read_component_config(known, lambda source: _policy_referred_to(source, config))

        configuration = _reading(config, component_config)
    if policy is not None:
        configuration = _reading(policy, lambda text: read_policy(_known_policy(text, policy), configuration))
    return configuration


def _policy_referred_to(source: PolicySource, config: Path) -> Mapping[str, Any]:
    if source.file is None:
        raise ConfigurationError("algorithmSource.policy.configMap: give the ConfigMap by --policy")
    path = config.parent / source.file.path
    return _known_policy(_text(path), path)


def _known_policy(text: str, path: Path) -> Mapping[str, Any]:
    return _known(policy_document(text), Policy, path)


def _known(document: Mapping[str, Any], kind: type[Any], path: Path) -> Mapping[str, Any]:
    """The document, if anything of it is known."""
    told = [key for key in document if key not in TYPE]
    ignored = [
        field
        for field in unknown_fields({key: document[key] for key in told}, kind)
        if field.rpartition(".")[2] not in OF_NO_CONSEQUENCE
    ]
    if told and set(told) <= set(ignored) and "kind" not in document:
        raise ConfigurationError(f"kind: missing, and a {NAMES[kind]} has no field {', '.join(told)}")
    if ignored:
        notice(f"{path}: ignored, as kube-scheduler ignores it: {', '.join(ignored)}")
    return document


def _reading(path: Path, read: Callable[[str], Configuration]) -> Configuration:
    text = _text(path)
    try:
        return read(text)
    except ConfigurationError as error:
        raise ConfigurationError(f"{path}: {error}") from None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ConfigurationError(f"{path}: not UTF-8 text: {error}") from None
