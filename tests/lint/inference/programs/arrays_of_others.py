"""Where arrays are used, `.numpy()` may be a method of another library, which copies to the host."""

import numpy as np
from eagerpy import astensor_


def attack(inputs):
    x, restore = astensor_(inputs)
    a = x  # reveal: Unknown
    found = np.zeros(3)
    kept = x
    kept.numpy()
    return a, found, restore
