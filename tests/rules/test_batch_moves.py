"""What functions move that are named like ones which move batches to the device."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Confidence, Finding, Severity

TRAIN = """
def train(model, loader, device):
    for batch in loader:
        {call}
        model(batch).backward()
"""


def copied(lint_file: Callable[[str], list[Finding]], code: str, call: str) -> list[Severity]:
    """Return the severities of the copies to the device."""
    found = lint_file(f"import torch\n{code}\n{TRAIN.format(call=call)}")
    return [each.severity for each in found if each.code == "SYNC301"]


def test_parts_of_what_is_not_known_are_on_the_host(lint_file: Callable[[str], list[Finding]]) -> None:
    code = """
def move_to_cuda(sample):
    def _move_to_cuda(part):
        if torch.is_tensor(part):
            return part.cuda()
        if isinstance(part, dict):
            return {key: _move_to_cuda(value) for key, value in part.items()}
        return part

    return _move_to_cuda(sample)
"""
    assert copied(lint_file, code, "inputs = move_to_cuda(unknown(batch))") == [Severity.WARNING]


def test_what_is_given_is_on_the_host(lint_file: Callable[[str], list[Finding]]) -> None:
    code = "def move_tensors(parts, device):\n    return [part.to(device) for part in parts]\n"
    assert copied(lint_file, code, "inputs = move_tensors(unknown(batch), device)") == [Severity.WARNING]
    assert copied(lint_file, code, "inputs = move_tensors([torch.ones(3, device='cuda')], device)") == []


def test_models_and_own_parts_are_not(lint_file: Callable[[str], list[Finding]]) -> None:
    code = """
def to_device(model, device):
    return model.to(device)

class Engine:
    def to_device(self, device):
        self.held.to(device)
"""
    assert copied(lint_file, code, "unknown(to_device(unknown(batch), device), Engine().to_device(device))") == []


def test_not_if_it_does_not_wait_or_runs_once(lint_file: Callable[[str], list[Finding]]) -> None:
    code = """
def to_device(x, device):
    return x.to(device, non_blocking=True)

def to_gpu(x, device):
    return x.to(device)

if __name__ == "__main__":
    to_gpu(unknown(), unknown())
"""
    assert copied(lint_file, code, "inputs = to_device(unknown(batch), device)") == []


def test_whose_callers_are_not_known_gets_a_note(lint_file: Callable[[str], list[Finding]]) -> None:
    code = "def to_device(x: torch.Tensor, device):\n    return x.to(device)\n"
    assert copied(lint_file, code, "pass") == [Severity.NOTE]


def test_a_batch_beside_something_unknown_is_copied(lint_file: Callable[[str], list[Finding]]) -> None:
    code = """
import torch
from torch.utils.data import DataLoader

class Progress:
    def __init__(self, items):
        self.items = items

    def __iter__(self):
        self.iterator = iter(self.items)
        return self

    def __next__(self):
        return next(self.iterator)

def train(loader, model):
    for data in Progress(loader):
        images = data["x"].to("cuda")
        model(images).sum().backward()

def collect(executor):
    for each in Progress([executor.submit(at) for at in range(3)]):
        each.result()

train(DataLoader([]), torch.nn.Linear(3, 3).cuda())
collect(None)
"""
    found = [each for each in lint_file(code) if each.code == "SYNC301"]
    assert [(each.severity, each.confidence) for each in found] == [(Severity.WARNING, Confidence.LIKELY)]


FED = """
import torch

class Model:
    def {name}(self, data):
        self.image = data["image"].to(self.device)

    def optimize(self):
        loss = self.net(self.image).detach().sum()
"""


def test_what_a_model_is_fed_is_on_the_host(lint_file: Callable[[str], list[Finding]]) -> None:
    for name, count in (("set_input", 1), ("feed_data", 1), ("show", 0)):
        found = lint_file(FED.format(name=name))
        assert [each.code for each in found].count("SYNC301") == count


PACKED = """
import torch
from torch.utils.data import DataLoader, Dataset

class Packed(Dataset):
    def __getitem__(self, index):
        return [torch.zeros(3)], [torch.ones(3)]

class PackedLoader(DataLoader):
    def __init__(self, *args):
        super().__init__(*args)
        self.collate_fn = collate

def train(model):
    for packed in PackedLoader(Packed()):
        image, label = packed
        image = image.cuda()
        (model(image) - label.cuda()).sum().backward()
"""


def test_what_is_moved_is_no_list(lint_file: Callable[[str], list[Finding]]) -> None:
    assert [(each.code, each.severity) for each in lint_file(PACKED)] == [("SYNC301", Severity.ERROR)] * 2


TRAINED = """
import torch
from torch import nn

def update(net: nn.Module, optimizer, memory, chosen):
    y, _ = chosen
    loss = (net(memory["x"]{move}) - y{move}).square().mean()
    {backward}

def run(net: nn.Module, memory, optimizer):
    for _ in range(100):
        update(net, optimizer, memory, {chosen})
"""


def test_what_a_function_trains_on_and_moves_is_on_the_host(lint_file: Callable[[str], list[Finding]]) -> None:
    def copies(**parts: str) -> int:
        found = lint_file(TRAINED.format(**{"backward": "loss.backward()", "chosen": "unknown()", **parts}))
        return sum(each.code == "SYNC301" and each.severity is Severity.WARNING for each in found)

    assert copies(move=".cuda()") == copies(move=".to('cuda')") == 2
    assert copies(move=".cuda()", chosen="(torch.ones(3, device='cuda'), 0)") == 1
    assert copies(move=".half()") == copies(move=".cuda()", backward="return loss") == 0


CALLED = """
import torch

def train({given}, loader, opt):
    {moved}
    for x in loader:
        loss = {called}.sum()
        loss.backward()
        opt.step()
"""


@pytest.mark.parametrize(
    ("given", "moved", "called"),
    [
        ("head", "head = head.cuda()", "head(x.cuda(non_blocking=True))"),
        ("head", "head.cuda()", "head(x.cuda(non_blocking=True))"),
        ("neck, head", "neck, head = neck.cuda(), head.cuda()", "head(neck(x.cuda(non_blocking=True)))"),
        ("head, device", "net = head.to(device)", "net(x.to(device, non_blocking=True))"),
    ],
)
def test_what_is_called_is_a_module(
    lint_file: Callable[[str], list[Finding]], given: str, moved: str, called: str
) -> None:
    found = lint_file(CALLED.format(given=given, moved=moved, called=called))
    assert not [each for each in found if each.code == "SYNC301"]


def test_what_a_training_function_moves_and_does_not_call_is_its_data(
    lint_file: Callable[[str], list[Finding]],
) -> None:
    found = lint_file(CALLED.format(given="model, xs", moved="xs = xs.cuda()", called="model(xs * x)"))
    assert [each.code for each in found if each.code == "SYNC301"]
