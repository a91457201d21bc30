"""Data classes that are frozen for the type checker alone."""

import pickle

from synclint.lint.finding import Frequency, Level, Reason


def test_they_are_equal_hashed_and_pickled_like_frozen_ones() -> None:
    one, other = (Frequency(Level.ONCE, (Reason("why"),)) for _ in range(2))
    assert one == other
    assert len({one, other, pickle.loads(pickle.dumps(one))}) == 1
    assert not hasattr(one, "__dict__")
