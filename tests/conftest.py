"""What all tests share: no test touches the caches of its user, and none draws other numbers than it did yesterday."""

from __future__ import annotations

import gc
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


@pytest.fixture(autouse=True)
def garbage_is_collected() -> Iterator[None]:
    """Collect garbage again, of which the command line leaves all to the end of its process."""
    yield
    gc.enable()
    gc.unfreeze()
