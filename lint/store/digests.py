"""Short names for what results depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def digest(parts: Iterable[bytes | str]) -> str:
    """Return a short name for some bytes and strings, different for different ones."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found.update(len(data).to_bytes(8, "big"))
        found.update(data)
    return found.hexdigest()
