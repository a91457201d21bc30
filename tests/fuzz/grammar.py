"""Programs made up from a grammar of what inference models, with few names, so that everything meets everything."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from random import Random
from typing import Final

DEPTH: Final = 4
SYMBOL: Final = re.compile(r"<(\w+)>")

GRAMMAR: Final[dict[str, list[str]]] = {
    "name": ["x", "y", "z", "f", "g", "A", "B", "self", "cls", "mask", "model", "loader", "device", "T", "_C"],
    "attr": ["x", "y", "f", "g", "forward", "item", "shape", "T", "device", "apply", "weight", "update", "A", "data"],
    "module": ["m0", "m1", "m2", "p", "p.q", ".", ".q", "..m1", "torch", "torch.nn", "typing", "functools"],
    "constant": ["0", "1", "-1", "None", "True", "...", "()", "[]", "{}", "''", "'cuda'", "'\\ud800'", "1.5", "b''",
                 "10**9", "1j", "float('inf')", "'a' 'b'", "[1, 2]", "((), )"],
    "index": ["<expr>", "()", ":", "<expr>:<expr>", "<expr>, <expr>", "None", "...", "-1", "mask", "x > 0", "[0, 1]",
              "<constant>", "*<name>,"],
    "type": ["<name>", "int", "torch.Tensor", "None", "Optional[<type>]", "List[<type>]", "Iterator[<type>]",
             "Dict[<type>, <type>]", "Tuple[<type>, ...]", "Union[<type>, <type>]", "'<name>'", "<type> | <type>",
             "Iterator[()]", "Float[torch.Tensor, 'b c']", "Literal['a']", "<name>[<type>]", "Callable[..., <type>]",
             "m1.<name>", "torch.device", "Sequence[<type>]"],
    "made": ["torch.zeros(<expr>)", "torch.zeros(3, device=<expr>)", "torch.arange(<expr>)", "torch.tensor(<expr>)",
             "torch.cat([<expr>, <expr>])", "torch.where(<expr>)", "torch.where(<expr>, <expr>, <expr>)",
             "torch.full(<expr>, <expr>)", "nn.Linear(2, 3)", "nn.Sequential(<expr>, <expr>)", "torch.device(<expr>)",
             "torch.utils.data.DataLoader(<expr>)", "torchmetrics.Accuracy('binary')", "torch.max(<expr>, <expr>)",
             "functools.partial(<expr>, <expr>)", "torch.stack(<expr>)", "torch.distributions.Normal(<expr>, 1)"],
    "call": ["<expr>(<expr>)", "<name>()", "<expr>.<attr>()", "<expr>.<attr>(<expr>)", "<name>(*<expr>, **<expr>)",
             "super().<attr>(<expr>)", "super()", "<name>(<name>=<expr>)", "<expr>.item()", "<expr>.to(<expr>)",
             "<expr>.cuda()", "len(<expr>)", "int(<expr>)", "max(<expr>, <expr>)", "print(<expr>)", "<expr>.sum()",
             "getattr(<expr>, 'x')", "isinstance(<expr>, <name>)", "map(lambda x: <expr>, <expr>)",
             "zip(<expr>, <expr>)", "enumerate(<expr>)", "list(<expr>)", "dict(<expr>)", "sorted(<expr>)",
             "type(<expr>)", "vars(<expr>)"],
    "expr": ["<name>", "<constant>", "<name>.<attr>", "<made>", "<call>", "<expr>.<attr>", "<expr>[<index>]",
             "<expr> + <expr>", "<expr> * <expr>", "<expr> @ <expr>", "<expr> & <expr>", "<expr> % <expr>",
             "<expr> == <expr>", "<expr> < <expr> < <expr>", "<expr> is None", "<expr> in <expr>", "not <expr>",
             "-<expr>", "~<expr>", "<expr> and <expr>", "<expr> if <expr> else <expr>", "[<expr>, <expr>]",
             "(<expr>,)", "{'a': <expr>, **<expr>}", "{<expr>: <expr>}", "[<expr> for <target> in <expr>]",
             "{*<expr>}", "{<expr>: <expr> for <target> in <expr> if <expr>}", "(<expr> for x in <expr> for y in x)",
             "(lambda x, *y: <expr>)", "(<name> := <expr>)", "f'{<name>:{<name>}}'", "(yield)", "(yield <expr>)",
             "(yield from <expr>)", "(await <expr>)", "[*<expr>]"],
    "target": ["<name>", "<name>, <name>", "<name>, *<name>", "<name>.<attr>", "<name>[<index>]",
               "(<name>, (<name>, y))", "self.<attr>", "[<name>]"],
    "params": ["", "x", "self", "self, x", "cls, x: <type>", "x: <type> = <expr>", "*x, **y", "x, /, y=<expr>, *, z",
               "self, x: <type>, y=None", "self, batch"],
    "decorator": ["<name>", "property", "staticmethod", "classmethod", "torch.no_grad()", "functools.lru_cache",
                  "<call>", "overload", "dataclass", "torch.compile", "<name>.setter", "abstractmethod",
                  "functools.cached_property"],
    "import": ["import <module0>", "from <module> import <name>", "from <module> import *",
               "import <module0> as <name>", "from <module> import <name> as <name>", "from . import _C"],
    "module0": ["m0", "m1", "m2", "p", "p.q", "torch", "torch.nn as nn"],
    "pattern": ["_", "<name>", "[<name>, *_]", "{'a': <name>, **y}", "<name>(x=<name>)", "1 | 2", "str() as x",
                "<name>.<attr>", "None"],
    "stmt": ["<target> = <expr>", "<expr>", "<name> = <expr>", "<name> += <expr>", "<name>[<index>] += <expr>",
             "<name>[<index>] = <expr>", "<name>: <type> = <expr>", "<name>: <type>", "<target> = <target> = <expr>",
             "return <expr>", "return", "del <target>", "assert <expr>, <expr>", "raise <expr> from <expr>",
             "global <name>", "pass", "break", "continue", "<import>", "<name> = <name>(<name>)", "<name> = <name>",
             "self.<attr> = <expr>", "<name> = Union[<type>, <type>]", "<name> = [<name>, <name>]",
             "__all__ = ['x', <expr>]", "if <expr>:<block>", "if <expr>:<block>\nelif <expr>:<block>\nelse:<block>",
             "for <target> in <expr>:<block>", "for <target> in <expr>:<block>\nelse:<block>", "while <expr>:<block>",
             "with <expr> as <target>:<block>",
             "try:<block>\nexcept <expr> as e:<block>\nelse:<block>\nfinally:<block>",
             "try:<block>\nexcept ImportError:<block>", "try:\n    <import>\nexcept ImportError:\n    <name> = None",
             "match <expr>:\n    case <pattern>:<blocks>", "<def>", "<def>", "<class>", "<class>",
             "@<decorator>\n<def>", "@<decorator>\n<class>"],
    "def": ["def <name>(<params>):<block>", "def <attr>(<params>) -> <type>:<block>",
            "async def <name>(<params>):<block>", "def forward(self, x):<block>",
            "def <name>(<params>):\n    return <call>", "def __call__(self, *x):<block>",
            "def __init__(self, <name>):<block>", "def training_step(self, batch, i):<block>"],
    "class": ["class <name>:<block>", "class <name>(<name>):<block>", "class <name>(<name>, <name>):<block>",
              "class <name>(nn.Module):<block>", "class <name>(torch.autograd.Function):<block>",
              "class <name>(Generic[T], metaclass=<name>):<block>", "class <name>(m1.<name>):<block>",
              "class <name>(torchmetrics.Metric):<block>", "class <name>(NamedTuple):<block>"],
}  # fmt: skip

HEAD: Final = (
    "import torch, torchmetrics, functools, m1\nfrom torch import nn\nfrom typing import *\n"
    "from dataclasses import dataclass\nfrom jaxtyping import Float\n"
)
FILES: Final = ("m0.py", "m1.py", "m2.py", "p/__init__.py", "p/q.py", "m2.pyi")


def program(random: Random) -> dict[str, str]:
    """A project of a few files, by their names."""
    names = random.sample(FILES, random.randint(1, 4))
    return {name: HEAD + "\n".join(_statement(random) for _ in range(random.randint(2, 14))) for name in names}


def _statement(random: Random) -> str:
    """A statement, one that Python reads for most times."""
    text = expand(random, "stmt", DEPTH)
    return text if is_python(text) or random.random() < 0.01 else _statement(random)


def is_python(text: str) -> bool:
    """Python can read the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def expand(random: Random, symbol: str, depth: int) -> str:
    """A text for a symbol of the grammar; the deeper, the simpler."""
    if symbol in ("block", "blocks"):
        body = "\n".join(expand(random, "stmt", depth - 1) for _ in range(random.randint(1, 3)))
        return "\n" + textwrap.indent(body, "    " * (1 + (symbol == "blocks")))
    choices = GRAMMAR[symbol]
    if depth <= 0:
        choices = [each for each in choices if not SYMBOL.search(each)] or choices[:3]
        if symbol in ("def", "class"):
            return f"{symbol} f{'()' if symbol == 'def' else ''}: pass"
    return SYMBOL.sub(lambda match: expand(random, match[1], depth - 1), random.choice(choices))
