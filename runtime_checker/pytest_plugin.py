"""The pytest plugin: the marker `@pytest.mark.sync_free` and the fixture `forbid_sync`; torch is imported on use.

    @pytest.mark.sync_free(max_syncs=0, warmup=1)
    def test_step(state): train_step(state)

A marked test is called `warmup` times before the call that counts, with the same fixtures: the first call of a program
waits for things that it never waits for again.
"""

from __future__ import annotations

import functools
import inspect
import unittest
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Final

import pytest

from .device import DEVICES, DeviceError

if TYPE_CHECKING:
    from .forbid import Forbidden

    _WATCHING: pytest.StashKey[Forbidden]

MARKER: Final = "sync_free"
_WATCHING = pytest.StashKey()
_HELP: Final = (
    "sync_free(max_syncs=0, warmup=1, device=…, allow=()): the test fails if it makes the host wait for the GPU "
    "more than max_syncs times; it is first called warmup times without counting."
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the command line choose the device."""
    parser.getgroup("synclint").addoption(
        "--sync-device",
        choices=DEVICES,
        default="auto",
        help="where waiting is forbidden, unless a test says: a GPU (cuda), torch's CUDA code without one (emulated), "
        "our model of it (simulated), or a GPU where there is one and else simulated (auto)",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Bring the emulated device, which has to be there before anything imports torch."""
    if getattr(early_config.known_args_namespace, "sync_device", "auto") != "emulated":
        return
    from .emulated.load import load

    try:
        load()
    except DeviceError as error:
        raise pytest.UsageError(f"--sync-device emulated: {error}") from error


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", _HELP)


@pytest.fixture(name="forbid_sync")
def _forbid_sync(pytestconfig: pytest.Config) -> Callable[..., Forbidden]:
    """Return `synclint.forbid_sync`, for parts of a test: `with forbid_sync(max_syncs=1): …`."""
    from .forbid import forbid_sync

    return functools.partial(forbid_sync, device=pytestconfig.getoption("sync_device"))


@pytest.hookimpl(hookwrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, None, None]:
    """Call a marked test several times, the last time with a budget."""
    marker = pyfuncitem.get_closest_marker(MARKER)
    if marker is None:
        yield
        return
    original = pyfuncitem.obj
    pyfuncitem.obj = _budgeted(original, **_options(pyfuncitem, marker))
    try:
        yield
    finally:
        pyfuncitem.obj = original


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse the marker where it would do nothing, and wrong arguments; all of them at once, before any test runs."""
    wrong = [f"{item.nodeid}: {MARKER} {why}" for item in items if (why := _wrong_use(item))]
    if wrong:
        raise pytest.UsageError(*wrong)


def _wrong_use(item: pytest.Item) -> str:
    """Return what is wrong with a test's marker, if anything."""
    marker = item.get_closest_marker(MARKER)
    if marker is None:
        return ""
    if not _is_plain(item):
        return "is for test functions; use `synclint.forbid_sync` here"
    try:
        found = _options(item, marker)
    except TypeError as error:
        return f"{str(error).partition('() ')[2]}; it is {_HELP}"
    if found["device"] not in DEVICES:
        return f"asks for `{found['device']}`, but there is no such device; choose one of {', '.join(DEVICES)}"
    numbers = [found[name] for name in ("max_syncs", "warmup")]
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        return f"takes numbers from 0 on for max_syncs and warmup; it is {_HELP}"
    return ""


def _is_plain(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and not issubclass(item.cls or object, unittest.TestCase)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Create the device before fixtures run, so that it exists for them as well, even if simulated."""
    marker = item.get_closest_marker(MARKER)
    if marker is not None:
        from .forbid import Forbidden

        watching = Forbidden(None, _options(item, marker)["device"], ())
        watching.__enter__()
        item.stash[_WATCHING] = watching
    yield


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Remove the device after fixtures are gone."""
    yield
    watching = item.stash.get(_WATCHING, None)
    if watching is not None:
        del item.stash[_WATCHING]
        watching.__exit__(None, None, None)


def _options(item: pytest.Item, marker: pytest.Mark) -> dict[str, Any]:
    """The marker's arguments. Raises TypeError."""
    chosen: str = item.config.getoption("sync_device")

    def options(
        max_syncs: int = 0, warmup: int = 1, device: str = chosen, allow: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        return {"max_syncs": max_syncs, "warmup": warmup, "device": device, "allow": allow}

    found: dict[str, Any] = options(*marker.args, **marker.kwargs)
    return found


def _budgeted(test: Callable[..., Any], max_syncs: int, warmup: int, device: str, allow: Any) -> Callable[..., Any]:
    from .forbid import forbid_sync

    if inspect.iscoroutinefunction(test):

        @functools.wraps(test)
        async def asynchronous(*args: Any, **kwargs: Any) -> Any:
            for _ in range(warmup):
                await test(*args, **kwargs)
            with forbid_sync(max_syncs=max_syncs, device=device, allow=allow):
                return await test(*args, **kwargs)

        return asynchronous

    @functools.wraps(test)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        for _ in range(warmup):
            test(*args, **kwargs)
        with forbid_sync(max_syncs=max_syncs, device=device, allow=allow):
            return test(*args, **kwargs)

    return wrapper
