"""Building kube-scheduler from its released source; the binary is kept outside the repository.

python -m tests.kube_scheduler [newest]
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from shutil import which

SOURCE = Path(__file__).parent / "peers" / "kube_scheduler"
RELEASES = {"v1.15.3": "go.mod", "newest": "newest.mod"}
FLAGS = "--kubeconfig {kubeconfig} --leader-elect=false --kube-api-content-type application/json --secure-port 0"
OLD_FLAGS = f"{FLAGS} --port 0"
"""Of releases that also listen without encryption."""

BUILD_SECONDS = 1500


class NotBuilt(RuntimeError):
    """kube-scheduler cannot be had here; the message says why."""


def path_of(release: str) -> Path:
    """Where the binary is, or would be; another one for each change of its source."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sched-oracle"
    content = hashlib.sha256()
    for name in (RELEASES[release], RELEASES[release].replace(".mod", ".sum"), "main.go"):
        content.update((SOURCE / name).read_bytes())
    return cache / f"kube-scheduler-{release}-{content.hexdigest()[:12]}"


def built(release: str) -> Path:
    """The binary, built if it is not there; takes minutes then.  Raises NotBuilt."""
    binary = path_of(release)
    binary.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{binary}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not binary.exists():
            _build(release, binary)
    return binary


def _build(release: str, binary: Path) -> None:
    if which("go") is None:
        raise NotBuilt("go is not installed")
    new = binary.with_name(f"{binary.name}.new")
    flags = ["-mod=readonly", f"-modfile={RELEASES[release]}", "-trimpath", "-ldflags=-s -w", f"-o={new}"]
    try:
        subprocess.run(
            ["go", "build", *flags, "."], cwd=SOURCE, check=True, capture_output=True, text=True, timeout=BUILD_SECONDS
        )
    except subprocess.CalledProcessError as error:
        raise NotBuilt(f"go build failed: {error.stderr[-2000:]}") from None
    except subprocess.TimeoutExpired:
        raise NotBuilt(f"go build took more than {BUILD_SECONDS} s") from None
    new.rename(binary)


if __name__ == "__main__":
    print(built(sys.argv[1] if len(sys.argv) > 1 else "v1.15.3"))
