"""What all tests share: no test touches the caches of its user, and none draws other numbers than it did yesterday."""

from __future__ import annotations

import gc
import importlib.util
import logging
import os
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
from preloaded import Preloaded

with suppress(ImportError):  # the environments of the emulated device go without
    from hypothesis import HealthCheck, settings

    settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy machine")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process that a test starts would compile the package again
sys.dont_write_bytecode = False

collect_ignore = ["benchmarks", "fuzz", "lint/inference/programs", "plugin_package"]
"""Programs, run by hand or read by tests."""

SLOW = {
    "docs/test_commands.py",
    "docs/test_snippets.py",
    "docs/test_writing_a_rule.py",
    "lint/distributed/test_bazel.py",
    "lint/distributed/test_forged.py",
    "lint/distributed/test_graph.py",
    "lint/distributed/test_steps.py",
    "lint/distributed/test_stress.py",
    "lint/inference/test_astray.py",
    "lint/run/test_edits.py",
    "lint/server/test_notebooks.py",
    "lint/server/test_server.py",
    "lint/store/test_folder.py",
    "lint/store/test_rewrite.py",
    "lint/test_no_text.py",
    "test_main.py",
    "test_plugin_package.py",
    "test_pre_commit.py",
    "test_publishing.py",
    "test_safety.py",
    "test_schemas.py",
}
"""What starts many processes, or checks many states of a project; the quick loop goes without."""

WITHOUT_TORCH = importlib.util.find_spec("torch") is None
HERE = Path(__file__).parent


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what is slow, and what runs torch: the runtime checker's tests, and those whose module has imported it."""
    room = item.path.relative_to(HERE).parts
    if "/".join(room) in SLOW:
        item.add_marker(pytest.mark.slow)
    if room[0] == "runtime_checker" or hasattr(getattr(item, "module", None), "torch"):
        item.add_marker(pytest.mark.torch)
    if room[:2] == ("runtime_checker", "emulated"):
        item.add_marker(pytest.mark.emulated)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what is marked, where torch is missing."""
    if WITHOUT_TORCH and item.get_closest_marker("torch"):
        pytest.skip("needs torch")


@pytest.fixture(scope="session")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preloaded]:
    """A Python that has PyTorch already."""
    with Preloaded(tmp_path_factory.mktemp("preloaded")) as process:
        yield process


@pytest.fixture(scope="session")
def user_caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of directories, numbered here: for each that pytest numbers, it reads the names of all before."""
    folder = tmp_path_factory.mktemp("user_caches")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def user_cache(user_caches: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a user's cache directory of its own."""
    folder = next(user_caches)
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.delenv("SYNCLINT_CACHE_DIR", raising=False)


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Seed what tests draw from: one mask in two thousand has a single `True`, and costs one wait less than the others.

    Torch is seeded where a test has imported it; most tests never do, and should not pay for it.
    """
    random.seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


class _Fails(logging.Handler):
    """Fails where the linter gives up what an earlier run found out: it would only be slow, and nobody would see."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and type(error).__name__ != "StoreError":  # the store's contents are as they may be
            raise error


@pytest.fixture(autouse=True)
def nothing_is_given_up() -> Iterator[None]:
    """Let an error fail the test that a run only answers by beginning anew."""
    logger, handler = logging.getLogger("synclint.lint.run.engine"), _Fails()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield
    logger.removeHandler(handler)


TESTS_BETWEEN_COLLECTIONS = 100


@pytest.fixture(scope="session")
def tests_begun() -> Iterator[int]:
    """The numbers of the tests that this process runs."""
    return count()


@pytest.fixture(autouse=True)
def earlier_tests_are_no_garbage(tests_begun: Iterator[int]) -> Iterator[None]:
    """Leave what is there already out of collections, of which many a command makes one: torch alone takes long.

    It is left out until the test is over, as is what a command leaves to the end of its process.
    """
    if next(tests_begun) % TESTS_BETWEEN_COLLECTIONS == 0:
        gc.collect()
    gc.freeze()
    yield
    gc.enable()
    gc.unfreeze()
