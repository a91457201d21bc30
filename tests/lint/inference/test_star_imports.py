"""Names that modules get by `from … import *`, of several modules, and from one to the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Level
from synclint.lint.run.engine import check_paths

TRAIN = """
def train(model, loader):
    for batch in loader:
        loss = model(batch.cuda()).sum()
        loss.backward()
        measure(loss)
"""
MEASURE = "import torch\ndef measure(value: torch.Tensor):\n    return value.item()\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").touch()


def read(**files: str) -> Finding:
    """The report about `measure`."""
    for name, text in {"measures": MEASURE, "other": "def other(): ...\n", **files}.items():
        path = Path("__init__.py" if name == "init" else f"{name}.py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    [found] = [each for each in check_paths(["."]) if "value.item()" in each.message]
    return found


def is_called(**files: str) -> bool:
    found = read(**files)
    return found.frequency.level is Level.EVERY_STEP and not found.frequency.assumed


@pytest.mark.parametrize(
    "first", ["from measures import *\nfrom other import *", "from other import *\nfrom measures import *"]
)
def test_each_of_several_modules_may_give_a_name(first: str) -> None:
    assert is_called(train=f"{first}\n{TRAIN}")


def test_a_name_is_followed_through_modules_that_import_all_of_others() -> None:
    assert is_called(between="from other import *\nfrom measures import *\n", train=f"from between import *\n{TRAIN}")
    assert is_called(
        between="from other import *\nfrom measures import *\n",
        train=f"import between\n{TRAIN.replace('measure(', 'between.measure(')}",
    )


def test_a_package_that_imports_all_of_its_modules_gives_their_names() -> None:
    files = {"pkg/__init__": "from .a import *\nfrom .b import *\n", "pkg/a": "def a(): ...\n", "pkg/b": MEASURE}
    assert is_called(**files, measures="", train=f"from pkg import measure\n{TRAIN}")


def test_modules_that_import_all_of_each_other_lead_nowhere_and_to_others() -> None:
    files = {"left": "from right import *\n", "right": "from left import *\nfrom measures import *\n"}
    assert is_called(**files, train=f"from left import *\n{TRAIN}")
    assert not is_called(**files | {"right": "from left import *\n"}, train=f"from left import *\n{TRAIN}")


def test_a_name_with_an_underscore_is_not_given_on() -> None:
    text = MEASURE.replace("measure", "_measure")
    assert not is_called(
        measures=text, train=f"from other import *\nfrom measures import *\n{TRAIN.replace('measure', '_measure')}"
    )


def test_where_a_library_is_the_last_names_are_its_own() -> None:
    assert not is_called(train=f"from measures import *\nfrom math import *\n{TRAIN}")


def test_what_is_beside_is_found_where_the_project_itself_is_a_package() -> None:
    assert is_called(init="", train=f"from measures import measure\n{TRAIN}")


def test_a_module_may_import_from_the_package_that_imports_all_of_it() -> None:
    files = {
        "pkg/__init__": "from .a import *\nfrom .b import *\n",
        "pkg/a": MEASURE,
        "pkg/b": f"from pkg import measure\n{TRAIN}",
    }
    assert is_called(**files, measures="")


def test_libraries_that_another_module_imports_are_known() -> None:
    Path("tools.py").write_text("import torch\nfrom torch import nn\n")
    first = "from tools import *\n\nnet = nn.Linear(3, 3).cuda()"
    Path("train.py").write_text(
        f"{first}\nfor _ in range(9):\n    x = torch.zeros(9, 3, device='cuda')\n    loss = net(x).mean()\n"
        "    loss.backward()\n    print(loss.item())"
    )
    assert [each.code for each in check_paths(["."])] == ["SYNC101"]


def test_a_folder_of_the_project_may_have_the_name_of_a_library() -> None:
    files = {"code/net": f"from model.all import *\n{TRAIN}", "code/model/all": MEASURE}
    for name in files:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
    assert is_called(**files, measures="")
