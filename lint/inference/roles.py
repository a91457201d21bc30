"""How often a function runs by itself: by the class it belongs to, its decorators, its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..facts import libraries, naming
from ..finding import Frequency, Level, Reason, Span

_TEST_FILE = re.compile(naming.TEST_FILE)


def role(name: str, kind: str | None, decorators: list[str], span: Span) -> tuple[Frequency | None, bool]:
    """The frequency a function has by itself, and whether it holds whoever calls it; None where nothing tells.

    `kind` is what its class is (`module`, `dataset`, …), `decorators` are full names.
    """
    if any(each in libraries.KERNEL_DECORATORS for each in decorators):
        return _because(Level.NEVER, "a kernel is no host code", span), True
    if kind in libraries.WORKER_KINDS:
        return _because(Level.NEVER, libraries.WORKER_KINDS[kind], span), True
    if kind is not None and (hook := libraries.HOOKS.get((kind, name))) is not None:
        return _because(hook[0], hook[1], span), True
    if span_is_test(span):
        return _because(Level.ONCE, "it stands in test code", span), False
    bare = name.strip("_")
    if kind != "metric" and (bare in naming.EVALUATION_NAMES or bare.startswith(naming.EVALUATION_PREFIXES)):
        return _because(Level.EVALUATION, f"`{name}` is named like evaluation", span), True
    if name in naming.COLD_NAMES or (bare.startswith(naming.COLD_PREFIXES) and not _is_hot(bare)):
        return _because(
            Level.ONCE, f"`{name}` is named like set-up or output code, and no step is seen to call it", span
        ), False
    return None, False


def _is_hot(name: str) -> bool:
    return any(word in name for word in naming.HOT_WORDS)


def span_is_test(span: Span) -> bool:
    """The file is named like tests are: in a folder `tests`, `test_x.py`, `x_test.py`, `testing_utils.py`."""
    *folders, file = span.filename.replace("\\", "/").split("/")[-4:]
    return not naming.TEST_FOLDERS.isdisjoint(folders) or bool(_TEST_FILE.match(file))


def prepares_data(folders: Sequence[str]) -> bool:
    """A file in these folders prepares data, which mostly works on the host before a step begins."""
    return not naming.DATA_FOLDERS.isdisjoint(folders[-2:])


def _because(level: Level, words: str, span: Span) -> Frequency:
    return Frequency(level, (Reason(words, span),))
