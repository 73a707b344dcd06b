"""Whatever a file holds: it is read, or one error names the file and what is wrong; quickly, and in little memory."""

import gzip
import json
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from random import Random
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.api.bad_input import BadInput
from model.api.cluster import LIST_NAMES
from model.api.documents import read_documents, write_yaml
from model.api.manifests import read_manifests
from model.engine import Reference
from oracle.audit import records_of_events
from oracle.cli.configuration import read_configuration
from oracle.conform import judge, read_cases
from oracle.deadline import deadline
from oracle.fuzz import Plan, search
from oracle.mutants.matrix import entries
from oracle.replay import replay
from oracle.report.folder import read_finding
from oracle.report.index import read_search, rebuild
from oracle.strategies import GENERATORS, case_from_seed
from oracle.trace import read_trace
from oracle.validate import read_deviations
from oracle.validate.again import judged_again
from oracle.written_file import write_file
from tests.damage import damaged, garbled
from tests.samples import DATA

GALLERY = Path(__file__).parents[1] / "reports" / "gallery"
PATIENCE = 60.0
"""Seconds, as against for ever; most take a thousandth of one."""
MOST_GROWTH = 2**19
"""Of the largest size of the process, in KiB."""

Reader = Callable[[Path], object]


@contextmanager
def moderate() -> Iterator[None]:
    """Ends some time, with BadInput or without, and needs not much memory."""
    before, told = _largest(), "nothing"
    try:
        with deadline(PATIENCE):
            yield
    except BadInput as error:
        told = str(error)
    assert told
    assert _largest() - before < MOST_GROWTH


def _largest() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in gzip.open(DATA / f"{name}.jsonl.gz")]


RECORDED = [case for name in ("queue", "cache", "schedule", "preempt", "single", "e2e") for case in lines(name)[:3]]
POLICY = {
    "kind": "Policy",
    "predicates": [
        {"name": "PodFitsResources"},
        {"name": "Labels", "argument": {"labelsPresence": {"labels": ["a"], "presence": True}}},
    ],
    "priorities": [{"name": "LeastRequestedPriority", "weight": 2}],
    "extenders": [{"urlPrefix": "http://x", "filterVerb": "filter", "managedResources": [{"name": "a/b"}]}],
}
CONFIG = {
    "kind": "KubeSchedulerConfiguration",
    "apiVersion": "kubescheduler.config.k8s.io/v1alpha1",
    "algorithmSource": {"policy": {"file": {"path": "policy.json"}}},
    "percentageOfNodesToScore": 50,
}
DEVIATIONS = {"deviations": [{"signature": "ranked-*", "reason": "on purpose"}]}
SEARCH = {"scheduler": "impl", "seed": 0, "effort": "--examples 1", "examples": {"e2e": 1}, "coverage": {"P-042": 1}}
EVENT = {
    "reason": "Scheduled",
    "message": "Successfully assigned default/p to n1",
    "involvedObject": {"kind": "Pod", "namespace": "default", "name": "p"},
    "lastTimestamp": "2019-12-01T00:00:01Z",
    "series": {"lastObservedTime": "2019-12-01T00:00:02.5Z"},
}


def dump(random: Random) -> dict[str, Any]:
    lists = case_from_seed("e2e", str(random.randrange(1000)))["cluster"]
    return {"kind": "List", "items": [{"kind": LIST_NAMES[name], **d} for name in lists for d in lists[name]]}


def read_and_replay(path: Path) -> None:
    [document] = read_documents(path.read_bytes())
    for _ in islice(replay(read_trace(document), Reference()), 10):
        pass


def judge_all(path: Path) -> None:
    for case in read_cases(path):
        judge(case, Reference())


def member(name: str) -> Callable[[Random], Any]:
    folder = GALLERY / "overlooked-taint"
    return lambda _: json.loads((folder / name).read_text())


READERS: dict[str, tuple[Callable[[Random], Any], Reader]] = {
    "cluster": (dump, read_manifests),
    "trace": (lambda random: case_from_seed("e2e", str(random.randrange(1000))), read_and_replay),
    "case": (lambda random: random.choice(RECORDED), judge_all),
    "policy": (lambda _: POLICY, lambda path: read_configuration(path, None)),
    "config": (lambda _: CONFIG, lambda path: read_configuration(None, path)),
    "deviations": (lambda _: DEVIATIONS, read_deviations),
    "events": (lambda _: {"items": [EVENT]}, lambda path: records_of_events(read_documents(path.read_bytes()))),
    "finding.json": (member("finding.json"), lambda path: read_finding(path.parent)),
    "search.json": (lambda _: SEARCH, lambda path: read_search(path.parent)),
}


@pytest.mark.parametrize("name", READERS)
@given(random=st.randoms(use_true_random=True))
def test_what_is_read(name: str, random: Random, tmp_path_factory: pytest.TempPathFactory) -> None:
    make, read = READERS[name]
    document = make(random)
    if random.random() < 0.7:
        document = damaged(document, random)
    text = as_json(document)
    if name == "cluster" and text and random.random() < 0.3:
        text = write_yaml([json.loads(text)])
    data = text.encode(errors="surrogatepass")
    if random.random() < 0.4:
        data = garbled(data, random)
    if random.random() < 0.1:
        data = garbled(gzip.compress(data), random)
    folder = tmp_path_factory.getbasetemp() / "hostile"
    folder.mkdir(exist_ok=True)
    (folder / "trace.json").write_text("{}")
    (folder / name).write_bytes(data)
    with moderate():
        read(folder / name)


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
FILES: dict[str, bytes] = {
    "deep JSON": b'{"a":' * 10_000,
    "deep YAML": b"a: [" + b"[" * 10_000,
    "deep indentation": "".join(" " * n + "a:\n" for n in range(2000)).encode(),
    "aliases": BOMB.encode(),
    "an alias to itself": b"&a [*a]",
    "a number of many digits": b'{"kind": "Node", "metadata": {"name": "a"}, "status": ' + b"9" * 10**6 + b"}",
    "an infinite number": b'{"kind": "Node", "a": 1e999}',
    "no number": b'{"kind": "Node", "a": NaN}',
    "keys twice": b'{"kind": "Node", "kind": "Pod"}',
    "half of UTF-16": '{"kind": "Node"}'.encode("utf-16")[:-1],
    "gzip that grows": gzip.compress(bytes(2**27)),
    "gzip in gzip": gzip.compress(gzip.compress(b'{"kind": "Node"}')),
    "nothing": b"",
    "zeros": bytes(4096),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_nobody_means(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(FILES[name])
    with moderate(), pytest.raises(BadInput, match="file"):
        read_manifests(tmp_path / "file")


def test_things_that_are_no_files(tmp_path: Path) -> None:
    (tmp_path / "loop.json").symlink_to(tmp_path / "loop.json")
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "absent")
    for source, complaint in (
        (tmp_path / "loop.json", "Too many levels of symbolic links"),
        (tmp_path / "nowhere.json", "No such file"),
        (tmp_path, r"loop\.json: Too many levels"),
        ("a\x00b", "null byte"),
        ("x" * 5000, "File name too long"),
    ):
        with pytest.raises(BadInput, match=complaint):
            read_manifests(source)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_that_say_what_they_are(encoding: str) -> None:
    assert read_documents('{"a": "\u00e4"}'.encode(encoding)) == [{"a": "\u00e4"}]


@given(random=st.randoms(use_true_random=True))
@settings(max_examples=5)
def test_pages_of_damaged_findings(random: Random) -> None:
    """As `report` writes them again."""
    name = random.choice(("finding.json", "trace.json"))
    with TemporaryDirectory() as directory:
        folder = Path(directory) / "overlooked-taint"
        copytree(GALLERY / folder.name, folder)
        (folder / name).write_text(as_json(damaged(json.loads((folder / name).read_text()), random)))
        (folder.parent / "search.json").write_text(json.dumps(SEARCH))
        with moderate():
            rebuild(folder.parent)


ILL_SHAPED: list[tuple[str, dict[str, Any]]] = [
    *(
        (r"events\[0\]\.kind: unknown kind \['Pod'\]", {"events": [{"op": op, "kind": ["Pod"]}]})
        for op in ("patch", "delete", "bind", "holdWatch", "releaseWatch", "relist", "redeliver", "create", "update")
    ),
    (r"events\[0\]\.kind: unknown kind {}", {"events": [{"op": "create", "kind": {}, "object": {}}]}),
    (r"events\[0\]\.object: unknown kind \['Pod'\]", {"events": [{"op": "create", "object": {"kind": ["Pod"]}}]}),
    (
        r"events\[0\]\.object: kind: expected Pod, .*got 'Node'",
        {"events": [{"op": "update", "kind": "Pod", "object": {"kind": "Node", "metadata": {"name": "a"}}}]},
    ),
    (
        r"events\[0\]\.lose_binds: unknown; known are op, loseBinds",
        {"events": [{"op": "restartScheduler", "lose_binds": True}]},
    ),
    (
        r"events\[0\]\.during\[0\]\.bogus: unknown; known are op, holdBind, max",
        {"events": [{"op": "scheduleOne", "during": [{"op": "drain", "max": 1, "bogus": 2}]}]},
    ),
    (r"events\[0\]\.max: expected an integer from 0 .*got -1", {"events": [{"op": "drain", "max": -1}]}),
    (r"events\[0\]\.max: expected an integer from 0 .*got -2", {"events": [{"op": "reapTerminating", "max": -2}]}),
    (r"events\[0\]\.ms: expected an integer from 0 .*got -1", {"events": [{"op": "advance", "ms": -1}]}),
    (r"events\[0\]\.ms: expected .* to 1000000000, got 10{12}", {"events": [{"op": "advance", "ms": 1000000000000}]}),
    (r"events: expected a list", {"events": {}}),
    (r"id: expected a string", {"id": {}}),
    (
        r"cluster\.nodes\[0\]\.kind: expected Node, got 'Pod'",
        {"cluster": {"nodes": [{"kind": "Pod", "metadata": {"name": "a"}}]}},
    ),
    (r"extenders\.x: expected an object", {"extenders": {"x": 3}}),
    (r"extenders\.x\.y\.refusal: expected \[REASON, MESSAGE\]", {"extenders": {"x": {"y": {"refusal": 3}}}}),
    (r"extenders\.x\.y\.NodeNames: expected a list", {"extenders": {"x": {"y": {"NodeNames": None}}}}),
    (
        r"extenders\.x\.y\.Nodes\.items\[0\]\.metadata\.name: expected",
        {"extenders": {"x": {"y": {"Nodes": {"items": [{"metadata": {"name": []}}]}}}}},
    ),
]


@pytest.mark.parametrize(("complaint", "document"), ILL_SHAPED)
def test_traces_whose_members_are_not_of_their_shape(complaint: str, document: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=f"^{complaint}"):
        read_trace(document)


def test_a_case_judged_in_a_way_that_nobody_knows() -> None:
    with pytest.raises(BadInput, match=r"judged: \{'level': 'foo'\} is unknown"):
        judged_again({"events": [], "judged": {"level": "foo"}}, Reference())


@pytest.mark.parametrize(
    ("members", "complaint"),
    [
        ({"expected": 3}, r"expected an object @ \$\.expected"),
        ({"differences": [3]}, r"@ \$\.differences\[0\]"),
        ({"differences": [{}]}, r"required field missing @ \$\.differences\[0\]\.where"),
        ({"bogus": 1}, r"extra fields found \(bogus\) @ \$"),
    ],
)
def test_findings_whose_members_are_not_of_their_shape(members: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    copytree(GALLERY / "overlooked-taint", folder := tmp_path / "overlooked-taint")
    file = folder / "finding.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | members))
    with pytest.raises(BadInput, match=rf"finding\.json: not what this version writes: .*{complaint}"):
        read_finding(folder)


@pytest.mark.parametrize("text", ["[]", "3", '{"progress": []}'])
def test_no_search_to_go_on_with(text: str, tmp_path: Path) -> None:
    (tmp_path / "unfinished.json").write_text(text)
    with pytest.raises(BadInput, match=r"unfinished\.json: not what this version writes"):
        search(Plan("impl", examples=1, memory=tmp_path, resume=True))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1E+999", "9" * 400 + ".0"])
def test_recorded_cases_hold_finite_numbers_only(number: str, tmp_path: Path) -> None:
    (file := tmp_path / "cases.jsonl").write_text(f'{{"kind": "queue", "expect": [1e99, {{"x": {number}}}]}}\n')
    with pytest.raises(BadInput, match=r"jsonl, line 1: expect\[1\]\.x: a number is infinite or not a number$"):
        list(read_cases(file))


def test_members_of_a_recorded_case_occur_once(tmp_path: Path) -> None:
    (file := tmp_path / "cases.jsonl").write_text('{"kind": "queue", "expect": {"x": 1, "y": 2, "x": 1}}\n')
    with pytest.raises(BadInput, match=r"jsonl, line 1: key 'x' occurs twice in one object$"):
        list(read_cases(file))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("half a li", "Expecting value"),
        ("3", "'int' object has no attribute"),
        ('{"place": "a", "place": "b"}', "key 'place' occurs twice"),
        ('{"stillborn": true, "id": "a"}', "no description, place$"),
        ('{"id": "a", "description": "", "place": "a:1"}', "no by, examples, killed, seconds$"),
    ],
)
def test_results_of_mutants_that_were_not_kept_by_this_version(line: str, complaint: str, tmp_path: Path) -> None:
    (file := tmp_path / "kept.jsonl").write_text(f"{line}\n")
    with pytest.raises(BadInput, match=rf"jsonl, line 1: not what this version writes: .*{complaint}"):
        list(entries([], "impl", 1, kept=file))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no file that is always full")
def test_a_full_disk_is_told_with_the_file() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_file(Path("/dev/full"), b"x")


def test_a_corpus_of_damaged_cases(tmp_path: Path) -> None:
    (folder := tmp_path / "corpus").mkdir()
    for number, kind in zip(range(64), cycle(GENERATORS), strict=False):
        case = case_from_seed(kind, str(number))
        (folder / f"{number}.json").write_text(as_json(damaged(case, Random(number))))
    (folder / "deep.json").write_text("[" * 100_000)
    (folder / "binary.json").write_bytes(b"\xff\x00")
    (folder / "text.json").write_text('{"kind": 1}')
    assert not search(Plan("impl", examples=1, memory=tmp_path)).findings


def as_json(document: Any) -> str:
    """ "" for what has a number of more digits than Python writes."""
    try:
        return json.dumps(document)
    except ValueError:
        return ""
