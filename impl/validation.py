"""What is wrong with a configuration before anything is chosen by it.  [S-005, L-245]"""

from impl.priorities.scorer import MAX
from model.api.configuration import Configuration
from model.api.integers import INT64_MAX
from model.api.names import name_problems
from model.api.resources import is_extended


def problems(configuration: Configuration) -> list[str]:
    """What is wrong with weights and extenders, each text once.  [S-005, L-245]"""
    found: dict[str, None] = {}
    for entry in configuration.priorities or ():
        if not 0 < entry.weight < INT64_MAX // MAX:
            found[f"Priority {entry.name} should have a positive weight applied to it or it has overflown"] = None
    managed: set[str] = set()
    for extender in configuration.extenders:
        if extender.prioritize_verb and extender.weight <= 0:
            found[f"Priority for extender {extender.url_prefix} should have a positive weight applied to it"] = None
        for resource in extender.managed_resources:
            wrong = name_problems(resource.name)
            if not wrong and not is_extended(resource.name):
                wrong = (f"{resource.name} is an invalid extended resource name",)
            found.update(dict.fromkeys(wrong))
            if resource.name in managed:
                found[f"Duplicate extender managed resource name {resource.name}"] = None
            managed.add(resource.name)
    binders = sum(bool(extender.bind_verb) for extender in configuration.extenders)
    if binders > 1:
        found[f"Only one extender can implement bind, found {binders}"] = None
    return list(found)
