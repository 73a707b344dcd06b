"""Of a scheduler that failed the error is told, and the place in its own code, whatever language it speaks."""

import json
from typing import Any

import pytest

from oracle.guard import fault
from oracle.last_words import LAST_WORDS, in_short, place_in_its_code

PYTHON = """\
Traceback (most recent call last):
  File "/srv/mine.py", line 14, in <module>
    choose(asked)
  File "/srv/mine.py", line 5, in choose
    return json.loads("nothing")
  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode
    raise JSONDecodeError("Expecting value", s, err.value) from None
json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)"""
NODE = """\
node:internal/process/promises:288
            triggerUncaughtException(err, true);
            ^

TypeError: pods is not iterable
    at Array.from (<anonymous>)
    at choose (/srv/mine.js:12:5)
    at Object.<anonymous> (/srv/mine.js:3:1)

Node.js v20.20.2"""
GO = """\
starting
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
slices.Index(...)
	/usr/local/go/src/slices/slices.go:99
main.choose(...)
	/srv/mine.go:8 +0x1d
exit status 2"""
RUST = """\
thread 'main' panicked at src/main.rs:5:10:
index out of bounds: the len is 3 but the index is 5
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace"""
JAVA = """\
Exception in thread "main" java.lang.ArithmeticException: / by zero
	at Mine.choose(Mine.java:5)
	at Mine.main(Mine.java:9)"""


@pytest.mark.parametrize(
    ("said", "short"),
    [
        (PYTHON, "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0) (/srv/mine.py:5 in choose)"),
        (NODE, "TypeError: pods is not iterable (/srv/mine.js:12)"),
        (GO, "panic: runtime error: index out of range [5] with length 3 (/srv/mine.go:8)"),
        (RUST, "thread 'main' panicked at src/main.rs:5:10: (src/main.rs:5)"),
        (JAVA, 'Exception in thread "main" java.lang.ArithmeticException: / by zero (Mine.java:5)'),
        ("loading\nno such table", "no such table"),
        ("out of luck", "out of luck"),
    ],
)
def test_of_a_stack_trace_the_error_and_its_place_are_told(said: str, short: str) -> None:
    assert in_short(f"it ended with exit code 1{LAST_WORDS}{said}") == f"it ended with exit code 1{LAST_WORDS}{short}"


def test_an_error_of_several_lines_is_told_on_one() -> None:
    assert in_short("ValueError while it handled Tick: one\ntwo") == "ValueError while it handled Tick: one two"


def caught(act: Any) -> BaseException:
    with pytest.raises(Exception) as raised:  # noqa: PT011
        act()
    return raised.value


def test_an_exception_is_told_with_the_place_where_it_left_the_scheduler() -> None:
    def choose() -> None:
        json.loads("nothing")

    error = caught(choose)
    place = f"{__name__.replace('.', '/')}.py:{choose.__code__.co_firstlineno + 1} in choose"
    assert place_in_its_code(error) == place
    assert str(fault(error, "while it decided")).endswith(f": line 1 column 1 (char 0) ({place})")


def test_what_came_up_elsewhere_has_no_place() -> None:
    assert place_in_its_code(ValueError("not raised at all")) == ""
