"""How often a function runs, judged by itself: by its class, its decorators, its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...facts import events, hooks, libraries, naming, places
from ...finding import Frequency, Level, Reason, Span
from ...limits import NEAR
from ...regex import regex
from .names import names_training_step

_OF_RUN: Final = ("` runs once", "of the whole run")
"""How the reasons end that hooks and call-backs give, by `facts.lightning` and `facts.events`."""
IN_TESTS: Final = "it is in test code"

_TEST_FILE = regex(places.TEST_FILE)
ANSWERS: Final = "it answers a request"
_EVENTS = tuple((regex(text), level, words) for text, level, words in events.EVENTS)
_DECORATED = tuple(
    (regex(text), level, words)
    for text, level, words in (
        (naming.ENTRY_POINTS, Level.ONCE, "it is a command of the program"),
        (naming.SERVING, Level.EVERY_STEP, ANSWERS),
        (naming.FIXTURES, Level.NEVER, "it is in test code, which waits to look at results"),
    )
)


def role(
    name: str, kind: str | None, decorators: list[str], span: Span, cls: str = ""
) -> tuple[Frequency | None, bool]:
    """Return a function's own frequency, and whether it holds whoever calls it; None if nothing tells.

    `kind` is that of its class `cls` (`module`, `dataset`, …), `decorators` are full names.
    """
    if any(each.endswith(libraries.KERNEL_DECORATORS) for each in decorators):
        return _because(Level.NEVER, "a kernel does not run on the host", span), True
    if kind is not None and (found := _of_class(name, kind, span, cls)) is not None:
        return found
    if is_test_file(span.filename):
        return _because(Level.ONCE, IN_TESTS, span), False
    if any(map(caches, decorators)):
        return _because(Level.ONCE, "its results are cached, so it runs once per argument", span), True
    if (called := _by_decorators(decorators, span)) is not None:
        return called, False
    if (kind, name) == ("distribution", "__init__"):
        return None, False
    if kind != "metric" and _is_evaluation(name.strip("_")):
        return _because(Level.EVALUATION, f"`{name}` has the name of an evaluation function", span), True
    if cls and name in naming.FEEDING:
        return _because(Level.EVERY_STEP, f"`{name}` has the name of what gives a model each batch", span), True
    return _of_name(name, span), False


def caches(decorator: str) -> bool:
    """Whether a decorator with this full name keeps what a function returns."""
    return decorator.rpartition(".")[2] in libraries.CACHING_DECORATORS


def _by_decorators(decorators: list[str], span: Span) -> Frequency | None:
    """Return how often a function runs that a framework calls by its decorator; None if none tells."""
    for name in decorators:
        for pattern, level, words in _DECORATED:
            if pattern.search(name):
                return replace(_because(level, words, span), per="request" if words == ANSWERS else "")
    return None


def _of_class(name: str, kind: str, span: Span, cls: str) -> tuple[Frequency, bool] | None:
    """Return how often a method runs by the kind of its class, and whether it holds whoever calls it."""
    if kind in libraries.WORKER_KINDS:
        return _because(Level.NEVER, libraries.WORKER_KINDS[kind], span), kind != "iterable dataset"
    hook = hooks.HOOKS.get((kind, name))
    return None if hook is None else (hooked(hook, name, cls, span), True)


def hooked(hook: tuple[Level, str], name: str, cls: str, span: Span | None = None) -> Frequency:
    """Return how often a library calls a method; `forward` runs whenever what it is of is called."""
    level, words = hook
    per = f"{name} of `{cls}`" if name in ("forward", "backward") else ""
    return Frequency(level, (Reason(words, span),), per=per)


def _of_name(name: str, span: Span) -> Frequency | None:
    """Return how often a function runs by its name, unless a step is seen to call it."""
    bare = name.strip("_")
    for pattern, level, words in _EVENTS:
        if pattern.search(name):
            called = _because(level, f"`{name}` has the name of a call-back of {words}", span)
            return replace(called, assumed=level is Level.EVERY_STEP)
    if name in naming.COLD_NAMES or bare.startswith(naming.COLD_PREFIXES):
        return _because(
            Level.ONCE, f"`{name}` has the name of set-up or output code, and no step is seen to call it", span
        )
    if names_training_step(name):
        return _because(Level.EVERY_STEP, f"`{name}` has the name of a training step", span)
    return None


def is_of_whole_run(found: Frequency) -> bool:
    """Whether a hook or call-back that a framework calls once in a run leads to what runs as often as this."""
    return found.level is Level.ONCE and any(each.message.endswith(_OF_RUN) for each in found.reasons)


def _is_evaluation(name: str) -> bool:
    """Whether the name is one of evaluation; `scores_validation` and `perceptual_evaluation` may be part of a step."""
    return name in naming.EVALUATION_NAMES or "eval" in name.split("_")


def role_of_place(folders: Sequence[str]) -> Frequency | None:
    """Return how often everything in a file runs, by its folders; None if they do not tell."""
    if is_in_tests(folders):
        return Frequency(Level.NEVER, (Reason("it is in test code, which waits to look at results"),))
    return None


def evaluates(folders: Sequence[str], file: str) -> Frequency | None:
    """Return evaluation if the name of the file or its folder says so, for functions otherwise unknown."""
    names = (*folders[-2:], file.removesuffix(".py"))
    showing = places.SHOWING_WORDS.union(_speaking_of(places.SHOWING_WORDS, names[-2:]))  # no package `x_benchmark`
    for known, words in ((places.EVALUATION_PLACES, "evaluation code"), (showing, "code that shows or measures")):
        if named := known.intersection(names):
            return Frequency(Level.EVALUATION, (Reason(f"it is in `{min(named)}`, named like {words}"),))
    return None


def _speaking_of(words: frozenset[str], names: Sequence[str]) -> Iterator[str]:
    """Yield the names of files or folders that have one of these words: `eval_tasks`, `run_eval`."""
    return (each for each in names if not words.isdisjoint(each.split("_")))


def is_test(folders: Sequence[str], file: str) -> bool:
    """Whether a file in these folders is test code."""
    return is_in_tests(folders) or is_test_file(file)


def is_in_tests(folders: Sequence[str]) -> bool:
    """Whether one of the folders is named like one of tests."""
    return not places.TEST_FOLDERS.isdisjoint(folders)


def is_test_file(filename: str) -> bool:
    """Whether the file is named like a test: `test_x.py`, `x_test.py`, `testing_utils.py`."""
    return bool(_TEST_FILE.match(filename.replace("\\", "/").rpartition("/")[2]))


def prepares_data(folders: Sequence[str]) -> bool:
    """Whether a file in these folders prepares data, usually on the host before a step begins: `hf_datasets`.

    Those far above a file say nothing of it.
    """
    near = folders[-NEAR:]
    return any(folder.rpartition("_")[2] in places.DATA_FOLDERS or folder in places.DATA_FOLDERS for folder in near)


def _because(level: Level, words: str, span: Span) -> Frequency:
    return Frequency(level, (Reason(words, span),))
