"""What the rest of a project tells about the files that are reported on, and that nothing else of it is looked at."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from synclint.lint.inference.linking.link import WholeProject, link
from synclint.lint.inference.linking.lives.metric_lives import device_shown
from synclint.lint.inference.notes.operations import Call, Operation
from synclint.lint.inference.notes.summary import FileSummary
from synclint.lint.run.file import File
from synclint.lint.run.project import check_file
from synclint.lint.settings.config import Settings


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checkout is a package itself, and would be part of the module's name."""
    monkeypatch.chdir(tmp_path)


def summaries_of(reported: str, other: str) -> list[FileSummary]:
    summaries = []
    for name, code in (("one.py", reported), ("two.py", other)):
        Path(name).write_text(dedent(code))
        summary = check_file(File(name)).summary
        assert summary is not None
        summaries.append(summary)
    return summaries


def linked(reported: str, other: str) -> list[Operation]:
    """The operations of `one.py`, linked with `two.py`."""
    return list(link(summaries_of(reported, other), Settings(root=Path.cwd()), frozenset(["one.py"])))


def calls(operations: list[Operation], name: str) -> list[Call]:
    return [each for each in operations if isinstance(each, Call) and each.last_name == name]


def test_another_file_moves_the_metric() -> None:
    one = """
        import torchmetrics
        from two import train

        train(torchmetrics.MeanMetric(), [1.0])
        """
    two = """
        import torch

        def train(mean, numbers):
            mean.to("cuda")
            for number in numbers:
                mean.update(number)
        """
    (made,) = calls(linked(one, two), "MeanMetric")
    assert made.life is not None
    assert [call.span.filename for call in made.life.uses] == ["two.py", "two.py"]
    shown = device_shown(made.life.uses)
    assert shown is not None
    assert shown.on_gpu


def test_another_file_moves_the_batches_of_the_loader() -> None:
    one = """
        from torch.utils.data import DataLoader

        def loader(data):
            return DataLoader(data)
        """
    two = """
        import torch
        from one import loader

        def train(data):
            for batch in loader(data):
                batch.to("cuda")
        """
    (made,) = calls(linked(one, two), "DataLoader")
    assert made.life is not None
    assert [call.span.filename for call in made.life.uses] == ["two.py"]


def test_another_file_switches_validation_off() -> None:
    one = """
        import torch

        def loss(scale: torch.Tensor):
            return torch.distributions.Normal(0.0, scale)
        """
    switch = "import torch\ntorch.distributions.Distribution.set_default_validate_args({})\n"
    assert [call.unchecked for call in calls(linked(one, switch.format(False)), "Normal")] == [True]
    assert [call.unchecked for call in calls(linked(one, switch.format(True)), "Normal")] == [False]


def test_only_what_is_reported_comes_out() -> None:
    code = "import torch\n\ndef read(x: torch.Tensor):\n    return x.item()\n"
    assert {each.span.filename for each in linked(code, code)} == {"one.py"}


def test_what_nobody_needs_after_linking_is_let_go() -> None:
    summaries = summaries_of("import torch\n\nprint(torch.ones(1).cuda().item())\n", "import torch\n")
    assert summaries[0].operations
    project = WholeProject(summaries, noted=True, last=True)
    assert calls(project.operations(Settings(root=Path.cwd())), "item")
    assert not any(each.operations for each in summaries)
    project.index.let_go()
    assert not any((project.index.functions, project.index.classes, project.index.sites, project.index.summaries))
