"""Where arrays are spoken of, what is compared may be one of them."""

from compared import *


def kept(scores, found):
    bounds = np.zeros(3)
    kept = scores[found > 0]
    a = scores  # reveal: Unknown
    return bounds, kept, a
