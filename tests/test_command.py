"""The command as a process: who reads its output, which signals come, what it loads, and how it ends."""

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from oracle.cli import exit_codes
from oracle.cli.commands import COMMANDS, Commands, app
from tests.samples import DATA

ROOT = Path(__file__).parents[1]
START = (sys.executable, "-c", "from oracle.cli import main; main()")
NODE = {"kind": "Node", "metadata": {"name": "n1"}, "status": {"capacity": {"cpu": "1", "pods": "9"}}}


def ended(*arguments: Any, **streams: Any) -> tuple[int, str]:
    """Exit code and standard error."""
    result = subprocess.run(
        [*START, *map(str, arguments)], **{"stdout": subprocess.PIPE, **streams}, stderr=subprocess.PIPE, cwd=ROOT
    )
    return result.returncode, result.stderr.decode()


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    path = tmp_path / "cluster.json"
    path.write_text(json.dumps(NODE))
    return path


# --- output ---


@pytest.mark.parametrize("arguments", [["-h"], ["rules"], ["run", "CLUSTER", "--json"]])
def test_nobody_reads_the_output(arguments: list[str], cluster: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    given = [str(cluster) if argument == "CLUSTER" else argument for argument in arguments]
    assert ended(*given, stdout=writing) == (exit_codes.BROKEN_PIPE, "")
    os.close(writing)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("arguments", [["--version"], ["rules", "Q-"]])
def test_the_output_cannot_be_written(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        told = ended(*arguments, stdout=full)
    assert told == (exit_codes.BAD_INPUT, "error: standard output: No space left on device\n")


def closed(stream: int) -> Any:
    return lambda: os.close(stream)


def test_closed_streams(cluster: Path) -> None:
    assert ended("run", cluster, preexec_fn=closed(1)) == (2, "error: standard output: closed\n")
    assert ended("run", "-", preexec_fn=closed(0)) == (2, "error: standard input: closed\n")
    assert ended("run", cluster, preexec_fn=closed(2)) == (0, "")


# --- signals ---


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_before_anything_was_done(number: int) -> None:
    """It has read some of its standard input, more than a pipe holds, and waits for the rest."""
    process = subprocess.Popen([*START, "run", "-"], stdin=-1, stdout=-1, stderr=-1, cwd=ROOT)
    assert process.stdin is not None
    process.stdin.write(b" " * 1_000_000)
    process.stdin.flush()
    process.send_signal(number)
    assert process.communicate()[1] == b"interrupted\n"
    assert process.returncode == exit_codes.INTERRUPTED


def test_ctrl_c_during_a_benchmark_is_no_error_of_its_process(tmp_path: Path) -> None:
    """The terminal sends it to both; the measuring process tells when it has begun, and never ends by itself."""
    os.mkfifo(pipe := tmp_path / "begun")
    lines = ("import multiprocessing, time", "def make():", "    if multiprocessing.parent_process():")
    (tmp_path / "endless.py").write_text(
        "\n".join((*lines, f"        open({str(pipe)!r}, 'w').close()", "        time.sleep(600)"))
    )
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    process = subprocess.Popen(
        [*START, "bench", "-w", "plain", "--nodes", "2", "-s", "python:endless:make"],
        stdout=-1,
        stderr=-1,
        cwd=ROOT,
        env=environment,
        start_new_session=True,
    )
    pipe.read_bytes()
    os.killpg(process.pid, signal.SIGINT)
    assert b"Traceback" not in process.communicate()[1]
    assert process.returncode == exit_codes.INTERRUPTED


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_was_done_is_shown(number: int, tmp_path: Path) -> None:
    """Conform reads a pipe that stays open, and its first case tells when it has begun."""
    os.mkfifo(pipe := tmp_path / "cases")
    process = subprocess.Popen(
        [*START, "conform", str(DATA / "queue.jsonl.gz"), str(pipe)], stdout=-1, stderr=-1, cwd=ROOT
    )
    with open(pipe, "wb"):  # open for reading, too, only when the first file is done
        process.send_signal(number)
        shown, told = process.communicate()
    assert process.returncode == exit_codes.INTERRUPTED
    assert told == b"interrupted; the results above are those until then\n"
    assert shown.splitlines()[-1].startswith(b"agree ")


# --- what is loaded ---


def loaded(module: str) -> set[str]:
    code = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT).split())


HEAVY = {"z3", "numpy", "hypothesis", "pytest", "starlette", "uvicorn", "jinja2"}


def test_help_loads_nothing_that_takes_time() -> None:
    assert not loaded("oracle.cli.commands") & (HEAVY | {"model", "rich", "attrs"})


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("run", set()),
        ("conform", set()),
        ("explain", {"z3"}),
        ("serve", {"z3", "starlette", "uvicorn"}),
    ],
)
def test_commands_load_what_they_need(command: str, needed: set[str]) -> None:
    assert loaded(f"oracle.cli.{command}") & HEAVY <= needed


# --- help ---


def helped(*arguments: str) -> str:
    result = CliRunner().invoke(app, [*arguments, "--help"])
    assert result.exit_code == 0
    return " ".join(result.stdout.split())


def test_help_lists_every_command_in_a_line() -> None:
    shown = CliRunner().invoke(app, ["-h"]).stdout.splitlines()
    for name, listed in COMMANDS.items():
        assert f"  {name:10}{listed.summary}" in shown
    paths = (ROOT / "oracle" / "cli").glob("*.py")
    modules = {path.stem for path in paths if path.read_text().startswith(f'"""`sched-oracle {path.stem}`: ')}
    assert modules == COMMANDS.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_that_can_be_parsed(name: str) -> None:
    shown = helped(name)
    group = typer.main.get_command(app)
    assert isinstance(group, Commands)
    for example in COMMANDS[name].examples:
        assert example in shown
        command, *arguments = shlex.split(example.rpartition("sched-oracle ")[2])
        assert command == name
        group.get_command(None, name).make_context(name, arguments)


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_explains_the_exit_codes(name: str) -> None:
    codes = {value for key, value in vars(exit_codes).items() if key.isupper() and isinstance(value, int)}
    assert codes == {0, 1, 2, 3, 130, 141}
    told = helped(*filter(None, [name])).partition("Exit codes: ")[2]
    assert all(f"{code} " in told for code in codes)


# --- exit codes ---

HERE = str(DATA / "queue.jsonl.gz")
ODD = "python:tests.odd_schedulers:"
CODES = {
    "run CLUSTER": 0,
    f"run CLUSTER -s {ODD}Dying": 0,
    "run nowhere.json": 2,
    "explain CLUSTER nobody": 2,
    "fuzz --examples 1 --seconds 1": 2,
    "fuzz --examples 2 --reports DIR": 0,
    "validate -s nobody": 2,
    "validate -s model --examples 1 --reports DIR": 0,
    "validate -s model --level high": 2,
    "audit CLUSTER": 2,
    "serve nowhere.json": 2,
    f"conform {HERE}": 0,
    "conform CLUSTER": 2,
    "replay CLUSTER": 2,
    "report DIR": 2,
    "rules p-042": 0,
    "rules nothing": 2,
    "gallery DIR": 2,
    "mutants --only nothing": 2,
    "mutants --workers 100000": 2,
    "explore nowhere": 2,
    "bench -w nothing": 2,
    "nothing": 2,
}


@pytest.mark.parametrize("call", CODES)
def test_exit_codes(call: str, cluster: Path, tmp_path: Path) -> None:
    arguments = [{"CLUSTER": str(cluster), "DIR": str(tmp_path)}.get(word, word) for word in call.split()]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == CODES[call], result.stderr
    if result.exit_code == exit_codes.BAD_INPUT:
        assert result.stdout in ("", "agree 0 of 0\n")
        assert "rror: " in result.stderr.splitlines()[-1]


def test_an_empty_id_does_not_stand_for_all_mutants() -> None:
    result = CliRunner().invoke(app, ["mutants", "--only", ""])
    assert (result.exit_code, result.stderr) == (2, "error: --only: no ID given\n")


def test_every_command_is_called() -> None:
    assert {call.partition(" ")[0] for call in CODES} >= COMMANDS.keys()


@pytest.mark.parametrize(
    ("typed", "meant"), [(["ruls"], "'rules'"), (["rules", "p-0422"], "P-042"), (["rules", "P-42"], "P-042")]
)
def test_the_nearest_is_suggested(typed: list[str], meant: str) -> None:
    result = CliRunner().invoke(app, typed)
    assert result.exit_code == exit_codes.BAD_INPUT
    assert meant in result.stderr.partition("id you mean")[2]


def test_rules_in_small_letters() -> None:
    shown = CliRunner().invoke(app, ["rules", "p-042", "q-015"]).stdout.splitlines()
    assert [line.split()[0] for line in shown[:-1]] == ["P-042", "Q-015"]
    assert shown[-1] == "2 rules"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nope"], "sched-oracle: No such command 'nope'."),
        (["fuzz", "--nope"], "sched-oracle fuzz: No such option: --nope"),
        (["fuzz", "--examples"], "Option '--examples' requires an argument."),
        (["fuzz", "--examples", "0"], "sched-oracle fuzz: Invalid value for '--examples': "),
        (["run"], "sched-oracle run: Missing argument 'CLUSTER'."),
        (["rules", "--n\no"], "sched-oracle rules: No such option: --n\\x0ao"),
    ],
)
def test_a_wrong_use_is_told_in_a_line(arguments: list[str], complaint: str) -> None:
    said = CliRunner().invoke(app, arguments)
    assert (said.exit_code, said.stdout, said.stderr.count("\n")) == (2, "", 1)
    assert said.stderr.startswith(f"error: {complaint}")


def test_who_asks_for_nothing_gets_the_help() -> None:
    said, asked = (CliRunner().invoke(app, arguments) for arguments in ([], ["-h"]))
    assert (said.exit_code, said.stderr) == (2, asked.stdout)


# --- JSON ---

TRACE = str(ROOT / "reports" / "gallery" / "overlooked-taint")
PRINTED = [
    ["run", "CLUSTER"],
    ["conform", HERE],
    ["replay", TRACE],
    ["rules", "P-042"],
    ["explore", "queue", "--depth", "1"],
]


@pytest.mark.parametrize("arguments", PRINTED, ids=lambda arguments: arguments[0])
def test_every_member_of_the_json_is_explained(arguments: list[str], cluster: Path) -> None:
    given = [str(cluster) if argument == "CLUSTER" else argument for argument in arguments]
    document = json.loads(CliRunner().invoke(app, [*given, "--json"]).stdout)
    table = (ROOT / "oracle" / "cli" / "JSON.md").read_text()
    [row] = [line for line in table.splitlines() if line.startswith(f"| `{arguments[0]}` |")]
    assert {member for member in document if f"`{member}`" not in row} == set()


def test_every_command_that_prints_json_is_in_the_table() -> None:
    table = (ROOT / "oracle" / "cli" / "JSON.md").read_text()
    for name in COMMANDS:
        assert ("--json" in helped(name).partition("Examples:")[0]) == (f"| `{name}` |" in table)
