"""Reading what a scheduler is to be configured with."""

from collections.abc import Callable
from pathlib import Path

from model.api.component_config import PolicySource, read_component_config
from model.api.configuration import Configuration, ConfigurationError
from model.api.policy import read_policy
from oracle.trace import DEFAULTS


def read_configuration(policy: Path | None, config: Path | None) -> Configuration:
    """What the two files say; without a component configuration all nodes are scored.

    Raises ConfigurationError naming file and field.
    """
    configuration = DEFAULTS
    if config is not None:

        def referred(source: PolicySource) -> str:
            if source.file is None:
                raise ConfigurationError("algorithmSource.policy.configMap: give the ConfigMap by --policy")
            return _text(config.parent / source.file.path)

        configuration = _reading(config, lambda text: read_component_config(text, referred))
    if policy is not None:
        configuration = _reading(policy, lambda text: read_policy(text, configuration))
    return configuration


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
