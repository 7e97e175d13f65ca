"""Uploaded files: streamed in, kept by content hash, named in inputs by id and sha256 (ADM-12)."""

import hashlib
import os
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import anyio
from sqlalchemy import Column, Connection, Index, Integer, String, Table, select

from jobsteward.kernel.clock import timestamp, utc_now
from jobsteward.kernel.errors import InvalidInputError, NotFoundError, PayloadTooLargeError
from jobsteward.store.engine import METADATA

UploadKind = Literal["resume", "mail"]
LIMITS: dict[UploadKind, int] = {"resume": 12 * 1024 * 1024, "mail": 50 * 1024 * 1024}
"""Most bytes of each kind of file."""

UPLOADS = Table(
    "uploads",
    METADATA,
    Column("upload_id", String, primary_key=True),
    Column("tenant_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("sha256", String, nullable=False),
    Column("size", Integer, nullable=False),
    Column("created_at", String, nullable=False),
    Index("uploads_tenant", "tenant_id", "created_at"),
)


@dataclass(frozen=True, slots=True)
class Upload:
    """One stored file; its bytes are in the artefact directory under their sha256."""

    upload_id: str
    tenant_id: str
    kind: str
    sha256: str
    size: int
    created_at: str


async def receive(
    artefacts: Path, kind: UploadKind, chunks: AsyncIterator[bytes]
) -> tuple[str, int]:
    """Store the bytes and give their sha256 and size.

    The file appears under its final name only when whole. Raises PayloadTooLargeError past
    the kind's limit and InvalidInputError for no bytes; both leave nothing behind.
    """
    temporary = artefacts / f".upload-{secrets.token_hex(8)}"
    digest, size = hashlib.sha256(), 0
    try:
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        async with anyio.wrap_file(os.fdopen(descriptor, "wb")) as file:
            async for chunk in chunks:
                size += len(chunk)
                if size > LIMITS[kind]:
                    limit = LIMITS[kind] // (1024 * 1024)
                    raise PayloadTooLargeError(f"a {kind} file may have at most {limit} MiB")
                digest.update(chunk)
                await file.write(chunk)
            await file.flush()
            await anyio.to_thread.run_sync(os.fsync, file.wrapped.fileno())
        if size == 0:
            raise InvalidInputError("the upload is empty; send the file as the body")
        temporary.replace(artefacts / digest.hexdigest())
    finally:
        temporary.unlink(missing_ok=True)
    return digest.hexdigest(), size


def record_upload(
    conn: Connection, tenant_id: str, kind: UploadKind, sha256: str, size: int
) -> Upload:
    """The upload's row, which makes the stored bytes this tenant's."""
    upload = Upload(
        upload_id="upl_" + secrets.token_hex(16),
        tenant_id=tenant_id,
        kind=kind,
        sha256=sha256,
        size=size,
        created_at=timestamp(utc_now()),
    )
    row = {name: getattr(upload, name) for name in Upload.__dataclass_fields__}
    conn.execute(UPLOADS.insert(), row)
    return upload


def find_upload(conn: Connection, tenant_id: str, upload_id: str, sha256: str) -> Upload:
    """The upload with exactly these bytes. Raises NotFoundError otherwise."""
    columns = UPLOADS.c
    row = conn.execute(
        select(UPLOADS).where(
            columns.tenant_id == tenant_id,
            columns.upload_id == upload_id,
            columns.sha256 == sha256,
        )
    ).first()
    if row is None:
        raise NotFoundError("no such upload; send the file again")
    return Upload(**row._mapping)
