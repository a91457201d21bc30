"""What nothing in a project calls: reports in it are notes that say so."""

from __future__ import annotations

from pathlib import Path

import pytest
from synclint.lint.finding import Level
from synclint.lint.run.engine import check_paths

MAIN = """
import torch
from pkg.model import Net

if __name__ == "__main__":
    net = Net().cuda()
    for batch in torch.utils.data.DataLoader([1]):
        net(batch.cuda())
"""
MODEL = """
import torch
from torch import nn

class Net(nn.Module):
    def forward(self, x):
        return self.scaled(x).item()

    def scaled(self, x: torch.Tensor):
        return x / x.sum().item()
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def levels(main: str = MAIN, path: str = "pkg/model.py", **files: str) -> dict[str, Level]:
    """How often the function at the end of each line of a file runs, by the text `def` of that function."""
    files = {"main.py": main, "pkg/__init__.py": "", "pkg/model.py": MODEL} | {
        f"{name}.py": text for name, text in files.items()
    }
    for name, text in files.items():
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    lines = files[path].split("\n")
    found = {}
    for each in check_paths(["."]):
        if each.span.filename == path:
            above = [line for line in lines[: each.span.row] if line.lstrip().startswith("def ")]
            name = above[-1].strip().removeprefix("def ").partition("(")[0] if above else ""
            found[name] = each.frequency.level
    return found


def more(text: str) -> str:
    return f"{MODEL}\n{text}"


COMPUTING = "import importlib\ngetattr(importlib.import_module(name), name)\n"
UNUSED = "def kept(x: torch.Tensor):\n    return x.sum().item()\n"


def test_what_is_called_keeps_its_frequency() -> None:
    assert levels() == {"forward": Level.EVERY_STEP, "scaled": Level.EVERY_STEP}


def test_nothing_mentions_a_function_of_a_program() -> None:
    assert levels(**{"pkg/model": more(UNUSED)})["kept"] is Level.UNCALLED


def test_the_report_says_why() -> None:
    levels(**{"pkg/model": more(UNUSED)})
    found = [each for each in check_paths(["."]) if each.frequency.level is Level.UNCALLED]
    assert [each.severity.words for each in found] == ["note"]
    assert found[0].frequency.reasons[0].message == "nothing in the project mentions `kept`"


@pytest.mark.parametrize(
    "files",
    [
        {"other": "from pkg.model import kept as it\nTABLE = dict(a=it)\n"},
        {"other": "from pkg.model import kept\nrun = eval(name)\n"},
        {"pkg/__init__": "from .model import kept\n"},
        {"hubconf": "from pkg.model import kept\n"},
        {"other": "call('kept')\n"},
        {"other": "import pkg.model\nTABLE = dict(a=getattr(pkg.model, 'kept') if mode == 'kept' else None)\n"},
        {"other": "import pkg.model\nif mode == 'kept':\n    getattr(pkg.model, mode)(x)\n"},
        {"other": "target: 'pkg.model.kept'\n"},
        {"other": "import pkg.model as m\nTABLE = dict(a=m.kept)\n"},
        {"other": "import pkg\nTABLE = dict(a=pkg.model.kept)\n"},
        {"other": "import pkg as m\nTABLE = dict(a=m.kept)\n", "pkg/__init__": "from .model import *\n"},
        {"other": "from pkg import kept\nTABLE = dict(a=kept)\n", "pkg/__init__": "from .model import kept\n"},
        {"other": "from pkg import kept\nTABLE = dict(a=kept)\n", "pkg/__init__": "from .model import *\n"},
        {"other": "from model import kept\nTABLE = dict(a=kept)\n"},
        {"other": "import pkg.model\ngetattr(pkg.model, f'ke{name}')()\n"},
        {"other": "from pkg.model import *\nrun = eval(name)\n"},
        {"other": "import pkg\ngetattr(pkg, name)()\n", "pkg/__init__": "from .model import *\n"},
        {"other": "from pkg import model\ngetattr(model, name)()\n"},
        {"tests/test_it": "from pkg import model\ndef test_it():\n    model.kept(1)\n"},
        {"other": "from pkg import model\nMODELS = {'a': model}\nTABLE = dict(a=MODELS[name].kept)\n"},
    ],
)
def test_a_mention_anywhere_counts(files: dict[str, str]) -> None:
    assert levels(**{"pkg/model": more(UNUSED)}, **files)["kept"] is Level.EVERY_STEP


@pytest.mark.parametrize(
    "text",
    [
        f"@register\n{UNUSED}",
        f"{UNUSED}\nMETHODS = dict(a=kept)\n",
        f"{UNUSED}\n__all__ = ['kept']\n",
        f"{UNUSED}\n__all__ = ['kept']\nIS_KEPT = name == 'kept'\n",
        f"{UNUSED}\nrun = globals()[name]\n",
    ],
)
def test_a_mention_in_the_file_counts(text: str) -> None:
    assert levels(**{"pkg/model": more(text)})["kept"] is Level.EVERY_STEP


def test_neither_a_comment_nor_the_function_itself_mentions_it() -> None:
    text = "# kept(x)\ndef kept(x: torch.Tensor):\n    return kept(x / x.sum().item())\n"
    assert levels(**{"pkg/model": more(text)})["kept"] is Level.UNCALLED


@pytest.mark.parametrize(
    "other",
    [
        "from pkg.model import kept\ndef other(x):\n    return x\n",
        "from pkg.kept import other\nother()\n",
        "from pkg.model import scaled as kept\nkept()\n",
        "from torch import kept\nkept()\n",
        "def other(kept):\n    return kept.kept(kept=1)\n",
        "class Other:\n    def kept(self):\n        return self.kept() + 1\nOther().kept()\n",
        "TABLE = {'kept': kept(1)}\n",
        "def other(mode='kept'):\n    return mode != 'kept'\n",
        "call('kept')\nassert mode in ['some', 'kept']\n",
        "from pkg.model import *\n",
        COMPUTING,
        "import pkg.model\nclass Other:\n    def run(self, name):\n        return getattr(self, name)()\n",
        "other()  # as kept does\n",
        'def other(x):\n    """What kept does."""\n    return x\n',
    ],
)
def test_neither_an_import_nor_what_is_written_for_people_mentions_it(other: str) -> None:
    assert levels(**{"pkg/model": more(UNUSED), "other": other})["kept"] is Level.UNCALLED


def test_what_is_asked_of_a_module_is_what_it_defines() -> None:
    files = {"fast": f"import torch\n\n{UNUSED}", "other": "import fast\nfast.kept(1)\n"}
    assert levels(**{"pkg/model": more(UNUSED)}, **files)["kept"] is Level.UNCALLED


def test_a_method_that_nothing_mentions_is_not_run_by_the_name_of_its_class() -> None:
    text = more("    def kept(self, x: torch.Tensor):\n        return x.sum().item()\n")
    found = levels(**{"pkg/model": text, "other": COMPUTING})
    assert (found["kept"], found["scaled"]) == (Level.UNCALLED, Level.EVERY_STEP)


def test_a_computed_name_may_be_one_that_begins_like_it() -> None:
    text = f"{UNUSED}\n{UNUSED.replace('kept', 'old_kept')}\ndef use(model, i):\n    getattr(model, f'old_{{i}}')()\n"
    found = levels(**{"pkg/model": more(text)})
    assert (found["kept"], found["old_kept"]) == (Level.UNCALLED, Level.EVERY_STEP)


def test_what_a_script_defines_is_its_own() -> None:
    script = f"import torch\nimport pkg.model\n{UNUSED}\nif __name__ == '__main__':\n    pkg.model.Net()\n"
    files = {"pkg/model": more(UNUSED), "setup": "import pkg.model\ngetattr(pkg.model, name)()\n"}
    assert levels(main=script, path="main.py", **files)["kept"] is Level.UNCALLED
    assert levels(main=script, **files)["kept"] is Level.EVERY_STEP
    assert (
        levels(main=script, path="main.py", other="import main\ngetattr(main, name)()\n", **files)["kept"]
        is Level.EVERY_STEP
    )


def test_what_only_unused_code_calls_is_unused() -> None:
    text = f"{UNUSED}\ndef unknown(x):\n    return kept(x)\n"
    assert levels(**{"pkg/model": more(text)})["kept"] is Level.UNCALLED


def test_what_only_unused_code_makes_is_unused() -> None:
    kept = "class Kept(nn.Module):\n    def __init__(self):\n        super().__init__()\n\n"
    kept += "    def forward(self, x):\n        return x.sum().item()\n"
    made = "def make_kept(size):\n    return Kept()\n"
    run = "from pkg.model import make_kept\nmake_kept(3)\n"
    assert levels(**{"pkg/model": more(f"{kept}\n{made}")})["forward"] is Level.UNCALLED
    assert levels(**{"pkg/model": more(f"{kept}\n{made}"), "other": run})["forward"] is Level.EVERY_STEP


def test_all_methods_of_a_class_that_nothing_mentions_are_unused() -> None:
    text = "class Old(nn.Module):\n    def forward(self, x):\n        return x.sum().item()\n"
    assert (
        levels(**{"pkg/model": f"import torch\nfrom torch import nn\n{text}\nclass Net: pass\n"})["forward"]
        is Level.UNCALLED
    )


@pytest.mark.parametrize(
    ("base", "name", "level"),
    [
        ("Base", "kept", Level.UNCALLED),
        ("nn.Module", "kept", Level.UNCALLED),
        ("nn.Module", "type", Level.EVERY_STEP),
        ("nn.Transformer", "kept", Level.EVERY_STEP),
        ("library.Task", "kept", Level.EVERY_STEP),
    ],
)
def test_a_library_may_call_what_overrides_its_methods(base: str, name: str, level: Level) -> None:
    method = f"    def {name}(self, x: torch.Tensor):\n        return x.sum().item()\n"
    text = f"class Base: pass\nclass Mine({base}):\n{method}"
    assert levels(**{"pkg/model": more(f"import library\n{text}\nMine()\n")})[name] is level


def test_private_functions_of_a_library_are_its_own() -> None:
    text = more(f"{UNUSED}\n{UNUSED.replace('kept', '_kept')}")
    found = levels(main="import pkg.model\n", **{"pkg/model": text, "pkg/more": "from . import model\n"})
    assert (found["kept"], found["_kept"]) == (Level.EVERY_STEP, Level.UNCALLED)


def test_a_file_alone_changes_nothing() -> None:
    Path("model.py").write_text(more(UNUSED.replace("kept", "_kept")))
    assert {each.frequency.level for each in check_paths(["model.py"])} == {Level.EVERY_STEP}


def test_no_script_imports_a_file() -> None:
    user = "from .old import kept\nkept\n"
    files = {"pkg/vendored/old": more(UNUSED), "pkg/vendored/__init__": "", "pkg/vendored/user": user}
    found = levels(path="pkg/vendored/old.py", **files)
    assert set(found.values()) == {Level.UNCALLED}


@pytest.mark.parametrize(
    "files",
    [
        {"pkg/train": "from .vendored.old import Net\nif __name__ == '__main__':\n    Net()\n"},
        {"tests/test_old": "from pkg.vendored.old import Net\nNet()\n"},
        {"other": "import sys\nsys.path.append('pkg/vendored')\nimport old\nold.Net()\n"},
        {"other": "from pkg.vendored import old as it\nit.Net()\n"},
    ],
)
def test_a_script_or_test_imports_a_file(files: dict[str, str]) -> None:
    found = levels(
        path="pkg/vendored/old.py", **{"pkg/vendored/old": more(UNUSED), "pkg/vendored/__init__": ""}, **files
    )
    assert Level.UNCALLED not in (found["forward"], found["scaled"])


def test_a_module_that_tries_itself_is_no_script() -> None:
    old = f"{MODEL}\nif __name__ == '__main__':\n    print(Net())\n"
    files = {"pkg/vendored/old": old, "pkg/vendored/__init__": "from .old import Net\n"}
    assert set(levels(path="pkg/vendored/old.py", **files).values()) == {Level.UNCALLED}


LAUNCH = "from {} import Net\nif __name__ == '__main__':\n    Net()\n"


@pytest.mark.parametrize("files", [{}, {"__init__": "", "tools": "from {here}.pkg.model import Net\n"}])
def test_a_script_in_a_package_tells_of_plain_functions_alone(files: dict[str, str]) -> None:
    here = Path.cwd().name
    files = {name: text.format(here=here) for name, text in files.items()}
    script = LAUNCH.format(f"{here}.pkg.model" if files else "pkg.model")
    found = levels("", "pkg/old.py", **{"pkg/old": more(UNUSED), "pkg/tools/launch": script}, **files)
    assert {name for name, level in found.items() if level is Level.UNCALLED} == {"kept"}
    assert set(found.values()) == {Level.EVERY_STEP, Level.UNCALLED}


def test_a_program_whose_top_is_a_package_by_mistake() -> None:
    files = {"pkg/old": more(UNUSED), "__init__": "", "tools/launch": LAUNCH.format("pkg.model")}
    assert set(levels("", "pkg/old.py", **files).values()) == {Level.UNCALLED}


DRAWN = """
import torch

def drawn(count, device="cpu"):
    return torch.ones(count, device=device).sum().item()
"""


@pytest.mark.parametrize(
    ("path", "text", "level"),
    [
        ("draw", "", None),
        ("draw", "drawn(3, 'cuda')", Level.EVERY_STEP),
        ("draw", "globals()", Level.EVERY_STEP),
        ("pkg/draw", "", Level.EVERY_STEP),
    ],
)
def test_all_callers_of_what_stands_beside_a_script_are_seen(path: str, text: str, level: Level | None) -> None:
    call = f"from {path.replace('/', '.')} import drawn\n{MAIN}        drawn(3)\n"
    draw = f"{DRAWN}\ndef other():\n    {text or 'pass'}\n    drawn(4)\n"
    assert levels(main=call, path=f"{path}.py", **{path: draw}).get("drawn") is level


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("found = importlib.import_module(name)", Level.EVERY_STEP),
        ("found = importlib.import_module('pkg.heads.' + name)", Level.EVERY_STEP),
        ("found = importlib.import_module(f'pkg.he{name}')", Level.EVERY_STEP),
        ("found = importlib.import_module('pkg.losses.' + name)", Level.UNCALLED),
        ("importlib.import_module('pkg.losses.%s' % name)\nimportlib.import_module(name)", Level.EVERY_STEP),
        ("sys.path.append('losses')\nfound = importlib.import_module(options.name)", Level.UNCALLED),
        ("sys.path.append(f'{HERE}/heads')\nfound = importlib.import_module(options.name)", Level.EVERY_STEP),
        ("sys.path.append('losses')\nfound = instantiate(options)", Level.EVERY_STEP),
    ],
)
def test_how_a_module_is_imported_by_name_tells_what_it_may_be(code: str, level: Level) -> None:
    files = {"pkg/heads/__init__": "", "pkg/heads/one": f"import torch\n{UNUSED}", "other": "getattr(found, name)()\n"}
    assert levels(f"{MAIN}\nimport importlib\n{code}\n", "pkg/heads/one.py", **files)["kept"] is level


ONLY = "from torchvision.models import vgg\nfound = importlib.import_module(name)\n"


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("found = importlib.import_module(name)", Level.UNCALLED),
        ("found = importlib.import_module(name)\nfound.kept(1)", Level.EVERY_STEP),
        ("found = importlib.import_module(name)\ngetattr(found, name)()", Level.EVERY_STEP),
        ("found = importlib.import_module(name).__dict__['kept']", Level.EVERY_STEP),
        ("found = importlib.import_module(name).__dict__[name]", Level.EVERY_STEP),
        (f"{ONLY}exec(f'options[{{key}}] = 1')", Level.EVERY_STEP),
        (f"{ONLY}exec(f'from pkg.found import {{key}}')", Level.EVERY_STEP),
        (f"{ONLY}net = getattr(vgg, name)()", Level.UNCALLED),
        (f"{ONLY}net = vgg.__dict__[name]()", Level.UNCALLED),
        (f"{ONLY}def make(vgg, name):\n    return getattr(vgg, name)()", Level.EVERY_STEP),
        (f"{ONLY}for vgg in found:\n    getattr(vgg, name)()", Level.EVERY_STEP),
        (f"{ONLY}import pkg\nnet = getattr(pkg, name)()", Level.EVERY_STEP),
    ],
)
def test_of_a_module_that_is_only_imported_by_name_others_name_what_they_use(code: str, level: Level) -> None:
    files = {"pkg/found": f"import torch\n{UNUSED}"}
    assert levels(f"{MAIN}\nimport importlib\n{code}\n", "pkg/found.py", **files)["kept"] is level


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("exec(f'options[{key}] = 1')", Level.UNCALLED),
        ("options[key] = eval(net)", Level.UNCALLED),
        ("exec(f'from pkg.found import {key}')", Level.EVERY_STEP),
        ("getattr(module, key)()", Level.EVERY_STEP),
    ],
)
def test_what_is_run_as_text_has_names_of_its_own_file(code: str, level: Level) -> None:
    files = {"pkg/found": f"import torch\n{UNUSED}", "pkg/options": f"{code}\n"}
    main = f"{MAIN}\nimport importlib\nimport pkg.options\nfound = importlib.import_module(name)\n"
    assert levels(main, "pkg/found.py", **files)["kept"] is level


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("assert isinstance(net, Kept)\n", Level.UNCALLED),
        ("assert isinstance(net, (Kept, Net)) or issubclass(net, model.Kept)\n", Level.UNCALLED),
        ("assert isinstance(net, made(Kept))\n", Level.EVERY_STEP),
        ("assert isinstance(Kept(), Net)\n", Level.EVERY_STEP),
    ],
)
def test_who_asks_for_objects_of_a_class_makes_none(code: str, level: Level) -> None:
    kept = "class Kept(nn.Module):\n    def forward(self, x):\n        return x.sum().item()\n"
    files = {"pkg/model": more(kept), "other": f"from pkg import model\nfrom pkg.model import Kept, Net\nrun()\n{code}"}
    assert levels(**files)["forward"] is level


def test_a_folder_that_is_no_package_finds_what_is_beside_it() -> None:
    files = {"models/parts": MODEL, "log/parts": MODEL, "models/net": "from parts import Net\nmade = Net\n"}
    main = f"import sys\nfrom net import *\n{MAIN}"
    assert levels(main, "models/parts.py", **files)["scaled"] is Level.EVERY_STEP
    assert levels(main, "log/parts.py", **files)["scaled"] is Level.UNCALLED


def test_a_library_imports_what_registers_there() -> None:
    text = MODEL.replace("class Net", "from fairseq.models import register_model\n@register_model('it')\nclass It")
    assert levels(path="pkg/it.py", **{"pkg/it": text})["forward"] is Level.EVERY_STEP
    own = {"pkg/it": text.replace("fairseq", "pkg"), "pkg/models": ""}
    assert levels(path="pkg/it.py", **own)["forward"] is Level.UNCALLED


@pytest.mark.parametrize(
    ("call", "level"),
    [
        ("_scaled(x)", Level.UNCALLED),
        ("_scaled(x, k=k)", Level.EVERY_STEP),
        ("_scaled(*x)", Level.EVERY_STEP),
        ("_scaled(x, **k)", Level.EVERY_STEP),
    ],
)
def test_what_a_call_unpacks_may_be_any_argument(call: str, level: Level) -> None:
    scaled = "def _scaled(x: torch.Tensor, k=None):\n    if k is not None:\n        return x.sum().item()\n"
    text = f"import torch\n{scaled}def forward(x: torch.Tensor, k):\n    return {call}\n"
    assert levels("", "pkg/model.py", **{"pkg/model": text})["_scaled"] is level


def test_a_loop_over_steps_runs_as_little_as_its_function_that_nothing_calls_whatever_its_name() -> None:
    text = (
        "def test_part(net, loader):\n    for batch in loader:\n        net(batch)\n        batch.cuda().sum().item()\n"
    )
    assert levels(**{"pkg/model": more(text)})["test_part"] is Level.UNCALLED
    called = {"pkg/model": more(text), "other": "from pkg.model import test_part\ntest_part(*made)\n"}
    assert levels(**called)["test_part"] is Level.EVERY_STEP


PASSES = """
import torch

def normal_kl(x: torch.Tensor, other):
    other = other if isinstance(other, torch.Tensor) else torch.tensor(other, device=x.device)
    return (x - other).sum()

def _prior(x: torch.Tensor):
    return normal_kl(x, 0.0)

def kept(x: torch.Tensor):
    return _prior(x)

class Net(torch.nn.Module):
    def forward(self, x):
        return normal_kl(x, x.mean())
"""


@pytest.mark.parametrize(("called", "reported"), [("net", []), ("kept", ["torch.tensor"])])
def test_what_unused_code_passes_does_not_count(called: str, reported: list[str]) -> None:
    main = MAIN.replace("import Net", "import *").replace("        net(", f"        net(batch)\n        {called}(")
    levels(main=main, **{"pkg/model": PASSES})
    found = [each.message for each in check_paths(["."]) if each.span.filename == "pkg/model.py"]
    assert [each[1:13] for each in found] == reported


WITH_NMS = """
import torch
from torch import nn

class Best(nn.Module):
    def forward(self, x):
        return x.max().item()

class Net(nn.Module):
    def forward(self, x):
        return x

    def nms(self):
        return Best()
"""


@pytest.mark.parametrize(
    ("other", "level"),
    [
        ("import torchvision\ntorchvision.ops.nms(boxes)\n", Level.UNCALLED),
        ("import torchvision as vision\nvision.ops.nms(boxes)\n", Level.UNCALLED),
        ("import torchvision\ndef run(torchvision):\n    torchvision.nms()\nrun(net)\n", Level.EVERY_STEP),
        ("import torchvision\nfor torchvision in models:\n    torchvision.nms()\n", Level.EVERY_STEP),
        ("from pkg.nets import net\nnet.nms()\n", Level.EVERY_STEP),
        ("import pkg.nets\npkg.nets.net.nms()\n", Level.EVERY_STEP),
        ("net.nms()\n", Level.EVERY_STEP),
    ],
)
def test_what_a_library_has_is_no_method_of_the_program(other: str, level: Level) -> None:
    files = {"pkg/model": WITH_NMS, "pkg/nets": "from pkg.model import Net\nnet = Net()\n", "other": other}
    assert levels(**files) == {"forward": level}


@pytest.mark.parametrize(
    ("code", "level"),
    [
        ("def build(kind):\n    return eval(kind)()\n", Level.UNCALLED),
        ("def build(kind):\n    return globals()[kind]()\n", Level.UNCALLED),
        ("def build(kind):\n    return eval(f'net.{kind}')()\n", Level.EVERY_STEP),
        ("def build(net, kind):\n    return getattr(net, kind)()\n", Level.EVERY_STEP),
        ("class Other:\n    def build(self, kind):\n        return eval('self.' + kind)()\n", Level.EVERY_STEP),
    ],
)
def test_text_that_is_run_has_no_names_of_methods(code: str, level: Level) -> None:
    main = MAIN.replace("net = Net()", "net = Net()\n    model.build('Net')")
    main = main.replace("import Net", "import Net\nfrom pkg import model")
    assert levels(main, **{"pkg/model": f"{WITH_NMS}\n{code}"}) == {"forward": level}


def test_text_that_asks_for_an_attribute_of_an_object_names_no_function() -> None:
    text = "class Other:\n    def run(self, name):\n        return eval('self.' + name)()\n"
    assert levels(**{"pkg/model": more(f"{UNUSED}\n{text}")})["kept"] is Level.UNCALLED


TAKEN = "TABLE = dict(a=kept)\n"


@pytest.mark.parametrize(
    ("other", "between", "level"),
    [
        ("from pkg.more import *\n", "", Level.UNCALLED),
        ("from pkg.model import *\n", "", Level.EVERY_STEP),
        ("from model import *\n", "", Level.EVERY_STEP),
        ("from pkg.between import *\n", "from pkg.model import *\n", Level.EVERY_STEP),
        ("from pkg.between import *\n", "from pkg.model import kept\ndef other(x):\n    return x\n", Level.EVERY_STEP),
        ("from pkg.more import *\nrun = eval(name)\n", "", Level.EVERY_STEP),
    ],
)
def test_a_name_that_a_star_imports_is_one_of_that_module(other: str, between: str, level: Level) -> None:
    files = {"pkg/more": f"import torch\n{UNUSED}", "pkg/between": between, "other": other + TAKEN}
    assert levels(**{"pkg/model": more(UNUSED)}, **files)["kept"] is level


HOOKED = """
import torch
import pytorch_lightning as pl

class Net(pl.LightningModule):
    def forward(self, x):
        return x

    def training_step(self, batch, number):
        return self.shared_step(batch)

    def shared_step(self, batch):
        return self(batch).sum().item()

    def on_train_batch_start(self, batch, number):
        print(batch.sum().item())
"""


@pytest.mark.parametrize(
    ("other", "level"),
    [
        ("", Level.UNCALLED),
        ("class Trainer:\n    def train(self):\n        pass\n\nTrainer().train()\n", Level.UNCALLED),
        ("from sklearn.neighbors import NearestNeighbors\nNearestNeighbors().fit(points)\n", Level.UNCALLED),
        ("from sklearn.neighbors import NearestNeighbors\nmake_trainer().fit(net)\n", Level.UNCALLED),
        ("from sklearn.neighbors import NearestNeighbors\ntrainer.fit(net)\n", Level.EVERY_STEP),
        ("import pytorch_lightning as pl\nTRAINER = pl.Trainer\n", Level.EVERY_STEP),
        ("from lightning.pytorch.cli import LightningCLI\nLightningCLI(Net)\n", Level.EVERY_STEP),
        ("make(options.trainer).fit(net)\n", Level.EVERY_STEP),
        ("getattr(make(options.trainer), 'fit')(net)\n", Level.EVERY_STEP),
    ],
)
def test_hooks_of_lightning_need_a_trainer(other: str, level: Level) -> None:
    found = levels(**{"pkg/model": HOOKED, "other": other})
    assert found == dict.fromkeys(("shared_step", "on_train_batch_start"), level)


def test_a_loop_of_its_own_calls_a_hook() -> None:
    main = f"{MAIN}        net.training_step(batch, 0)\n"
    assert levels(main, **{"pkg/model": HOOKED})["shared_step"] is Level.EVERY_STEP


def test_users_of_a_library_run_its_hooks() -> None:
    found = levels("", **{"pkg/model": HOOKED, "pkg/more": "import pkg.model\n"})
    assert set(found.values()) == {Level.EVERY_STEP}


@pytest.mark.parametrize(
    ("other", "level"), [("", Level.UNCALLED), ("from pkg.model import make\nmake()\n", Level.EVERY_STEP)]
)
def test_objects_of_a_class_without_a_constructor_are_seen_being_made(other: str, level: Level) -> None:
    text = f"{WITH_NMS.replace('return Best()', 'return x')}\ndef make():\n    return Best()\n"
    assert levels(**{"pkg/model": text, "other": other}) == {"forward": level}
