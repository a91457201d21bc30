"""What calls pass for a parameter annotated as a tensor tells whether it selects entries as a mask."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

Lint = Callable[[str], list[Finding]]

PICK = """
import torch

def pick(x: torch.Tensor, kept: torch.Tensor):
    return x[{index}]

def train(loader, model):
    x = torch.ones(3, 4, device="cuda")
    for _ in loader:
        model(pick(x, {given})).sum().backward()
"""
COMBINED = """
import torch
from collections.abc import Iterable, Callable, Sequence

def get_sequence_transform(ignore_index: int | Iterable[int] | None = None, output_transform: Callable = lambda x: x):
    def wrapper(output: Sequence[torch.Tensor]):
        y_pred, y = output_transform(output)
        if y_pred.ndimension() != 3 or y.ndimension() != 2:
            raise ValueError(1)
        y_pred = y_pred.reshape(-1, y_pred.size(-1))
        y = y.reshape(-1)
        if ignore_index is not None:
            if isinstance(ignore_index, Iterable):
                mask = torch.ones_like(y, dtype=torch.bool)
                for idx in ignore_index:
                    mask &= y != idx
            else:
                mask = y != ignore_index
            y_pred = y_pred[mask]
            y = y[mask]
        return y_pred, y
    return wrapper

def main(loader, model):
    t = get_sequence_transform(0)
    for batch in loader:
        out = model(batch[0].cuda())
        t((out, batch[1].cuda()))
        out.sum().backward()
"""


@pytest.mark.parametrize("index", ["kept", "~kept"])
def test_a_mask_that_is_passed(lint_file: Lint, index: str) -> None:
    assert [each.code for each in lint_file(PICK.format(index=index, given="x.sum(1) > 0"))] == ["SYNC203"]


@pytest.mark.parametrize("given", ["x.argmax(1)", "other"])
def test_what_is_no_mask_or_not_known(lint_file: Lint, given: str) -> None:
    assert not lint_file(PICK.format(index="kept", given=given))


def test_a_mask_combined_with_comparisons_in_a_loop(lint_file: Lint) -> None:
    assert [each.code for each in lint_file(COMBINED)].count("SYNC203") == 2


OPAQUE = """
import torch
from elsewhere import Rasterizer

def render(camera, points):
    image, radii = Rasterizer(camera)(points)
    return {{"image": image, "seen": {made}, "radii": radii}}, radii > 0

def train(cameras, points, optimizer):
    count = torch.zeros(len(points), device="cuda")
    for camera in cameras:
        out, kept = render(camera, points)
        out["image"].mean().backward()
        seen = out["seen"]
        {use}
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("made", "use", "code"),
    [
        ("radii > 0", "count[seen] += 1", "SYNC204"),
        ("(radii > 0) & (radii < 9)", "print(count[seen].shape)", "SYNC203"),
        ("radii", "count[kept] += 1", "SYNC204"),
    ],
)
def test_a_comparison_of_something_opaque_that_a_function_returns(
    lint_file: Lint, made: str, use: str, code: str
) -> None:
    assert code in [each.code for each in lint_file(OPAQUE.format(made=made, use=use))]


@pytest.mark.parametrize("use", ["count[seen] += 1", "print(count[seen])", "print(camera.table[kept])"])
def test_what_is_opaque_itself_is_no_mask(lint_file: Lint, use: str) -> None:
    found = [each.code for each in lint_file(OPAQUE.format(made="radii", use=use))]
    assert not {"SYNC203", "SYNC204"}.intersection(found)
