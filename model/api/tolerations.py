"""Taints and tolerations.  [O-080, O-081]"""

from collections.abc import Callable, Iterable

from model.api.objects import Taint, Toleration


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """An empty effect or key matches any; an empty key does not require `Exists`.  [O-080, P-057]"""
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    match toleration.operator:
        case "" | "Equal":
            return toleration.value == taint.value
        case "Exists":
            return True
    return False


def any_tolerates(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    """[O-081]"""
    return any(tolerates(toleration, taint) for toleration in tolerations)


def tolerates_all(
    tolerations: tuple[Toleration, ...], taints: Iterable[Taint], relevant: Callable[[Taint], bool]
) -> bool:
    """Every relevant taint is tolerated.  [O-081]"""
    return all(any_tolerates(tolerations, taint) for taint in taints if relevant(taint))
