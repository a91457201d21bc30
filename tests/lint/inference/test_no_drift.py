"""A program says the same in one file and in two, and of a value at hand and of one that another function makes.

Both halves of inference, reading and linking, must know the same about libraries, classes and functions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from synclint.lint.finding import Finding, Level

DEFINED_NAME = re.compile(r"(?:def|class) (\w+)")
PROGRAMS = Path(__file__).parent / "programs"
IMPORTS = "import functools, torch, torchmetrics; from torch import nn; "
ROW = 100
"""Where the function begins in which a value is used, in all variants of a program."""

GPU = "torch.ones(3, device='cuda')"

DEFINED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        self.scale = 2

    def forward(self, x):
        return self.inner(x)

    def total(self, x):
        return x.sum()

class Sgd(torch.optim.SGD):
    pass

class Share(torchmetrics.MeanMetric):
    pass

class Layer(nn.Linear):
    pass

class Pair:
    def __init__(self, first, second=None):
        self.first, self.second = first, second

    def __call__(self, x):
        return x.mean()

    @property
    def both(self):
        return self.first + 1

    @staticmethod
    def most(x):
        return x.max()

def total(x, scale=1):
    return x.sum() * scale
"""

USES: dict[str, tuple[str, str]] = {
    "tensor": (GPU, "x.item(); x.T.tolist(); float(x.sum()); x.mean().cpu(); print(x.shape, x.device)"),
    "tensor by class": (GPU, "torch.Tensor.item(x); torch.Tensor.sum(x).item()"),
    "getattr": (GPU, "getattr(x, 'item')(); getattr(x, 'sum')().item()"),
    "optimizer": (
        f"torch.optim.SGD([{GPU}], lr=0.1)",
        "[p.item() for g in x.param_groups for p in g['params'] if p > 0]",
    ),
    "derived optimizer": (
        f"Sgd([{GPU}], lr=0.1)",
        "[p.item() for g in x.param_groups for p in g['params'] if p > 0]; float(x.step())",
    ),
    "module": (
        "nn.Linear(3, 3).cuda()",
        "x(torch.ones(3)).item(); x.weight.sum().item(); [p.item() for p in x.parameters()]",
    ),
    "module weight": (
        "nn.Linear(3, 3)",
        "x.weight.item(); x.weight.device; [p.item() for _, p in x.named_parameters()]; x.state_dict()['a'].item()",
    ),
    "derived layer": ("Layer(3, 3)", "x.weight.item(); x(torch.ones(3, device='cuda')).item()"),
    "derived module": (
        "Net().cuda()",
        f"x({GPU}).item(); x.total({GPU}).item(); x.forward({GPU}).tolist(); x.inner.weight.item()",
    ),
    "derived module on a device": (
        "Net().to('cuda')",
        f"[p.item() for p in x.parameters()]; x.inner({GPU}).item(); x.train()({GPU}).item(); x.total({GPU}).item()",
    ),
    "modules": ("nn.ModuleList([Net()])", f"x[0]({GPU}).item(); [p.item() for m in x for p in m.parameters()]"),
    "sequential": ("nn.Sequential(nn.Linear(3, 3), Net())", f"x({GPU}).item(); [m({GPU}).sum().item() for m in x]"),
    "metric": (
        "torchmetrics.MeanMetric().to('cuda')",
        f"x({GPU}).item(); x.compute().item(); x.update({GPU}); torch.ones(1, device=x.device).item()",
    ),
    "derived metric": (
        "Share().to('cuda')",
        f"x({GPU}).item(); x.compute().item(); x.update({GPU}); torch.ones(1, device=x.device).item()",
    ),
    "distribution": (
        f"torch.distributions.Normal({GPU}, 1.0)",
        "x.sample().item(); x.mean.item(); x.log_prob(x.sample()).sum().item()",
    ),
    "list": (
        f"[{GPU}, {GPU}]",
        "x[0].item(); [t.item() for t in x]; sorted(x); max(x); sum(x).item(); x.pop().item(); x.copy()[0].item()",
    ),
    "tuple": (f"({GPU}, 3)", "x[0].item(); a, b = x; a.item(); float(b)"),
    "dict": (
        f"{{'a': {GPU}, 'b': 2}}",
        "x['a'].item(); x.get('a').item(); [v.item() for v in x.values()]; [v.item() for _, v in x.items()]",
    ),
    "filled list": (
        f"[{GPU} for _ in range(3)]",
        "list(map(float, x)); [a.item() for a, _ in zip(x, x)]; [t.item() for _, t in enumerate(x)]",
    ),
    "tensor or none": (f"{GPU} if len('a') > 2 else None", "x.item(); x.sum().item(); x.cpu().item(); x.T.item()"),
    "tensor or number": (f"{GPU} if len('a') > 2 else 0", "x.item(); float(x)"),
    "list or tuple": (
        f"[{GPU}] if len('a') > 2 else ({GPU},)",
        "x[0].item(); x.copy()[0].item(); [t.item() for t in x]",
    ),
    "module or module": (
        "nn.Linear(3, 3).cuda() if len('a') > 2 else nn.Linear(3, 3)",
        f"x({GPU}).item(); [p.item() for p in x.parameters()]",
    ),
    "optimizer or none": (
        f"torch.optim.SGD([{GPU}], 0.1) if len('a') > 2 else None",
        "[p.item() for g in x.param_groups for p in g['params'] if p > 0]",
    ),
    "function": ("total", f"x({GPU}).item(); list(map(x, [{GPU}]))[0].item()"),
    "library function": ("torch.sum", f"x({GPU}).item()"),
    "one of two functions": ("total if len('a') > 2 else torch.mean", f"x({GPU}).item()"),
    "partial": ("functools.partial(total, scale=2)", f"x({GPU}).item()"),
    "partial of a library function": ("functools.partial(torch.sum, dim=0)", f"x({GPU}).item()"),
    "partial of a method": ("functools.partial(Net().total)", f"x({GPU}).item()"),
    "bound method": (f"{GPU}.item", "float(x()); print(x())"),
    "bound method of a module": ("Net().total", f"x({GPU}).item()"),
    "bound method of an object": (f"Pair({GPU}).most", f"x({GPU}).item()"),
    "class": ("Pair", f"x({GPU}).first; x({GPU})({GPU}).item(); x.most({GPU}).item()"),
    "library class": ("nn.Linear", f"layer = x(3, 3); layer.cuda()({GPU}).item()"),
    "object": (f"Pair({GPU})", f"x.first.item(); x.both.item(); x({GPU}).item(); x.most({GPU}).item()"),
    "loader": ("torch.utils.data.DataLoader([1])", "[b.to('cuda').sum().item() for b in x]"),
    "stream": ("torch.cuda.Stream()", "x.synchronize()"),
    "event": ("torch.cuda.Event()", "x.synchronize(); x.elapsed_time(x)"),
    "array": (f"{GPU}.cpu().numpy()", "torch.as_tensor(x, device='cuda'); torch.as_tensor(x[0], device='cuda')"),
    "device": ("torch.device('cuda')", "torch.ones(3, device=x).item(); torch.ones(3).to(x).item()"),
    "dtype": ("torch.bool", "torch.nonzero(torch.ones(3, device='cuda', dtype=x)).item()"),
    "compiled": ("torch.compile(Net())", f"x({GPU}).item()"),
    "compiled function": ("torch.compile(total)", f"x({GPU}).item()"),
    "batch": (
        "Net()(torch.ones(3, device='cuda'))",
        "x['a'].item(); [v.item() for _, v in x.items()]; x.sum().item(); x.logits.item()",
    ),
    "lambda": ("lambda t: t.sum()", f"x({GPU}).item(); list(map(x, [{GPU}]))[0].item()"),
    "lambda in a dict": ("{'a': lambda t: t.sum(), 'b': total}", f"x['a']({GPU}).item(); x['b']({GPU}).item()"),
    "device context": ("torch.device('cuda')", "y = torch.ones(2, device=x.type); y.item()"),
    "max": ("torch.ones(3, 3, device='cuda').max(dim=0)", "x.values[0].item(); x[1].tolist(); x.indices[0].item()"),
    "generator": (f"(t for t in [{GPU}])", "next(x).item(); [t.item() for t in x]; list(x)[0].item(); max(x)"),
    "gradients": (f"torch.autograd.grad({GPU}, {GPU})", "x[0].item()"),
    "set": (f"set([{GPU}])", "[t.item() for t in x]; x.pop().item()"),
    "range": ("range(3)", "[torch.ones(3, device='cuda')[i].item() for i in x]"),
}
"""How a value is made, and how it is used in a step, where it is `x`."""


def reported(findings: list[Finding]) -> set[tuple[object, ...]]:
    """What is said of the uses; each is on a row of its own, the same in all variants."""
    return {(f.span.row, f.code, f.frequency.level, f.confidence) for f in findings if f.span.row > ROW + 1}


def program(head: str, defined: str, value: str, uses: str) -> str:
    lines = [IMPORTS + head, *defined.split("\n")]
    lines += [""] * (ROW - 1 - len(lines))
    return "\n".join([*lines, "def step():", f"    x = {value}", *(f"    {use}" for use in uses.split("; "))]) + "\n"


@pytest.mark.parametrize("key", USES)
def test_wherever_a_value_is_made(key: str, linted: Callable[..., list[Finding]]) -> None:
    made, uses = USES[key]
    maker = f"{DEFINED}def make():\n    return {made}\n"
    names = "from two import make, Net, Sgd, Share, Layer, Pair, total"
    wanted = reported(linted(one=program("", DEFINED, made, uses)))
    assert wanted
    assert reported(linted(one=program("", maker, "make()", uses))) == wanted
    assert reported(linted(one=program(names, "", made, uses), two=IMPORTS + maker)) == wanted
    assert reported(linted(one=program(names, "", "make()", uses), two=IMPORTS + maker)) == wanted


FOR_OPTIMIZER = """
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p > 0:
                    pass
"""


def test_the_parameters_of_an_optimizer(linted: Callable[..., list[Finding]]) -> None:
    """The base class stands in the same file, or in another."""
    base = "import torch\nclass Base(torch.optim.Optimizer):\n    pass\n"
    derived = f"class Mine(Base):{FOR_OPTIMIZER}"
    (here,) = linted(one=base + derived)
    (there,) = linted(one=f"import torch\nfrom two import Base\n\n{derived}", two=base)
    assert (here.code, here.span.row, here.confidence) == (there.code, there.span.row, there.confidence)
    assert here.code == "SYNC104"


NOTHING_TRAINS = "nothing in this program trains"
UNSEEN = {"bound_from_outside": {16}, "frequencies": {294, 336}, "rebound_globals": {40}, "self_test": {17}}
"""Rows of programs that differ: that a loop calls a model's method, or tries a class, only its own file tells, and what
is bound on an object from outside; a global name of another file is another name."""


@pytest.mark.parametrize("apart", ["classes", "every other"])
@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_programs(path: Path, apart: str, linted: Callable[..., list[Finding]]) -> None:
    code, ignored = path.read_text(encoding="utf-8"), UNSEEN.get(path.stem, set())

    def found(**files: str) -> set[tuple[object, ...]]:
        every = [f for f in linted(**files) if f.span.row not in ignored]
        return {(f.span.row, f.span.column, f.code, level_in_file(f), f.confidence) for f in every}

    assert found(**halves(code, apart)) == found(one=code)


def level_in_file(finding: Finding) -> Level:
    """Return how often a line runs as its file alone tells; that nothing trains only a project does."""
    told = (reason.message for reason in finding.frequency.reasons)
    return Level.EVALUATION if any(NOTHING_TRAINS in each for each in told) else finding.frequency.level


def halves(code: str, apart: str) -> dict[str, str]:
    """The program in two files that import each other's names, with each line on its own row.

    Both mention every function and class: what nothing mentions is told apart from the rest only in several files.
    """
    body = ast.parse(code).body
    named = [each for each in body if isinstance(each, ast.FunctionDef | ast.ClassDef)]
    moved = [
        each for at, each in enumerate(named) if (isinstance(each, ast.ClassDef) if apart == "classes" else at % 2)
    ]
    stays = [each for each in named if each not in moved]
    both = {row for each in body if isinstance(each, ast.Import | ast.ImportFrom | ast.Assign) for row in rows_of(each)}
    every = set(range(1, code.count("\n") + 1))
    return {
        "one": half(code, every - rows_of_all(moved), "two", moved),
        "two": half(code, both | rows_of_all(moved), "one", stays),
    }


def half(code: str, rows: set[int], other: str, named: list[ast.FunctionDef | ast.ClassDef]) -> str:
    lines = [line if row in rows else "" for row, line in enumerate(code.split("\n"), 1)]
    mentioned = f"MENTIONED = {DEFINED_NAME.findall(code)}"
    lines[0] = f"from {other} import {', '.join(each.name for each in named)}; {mentioned}" if named else mentioned
    return "\n".join(lines)


def rows_of_all(nodes: list[ast.FunctionDef | ast.ClassDef]) -> set[int]:
    return {row for each in nodes for row in rows_of(each)}


def rows_of(node: ast.stmt) -> range:
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    return range(first, (node.end_lineno or first) + 1)
