"""One byte form for equal JSON, and digests over it."""

import hashlib
import json
from typing import Any


def canonical_json(value: Any) -> str:
    """Compact JSON with sorted members and unescaped text.

    Numbers keep their own form (``1`` and ``1.0`` differ) and strings are not
    normalised: only member order, white space and escapes are folded (ADM-3).
    Raises ValueError on NaN or infinity.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: Any) -> str:
    """sha256 of the canonical JSON, in lower-case hex."""
    return digest_text(canonical_json(value))


def digest_text(text: str) -> str:
    """sha256 of the text's UTF-8 bytes, in lower-case hex."""
    return hashlib.sha256(text.encode()).hexdigest()
