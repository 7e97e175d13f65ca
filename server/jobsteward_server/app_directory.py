"""The app directory: private, held by one stack at a time, and where clients find that stack."""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from jobsteward.kernel.errors import ConfigurationError, ConflictError
from jobsteward.store.manifest import sync_folder

LOCK_FILE = "stack.lock"
RECORD_FILE = "stack.json"
OWNER_FILE = "owner.token"
AGENT_FILE = "agent.token"
"""The secrets that the first start leaves for clients on this machine (SEC-1)."""
LOG_FOLDER = "logs"
_LOOSE = 0o077
_PROBE_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class StackRecord:
    """What a running stack tells its clients in ``stack.json``."""

    pid: int
    url: str
    port: int
    temporal_address: str
    temporal_namespace: str
    started_at: str


def prepare(home: Path) -> None:
    """Create the app directory with mode 0700, or check the one that is there (SEC-9).

    Raises ConfigurationError with the command that mends it when others can read it or we
    cannot write to it.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / LOG_FOLDER).mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(
            f"cannot use the app directory {home} ({error.strerror}): make it a writable folder"
            " or point JOBSTEWARD_HOME at another one"
        ) from None
    check_private(home)


def check_private(home: Path) -> None:
    """Raise ConfigurationError unless the app directory is ours to write and nobody else's."""
    if home.stat().st_mode & _LOOSE:
        raise ConfigurationError(f"others can enter the app directory: run chmod 700 {home}")
    check_writable(home)


def check_writable(*paths: Path) -> None:
    """Raise ConfigurationError naming the first path that we may not read and write."""
    for path in paths:
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            raise ConfigurationError(
                f"cannot write to {path}: give this user write access (chmod u+rw, chown) or"
                " mount the file system writable"
            )


def write_private(path: Path, text: str) -> None:
    """Replace the file in one step, mode 0600, on disk when this returns."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def open_log(home: Path, name: str, limit: int = 5_000_000) -> int:
    """A descriptor that appends to ``logs/NAME.log`` (0600), emptied above ``limit`` bytes."""
    path = home / LOG_FOLDER / f"{name}.log"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    if os.fstat(descriptor).st_size > limit:
        os.ftruncate(descriptor, 0)
    return descriptor


@contextlib.contextmanager
def held(home: Path) -> Iterator[None]:
    """Hold the app directory for one stack; the lock dies with this process.

    Raises ConflictError naming the stack that holds it.
    """
    with _lock_file(home) as descriptor:
        if not _take(descriptor, within=_PROBE_OVERLAP):
            raise ConflictError(
                f"a stack already runs for {home} ({_who(home)}): use it, or stop it first"
            )
        yield


def check_free(home: Path) -> None:
    """Raise ConflictError naming the stack that holds the app directory, if one does."""
    with held(home):
        pass


def write_record(home: Path, record: StackRecord) -> None:
    """Publish where the stack answers."""
    write_private(home / RECORD_FILE, json.dumps(asdict(record), indent=2) + "\n")


def remove_record(home: Path) -> None:
    """Withdraw what `write_record` published."""
    (home / RECORD_FILE).unlink(missing_ok=True)


def running_stack(home: Path) -> StackRecord | None:
    """The record of the stack that holds this app directory, None while there is none."""
    return _read_record(home) if is_held(home) else None


def is_held(home: Path) -> bool:
    """Whether a stack holds this app directory now."""
    if not (home / LOCK_FILE).exists():
        return False
    with _lock_file(home) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


@contextlib.contextmanager
def _lock_file(home: Path) -> Iterator[int]:
    try:
        descriptor = os.open(home / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"cannot open {home / LOCK_FILE} ({error.strerror}): give this user write access to it"
        ) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _take(descriptor: int, within: float) -> bool:
    # A client that only asks holds the lock for an instant: try again before giving up.
    deadline = time.monotonic() + within
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        else:
            return True


def _read_record(home: Path) -> StackRecord | None:
    try:
        return StackRecord(**json.loads((home / RECORD_FILE).read_text("utf-8")))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _who(home: Path) -> str:
    record = _read_record(home)
    return f"process {record.pid}, {record.url}" if record else "still starting"
