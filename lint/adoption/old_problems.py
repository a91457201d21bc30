"""Which of the paths that a search could not read an earlier commit had as they are: links that lead where they led."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from ..files.paths import is_below
from ..files.source import Unreadable
from ..limits import MOST_LINKS
from .git import Commit


def old_problems(problems: Iterable[Unreadable], earlier: Commit) -> list[Unreadable]:
    """Return the problems that the earlier commit had, too. Raises GitError.

    git keeps files and links. So what is no link is new, or a matter of this machine; new is a link whose way changed.
    """
    suspects = [each for each in problems if os.path.islink(each.span.filename)]
    if not suspects:
        return []
    links, files = earlier.links(), earlier.files()

    def led_there(path: str) -> bool:
        end = ""
        for place, said in _way(path):
            if said is not None and is_below(place, earlier.top) and links.get(place) != said:
                return False
            end = place
        return not is_below(end, earlier.top) or (end in files) is os.path.isfile(end)

    return [each for each in suspects if led_there(each.span.filename)]


def _way(path: str) -> Iterator[tuple[str, bytes | None]]:
    """Yield the places from the root to the end of a path, each with what it says if it is a link."""
    drive, rest = os.path.splitdrive(os.path.abspath(path))
    place, left, links = drive + os.sep, rest.split(os.sep)[::-1], 0
    while left:
        name = left.pop()
        if name in ("", os.curdir):
            continue
        if name == os.pardir:
            place = os.path.dirname(place)
            continue
        following = os.path.join(place, name)
        if not os.path.islink(following):
            place = following
            yield place, None
            continue
        said = os.readlink(following)
        yield following, os.fsencode(said)
        links += 1
        if links > MOST_LINKS:
            return
        place = drive + os.sep if os.path.isabs(said) else place
        left += said.split(os.sep)[::-1]
