"""Run a command that cannot outlive the process that started it.

Usage: ``python -I -S leash.py PARENT_PID SIGNAL NICENESS COMMAND...``. Takes the place of a
``preexec_fn``, which is not safe once the parent has threads: this small program asks the
kernel to send SIGNAL when the parent dies, lowers its own priority by NICENESS, makes every
file that it creates private, and becomes COMMAND.

Linux alone offers that promise; elsewhere the command runs unleashed and the next stack
start finds what was left behind by the lock on its files.
"""

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(arguments: list[str]) -> None:
    """Become the command; exits 1 when the parent is gone already."""
    parent, death_signal, niceness = (int(text) for text in arguments[:3])
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, death_signal)
    if os.getppid() != parent:
        sys.exit(1)
    os.nice(niceness)
    os.umask(0o077)
    os.execv(arguments[3], arguments[3:])


if __name__ == "__main__":
    main(sys.argv[1:])
