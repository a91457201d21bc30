"""Objects of another file's classes that an attribute may hold, or none: a call of it runs their `__call__`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding

AUGMENTS = """
class Augmentor:
    def __init__(self, order):
        self.order = order

    def swapped(self, images):
        num, channels, height, width = images.shape
        return images.permute(1, 2, 3, 0)[[2, 1, 0]]

    def __call__(self, images, depths):
        return self.swapped(images), depths
"""

PREPARES = """
import numpy as np
import torch
from augments import Augmentor

class Images(torch.utils.data.Dataset):
    def __init__(self, paths, augments=True):
        self.paths = paths
        self.augment = None
        if augments:
            self.augment = Augmentor(3)

    def __getitem__(self, index):
        images = torch.from_numpy(np.load(self.paths[index]))
        if self.augment is not None:
            images, _ = self.augment(images, images)
        return images
"""

TRAINS = """
from augments import Augmentor

class Trainer:
    def __init__(self, model, loader, augments):
        self.model = model
        self.loader = loader
        self.augment = Augmentor(3) if augments else None

    def train(self):
        for images, depths in self.loader:
            images, depths = images.cuda(non_blocking=True), depths.cuda(non_blocking=True)
            if self.augment is not None:
                images, depths = self.augment(images, depths)
            self.model(images, depths).sum().backward()
"""


@pytest.mark.parametrize(("caller", "reported"), [(PREPARES, []), (TRAINS, ["every step"])])
def test_what_an_attribute_may_hold_runs_where_it_is_called(
    linted: Callable[..., list[Finding]], caller: str, reported: list[str]
) -> None:
    found = [each for each in linted(augments=AUGMENTS, calls=caller) if each.span.filename == "augments.py"]
    assert [each.frequency.level.words for each in found] == reported
    assert not any(each.frequency.assumed for each in found)


TRANSFORMS = """
import torch

class Used(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x.mean().item()
"""

USES = """
import torch
from torchvision.transforms import Compose
from transforms import Used

class Images(torch.utils.data.Dataset):
    def __init__(self, transform=None):
        self.transform = transform
        self.noise = {made}

    def __getitem__(self, index):
        return self.noise(index)

class Net(torch.nn.Module):
    def __init__(self, transform=None):
        super().__init__()
        self.layer = {layer}

    def forward(self, x):
        return self.layer(x)

def made():
    chain = Compose([torch.nn.ReLU(), Used()])
    return {used}
"""


@pytest.mark.parametrize(
    ("parts", "severity"),
    [
        ({"used": "Images(transform=chain)"}, "note"),
        ({"used": "Images(transform=[Used()])"}, "note"),
        ({"used": "Images(transform=torch.nn.Sequential(Used()))"}, "note"),
        ({"made": "Used()"}, "note"),
        ({"made": "Used()", "layer": "Used()"}, "warning"),
        ({"used": "Images(transform=Used())", "layer": "Used()"}, "warning"),
        ({"used": "Net(transform=chain)"}, "warning"),
        ({"used": "Net(transform=[Used()])"}, "warning"),
        ({"used": "chain"}, "warning"),
    ],
)
def test_a_module_that_only_data_sets_are_seen_to_call_is_no_step(
    linted: Callable[..., list[Finding]], parts: dict[str, str], severity: str
) -> None:
    uses = USES.format(**{"made": "None", "layer": "None", "used": "None", **parts})
    [found] = linted(transforms=TRANSFORMS, uses=uses)
    assert found.severity.name.lower() == severity


@pytest.mark.parametrize(("name", "count"), [("model", 0), ("batch", 1)])
def test_what_a_model_has_of_which_only_a_move_is_known_may_be_a_number(
    linted: Callable[..., list[Finding]], name: str, count: int
) -> None:
    text = f"""
from elsewhere import made

def train({name}, loader):
    for x in loader:
        size = int(2 * {name}.size_of_it)
        x.cuda()[:size].sum().backward()

def main():
    train(made().to("cuda"), made())
"""
    assert sum(each.name == "tensor-to-python-number" for each in linted(one=text)) == count
