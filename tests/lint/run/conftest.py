"""What the tests of whole runs share."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def earlier_tests_are_no_garbage() -> None:
    """Leave what earlier tests hold out of collections: a run collects before it fixes, and some tests make hundreds.

    It is left out until the test is over, as is what a run leaves to the end of its process.
    """
    gc.freeze()
