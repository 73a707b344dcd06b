"""How Kubernetes words several errors as one."""

from collections.abc import Iterable


def aggregate(messages: Iterable[str]) -> str:
    """Each text once, in order; brackets around several; "" for none.  [L-071, L-245]"""
    distinct = list(dict.fromkeys(messages))
    return distinct[0] if len(distinct) == 1 else f"[{', '.join(distinct)}]" if distinct else ""
