"""The magic `%%synclint`, in a real IPython on the simulated device."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("torch")
pytest.importorskip("IPython")
from IPython.core.interactiveshell import InteractiveShell
from synclint.runtime_checker.simulated.watcher import is_active

Cell = Callable[[str], list[str]]


@pytest.fixture
def cell(capsys: pytest.CaptureFixture[str]) -> Iterator[Cell]:
    """Run cells as a person does; return what is printed for each, a list of lines."""
    shell = InteractiveShell()

    def run(source: str) -> list[str]:
        shell.run_cell(source, store_history=True)
        done = capsys.readouterr()
        return (done.out + done.err).splitlines()

    assert run("%load_ext synclint") == []
    yield run
    run("%unload_ext synclint")
    assert not is_active()


def test_a_cell_tells_its_waits_with_its_lines(cell: Cell) -> None:
    cell("%synclint --device simulated\nimport torch")
    cell("x = torch.ones(3, device='cuda')")
    first, head, line = cell("%%synclint\nfor step in range(2):\n    total = x.sum()\n    total.item()\n")
    assert first == "synclint: simulated CUDA device: 2 waits."
    assert head.split() == ["waits", "ms", "line", "waits", "for", "source"]
    assert line.split() == ["2", "-", "In[4]:4", "item", "(reads", "value)", "total.item()"]


def test_a_function_of_another_cell_is_where_it_was_written(cell: Cell) -> None:
    cell("%synclint --device simulated\nimport torch")
    cell("def read(x):\n    return x.tolist()")
    assert cell("%%synclint\n_ = read(torch.ones(3, device='cuda'))")[-1].split()[2] == "In[3]:2"


def test_a_cell_that_does_not_wait(cell: Cell) -> None:
    assert cell("%%synclint --device simulated\nx = 1\nx + 1") == [
        "Out[2]: 2",
        "synclint: simulated CUDA device: 0 waits.",
    ]


def test_a_cell_that_raises_tells_what_waited_before(cell: Cell) -> None:
    told = cell("%%synclint --device simulated\nimport torch\ntorch.ones(1, device='cuda').item()\n1 / 0")
    assert any("ZeroDivisionError" in line for line in told)
    assert told[-1].split()[2] == "In[2]:3"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("--device tpu", "UsageError: Invalid value for '--device': 'tpu' is not one of"),
        ("--fast", "UsageError: No such option"),
        ("'", "UsageError: No closing quotation"),
        ("--device emulated", "UsageError: torch is imported already"),
    ],
)
def test_what_is_wrong_is_one_line(cell: Cell, line: str, why: str) -> None:
    told = cell(f"import torch\n%synclint {line}")
    assert len(told) == 1
    assert why.lower() in told[0].lower()
