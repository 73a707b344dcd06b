"""How the world around the scheduler behaves."""

from attrs import frozen


@frozen
class ApiFailures:
    """Requests that the API server fails to answer, and does not carry out: keys of what they are about.

    Each occurrence lets one such request fail, the first ones.
    """

    get_pod: tuple[str, ...] = ()
    update_status: tuple[str, ...] = ()
    delete_victim: tuple[str, ...] = ()
    update_volume: tuple[str, ...] = ()
    update_claim: tuple[str, ...] = ()


@frozen
class Settings:
    """`bind_failures`: pod keys; each occurrence lets one bind request of that pod fail, the first ones.

    `graceful_victims`: a victim that runs lingers until it is reaped.  `kubelet`: bound pods start by themselves.
    """

    bind_failures: tuple[str, ...] = ()
    api_failures: ApiFailures = ApiFailures()
    graceful_victims: bool = False
    kubelet: bool = False
