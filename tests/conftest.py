"""What all tests share: no test touches the caches of its user, and none draws other numbers than it did yesterday."""

from __future__ import annotations

import gc
import logging
import random
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

with suppress(ImportError):  # the environments of the emulated device go without
    from hypothesis import HealthCheck, settings

    settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy machine")


@pytest.fixture(autouse=True)
def user_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a user's cache directory of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("user_cache")))
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
        if record.exc_info and record.exc_info[1] is not None:
            raise record.exc_info[1]


@pytest.fixture(autouse=True)
def nothing_is_given_up() -> Iterator[None]:
    """Let an error fail the test that a run only answers by beginning anew."""
    logger, handler = logging.getLogger("synclint.lint.run.engine"), _Fails()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield
    logger.removeHandler(handler)


@pytest.fixture(autouse=True)
def garbage_is_collected() -> Iterator[None]:
    """Collect garbage again, of which the command line leaves all to the end of its process."""
    yield
    gc.enable()
    gc.unfreeze()
