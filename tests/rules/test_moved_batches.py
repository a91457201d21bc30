"""What selects from a batch shows that it is a tensor."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding

MOVED = """
import torch
from scipy.optimize import linear_sum_assignment

def train(model, loader, device):
    for samples, targets in loader:
        targets = [{key: value.to(device) for key, value in target.items()} for target in targets]
        rows, columns = linear_sum_assignment(model(samples).cpu())
        chosen = torch.as_tensor(columns)
        target = targets[0]
        losses = target[%s].sum()
        losses.backward()
"""


def test_what_is_in_a_moved_batch_and_indexed_by_tensors_is_a_tensor(lint_file: Callable[[str], list[Finding]]) -> None:
    def found(index: str) -> bool:
        return any(each.code == "SYNC209" for each in lint_file(MOVED % index))

    assert found('"boxes"][chosen')
    assert found('"boxes"][[0, 2]')
    assert not found('"boxes"][0')
    assert not found('"boxes"')
