"""How often lines run, by the routes that lead to them: small programs, each with what must not matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from synclint.lint.finding import Finding, Frequency, Level
from synclint.lint.run.engine import check_paths

LOOP = """
def main(loader):
    model = {made}.cuda()
    for x in loader:
        model(x.cuda(non_blocking=True)).sum().backward()
"""
HEAD = """
import torch
from torch import nn
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def written(files: Mapping[str, str]) -> list[Finding]:
    for name, text in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    return check_paths(["."])


def told(text: str, code: str, more: str = "", **files: str) -> list[Frequency]:
    """How often the findings of a rule in a file run, given what else is in the project."""
    files = {f"{name}.py": each for name, each in files.items()}
    found = written({"net.py": f"{HEAD}{dedent(text)}{dedent(more)}"} | files)
    return [each.frequency for each in found if each.code == code and each.span.filename == "net.py"]


MIXED = """
class Model(nn.Module):
    def forward(self, x):
        return self.act(x)
    def act(self, x):
        raise NotImplementedError

class Acting:
    def act(self, x):
        y = self.net(x)
        return y[y > 0]

class Actor(Acting, Model):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 4)
"""


def test_a_mixin_stands_in_for_a_method_of_the_other_base() -> None:
    (seen,) = told(MIXED, "SYNC203", LOOP.format(made="Actor()"))
    assert seen.words == "every step"
    (alone,) = told(MIXED, "SYNC203")
    assert alone.words == "every forward of `Actor`"


FAMILY = """
class Base(nn.Module):
    def forward(self, x):
        return self.inner(x)

class Plain(Base):
    def inner(self, x):
        return x * 2

class Masked(Base):
    def inner(self, x):
        y = x * 2
        return y[y > 0]
"""


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("Masked()", "every step"),
        ('{{"plain": Plain, "masked": Masked}}[kind]()', "every step where `kind == 'masked'`"),
        ('(Masked if kind == "masked" else Plain)()', "every step"),
    ],
)
def test_a_template_method_runs_where_its_class_is_chosen(made: str, words: str) -> None:
    main = LOOP.format(made=made.replace("{{", "{").replace("}}", "}")).replace("(loader)", "(loader, kind)")
    (found,) = told(FAMILY, "SYNC203", main)
    assert found.words == words


LAZY = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.ready = None, False
    def build(self, x):
        self.table = torch.arange(8).to(x.device)
        self.ready = True
    def forward(self, x):
        if {test}:
            self.build(x)
        return x * self.table
"""


@pytest.mark.parametrize(
    "test", ["not self.ready", "self.ready is False", "self.ready != True", "self.table is None and not self.ready"]
)
def test_what_makes_its_own_condition_false_runs_once(test: str) -> None:
    assert told(LAZY.format(test=test), "SYNC302", LOOP.format(made="Net()")) == []


def test_unless_something_makes_it_true_again() -> None:
    again = "    def reset(self):\n        self.ready = False\n"
    (found,) = told(LAZY.format(test="not self.ready") + again, "SYNC302", LOOP.format(made="Net()"))
    assert found.level is Level.EVERY_STEP


CONSTANT = """
class Net(nn.Module):
    def __init__(self, plain=True, every=1):
        super().__init__()
        self.fast, self.plain, self.every = True, plain, every
    def forward(self, x):
        if not self.{name}:
            return x[x > 0]
        return x
"""


SLOW = "from net import Net\n\ndef slow(net: Net):\n    {}\n"


def test_an_attribute_that_is_bound_to_one_constant_alone() -> None:
    assert told(CONSTANT.format(name="fast"), "SYNC203", LOOP.format(made="Net()")) == []


@pytest.mark.parametrize("more", ["net.fast = False", "setattr(net, 'fast', 0)"])
def test_unless_others_bind_it(more: str) -> None:
    (found,) = told(CONSTANT.format(name="fast"), "SYNC203", LOOP.format(made="Net()"), other=SLOW.format(more))
    assert (found.words, found.off_by_default) == ("every step where `not self.fast`", ())


@pytest.mark.parametrize(
    ("made", "conditions", "off"),
    [
        ("Net()", ("not self.plain",), ("not self.plain",)),
        ("Net(plain=True)", ("not self.plain",), ("not self.plain",)),
        ("Net(False)", ("not self.plain",), ()),
        ("Net(plain=args.plain)", ("not self.plain",), ()),
    ],
)
def test_a_default_that_a_condition_does_not_meet(made: str, conditions: tuple[str, ...], off: tuple[str, ...]) -> None:
    (found,) = told(CONSTANT.format(name="plain"), "SYNC203", LOOP.format(made=made))
    assert (found.conditions, found.off_by_default) == (conditions, off)


PARSED = """
import argparse
import torch

def main(loader, model):
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--no-clip", dest="clip", action="store_false")
    args = parser.parse_args()
    model = model.cuda()
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).sum()
        loss.backward()
        if args.check:
            print(loss.item())
        if args.clip:
            print(loss.cpu())
"""


def test_options_of_a_command_line() -> None:
    found = written({"main.py": PARSED})
    told = {each.code: (each.severity.words, each.frequency.words) for each in found}
    assert told["SYNC101"] == ("note", "every step where `args.check` (off by default)")
    assert told["SYNC103"][1] == "every step"


@pytest.mark.parametrize(
    ("name", "text", "severity"),
    [
        ("README.md", "python main.py --check", "error"),
        ("run.sh", "python main.py --checked", "note"),
        ("conf.yaml", "check: true", "error"),
        ("conf.yaml", "check: false", "note"),
    ],
)
def test_what_commands_and_settings_files_set_is_no_default(name: str, text: str, severity: str) -> None:
    found = written({"main.py": PARSED, "requirements.txt": "", name: text})
    assert {each.severity.words for each in found if each.code == "SYNC101"} == {severity}


FIELDS = """
from dataclasses import dataclass

@dataclass
class Config:
    dense: bool = False

class Net(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
    def forward(self, x):
        if self.config.dense:
            return x
        return x[x > 0]
"""


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("Net(Config())", "every step"),
        ("Net(Config(dense=False))", "every step"),
        ("Net(Config(True))", "every step where `not self.config.dense`"),
        ("Net(Config(**given))", "every step where `not self.config.dense`"),
        ("Net(load())", "every step"),
    ],
)
def test_fields_of_data_classes(made: str, words: str) -> None:
    (found,) = told(FIELDS, "SYNC203", LOOP.format(made=made))
    assert found.words == words


GIVEN = """
class Net(nn.Module):
    def forward(self, x, prior=None):
        if prior is None:
            prior = torch.ones(3).to(x.device)
        return x * prior
"""


def test_a_condition_that_one_call_meets_is_not_said() -> None:
    two = LOOP.format(made="Net()") + "        model(x, x).sum().backward()\n"
    (found,) = told(GIVEN, "SYNC302", two)
    assert found.words == "every step"


ADDED_UP = """
import torch

def train(model, loader, opt, {parameter}):
    for step, x in enumerate(loader):
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        if (step + 1) % {number} == 0:
            print(loss.item())
            opt.step()
            {after}
"""


def test_the_gate_around_all_optimizer_steps_is_the_step() -> None:
    (found,) = [
        each
        for each in written({"m.py": ADDED_UP.format(parameter="k", number="k", after="")})
        if each.code == "SYNC101"
    ]
    assert found.frequency.words == "every step"


def test_a_gate_beside_an_optimizer_step_is_none() -> None:
    text = ADDED_UP.format(parameter="k", number="k", after="").replace("opt.step()", "pass") + "        opt.step()\n"
    (found,) = [each for each in written({"m.py": text}) if each.code == "SYNC101"]
    assert found.frequency.level is Level.EVERY_N_STEPS


HEADS = """
HEADS = {}
def register(cls):
    HEADS[cls.__name__] = cls
    return cls

@register
class Head(nn.Module):
    def loss(self, pred, boxes):
        return (pred - boxes)[boxes > 0].abs().mean()

class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.heads = nn.ModuleDict()
        for name in cfg:
            self.heads[name] = HEADS[cfg[name]](3)
    def forward(self, x):
        return sum(head.loss(x, x) for head in self.heads.values())
"""


def test_what_a_registry_holds_is_called_by_name() -> None:
    (found,) = told(HEADS, "SYNC203", LOOP.format(made="Net(cfg)").replace("(loader)", "(loader, cfg)"))
    assert (found.level, found.per) == (Level.EVERY_PASS, "")


SETUPS = """
from abc import ABC, abstractmethod

class Setup(ABC):
    @abstractmethod
    def predict(self, model, x): ...

class Flux(Setup):
    def predict(self, model, x):
        x = x.to("cuda", non_blocking=True)
        return model(x / x.std().item())

class Trainer:
    setup: Setup
    def train(self, loader, model, opt):
        for x in loader:
            self.setup.predict(model, x).sum().backward()
            opt.step()
"""


def test_a_call_of_an_abstract_method_outweighs_the_name_of_what_takes_its_place() -> None:
    (found,) = told(SETUPS, "SYNC101")
    assert found.words == "every step"


SERVING = """
class Runner:
    def __init__(self, net):
        self.net = net.to("cuda")

    @torch.inference_mode()
    def execute(self, x):
        return self.net(x.to("cuda", non_blocking=True)).sum().item()

def serve(net, queue):
    runner = Runner(net)
    while True:
        runner.execute(queue.get())

serve(nn.Linear(3, 3), object())
"""


def test_a_program_that_only_serves_is_there_for_its_loop() -> None:
    (found,) = told(SERVING, "SYNC101")
    assert found.words == "every step"


def test_one_that_trains_before_it_serves_is_not() -> None:
    train = "    for x in queue:\n        net(x).sum().backward()\n    runner"
    (found,) = told(SERVING.replace("    runner", train, 1), "SYNC101")
    assert found.level is Level.EVALUATION


MODES = """
class Net(nn.Module):
    def forward(self, x):
        if self.training:
            return x[x > 0]
        return x

@torch.no_grad()
def sample(steps):
    net, x = Net().cuda(){mode}, torch.randn(4, device="cuda")
    for t in range(steps):
        x = net(x)
    return x

sample(50)
"""


@pytest.mark.parametrize(("mode", "count"), [(".eval()", 0), ("", 1)])
def test_a_module_that_is_only_evaluated_does_not_train(mode: str, count: int) -> None:
    assert len(told(MODES.format(mode=mode), "SYNC203")) == count


CORE = "import torch\n\ndef scale(x: torch.Tensor):\n    return x * x.max().item()\n"
DEMO = "import torch\nfrom pkg import scale\nprint(scale(torch.ones(3)))\n"


@pytest.mark.parametrize("files", [{}, {"examples/demo.py": DEMO}, {"examples/other.py": "print(1)\n"}])
def test_what_a_package_exports_is_called_by_others(files: dict[str, str]) -> None:
    package = {"pyproject.toml": "[project]\nname = 'pkg'\n", "pkg/core.py": CORE}
    (found,) = written(package | {"pkg/__init__.py": "from .core import scale\n"} | files)
    assert found.frequency.words == "every call of `scale`"


def test_without_a_package_to_install_a_script_is_all_there_is() -> None:
    assert written({"pkg/core.py": CORE, "pkg/__init__.py": "from .core import scale\n", "demo.py": DEMO}) == []


PROGRAM = "from .core import helped\n\nif __name__ == '__main__':\n    helped(1)\n"


@pytest.mark.parametrize(("exports", "level"), [("", Level.UNCALLED), ("from .core import scale\n", Level.EVERY_STEP)])
def test_what_a_package_with_a_program_neither_names_nor_exports(exports: str, level: Level) -> None:
    files = {"pkg/core.py": f"{CORE}\ndef helped(x):\n    return x\n", "pkg/train.py": PROGRAM}
    (found,) = written(files | {"pyproject.toml": "[project]\nname = 'pkg'\n", "pkg/__init__.py": exports})
    assert found.frequency.level is level


GLOBAL = """
_READY = False

def set_up(x):
    global _READY
    if _READY:
        return
    print(x.sum().item())
    _READY = True

def main(loader, model):
    model = model.cuda()
    for x in loader:
        set_up(x.cuda(non_blocking=True))
        model(x).sum().backward()
"""


@pytest.mark.parametrize(("more", "count"), [("", 0), ("def again():\n    global _READY\n    _READY = False\n", 1)])
def test_a_flag_of_the_module_that_its_function_sets(more: str, count: int) -> None:
    assert len(told(GLOBAL, "SYNC101", more)) == count


EVERY = """
def train(model, loader, opt, every={every}):
    for i, x in enumerate(loader):
        loss = model(x.to("cuda", non_blocking=True)).mean()
        loss.backward()
        opt.step()
        if i % every == 0:
            print(loss.item())
"""


@pytest.mark.parametrize(
    ("every", "more", "level"),
    [
        ("1", "", Level.EVERY_STEP),
        ("10", "", Level.EVERY_N_STEPS),
        ("1", "train(net, data, opt, every=100)", Level.EVERY_N_STEPS),
    ],
)
def test_every_first_step(every: str, more: str, level: Level) -> None:
    (found,) = told(EVERY.format(every=every), "SYNC101", more)
    assert found.level is level


SYNCED = """
def train(model, loader, opt, accelerator):
    for x in loader:
        with accelerator.accumulate(model):
            loss = model(x.to("cuda", non_blocking=True)).mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                print(loss.item())
            opt.step()
"""


def test_gradients_are_synchronized_at_each_optimizer_step() -> None:
    (found,) = told(SYNCED, "SYNC101")
    assert found.words == "every step"


ANSWERING = """
from fastapi import FastAPI

app = FastAPI()
net = nn.Linear(3, 3).cuda()

@app.post("/predict")
def predict(x: torch.Tensor):
    return net(x).sum().item()
"""


def test_what_answers_a_request_does_so_for_each() -> None:
    (found,) = told(ANSWERING, "SYNC101")
    assert found.words == "every request"


def test_a_call_in_a_step_outweighs_a_name_of_evaluation() -> None:
    text = """
        def evaluate_policy(x: torch.Tensor):
            return x * x.min().item()

        def train(model, loader, opt):
            for x in loader:
                evaluate_policy(model(x.to("cuda", non_blocking=True))).sum().backward()
                opt.step()
    """
    (found,) = told(text, "SYNC101")
    assert found.words == "every step"


def test_attributes_that_are_bound_to_each_other() -> None:
    text = """
        class Net(nn.Module):
            def __init__(self, other=None):
                super().__init__()
                self.fast = True
                self.slow = self.fast
            def turn(self, other):
                self.fast, self.slow = self.slow, other.fast
                other.turn(self)
            def forward(self, x):
                if not self.fast:
                    return x[x > 0]
                return x
    """
    (found,) = told(text, "SYNC203", LOOP.format(made="Net()"))
    assert found.words == "every step where `not self.fast`"


TAKEN = """
def batches(loader):
    items = iter(loader)
    while True:
        yield next(items).to("cuda")

def train(model, opt):
    found = batches(torch.utils.data.DataLoader([1]))
    {first}
    for _ in range(10):
        {step}
        opt.step()

train(nn.Linear(3, 3).cuda(), 1)
"""


@pytest.mark.parametrize(
    ("first", "step", "count"),
    [
        ("pass", "model(next(found)).sum().backward()", 1),
        ("x = next(found)", "model(x).sum().backward()", 0),
    ],
)
def test_a_generator_that_a_loop_takes_items_of(first: str, step: str, count: int) -> None:
    assert len(told(TAKEN.format(first=first, step=step), "SYNC301")) == count


def test_forward_of_a_class_that_is_no_module() -> None:
    text = """
        from abc import ABC, abstractmethod

        class Transform(ABC):
            @abstractmethod
            def forward(self, x): ...

        class Fill(Transform):
            def forward(self, x):
                return x.nan_to_num() if x.isnan().any() else x
    """
    (found,) = told(text, "SYNC104")
    assert found.words == "every call of `forward`"
