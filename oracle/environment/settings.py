"""How the world around the scheduler behaves."""

from attrs import frozen


@frozen
class Settings:
    """`bind_failures`: pod keys; each occurrence lets one bind request of that pod fail, the first ones.

    `graceful_victims`: a victim that runs lingers until it is reaped.  `kubelet`: bound pods start by themselves.
    """

    bind_failures: tuple[str, ...] = ()
    graceful_victims: bool = False
    kubelet: bool = False
