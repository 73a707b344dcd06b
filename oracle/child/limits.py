"""How much a child process may take."""

from attrs import frozen

MIB = 2**20


@frozen
class Limits:
    """Seconds of real time for one answer and for all answers of a case; bytes of one answer; bytes of memory.

    `memory` is address space, of which some runtimes reserve much more than they use.
    """

    answer_seconds: float = 10.0
    case_seconds: float = 60.0
    answer_bytes: int = 16 * MIB
    memory: int = 8192 * MIB
