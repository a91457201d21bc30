"""What all tests share: no test reads or writes the caches of the user who runs them."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def user_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a user's cache directory of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("user_cache")))
    monkeypatch.delenv("SYNCLINT_CACHE_DIR", raising=False)
