"""Facts about torch's modules, held to torch itself."""

from __future__ import annotations

import contextlib

import pytest

pytest.importorskip("torch")

import torch
from synclint.lint.facts.modules import WITH_PARAMETERS

TRIED = ((4,), (4, 4), (4, 4, 1), (1, 4))


@pytest.mark.parametrize("name", sorted(WITH_PARAMETERS))
def test_a_module_is_made_with_parameters_on_the_host(name: str) -> None:
    made = []
    for arguments in TRIED:
        with contextlib.suppress(TypeError, ValueError, RuntimeError, AssertionError):
            made.append(getattr(torch.nn, name)(*arguments))
    assert made
    assert all(parameter.device.type == "cpu" for module in made for parameter in module.parameters())
    assert all(any(True for _ in module.parameters()) for module in made)
