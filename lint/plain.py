"""Data classes that are frozen for the type checker alone: checking it again whenever one is made takes half that time.

They are used where there are millions of them; like others that are frozen they have a hash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    import dataclasses

    def dataclass(*, frozen=False, eq=True, **options):
        """Return what makes a class a data class whose objects nothing is to change."""
        return dataclasses.dataclass(eq=eq, unsafe_hash=frozen and eq, **options)
