"""What a backup holds: its manifest, how one is read, and which backup of a folder is newest."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from jobsteward.kernel.errors import ConfigurationError

FORMAT = 1
MANIFEST_FILE = "manifest.json"
DATABASE_FILE = "database.sqlite"
ARTEFACT_FOLDER = "artefacts"
BACKUP_FOLDER = "backups"
"""Where backups go inside the app directory, unless told otherwise."""

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of one backup.

    ``files`` maps each path inside the backup to its sha256, ``tables`` each table to its
    number of rows, ``database_id`` is the identity that a restored database keeps (ACT-4).
    """

    format: int
    product_version: str
    created_at: str
    database_id: str
    schema_revision: str
    source: str
    tables: Mapping[str, int]
    files: Mapping[str, str]

    def to_json(self) -> str:
        """The text of the manifest file."""
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"


def read_manifest(backup: Path) -> Manifest:
    """The manifest of a backup. Raises ConfigurationError where the folder is none of ours."""
    try:
        manifest = Manifest(**json.loads((backup / MANIFEST_FILE).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        raise ConfigurationError(
            f"{backup} is not a whole backup; name a folder that jobsteward backup wrote"
        ) from None
    if manifest.format != FORMAT:
        raise ConfigurationError(
            f"{backup} was written by a newer version; install that version to restore it"
        )
    return manifest


def newest_backup(folder: Path) -> Path | None:
    """The newest backup in the folder, None where it holds none.

    Only whole backups carry a final name, so that the newest one was verified when written.
    """
    found: list[tuple[str, Path]] = []
    for path in folder.glob("[!.]*/" + MANIFEST_FILE):
        try:
            found.append((read_manifest(path.parent).created_at, path.parent))
        except ConfigurationError:
            continue
    return max(found)[1] if found else None


def folder_name(created_at: str) -> str:
    """The timestamp in a form that every file system takes as a name."""
    return created_at.replace(":", "").replace(".", "-")


def sha256_of(path: Path) -> str:
    """sha256 of the file's bytes, in lower-case hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def copy_durably(source: Path, target: Path) -> str:
    """Copy to a new file, mode 0600, on disk when this returns; the sha256 of what was copied.

    Raises FileExistsError where the target stands, FileNotFoundError where the source is gone.
    """
    digest = hashlib.sha256()
    with source.open("rb") as origin:
        descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "wb") as copy:
            while block := origin.read(_BLOCK):
                digest.update(block)
                copy.write(block)
            copy.flush()
            os.fsync(copy.fileno())
    return digest.hexdigest()


def sync_folder(folder: Path) -> None:
    """Make the folder's entries durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
