"""Files are replaced as a whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from synclint.lint.store.rewrite import write
from synclint.lint.store.unfinished import new_name, remove_unfinished
from synclint.lint.store.user_cache import user_cache

BEFORE, AFTER = b"before\n" * 3_000, b"after\n" * 9_000
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits and signals")


@contextmanager
def no_space(size: int) -> Iterator[None]:
    """No file may become larger than this."""
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@needs_signals
@pytest.mark.parametrize("is_shared", [False, True])
def test_without_space_nothing_changes(is_shared: bool, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(BEFORE)
    if is_shared:
        os.link(file, tmp_path / "b.py")
    with no_space(len(BEFORE) + 10), pytest.raises(OSError, match="large"):
        write(file, AFTER)
    assert file.read_bytes() == BEFORE
    assert sorted(os.listdir(tmp_path)) == (["a.py", "b.py"] if is_shared else ["a.py"])


@needs_signals
def test_killed_a_hundred_times(tmp_path: Path) -> None:
    file, foreign = tmp_path / "a.py", tmp_path / f".synclint-{'0' * 32}"
    foreign.touch()
    left = set[str]()
    file.write_bytes(BEFORE)
    chance = random.Random(0)
    started, starts = os.pipe()
    for _ in range(100):
        child = os.fork()
        if not child:
            os.write(starts, b".")
            while True:
                write(file, AFTER)
                write(file, BEFORE)
        os.read(started, 1)  # on a busy machine the time before the child runs is longer than the time to the kill
        time.sleep(chance.random() / 100)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert file.read_bytes() in (BEFORE, AFTER)
        left |= set(os.listdir(tmp_path))
    os.close(started)
    os.close(starts)
    assert len(left) > 2, "no run was killed in the middle"
    write(file, BEFORE)
    assert sorted(os.listdir(tmp_path)) == [foreign.name, file.name]
    assert not os.listdir(Path(user_cache()) / "unfinished")


@needs_signals
def test_what_another_run_is_writing_is_left(tmp_path: Path) -> None:
    with new_name(str(tmp_path)) as name:
        Path(name).touch()
        remove_unfinished()
        assert Path(name).exists()


def test_forged_records_remove_nothing(tmp_path: Path) -> None:
    victim = tmp_path / f".synclint-{'0' * 32}"
    victim.touch()
    with new_name(str(tmp_path)):
        record = Path(user_cache()) / "unfinished" / ("1" * 32)
        record.write_bytes(b"0" * 32 + os.fsencode(victim))
    remove_unfinished()
    assert victim.exists()
    assert not record.exists()
