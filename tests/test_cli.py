"""The command line: what goes to standard output, what to standard error, and the exit code."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from oracle.cli.commands import app
from tests.samples import DATA

FINE, DIVERGED, BAD_INPUT, SCHEDULER_FAILED, INTERRUPTED = 0, 1, 2, 3, 130


def command(*arguments: Any, given: str | None = None) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=given)


def node(name: str, cpu: str) -> dict[str, Any]:
    return {"kind": "Node", "metadata": {"name": name}, "status": {"capacity": {"cpu": cpu, "pods": "9"}}}


def pod(name: str, cpu: str, **spec: Any) -> dict[str, Any]:
    containers = [{"name": "c", "resources": {"requests": {"cpu": cpu}}}]
    return {"kind": "Pod", "metadata": {"name": name}, "spec": {"containers": containers, **spec}}


def cluster_file(folder: Path, *things: dict[str, Any]) -> Path:
    path = folder / "cluster.json"
    path.write_text(json.dumps({"kind": "List", "items": list(things)}))
    return path


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """Two nodes; one of four pods fits nowhere, one is somebody else's."""
    things = [node("n1", "2"), node("n2", "1"), pod("a", "1500m"), pod("b", "1"), pod("big", "3")]
    return cluster_file(tmp_path, *things, pod("theirs", "1", schedulerName="other"))


TOO_BIG = "0/2 nodes are available: 2 Insufficient cpu."


# --- run ---


@pytest.mark.parametrize("scheduler", ["model", "impl", "python:tests.odd_schedulers:Blind"])
def test_run_places_what_fits_and_says_why_the_rest_does_not(cluster: Path, scheduler: str) -> None:
    result = command("run", cluster, "--scheduler", scheduler)
    assert result.exit_code == FINE
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "Bound, in this order:",
        "  default/a -> n1",
        "  default/b -> n2",
        "Still pending:",
        f"  default/big: {TOO_BIG}",
        "  default/theirs: waits for the scheduler 'other'",
        "Requested, before and after, of what the nodes offer:",
        "  cpu   0 -> 2.5 of  3     0.0% ->  83.3%",
        "  pods  0 ->   2 of 18     0.0% ->  11.1%",
        "2 bound, 0 preempted, 2 still pending, 2 of 2 nodes in use, the last change after 0 s",
    ]


def test_run_in_json(cluster: Path) -> None:
    document = json.loads(command("run", cluster, "--json").stdout)
    assert document["placements"] == [{"pod": "default/a", "node": "n1"}, {"pod": "default/b", "node": "n2"}]
    assert document["pending"][0] == {"pod": "default/big", "message": TOO_BIG}
    assert document["utilisation"]["cpu"] == {"allocatable": 3000, "requestedBefore": 0, "requestedAfter": 2500}


def test_run_preempts(tmp_path: Path) -> None:
    low = pod("low", "1500m", nodeName="n1", priority=0)
    result = command("run", cluster_file(tmp_path, node("n1", "2"), low, pod("high", "2", priority=9)))
    assert result.exit_code == FINE
    assert "  default/low on n1, for default/high" in result.stdout.splitlines()
    assert "  default/high -> n1" in result.stdout.splitlines()


def test_run_waits_for_volumes(tmp_path: Path) -> None:
    waiting = {"provisioner": "example.com/disk", "volumeBindingMode": "WaitForFirstConsumer"}
    claim_spec = {"storageClassName": "late", "resources": {"requests": {"storage": "1Gi"}}}
    volumes = [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]
    path = cluster_file(
        tmp_path,
        node("n1", "2"),
        {"kind": "StorageClass", "metadata": {"name": "late"}, **waiting},
        {"kind": "PersistentVolumeClaim", "metadata": {"name": "c"}, "spec": claim_spec},
        pod("a", "1", volumes=volumes),
    )
    assert json.loads(command("run", path, "--json").stdout)["placements"] == [{"pod": "default/a", "node": "n1"}]


def test_run_reads_standard_input_and_counts_what_it_skips(cluster: Path) -> None:
    things = json.loads(cluster.read_text())
    things["items"].append({"kind": "Deployment", "metadata": {"name": "x"}})
    result = command("run", "-", given=json.dumps(things))
    assert result.exit_code == FINE
    assert result.stderr == "skipped objects that scheduling does not depend on: 1 Deployment\n"


def test_run_under_a_policy_and_a_configuration(cluster: Path, tmp_path: Path) -> None:
    policy, config = tmp_path / "policy.yaml", tmp_path / "config.yaml"
    policy.write_text("kind: Policy\napiVersion: v1\npredicates: [{name: PodFitsHostPorts}]\npriorities: []\n")
    config.write_text(
        "kind: KubeSchedulerConfiguration\napiVersion: kubescheduler.config.k8s.io/v1alpha1\nschedulerName: other\n"
    )
    placements = json.loads(command("run", cluster, "--json", "--policy", policy).stdout)["placements"]
    assert [placed["pod"] for placed in placements] == ["default/a", "default/b", "default/big"]
    placements = json.loads(command("run", cluster, "--json", "--config", config).stdout)["placements"]
    assert [placed["pod"] for placed in placements] == ["default/theirs"]


def test_run_prints_no_control_characters(tmp_path: Path) -> None:
    path = cluster_file(tmp_path, node("n1", "2"), pod("a", "1", schedulerName="\x1b[2J"))
    assert "\x1b" not in command("run", path).stdout


@pytest.mark.parametrize(
    ("factory", "complaint", "code"),
    [
        ("Dying", "ZeroDivisionError while it handled StartCycle: no nodes left", SCHEDULER_FAILED),
        ("Rude", "TypeError while it handled StartCycle: not a call of the protocol", SCHEDULER_FAILED),
        ("Panicking", "the scheduler crashed: index out of range", SCHEDULER_FAILED),
        ("Interrupted", "interrupted; the results above are those until then", INTERRUPTED),
    ],
)
def test_what_was_done_before_the_end_is_printed(cluster: Path, factory: str, complaint: str, code: int) -> None:
    result = command("run", cluster, "--scheduler", f"python:tests.odd_schedulers:{factory}")
    assert result.exit_code == code
    assert complaint in result.stderr
    assert "  default/b -> n2" in result.stdout.splitlines()
    assert "  default/big: not tried" in result.stdout.splitlines()


IMPOSSIBLE = {
    "Heedless": ["default/theirs -> n2: too little cpu for it and those who run there"],
    "Lost": [f"default/{name} -> n9: there is no such node" for name in ("a", "b", "big", "theirs")],
}


@pytest.mark.parametrize("factory", IMPOSSIBLE)
def test_placements_that_cannot_be_are_told(cluster: Path, factory: str) -> None:
    result = command("run", cluster, "--scheduler", f"python:tests.odd_schedulers:{factory}")
    assert result.exit_code == DIVERGED
    lines = result.stdout.splitlines()
    at = lines.index("Bound where it cannot run:") + 1
    assert [line.strip() for line in lines[at : at + len(IMPOSSIBLE[factory])]] == IMPOSSIBLE[factory]


def test_what_a_scheduler_prints_is_no_result(cluster: Path) -> None:
    result = command("run", cluster, "--json", "--scheduler", "python:tests.odd_schedulers:Heedless")
    assert len(json.loads(result.stdout)["placements"]) == 4
    assert "I heard of StartCycle" in result.stderr


# --- bad input: one error, exit code 2, nothing on standard output ---

BAD_CLUSTERS = {
    "not there": None,
    "empty": "",
    "truncated": '{"kind": "List", "items": [',
    "truncated gzip": gzip.compress(b'{"kind": "Pod"}')[:-5],
    "binary": b"\x00\x01\x02\x03",
    "a web page": "<!DOCTYPE html><html></html>",
    "a table": "NAME   READY   STATUS\na   1/1   Running\n",
    "a template": "{{ range .items }}",
    "no kind": '{"metadata": {"name": "a"}}',
    "no name": '{"kind": "Node"}',
    "a list of texts": '{"kind": "List", "items": ["a"]}',
    "wrong type": '{"kind": "Pod", "metadata": {"name": "a"}, "spec": {"priority": "high"}}',
    "wrong quantity": '{"kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "1 core"}}}',
    "negative": '{"kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": -1}}}',
    "too large": '{"kind": "Pod", "metadata": {"name": "a"}, "spec": {"priority": 4294967296}}',
    "twice": '{"kind": "Node", "metadata": {"name": "a"}} {"kind": "Node", "metadata": {"name": "a", "labels": {}}}',
    "a tag": "!!python/object/apply:os.system [id]",
    "deep": "[" * 9999,
    "number as key": "{kind: Pod, metadata: {1: a}}",
}


@pytest.mark.parametrize("case", BAD_CLUSTERS)
def test_a_bad_cluster(tmp_path: Path, case: str) -> None:
    path, content = tmp_path / "cluster", BAD_CLUSTERS[case]
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    result = command("run", path)
    assert (result.exit_code, result.stdout) == (BAD_INPUT, "")
    assert result.stderr.startswith(f"error: {path}: ")
    assert len(result.stderr.splitlines()) == 1


def test_an_error_is_a_line_whatever_it_quotes(tmp_path: Path) -> None:
    path = cluster_file(tmp_path, node("n1", "2") | {"metadata": {"name": "n\n\x1b[2J" + "1" * 5000}})
    result = command("run", path)
    assert (result.exit_code, result.stdout) == (BAD_INPUT, "")
    [line] = result.stderr.splitlines()
    assert line.startswith(f"error: {path}: ")
    assert line.isprintable()
    assert len(line) < 1100


BAD_SCHEDULERS = {
    "nobody": "no scheduler is called 'nobody'; there are impl, model, python:package.module:factory and exec:COMMAND",
    "python:": "expected python:package.module:factory",
    "python:tests.odd_schedulers": "expected python:package.module:factory",
    "python:no.such.module:x": "importing no.such.module failed: ModuleNotFoundError",
    "python:tests.odd_schedulers:Absent": "tests.odd_schedulers has no Absent",
    "python:tests.odd_schedulers:A_NUMBER": "A_NUMBER is not callable",
    "python:tests.odd_schedulers:broken": "the factory failed: RuntimeError: no licence",
    "python:tests.odd_schedulers:nothing": "the factory gave NoneType, which is neither an Engine",
}


@pytest.mark.parametrize("name", BAD_SCHEDULERS)
def test_a_bad_scheduler(cluster: Path, name: str) -> None:
    result = command("run", cluster, "--scheduler", name)
    assert (result.exit_code, result.stdout) == (BAD_INPUT, "")
    assert BAD_SCHEDULERS[name] in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_reports_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    result = command("fuzz", "--examples", 1, "--reports", tmp_path / "taken")
    assert result.exit_code == BAD_INPUT
    assert str(tmp_path / "taken") in result.stderr


def test_fields_that_kube_scheduler_ignores_are_told(cluster: Path, tmp_path: Path) -> None:
    policy, config = tmp_path / "policy.yaml", tmp_path / "config.yaml"
    policy.write_text("{kind: Policy, predicate: [], priorities: [{name: EqualPriority, weight: 1, wieght: 2}]}")
    config.write_text(
        "{kind: KubeSchedulerConfiguration, apiVersion: kubescheduler.config.k8s.io/v1alpha1, profiles: [], "
        "leaderElection: {leaderElect: false}, algorithmSource: {policy: {file: {path: policy.yaml}}}}"
    )
    result = command("run", cluster, "--config", config)
    assert result.exit_code == FINE
    assert f"{config}: ignored, as kube-scheduler ignores it: profiles\n" in result.stderr
    assert f"{policy}: ignored, as kube-scheduler ignores it: predicate, priorities[0].wieght\n" in result.stderr


BAD_POLICIES = {
    "not there": (None, "No such file or directory"),
    "another kind": ("kind: Pod", "kind: expected Policy, got 'Pod'"),
    "wrong type": ("kind: Policy\npredicates: {}", "predicates: expected a list"),
    "unknown predicate": ("kind: Policy\npredicates: [{name: Nonsense}]", "Nonsense"),
    "not YAML": ("{kind: ", "policy: line"),
    "something else": ("foo: bar", "kind: missing, and a Policy has no field foo"),
}


@pytest.mark.parametrize("case", BAD_POLICIES)
def test_a_bad_policy(cluster: Path, tmp_path: Path, case: str) -> None:
    path, (content, complaint) = tmp_path / "policy", BAD_POLICIES[case]
    if content is not None:
        path.write_text(content)
    result = command("run", cluster, "--policy", path)
    assert (result.exit_code, result.stdout) == (BAD_INPUT, "")
    assert complaint in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "x", "--nonsense"],
        ["nonsense"],
        ["conform"],
        ["replay"],
        ["rules", "X-999"],
        ["rules", "--missing"],
    ],
)
def test_bad_usage(arguments: list[str]) -> None:
    result = command(*arguments)
    assert (result.exit_code, result.stdout) == (BAD_INPUT, "")
    assert result.stderr


# --- conform ---


def cases(kind: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{kind}.jsonl.gz") as lines:
        return [json.loads(line) for line in lines]


def case_file(folder: Path, *lines: Any) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def test_conform_counts_by_kind_and_in_total(tmp_path: Path) -> None:
    path = case_file(tmp_path, *cases("queue")[:3], "", *cases("single")[:4])
    result = command("conform", path, DATA / "queue.jsonl.gz")
    assert (result.exit_code, result.stderr) == (FINE, "")
    lines = result.stdout.splitlines()
    assert lines[0] == f"queue: agree {3 + len(cases('queue'))} of {3 + len(cases('queue'))}"
    assert lines[-1] == f"agree {7 + len(cases('queue'))} of {7 + len(cases('queue'))}"


@pytest.mark.parametrize("scheduler", ["model", "impl"])
def test_conform_shows_where_a_scheduler_differs(tmp_path: Path, scheduler: str) -> None:
    falsified = cases("schedule")[0]
    falsified["expect"]["host"] = "elsewhere"
    path = case_file(tmp_path, falsified, *cases("queue")[:1])
    result = command("conform", path, "--scheduler", scheduler)
    assert result.exit_code == DIVERGED
    assert result.stdout.splitlines()[:4] == [
        "schedule: agree 0 of 1",
        f"  {falsified['id']}",
        "    differs at host",
        '      expected:  "elsewhere"',
    ]
    assert result.stdout.splitlines()[-1] == "agree 1 of 2"
    document = json.loads(command("conform", path, "--scheduler", scheduler, "--json").stdout)
    assert (document["agree"], document["of"], document["kinds"]["schedule"]) == (1, 2, {"agree": 0, "of": 1})
    assert document["differences"][0]["case"] == falsified["id"]


def test_conform_never_skips(tmp_path: Path) -> None:
    """A kind that is unknown, and a part that a scheduler does not offer, count as disagreeing."""
    path = case_file(tmp_path, {"kind": "descheduler", "expect": {}}, cases("queue")[0], cases("e2e")[0])
    result = command("conform", path, "--scheduler", "python:tests.odd_schedulers:Blind")
    assert result.exit_code == DIVERGED
    assert result.stdout.splitlines()[-1] == "agree 1 of 3"
    assert "offers a whole scheduler, not its parts" in result.stdout


def truncated(case: dict[str, Any]) -> str:
    return json.dumps(case)[:-30]


def without(case: dict[str, Any], member: str) -> dict[str, Any]:
    return {name: value for name, value in case.items() if name != member}


def with_a_bad_pod(case: dict[str, Any]) -> dict[str, Any]:
    return {**case, "pod": {"metadata": {"name": "a"}, "spec": {"priority": "high"}}}


BAD_CASES = {
    "truncated": (lambda: truncated(cases("queue")[1]), "line 2: not JSON"),
    "no object": (lambda: "[1, 2]", "line 2: expected a recorded case"),
    "no kind": (lambda: without(cases("queue")[1], "kind"), "line 2: kind: missing"),
    "no expect": (lambda: without(cases("queue")[1], "expect"), "line 2: expect: missing"),
    "no operations": (lambda: without(cases("queue")[1], "ops"), "line 2: ops: missing in a case of kind queue"),
    "deep": (lambda: "[" * 100_000, "line 2: nested too deeply"),
    "a bad object": (lambda: with_a_bad_pod(cases("schedule")[1]), "Pod a: spec.priority: expected an integer"),
}


@pytest.mark.parametrize("case", BAD_CASES)
def test_a_broken_case_leaves_what_was_judged_before(tmp_path: Path, case: str) -> None:
    make, complaint = BAD_CASES[case]
    result = command("conform", case_file(tmp_path, cases("queue")[0], make()))
    assert result.exit_code == BAD_INPUT
    assert complaint in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert "queue: agree 1 of 1" in result.stdout.splitlines()


def test_a_broken_file_of_cases(tmp_path: Path) -> None:
    cut, damaged, empty = tmp_path / "cut.gz", tmp_path / "damaged.gz", tmp_path / "empty"
    packed = gzip.compress(json.dumps(cases("queue")[0]).encode() + b"\n")
    cut.write_bytes(packed[:-7])
    damaged.write_bytes(packed[:-8] + bytes(8))
    empty.write_bytes(b"")
    for path, complaint in (
        (cut, "the gzip data end too early"),
        (damaged, "broken gzip data"),
        (empty, "holds no case"),
        (tmp_path / "absent", "No such file or directory"),
        (tmp_path, "Is a directory"),
    ):
        result = command("conform", path)
        assert result.exit_code == BAD_INPUT
        assert f"error: {path}" in result.stderr
        assert complaint in result.stderr
        assert result.stdout.splitlines()[-1].startswith("agree ")


def test_conform_interrupted_shows_what_was_judged() -> None:
    result = command("conform", DATA / "queue.jsonl.gz", "--scheduler", "python:tests.odd_schedulers:InterruptedEngine")
    assert result.exit_code == INTERRUPTED
    assert result.stdout.splitlines() == ["queue: agree 1 of 1", "agree 1 of 1"]


# --- replay ---


def test_replay_of_a_recorded_run(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(cases("e2e")[0]))
    result = command("replay", path, "--scheduler", "model")
    assert result.exit_code == FINE
    assert result.stdout.splitlines()[0].endswith("start")
    assert result.stdout.splitlines()[-1] == "no difference"


def test_replay_beside_the_model(tmp_path: Path) -> None:
    """Without a record, and from the folder of a report."""
    (tmp_path / "trace.json").write_text(json.dumps(without(cases("e2e")[0], "expect")))
    assert command("replay", tmp_path, "--scheduler", "python:tests.odd_schedulers:Blind").exit_code == FINE


@pytest.mark.parametrize(
    ("scheduler", "said", "code"),
    [
        ("model", "no difference", SCHEDULER_FAILED),
        ("python:tests.odd_schedulers:Blind", "differs at initial.crash", DIVERGED),
    ],
)
def test_replay_where_the_model_does_not_even_start(tmp_path: Path, scheduler: str, said: str, code: int) -> None:
    argument: dict[str, Any] = {"requestedToCapacityRatioArguments": {"shape": []}}
    config = {"priorities": [{"name": "Shaped", "weight": 1, "argument": argument}]}
    (tmp_path / "trace.json").write_text(json.dumps({"cluster": {}, "config": config, "events": []}))
    result = command("replay", tmp_path, "--scheduler", scheduler)
    assert said in result.stdout
    assert result.exit_code == code


FUSSY = "python:tests.odd_schedulers:Fussy"
BLIND = "python:tests.odd_schedulers:Blind"
TOO_HEAVY = {"hardPodAffinitySymmetricWeight": 101}
REFUSED = "invalid hardPodAffinitySymmetricWeight: 101, must be in the range 1-100"


def played(tmp_path: Path, scheduler: str, config: dict[str, Any], **members: Any) -> Result:
    trace = {"kind": "e2e", "cluster": {}, "config": config, "events": [], **members}
    (tmp_path / "trace.json").write_text(json.dumps(trace))
    return command("replay", tmp_path, "--scheduler", scheduler)


@pytest.mark.parametrize(
    ("scheduler", "config", "expected", "shown"),
    [
        (FUSSY, {}, "null", '"this will not do"'),
        (BLIND, TOO_HEAVY, f'"{REFUSED}"', "null"),
        (FUSSY, TOO_HEAVY, f'"{REFUSED}"', '"this will not do"'),
    ],
)
def test_replay_where_only_one_side_takes_the_configuration(
    tmp_path: Path, scheduler: str, config: dict[str, Any], expected: str, shown: str
) -> None:
    """A difference, as it is for `fuzz`; but where both refuse in the same words, the trace is bad input."""
    said = played(tmp_path, scheduler, config)
    assert said.exit_code == DIVERGED
    difference = ["differs at initial.refused", f"  expected:  {expected}", f"  scheduler: {shown}"]
    assert said.stdout.splitlines()[1:] == difference
    for both in ("model", "impl"):
        said = played(tmp_path, both, TOO_HEAVY)
        assert (said.exit_code, said.stdout, said.stderr) == (BAD_INPUT, "", f"error: {REFUSED}\n")


def test_replay_of_a_record_whose_configuration_is_refused(tmp_path: Path) -> None:
    said = played(tmp_path, FUSSY, {}, expect={"initial": {"effects": []}})
    assert said.exit_code == DIVERGED
    assert said.stdout.splitlines()[1] == "differs at initial.refused"


def test_judging_again_a_scheduler_that_refuses_its_configuration(tmp_path: Path) -> None:
    said = played(tmp_path, FUSSY, {}, judged="feasible")
    assert said.exit_code == DIVERGED
    assert said.stdout.splitlines()[-1].startswith("still wrong: ")
    assert said.stdout.endswith("this will not do\n")


def test_replay_shows_the_first_difference(tmp_path: Path) -> None:
    case = cases("e2e")[0]
    at = next(i for i, step in enumerate(case["expect"]["steps"]) if step.get("effects"))
    case["expect"]["steps"][at]["effects"] = []
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(case))
    result = command("replay", path, "--scheduler", "model", "--json")
    assert result.exit_code == DIVERGED
    document = json.loads(result.stdout)
    assert document["difference"]["where"] == f"steps[{at}].effects[0]"
    assert len(document["steps"]) == at + 2


def test_replay_tells_by_its_code_who_failed_as_a_program(tmp_path: Path) -> None:
    cluster = {"nodes": [node("n1", "1")], "pods": [pod(name, "2") for name in ("a", "b", "c")]}
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"cluster": cluster, "config": {}, "events": [{"op": "scheduleOne"}] * 3}))
    for factory in ("Panicking", "Dying"):
        result = command("replay", path, "--scheduler", f"python:tests.odd_schedulers:{factory}")
        assert result.exit_code == SCHEDULER_FAILED, result.output


def test_replay_of_a_folder_without_a_trace(tmp_path: Path) -> None:
    result = command("replay", tmp_path)
    assert result.exit_code == BAD_INPUT
    assert result.stderr == f"error: {tmp_path}: no trace.json there; name the folder of one report\n"


@pytest.mark.parametrize("kind", ["queue", "cache", "schedule", "preempt", "single"])
def test_replay_of_a_case_of_one_part(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(cases(kind)[0]))
    result = command("replay", path, "--scheduler", "model")
    assert (result.exit_code, result.stdout) == (FINE, "no difference\n")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file or directory"),
        ("{", "line 1, column 2"),
        ("[]", "expected one trace, an object"),
        ('{"kind": "Pod"}', "neither a trace (with cluster, config and events) nor a recorded case"),
        ('{"events": [{"op": "explode"}]}', "explode"),
        ('{"events": [], "config": {"nonsense": 1}}', "config.nonsense: unknown"),
        ('{"events": [], "cluster": {"pods": [{"metadata": []}]}}', "Pod (unnamed): metadata: expected an object"),
    ],
)
def test_replay_of_a_broken_trace(tmp_path: Path, content: str | None, complaint: str) -> None:
    path = tmp_path / "trace.json"
    if content is not None:
        path.write_text(content)
    result = command("replay", path, "--scheduler", "model")
    assert (result.exit_code, result.stdout) == (BAD_INPUT, "")
    assert complaint in result.stderr


# --- rules ---


def test_rules_are_listed_with_their_place() -> None:
    result = command("rules", "Q-")
    assert result.exit_code == FINE
    assert all(line.startswith("Q-") for line in result.stdout.splitlines()[:-1])
    assert "[model.queue." in result.stdout


def test_rules_are_counted() -> None:
    counted = json.loads(command("rules", "--count", DATA / "queue.jsonl.gz", "--json").stdout)["rules"]
    assert any(rule["id"].startswith("Q-") and rule["count"] for rule in counted)
    missing = json.loads(command("rules", "--missing", "--count", DATA / "queue.jsonl.gz", "--json").stdout)["rules"]
    assert {rule["id"] for rule in missing} == {rule["id"] for rule in counted if rule["count"] == 0}


def test_help_and_version() -> None:
    for arguments in (["--help"], ["run", "--help"], ["conform", "-h"], ["replay", "-h"], ["rules", "-h"]):
        assert "Usage: " in command(*arguments).stdout
    assert command("--version").stdout.startswith("sched-oracle ")
