"""The server in a thread of its own, and the file that tells clients where it is."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import uvicorn
from attrs import frozen

from model.api.bad_input import BadInput
from oracle.live.application import application
from oracle.live.world import World
from oracle.written_file import write_file

LOOPBACK = "127.0.0.1"
BACKLOG = 256
MOST_CONNECTIONS = 512
START_SECONDS = 20.0


class ServingError(BadInput):
    """The server cannot be had; the message says why."""


@frozen
class Serving:
    """Where the server listens."""

    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://[{self.host}]:{self.port}" if ":" in self.host else f"http://{self.host}:{self.port}"


@contextmanager
def serving(world: World, host: str = LOOPBACK, port: int = 0) -> Iterator[Serving]:
    """Serve the world until the end of the block; port 0 takes a free one.  Raises ServingError."""
    with closing(_listening(host, port)) as listener:
        config = uvicorn.Config(
            application(world),
            log_level="critical",
            access_log=False,
            lifespan="off",
            ws="none",
            loop="asyncio",
            http="h11",
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=75,
            timeout_graceful_shutdown=1,
        )
        server = _Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="api-server", daemon=True)
        thread.start()
        try:
            if not server.is_up.wait(START_SECONDS):
                raise ServingError("the API server did not start")
            yield Serving(host, listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(START_SECONDS)


class _Server(uvicorn.Server):
    """Leaves the signals of the process alone, and tells when it is up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = threading.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, or answers wait 40 ms for an ACK
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ServingError(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return listener


NAME = "sched-oracle"
"""Of the cluster, the user and the context in a kubeconfig."""


def is_ours(path: Path) -> bool:
    """Whether a kubeconfig may be written there: there is none yet, or one from here."""
    try:
        return bool(json.loads(path.read_text())["current-context"] == NAME)
    except FileNotFoundError:
        return True
    except (OSError, ValueError, TypeError, KeyError):
        return False


def write_kubeconfig(path: Path, url: str) -> None:
    """A kubeconfig without credentials; JSON, which is YAML."""
    name = NAME
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": url}}],
        "users": [{"name": name, "user": {}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "current-context": name,
    }
    write_file(path, (json.dumps(document, indent=2) + "\n").encode())
