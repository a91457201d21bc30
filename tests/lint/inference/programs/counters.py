"""Objects of the standard library that have methods by the names of a tensor's."""

from collections import Counter


def excess(before, after, cured):
    expected = Counter(each for each in before)
    for made in cured:
        expected.subtract(each for each in made)
    found = Counter(after)  # reveal: Counter
    return found, expected  # reveal: tuple[Counter, Counter]
