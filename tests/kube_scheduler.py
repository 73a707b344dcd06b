"""Building kube-scheduler from its released source; the binary is kept outside the repository.

python -m tests.kube_scheduler [newest]
"""

import fcntl
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import which
from typing import Any

from model.api.configuration import Configuration, PolicyEntry

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


def configured(binary: Path, configuration: Configuration, directory: Path) -> str:
    """The command that starts v1.15.3 with this configuration, its extenders left out; writes files."""
    config: dict[str, Any] = {
        "apiVersion": "kubescheduler.config.k8s.io/v1alpha1",
        "kind": "KubeSchedulerConfiguration",
        "algorithmSource": {"provider": configuration.provider},
        "bindTimeoutSeconds": configuration.bind_timeout_seconds,
        "clientConnection": {"contentType": "application/json"},
        "disablePreemption": configuration.disable_preemption,
        "hardPodAffinitySymmetricWeight": configuration.hard_pod_affinity_weight,
        "healthzBindAddress": "127.0.0.1:0",
        "leaderElection": {"leaderElect": False},
        "metricsBindAddress": "127.0.0.1:0",
        "percentageOfNodesToScore": configuration.percentage_of_nodes_to_score,
    }
    if policy := _policy(configuration):
        path = directory / "policy.json"
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "Policy", **policy}))
        config["algorithmSource"] = {"policy": {"file": {"path": str(path)}}}
    path = directory / "config.json"
    path.write_text(json.dumps(config))
    gates = ",".join(f"{name}={json.dumps(on)}" for name, on in configuration.feature_gates.items())
    gated = f" --feature-gates {gates}" if gates else ""
    return f"{binary} --config {path} --master {{server}} --secure-port 0{gated}"


def _policy(configuration: Configuration) -> dict[str, Any]:
    policy: dict[str, Any] = {"alwaysCheckAllPredicates": True} if configuration.always_check_all_predicates else {}
    if configuration.predicates is not None:
        policy["predicates"] = [{"name": entry.name, **_argument(entry)} for entry in configuration.predicates]
    if configuration.priorities is not None:
        policy["priorities"] = [
            {"name": entry.name, "weight": entry.weight, **_argument(entry)} for entry in configuration.priorities
        ]
    return policy


def _argument(entry: PolicyEntry) -> dict[str, Any]:
    return {} if entry.argument is None else {"argument": entry.argument}


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
