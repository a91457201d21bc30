"""What batches are moved to by a name, where nothing tells what that stands for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

TRAINING = """
from elsewhere import chosen
{before}
def train({parameters}loader, model, optimizer):
    {start}
    for {bound} in {iterated}:
        loss = model(batch.to({target}))
        loss.backward()
        optimizer.step()
"""


def _moves(linted: Callable[..., list[Finding]], target: str, before: str = "", start: str = "pass") -> int:
    text = TRAINING.format(before=before, parameters="", start=start, bound="batch", iterated="loader", target=target)
    return sum(each.name == "blocking-copy-to-device" for each in linted(one=text))


@pytest.mark.parametrize("start", ["device = chosen()", "rank, device = chosen()", "device = chosen.first().best"])
def test_a_name_of_devices_is_one_whatever_gives_it(linted: Callable[..., list[Finding]], start: str) -> None:
    assert _moves(linted, "device", start=start)
    assert _moves(linted, "device", before=start)


def test_any_other_name_that_is_bound_to_something_unknown_tells_nothing(linted: Callable[..., list[Finding]]) -> None:
    assert not _moves(linted, "kind", start="kind = chosen()")
    assert not _moves(linted, "dtype", start="dtype = chosen()")


def test_a_name_of_devices_that_is_known_to_be_the_cpu_is_that(linted: Callable[..., list[Finding]]) -> None:
    assert not _moves(linted, "device", before="def found():\n    return 'cpu'\n", start="device = found()")


def test_an_attribute_with_such_a_name_is_a_device(linted: Callable[..., list[Finding]]) -> None:
    text = """
from elsewhere import chosen

class Trainer:
    def __init__(self):
        {bound} = chosen()

    def train(self, loader, model, optimizer):
        for batch in loader:
            loss = model(batch.to({moved}))
            loss.backward()
            optimizer.step()
"""
    for bound, moved, count in (("self.device", "self.device", 1), ("self.kind", "self.kind", 0)):
        found = linted(one=text.format(bound=bound, moved=moved))
        assert sum(each.name == "blocking-copy-to-device" for each in found) == count


@pytest.mark.parametrize(("name", "count"), [("device_id", 1), ("local_rank", 1), ("kind", 0)])
def test_a_number_that_is_named_like_one_of_a_device_is_moved_to(
    linted: Callable[..., list[Finding]], name: str, count: int
) -> None:
    text = TRAINING.format(
        before="", parameters=f"{name}, ", start="pass", bound="batch", iterated="loader", target=name
    )
    assert sum(each.name == "blocking-copy-to-device" for each in linted(one=text)) == count


@pytest.mark.parametrize("iterated", ["tqdm(enumerate(loader), total=3)", "tqdm(enumerate(tqdm(loader)))", "bar"])
def test_what_shows_progress_yields_what_it_is_given(linted: Callable[..., list[Finding]], iterated: str) -> None:
    text = TRAINING.format(
        before="from tqdm import tqdm",
        parameters="device, ",
        start="bar = tqdm(enumerate(loader))",
        bound="at, (batch, names)",
        iterated=iterated,
        target="device",
    )
    (found,) = [each for each in linted(one=text) if each.name == "blocking-copy-to-device"]
    assert "a batch of `loader`" in found.message
