"""SYNC601, SYNC602 and SYNC604: loaders and loops around the step, in whole files."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Finding, Level, Severity

Lint = Callable[[str], list[Finding]]

TRAIN = """
import torch
from torch.utils.data import DataLoader

def train(dataset, model, options, pin, device="cuda"):
    loader = DataLoader({arguments})
    for batch in loader:
        {move}
"""
LOOP = """
import torch

def step(numbers):
    x = torch.rand(8, 3, device="cuda")
    host = torch.rand(8)
    tensors = [x.sum(), x.mean()]
    for _ in range(10):
        {loop}
"""
MOVES = (
    "batch.to('cuda')",
    "batch[0].to(device, non_blocking=True)",
    "x, y = batch; y = y.cuda()",
    "batch = {name: each.to('cuda') for name, each in batch.items()}",
)


def codes(found: list[Finding], *wanted: str) -> list[str]:
    return [each.code for each in found if each.code in wanted and each.severity >= Severity.WARNING]


@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("dataset", ["SYNC601", "SYNC602"]),
        ("dataset, 8, True, None, None, 4", ["SYNC601"]),
        ("dataset, 8, True, None, None, 4, None, True", []),
        ("dataset, num_workers=0, pin_memory=True", ["SYNC602"]),
        ("dataset, num_workers=4, pin_memory=False", ["SYNC601"]),
        ("dataset, num_workers=4, pin_memory=True", []),
        ("dataset, num_workers=options.workers, pin_memory=pin", []),
        ("dataset, **options", []),
    ],
)
def test_loaders(lint_file: Lint, arguments: str, expected: list[str], move: str) -> None:
    assert codes(lint_file(TRAIN.format(arguments=arguments, move=move)), "SYNC601", "SYNC602") == expected


@pytest.mark.parametrize("pin", [True, False])
@pytest.mark.parametrize(
    ("returned", "moved", "expected"),
    [
        ("np.stack(samples)", "torch.from_numpy(batch)", {True: {"SYNC303"}, False: {"SYNC303"}}),
        ("torch.stack(samples)", "batch", {True: set(), False: {"SYNC303", "SYNC601"}}),
    ],
)
def test_pinning_does_nothing_for_the_arrays_that_a_collate_function_returns(
    lint_file: Lint, returned: str, moved: str, expected: dict[bool, set[str]], pin: bool
) -> None:
    arguments = f"dataset, num_workers=4, collate_fn=collate, pin_memory={pin}"
    train = TRAIN.format(arguments=arguments, move=f"{moved}.to('cuda', non_blocking=True)")
    found = lint_file(f"import numpy as np{train}\ndef collate(samples):\n    return {returned}\n")
    assert {each.code for each in found} & {"SYNC303", "SYNC601"} == expected[pin]


@pytest.mark.parametrize("move", ["pass", "batch.cpu()", "batch.to('cpu')", "model(batch)", "model.to('cuda')"])
def test_a_loader_that_feeds_no_device(lint_file: Lint, move: str) -> None:
    assert not codes(lint_file(TRAIN.format(arguments="dataset", move=move)), "SYNC601", "SYNC602")


def test_a_loader_is_followed_into_functions_and_attributes(lint_file: Lint) -> None:
    source = """
        import torch
        from torch.utils.data import DataLoader

        class Trainer:
            def __init__(self, dataset):
                self.batches = DataLoader(dataset, num_workers=2)

            def fit(self):
                for x, y in self.batches:
                    self.step(x, y)

            def step(self, x, y):
                return x.to("cuda", non_blocking=True) + y.to("cuda", non_blocking=True)
    """
    (finding,) = (each for each in lint_file(source) if each.code == "SYNC601")
    assert finding.span.row == 7


def test_a_loader_of_another_function(lint_file: Lint) -> None:
    source = """
        from torch.utils.data import DataLoader

        def epoch(loader, device):
            for x, y in loader:
                x, y = x.to(device), y.to(device)

        def main(dataset, device):
            epoch(DataLoader(dataset, pin_memory=True, num_workers=2), device)
    """
    assert codes(lint_file(source), "SYNC301", "SYNC601") == ["SYNC301", "SYNC301"]


def test_a_loader_by_its_name(lint_file: Lint) -> None:
    source = """
        def epoch(model, train_loader, items, optimizer, device):
            for x, y in train_loader:
                x, y = x.to(device), y.to(device)
                model(x).backward()
            for x in items:
                x.to(device)
    """
    found = [each for each in lint_file(source) if each.code == "SYNC301"]
    told = [(each.span.row, each.severity) for each in found]
    assert told == [
        (4, Severity.WARNING),
        (4, Severity.WARNING),
        (7, Severity.NOTE),
    ]  # `epoch` trains on what it is given


@pytest.mark.parametrize("prepare", ["accelerator.prepare(loader)", "fabric.setup_dataloaders(loader)"])
def test_a_framework_may_move_the_batches(lint_file: Lint, prepare: str) -> None:
    source = f"""
        from torch.utils.data import DataLoader

        def epoch(dataset, accelerator, fabric, device):
            loader = DataLoader(dataset, num_workers=2)
            loader = {prepare}
            for x in loader:
                x.to(device)
    """
    assert not codes(lint_file(source), "SYNC301", "SYNC601")


@pytest.mark.parametrize(
    ("made", "given", "expected"),
    [
        ("lightning.Trainer()", "fit(model, loader)", ["SYNC601"]),
        ("lightning.Trainer(accelerator='gpu')", "fit(model, train_dataloaders=[loader])", ["SYNC601"]),
        ("lightning.Trainer(accelerator='cpu')", "fit(model, loader)", []),
        ("lightning.Trainer()", "save_checkpoint(loader)", []),
        ("accelerate.Accelerator()", "prepare(model, loader)", ["SYNC601"]),
        ("accelerate.Accelerator(cpu=True)", "prepare(model, loader)", []),
        ("lightning.Fabric()", "setup_dataloaders(loader)", ["SYNC601"]),
    ],
)
def test_a_framework_that_moves_the_batches(lint_file: Lint, made: str, given: str, expected: list[str]) -> None:
    source = f"""
        import accelerate, lightning
        from torch.utils.data import DataLoader

        def main(dataset, model):
            loader = DataLoader(dataset, num_workers=2)
            {made}.{given}
    """
    assert codes(lint_file(source), "SYNC601") == expected


def test_a_framework_moves_batches_as_often_as_loops_go_through_the_loader(lint_file: Lint) -> None:
    source = """
        import accelerate
        from torch.utils.data import DataLoader
        from tqdm import tqdm

        def main(dataset, model, pipeline, optimizer):
            accelerator = accelerate.Accelerator()
            prompt_loader = accelerator.prepare(DataLoader(dataset))
            for prompt in tqdm(prompt_loader):
                pipeline(prompt)
            loader = accelerator.prepare(DataLoader(dataset))
            for _, batch in enumerate(loader):
                accelerator.backward(model(batch))
                optimizer.step()
    """
    found = [each for each in lint_file(source) if each.code == "SYNC601"]
    assert [(each.frequency.level, each.severity) for each in found] == [
        (Level.EVALUATION, Severity.NOTE),
        (Level.EVERY_STEP, Severity.ERROR),
    ]


def test_a_framework_moves_batches_as_often_as_they_are_taken_by_hand(lint_file: Lint) -> None:
    source = """
        import accelerate
        from torch.utils.data import DataLoader

        def endless(batches):
            while True:
                for batch in batches:
                    yield batch

        class Trainer:
            def __init__(self, dataset, other, third, model, optimizer):
                self.accelerator = accelerate.Accelerator()
                self.loader = DataLoader(dataset, num_workers=2)
                self.other_loader = DataLoader(other, num_workers=2)
                self.third_loader = DataLoader(third, num_workers=2)
                self.model, self.optimizer, self.loader, self.other_loader, self.third_loader = (
                    self.accelerator.prepare(model, optimizer, self.loader, self.other_loader, self.third_loader)
                )
                self.batches = endless(self.loader)
                self.others = endless(self.other_loader)
                self.sample = next(iter(self.third_loader))

            def train(self):
                for step in range(1000):
                    self.accelerator.backward(self.model(next(self.batches)))
                    self.optimizer.step()
                    if step % 100 == 0:
                        others = next(self.others)
                        self.show(self.model(others))
    """
    found = [each for each in lint_file(source) if each.code == "SYNC601"]
    assert [(each.frequency.level, each.severity) for each in found] == [
        (Level.EVERY_STEP, Severity.ERROR),
        (Level.EVERY_N_STEPS, Severity.NOTE),
        (Level.EVERY_STEP, Severity.ERROR),
    ]


@pytest.mark.parametrize(
    ("base", "hook", "expected"),
    [
        ("lightning.LightningModule", "train_dataloader", ["SYNC601"]),
        ("lightning.LightningDataModule", "train_dataloader", ["SYNC601"]),
        ("lightning.LightningDataModule", "prepare_data", []),
        ("object", "train_dataloader", []),
    ],
)
def test_a_framework_that_asks_for_a_loader(lint_file: Lint, base: str, hook: str, expected: list[str]) -> None:
    source = f"""
        import lightning
        from torch.utils.data import DataLoader

        class Data({base}):
            def {hook}(self):
                return DataLoader(self.dataset, num_workers=2)
    """
    assert codes(lint_file(source), "SYNC601") == expected


@pytest.mark.parametrize(
    "loop",
    [
        "for value in x.sum(1):\n            if value > 0: pass",
        "for value in x:\n            numbers.append(value.sum().item())",
        "for i in range(8):\n            numbers.append(float(x[i].sum()))",
        "for i in range(len(x)):\n            numbers.append(int(x[i, 0]))",
    ],
)
def test_loops_over_elements(lint_file: Lint, loop: str) -> None:
    found = lint_file(LOOP.format(loop=loop))
    assert codes(found, "SYNC604") == ["SYNC604"]
    assert len(codes(found, "SYNC101", "SYNC104", "SYNC105")) == 1


@pytest.mark.parametrize(
    "loop",
    [
        "for value in x:\n            numbers.append(value * 2)",
        "for value in x.tolist():\n            if value[0] > 0: pass",
        "for value in host:\n            if value > 0: pass",
        "for value in tensors:\n            if value > 0: pass",
        "for i in range(2):\n            numbers.append(tensors[i].item())",
        "for i in range(2):\n            numbers.append(x[i] * 2)\n            x.sum().item()",
        "for value in x:\n            if numbers: pass",
    ],
)
def test_loops_that_are_none(lint_file: Lint, loop: str) -> None:
    assert not codes(lint_file(LOOP.format(loop=loop)), "SYNC604")


def test_the_read_in_the_inner_loop_is_named(lint_file: Lint) -> None:
    loop = "for row in x:\n            for value in row:\n                if value > 0: pass"
    (finding,) = (each for each in lint_file(LOOP.format(loop=loop)) if each.code == "SYNC604")
    assert finding.span.row == 11


def test_batches_that_are_converted_first(lint_file: Lint) -> None:
    found = lint_file(
        """
import torch
from torch.utils.data import DataLoader

def train(dataset, model):
    model.cuda()
    for x, y in DataLoader(dataset, batch_size=4):
        model(x.float().to("cuda"), y.view(-1).cuda()).sum().backward()
"""
    )
    assert [finding.code for finding in found].count("SYNC301") == 2
