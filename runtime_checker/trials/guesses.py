"""Calls of torch's public functions with guessed arguments, as text that any device can run.

The rows of `lint/facts/torch_signatures.py` say what a function takes. A guess that the CPU accepts is a program; what
nothing was found for is left to the trials that are written by hand.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...lint.facts.signatures import Parameter, Signature, lookup
from ...lint.facts.torch_signatures import ROWS
from .given import given
from .programs import Program, prepared
from .trial import quiet

UNSAFE: Final = (
    "cudnn", "miopen", "mkldnn", "fbgemm", "quantize", "from_file", "q_", "fused_moving", "int_repr", "set_", "init_",
    "to_mkldnn", "to_padded", "smm", "sspmm", "grouped_mm", "scaled_", "embedding_bag", "_", "fake_quantize",
    "set_default", "set_num", "set_flush", "set_printoptions", "set_rng", "manual_seed", "seed", "use_deterministic",
    "typename", "share_memory", "apply_", "map_", "map2_", "register", "retain_grad", "data_ptr", "untyped_storage",
    "storage", "from_dlpack", "module_load", "names", "name", "rename", "align", "refine", "compile", "vmap",
    "empty", "new_empty", "resize", "hspmm", "fork", "wait", "init_num_threads", "choose_qparams",
)  # fmt: skip
"""Beginnings of names that are not called: they trust their arguments, change the process, or show what memory held."""
AREAS: Final = (
    "torch",
    "torch.Tensor",
    "torch.nn.functional",
    "torch.special",
    "torch.linalg",
    "torch.fft",
    "torch.nn",
)
TENSORS: Final = ("q", "v", "i", "b", "k", "s", "m", "y", "c")
"""Names of the tensors that are tried for all tensor parameters at once; `GIVEN` makes them."""
PAIRS: Final = (("q", "v"), ("v", "q"), ("v", "s"), ("b", "q"), ("s", "v"), ("q", "i"), ("v", "i"), ("c", "u"))
INDICES: Final = frozenset({"index", "indices", "target", "offsets", "lengths", "repeats"})
MASKS: Final = frozenset({"mask", "condition"})
FEWEST_TRIES: Final = 80


@dataclass(frozen=True, slots=True)
class Guess:
    """A call as text. `setup` is run before."""

    name: str
    setup: str
    text: str


def guesses() -> Iterator[Guess]:
    """One call for each public function that one was found for."""
    for name in ROWS:
        owner, _, last = name.rpartition(".")
        if owner in AREAS and not last.startswith(UNSAFE):
            found = guess(name)
            if found is not None:
                yield found


def guess(name: str) -> Guess | None:
    """Return a call of a public function that runs on the CPU; None if none was found."""
    signature = lookup(name)
    if signature is None or signature.result in ("other", "none", "dtype", "device", "str"):
        return None
    names = given("cpu")
    for candidate in itertools.islice(_candidates(name, signature), FEWEST_TRIES):
        if _runs(candidate, names):
            return candidate
    return None


def _runs(guess: Guess, names: dict[str, Any]) -> bool:
    """Whether the CPU takes the call."""
    try:
        with quiet():
            exec(guess.setup, names)
            eval(guess.text, names)
    except Exception:  # guessed arguments fail in every way there is
        return False
    return True


def _candidates(name: str, signature: Signature) -> Iterator[Guess]:
    owner, _, last = name.rpartition(".")
    for receiver, arguments in _arguments(signature, is_method=owner == "torch.Tensor"):
        if owner == "torch.nn":
            for made in _made(name):
                yield Guess(name, f"it = {made}.to(D)", f"it({arguments})")
        elif owner == "torch.Tensor":
            is_attribute = _is_attribute(last)
            yield Guess(name, "", f"{receiver}.{last}" + ("" if is_attribute else f"({arguments})"))
        else:
            yield Guess(name, "", f"{name}({arguments})")


def _is_attribute(last: str) -> bool:
    import torch

    return not callable(getattr(torch.Tensor, last, None))


def _made(name: str) -> Iterator[str]:
    """Ways to make a layer: with as many whole numbers as its constructor wants."""
    import inspect

    import torch

    kind = getattr(torch.nn, name.rpartition(".")[2])
    wanted = [
        each for each in list(inspect.signature(kind.__init__).parameters.values())[1:]
        if each.default is inspect.Parameter.empty and each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    ]  # fmt: skip
    for number in ("4", "2", "1"):
        yield f"{name}({', '.join('2' if each.name == 'kernel_size' else number for each in wanted)})"


def _arguments(signature: Signature, is_method: bool) -> Iterator[tuple[str, str]]:
    """The receiver of a method, and the arguments of a call."""
    required = list(_required(signature))
    tensors = sum(bool(each.kinds & set("tT")) for each in required) + is_method
    for chosen in _tensor_choices(tensors):
        for plain in itertools.product(*(_plain(each, chosen) for each in required if not each.kinds & set("tT"))):
            of_tensor, of_plain = iter(chosen), iter(plain)
            receiver = next(of_tensor) if is_method else ""
            words = [_word(each, of_tensor, of_plain) for each in required]
            yield receiver, ", ".join(words)


def _required(signature: Signature) -> Iterator[Parameter]:
    """One parameter for each place that has to be filled; one of several alternatives that takes a tensor is first."""
    places: dict[object, list[Parameter]] = {}
    for each in signature.parameters:
        places.setdefault(each.name if each.position is None else each.position, []).append(each)
    for alternatives in places.values():
        if not all(each.optional for each in alternatives):
            yield max(alternatives, key=lambda each: bool(each.kinds & set("tT")))


def _tensor_choices(count: int) -> Iterator[tuple[str, ...]]:
    if not count:
        yield ()
        return
    for name in TENSORS:
        yield (name,) * count
    for first, other in PAIRS if count > 1 else ():
        yield (first, *[other] * (count - 1))


def _word(parameter: Parameter, tensors: Iterator[str], plain: Iterator[str]) -> str:
    if "t" in parameter.kinds:
        chosen = next(tensors)
        value = "i" if parameter.name in INDICES else "m" if parameter.name in MASKS else chosen
    elif "T" in parameter.kinds:
        chosen = next(tensors)
        value = f"[{chosen}, {chosen}]"
    else:
        value = next(plain)
    return f"{parameter.name}={value}" if parameter.position is None else value


def _plain(parameter: Parameter, tensors: Sequence[str]) -> tuple[str, ...]:
    if "v" in parameter.kinds:
        return ("D",)
    if "i" in parameter.kinds:
        return ("0", "1", "2", "(4, 4)", "(0,)", "(1,)", "(4,)")
    if parameter.kinds & set("sf"):
        return ("1", "0.5")
    if "b" in parameter.kinds:
        return ("True",)
    if "d" in parameter.kinds:
        return ("torch.float32",)
    return ("'mean'", "2")


def guessed_programs() -> Iterator[Program]:
    """The calls, and the backward passes of those that have one."""
    for guess in guesses():
        text = f"{guess.setup}; {guess.text}".removeprefix("; ")
        yield Program(guess.name, text)
        yield from numbers_of(guess)
        derived = f"derive(); {guess.setup}; result = {guess.text}; backward(result)".replace("; ;", ";")
        if _is_taken(derived):
            yield Program(f"{guess.name} (backward)", derived)


def _is_taken(text: str) -> bool:
    """Whether the CPU runs the program."""
    try:
        with quiet():
            prepared(text, "cpu")()
    except Exception:
        return False
    return True


def numbers_of(guess: Guess) -> Iterator[Program]:
    """The call with a tensor of the device in place of each number that its function takes, one at a time."""
    signature = lookup(guess.name)
    call = ast.parse(guess.text, mode="eval").body
    if signature is None or not isinstance(call, ast.Call) or guess.setup:
        return
    for name in dict.fromkeys(each.name for each in signature.parameters if each.kinds & set("sfi")):
        for value in ("one", "s"):
            changed = _with_argument(call, signature, name, value)
            if changed is not None and _is_taken(changed):
                yield Program(f"{guess.name}({name})", changed)
                break


def _with_argument(call: ast.Call, signature: Signature, name: str, value: str) -> str | None:
    """The call with one argument put in place of a number, or added; nothing where it is no number."""
    given = ast.Name(value)
    names = signature.argument_names(len(call.args))
    if name in names:
        at = names.index(name)
        if not isinstance(call.args[at], ast.Constant):
            return None
        return ast.unparse(ast.Call(call.func, [*call.args[:at], given, *call.args[at + 1 :]], call.keywords))
    keywords = [each for each in call.keywords if each.arg != name]
    return ast.unparse(ast.Call(call.func, call.args, [*keywords, ast.keyword(name, given)]))
