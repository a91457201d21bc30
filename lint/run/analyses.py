"""The analyses of a run and of the passes after it, each made once for a content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from ..limits import ENOUGH_BYTES
from .file import Checked, File
from .project import check_files, processors


@dataclass
class Analyses:
    """Analyses files; what has been asked before is known, if not in the `cache` of earlier runs."""

    cache: str
    known: dict[tuple[str, bytes | None], Checked] = field(default_factory=dict)

    def __call__(self, files: Sequence[File], jobs: int | None) -> Iterator[Checked]:
        """Yield what became of each file."""
        unknown: dict[str, File] = {}
        for file in files:
            if (checked := self.known.get((file.name, file.data))) is not None:
                yield checked
            else:
                unknown[file.name] = file
        kept = [replace(each, project=replace(each.project, cache=self.cache)) for each in unknown.values()]
        changed = [each.data for each in kept if self.known and each.data is not None]
        if jobs is None and len(changed) > 1 and sum(map(len, changed)) > ENOUGH_BYTES:
            jobs = processors()
        for checked in check_files(kept, jobs):
            self.known[checked.filename, unknown[checked.filename].data] = checked
            yield checked
