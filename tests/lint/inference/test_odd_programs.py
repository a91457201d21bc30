"""Programs that once made reading or linking fail, go on and on, or take all memory; each has an answer."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from synclint.lint.files.modules import Modules
from synclint.lint.inference.linking.link import link
from synclint.lint.inference.linking.resolving.answers import ANSWERS
from synclint.lint.inference.notes.operations import Call, Operation
from synclint.lint.inference.notes.summary import FileSummary
from synclint.lint.inference.values.union import NONE, UNKNOWN, Deferred, OneOf, Value, defer, options_of
from synclint.lint.run.file import File, Project
from synclint.lint.run.project import check_file
from synclint.lint.run.told import analyses_store
from synclint.lint.settings.config import Settings
from synclint.lint.store.encoding import Store

LONG = 2_000


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def summaries(**texts: str) -> list[FileSummary]:
    for name, text in texts.items():
        path = Path(*name.split("__")).with_suffix(".pyi" if name == "stubs" else ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"import torch\n{dedent(text)}")
    paths = sorted(map(str, Path().rglob("*.py*")))
    project = Project(modules=Modules(files=paths))
    done = [check_file(File(path, named=True, project=project)) for path in paths]
    assert not [each for each in done if each.failure or each.unreadable]
    return [each.summary for each in done if each.summary is not None]


def operations(**texts: str) -> list[Operation]:
    return list(link(summaries(**texts), Settings()))


def last_read(**texts: str) -> str:
    """What `.item()` is called on where it is called last."""
    receivers = [each.receiver for each in operations(**texts) if isinstance(each, Call) and "item" in each.name]
    return str(receivers[-1]) if receivers else "nothing"


@pytest.mark.parametrize(
    "text",
    [
        "def make(x):\n    class Config:\n        total = x.sum()",
        "d = {}\nd[()] = 1\nd[()] += 1",
        "d = [1]\nd[()]\n'a'[()]\ntorch.zeros(3)[()]\ntorch.zeros(3).shape[()]\ntorch.zeros(3)[()] = 2",
        "def f(a: Iterator[()], b: Annotated[()], c: List[()], d: Tuple[()], e: Union[()], g: Float[()]): ...",
        "y = torch.zeros(3) * torch.arange(True)\nz = y + torch.tensor(())",
        "class A:\n    raise ValueError\n    def m(self): ...\nA().m()",
        "A = None\nclass A: ...\nA = A if A else None\nA.apply(1)",
        "def d(x): return x\nclass A: ...\nA = d(A)\nA()()",
        "from functools import partial\ndef f(x): return x\n" + "f = partial(f, f)\n" * 60 + "f(2)",
        "x = [torch.zeros(2)]\n" + "x = [x, x]\n" * 60 + "x[0].item()",
        "x = [torch.zeros(2)]\n" + "x = [x]\n" * LONG + "x[0].item()",
        "x = {}\n" + "x = {'a': x, 'b': f(x), 'c': [x]}\n" * 200 + "x['a'].item()",
        "def f(x):\n" + "    x = g([x])\n" * LONG + "    x.item()",
        "class A(A): ...\nclass B(C): ...\nclass C(B):\n    def f(self): return super().f().q.item()",
    ],
    ids=lambda text: text[:24],
)
def test_one_file(text: str) -> None:
    operations(a=text)


@pytest.mark.parametrize(
    "texts",
    [
        {"a": "X = None\nif X:\n    class X: ...", "b": "from a import X\ndef f(y): return X.apply(y).item()"},
        {"p____init__": "try:\n    from . import _C\nexcept ImportError:\n    _C = None\nif _C:\n    _C.version()"},
        {"a": "from b import x\ny = x", "b": "from a import y\nx = y\nx.item()"},
        {"a": "from b import T\nS = List[T]", "b": "from a import S\nT = List[S]\ndef f(x: S): return x[0].item()"},
        {
            "a": "from b import B\nclass A(B): ...\nA().f()",
            "b": "from a import A\nclass B(A):\n    def g(self): self.f()",
        },
    ],
    ids=lambda texts: next(iter(texts.values()))[:24],
)
def test_several_files(texts: dict[str, str]) -> None:
    operations(**texts)


def test_a_method_that_only_has_overloads_returns_what_all_of_them_promise() -> None:
    stub = """
        from typing import overload
        class A:
            @overload
            def same(self, x: int) -> torch.Tensor: ...
            @overload
            def same(self, x: str) -> torch.Tensor: ...
            @overload
            def other(self, x: int) -> torch.Tensor: ...
            @overload
            def other(self, x: str) -> int: ...
        """
    assert last_read(stubs=stub, use="from stubs import A\nA().same(1).item()") == "Tensor[any device]"
    functions = summaries()[0].functions
    assert [str(functions[f"stubs.A.{name}"].promised) for name in ("same", "other")] == [
        "Tensor[any device]",
        "Unknown",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "def f0(x): return x\n" + "".join(f"def f{n + 1}(x): return f{n}(x)\n" for n in range(LONG)),
        "".join(f"def f{n}(x): return f{n + 1}(x)\n" for n in range(LONG)) + f"def f{LONG}(x): return x.item()\nf0(1)",
        "class A:\n" + "".join(f"    def m{n}(self):\n        self.x{n} = self.x{n - 1}\n" for n in range(LONG)),
        "x0 = torch.zeros(3)\n" + "".join(f"x{n + 1} = x{n}\n" for n in range(LONG)),
        "".join(f"class C{n}(C{n - 1}):\n    def m(self): return super().m()\n" for n in range(LONG)),
        "def f(x): return x" + ".a" * 900 + ".a()" * 300,
    ],
    ids=lambda text: text[:24],
)
def test_a_long_chain(text: str) -> None:
    operations(a=text)


def test_what_is_handed_on_far_is_known() -> None:
    chain = "".join(f"def f{n}(x): f{n + 1}(x)\n" for n in range(1_000))
    assert last_read(a=f"{chain}def f1000(x): x.item()\nf0(torch.zeros(3, device='cuda'))").startswith("Tensor[gpu")


def test_an_error_of_ours_costs_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise KeyError("a bug of ours")

    monkeypatch.setitem(ANSWERS, "unary", broken)
    told: list[tuple[str, str, str]] = []
    found = link(
        summaries(a="def f(x):\n    (-x).item()\n    x.item()", b="from a import f\nf(torch.zeros(1, device='cuda'))"),
        Settings(),
        fail=lambda *words: told.append((words[0], words[1], str(words[2]))),
    )
    assert [str(each.receiver) for each in found if isinstance(each, Call) and "item" in each.name][-1].startswith(
        "Tensor"
    )
    assert told == [("a.py", "linking line 3", "'a bug of ours'")]


def test_half_a_surrogate_pair_is_stored(tmp_path: Path) -> None:
    store = Store([])
    texts = ("\ud800", "\ud800\udc00", "\U00010000", "é", "\udcff.py")
    stored = store.write(texts, "")
    (tmp_path / "entry").write_text(stored, encoding="utf-8")
    assert store.read(stored, "") == texts


def test_numbers_that_python_does_not_write_out() -> None:
    big = "0x" + "f" * 6000
    text = f"""
        N = -{big}
        def f(x, n={big}, m=[-{big}]):
            for i in range({big}):
                x = x[{big}] + torch.full(({big}, 3), {big})
            if x.size(0) == {big}:
                x = {{{big}: x}}[{big}] + {{{big}: x}}.get({big})
            torch.ones({big}, device="cuda").item()
    """
    (summary,) = summaries(a=text)
    assert analyses_store().write(summary, "a.py")
    assert last_read(a=text).startswith("Tensor[gpu, float")


def test_alternatives_on_the_way_leave_a_value_known() -> None:
    value: Value = Deferred("parameter", "x")
    for _ in range(25):
        value = OneOf((defer("method", "relu", (value,)), NONE))
    assert UNKNOWN not in options_of(value)


def test_a_text_of_colons_does_not_take_until_the_limit() -> None:
    """What flags are set to is looked up in the text of the file."""
    text = f"def f(x, flag=False):\n    if flag:\n        x.item()\n    print('{'a:' * 60_000}')\n"
    assert last_read(a=text) == "Tensor[any device]"
