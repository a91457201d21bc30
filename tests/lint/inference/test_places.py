"""What the folder and the name of a file tell of everything in it, and what calls from tests do not tell."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from synclint.lint.finding import Finding
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

STEPS = """
    import torch
    from torch.utils.data import DataLoader

    def look(model, dataset, optimizer):
        for batch in DataLoader(dataset):
            loss = model(batch.to("cuda")).sum()
            loss.backward()
            optimizer.step()
            assert torch.equal(loss, loss)

    parallel = torch.nn.DataParallel(torch.nn.Linear(2, 2))
    """

FORWARD = """
    import torch

    class Net(torch.nn.Module):
        def forward(self, x):
            return x[: x.argmax()]
    """

LIBRARY = """
    import torch

    def lowest(x: torch.Tensor) -> float:
        return x.min().item()
    """

CALLER = """
    import torch
    from library import lowest

    def test_lowest():
        assert lowest(torch.ones(3)) == 1
    """


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def codes(**files: str) -> list[str]:
    """The codes that are reported in files."""
    return sorted({each.code for each in findings(files)})


def severities(**files: str) -> set[str]:
    """How loud the reports are."""
    return {each.severity.words for each in findings(files)}


def findings(files: dict[str, str]) -> list[Finding]:
    """What is reported in files, named by their paths without `.py`."""
    for name, code in files.items():
        path = Path(f"{name}.py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(code))
    given = [File(f"{name}.py", True) for name in files]
    result = run(given, Settings(root=Path().absolute()), all_rules(), jobs=1)
    assert not result.failures
    return result.findings


def test_steps_are_reported() -> None:
    assert codes(train=STEPS) == ["SYNC108", "SYNC301", "SYNC601", "SYNC602", "SYNC603"]


@pytest.mark.parametrize("name", ["tests/unit/deep/down/train", "pkg/testing/train", "pkg/test_utils/scripts/train"])
def test_test_code_waits_on_purpose(name: str) -> None:
    assert codes(**{name: STEPS}) == []


@pytest.mark.parametrize("name", ["pkg/net", "pkg/exported_by/net"])
def test_other_modules_run_every_step(name: str) -> None:
    assert codes(**{name: FORWARD}) == ["SYNC105"]


@pytest.mark.parametrize("name", ["pkg/val", "evaluator", "pkg/evaluation/scores"])
def test_what_evaluates_is_a_note(name: str) -> None:
    assert severities(**{name: LIBRARY}) == {"note"}
    assert severities(library=LIBRARY) == {"warning"}


def test_calls_from_tests_tell_nothing_of_other_callers() -> None:
    assert codes(library=LIBRARY) == ["SYNC101"]
    assert codes(**{"library": LIBRARY, "tests/test_library": CALLER}) == ["SYNC101"]


FLOWS = """
    import torch
    from pkg.base import Transform

    class Logit(Transform):
        def inverse(self, x: torch.Tensor):
            return x[x > 0]

    def outside(x: torch.Tensor):
        return x[x < 0]
    """


@pytest.mark.parametrize(
    ("base", "folder", "count"),
    [
        ("torch.nn.Module", "pkg/transforms/logit", 1),
        ("torch.nn.Module", "pkg/flows/logit", 2),
        ("object", "pkg/transforms/logit", 0),
    ],
)
def test_modules_in_folders_of_transforms_may_be_part_of_a_model(base: str, folder: str, count: int) -> None:
    files = {"pkg/__init__": "", "pkg/base": f"import torch\nclass Transform({base}):\n    pass\n", folder: FLOWS}
    assert [each.severity.words for each in findings(files)].count("warning") == count


DATA = """
    import torch
    from torch.utils.data import Dataset
    from package import lowest

    class Rows(Dataset):
        def __getitem__(self, at):
            return lowest(torch.ones(3))
    """


@pytest.mark.parametrize(
    ("listed", "reported"),
    [
        ('["lowest"]', ["warning"]),
        ('("lowest",)', ["warning"]),
        ('["others"]; __all__ += ["lowest"]', ["warning"]),
        ('["others"] + ["lowest"]', ["warning"]),
        ('_LOW + ["others"]; _LOW = ["lowest"]', ["warning"]),
        ('["others"]', []),
        ("[]", []),
    ],
)
def test_what_a_package_offers_is_called_by_more_than_is_seen(listed: str, reported: list[str]) -> None:
    package = f"from .library import lowest\n__all__ = {listed}\n"
    found = findings({"package/__init__": package, "package/library": LIBRARY, "data": DATA})
    assert [each.severity.words for each in found] == reported


MADE_WITH = """
    import torch
    from package import lowest

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.low = lowest(torch.ones(3, device="cuda"))
    """


@pytest.mark.parametrize(("listed", "reported"), [('["lowest"]', ["warning"]), ('["others"]', [])])
def test_what_a_package_offers_is_not_only_called_when_something_is_made(listed: str, reported: list[str]) -> None:
    package = f"from .library import lowest\n__all__ = {listed}\n"
    found = findings({"package/__init__": package, "package/library": LIBRARY, "net": MADE_WITH})
    assert [each.severity.words for each in found] == reported


CALLED = """
    import torch

    class Lowest:
        def __call__(self, values: torch.Tensor):
            return values.min().item()
    """
CALLED_WHEN_MADE = """
    import torch
    from package import Lowest

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.low = Lowest()(torch.ones(3, device="cuda"))
    """


@pytest.mark.parametrize(("listed", "reported"), [('["Lowest"]', ["warning"]), ('["others"]', [])])
def test_objects_of_a_class_that_a_package_offers_are_called_by_more_than_is_seen(
    listed: str, reported: list[str]
) -> None:
    package = f"from .library import Lowest\n__all__ = {listed}\n"
    found = findings({"package/__init__": package, "package/library": CALLED, "net": CALLED_WHEN_MADE})
    assert [each.severity.words for each in found] == reported


def test_truth_values_that_a_function_returns_on_ways_of_their_own_leave_it_open_whether_a_tensor_is_tested() -> None:
    source = """
    import torch

    def found(values, count):
        if count > 1:
            return torch.isnan(values).any()
        if count:
            return True
        return False

    class Net(torch.nn.Module):
        def forward(self, x: torch.Tensor, count: int):
            return x if found(x, count) else -x
    """
    assert not findings({"net": source})
