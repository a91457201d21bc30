"""How PyTorch's functions are called and what they return: the parser of `torch_signatures.ROWS`.

A row reads `RESULT DEVICE DTYPE RANK | parameter parameter ...`; DEVICE, DTYPE and RANK are `-` without a tensor.

- RESULT: `tensor`, `tuple:N` (N tensors), `tensors` (any number), `nested` (an LSTM's `(tensor, (tensor, tensor))`),
  `self` (the receiver or first argument itself), `int` `float` `bool` `number` `str` `size` `dtype` `device` `none`
  `numpy` `list` `other`, `open` (what its uses tell). `tensor/tuple:2@dim` is a tensor, or a pair when the argument
  `dim` is given (and is not literally `None` or `False`); `@a&b` needs both; of several that hold the last one counts.
- DEVICE: `args` (of the tensor arguments), `factory` (`device=`, else the default device), `like` (`device=`, else
  that of the first tensor argument, else the default device), `cpu`, `cuda`, `any`.
- DTYPE: a given `dtype` argument always wins. Otherwise `same` (promoted from all arguments, numbers included),
  `accumulate` (same, but bool and integers become int64), `float` (the floating result of the input), `real` (same, but
  complex becomes real), `like` (of the first argument), `factory` (the default float), `bool` `int64` `int32` `uint8`
  `int` (an integer of another width) `complex` `any`. A comma separates the elements of a tuple.
- RANK: `same` (broadcast of the tensor arguments), `first` (of the first one), `less` (one less than that), `0`, `1`,
  `2`, `positions` (2, or 1 with `as_tuple`), `reduce` (0 unless one of WIDENING is given, then unknown), `reduction` (0
  unless `reduction="none"`), `size` (as many as the argument `size` or `shape` has elements), `1+` (at least one),
  `any`. A comma separates the elements of a tuple.
- A parameter is `name:kinds`, then `?` if some overload does without it, or `...` if it takes the rest; those behind
  `*` are keyword-only. `dim:i?/other:t?` stand at the same position of different overloads. Kinds are `t` Tensor,
  `T` sequence of tensors, `s` number, `f` float, `i` int or sizes, `b` bool, `d` dtype, `v` device, `x` anything else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, cached_property

from . import library_waits, torchvision_signatures
from .torch_signatures import ROWS

# Arguments that keep `sum`, `max` and the like from reducing to a single element.
WIDENING = frozenset({"dim", "axis", "dims", "other", "keepdim"})

NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""Names of NumPy's that every parser of arguments takes for its own. Source: torch 2.13
`torch/csrc/utils/python_arg_parser.cpp`, `numpy_compatibility_arg_names`.
"""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; `position` is shared by alternatives and is None if the parameter is keyword-only."""

    name: str
    kinds: frozenset[str]
    optional: bool
    variadic: bool
    position: int | None

    @property
    def keyword_only(self) -> bool:
        """Whether the parameter is keyword-only."""
        return self.position is None


@dataclass(frozen=True)
class Signature:
    """The result of a function, and its parameters over all overloads."""

    result: str
    device: str
    dtype: str
    rank: str
    parameters: tuple[Parameter, ...]

    def at(self, position: int) -> tuple[Parameter, ...]:
        """Return the alternatives for the positional argument at `position`; none if there are too many arguments."""
        return self._at[position] if position < len(self._at) else self._rest

    @cached_property
    def _at(self) -> tuple[tuple[Parameter, ...], ...]:
        positions = range(1 + max((p.position for p in self.parameters if p.position is not None), default=-1))
        return tuple(tuple(p for p in self.parameters if p.position == position) for position in positions)

    @cached_property
    def _rest(self) -> tuple[Parameter, ...]:
        """The parameters that take all positional arguments beyond the others."""
        return tuple(p for p in self.parameters if p.variadic and p.position is not None)

    def named(self, name: str) -> tuple[Parameter, ...]:
        """Return the parameters with that name: more than one if overloads place it differently."""
        return tuple(p for p in self.parameters if p.name == name)

    def argument_names(self, count: int, numbers: Collection[int] = ()) -> tuple[str, ...]:
        """Return the parameter that each of `count` positional arguments fills, the first of several alternatives.

        The positions in `numbers` hold integers, which fill an alternative that takes them.
        """
        return tuple(_chosen(self.at(i), i in numbers) for i in range(count))

    def bind(self, positional_count: int, keywords: Collection[str]) -> dict[int | str, frozenset[str]]:
        """Return the kinds accepted by each argument: positions and keywords to letters, nothing if unknown."""
        bound: dict[int | str, frozenset[str]] = {i: _kinds(self.at(i)) for i in range(positional_count)}
        bound.update({name: _kinds(self.named(name)) for name in keywords})
        return bound

    def lacks(self, positional_count: int, keywords: Collection[str]) -> bool:
        """Whether a call with so many positional arguments leaves out one that no overload can do without."""
        left = self._at[positional_count:]
        named = {NUMPY_NAMES.get(name, name) for name in keywords}.union(keywords)
        return any(all(not p.optional and not p.variadic and p.name not in named for p in each) for each in left)

    def takes(self, positional_count: int, keywords: Collection[str]) -> bool:
        """Whether some overload has a place for each argument of a call, whatever the others are.

        Numbers that are keyword-only now were the first arguments once, and still may be: `p.addcdiv_(-lr, m, v)`.
        Source: torch 2.13 `tools/autograd/deprecated.yaml`.
        """
        count = positional_count - sum(p.keyword_only and p.kinds == {"s"} for p in self.parameters)
        if count > 0 and not self.at(count - 1):
            return False
        return all(self.named(name) or self.named(NUMPY_NAMES.get(name, "")) for name in keywords)

    @property
    def is_overloaded(self) -> bool:
        """Whether what is returned depends on the arguments that are passed."""
        return "/" in self.result

    def result_for(self, given: Collection[str]) -> str:
        """Return the result word for a call that passes the arguments with these names."""
        base, *others = self.result.split("/")
        for other in others:
            word, _, condition = other.partition("@")
            if all(name in given for name in condition.split("&")):
                base = word
        return base

    def dtype_of(self, index: int) -> str:
        """Return the dtype rule of one element of a tuple result."""
        return _element(self.dtype, index)

    def rank_of(self, index: int) -> str:
        """Return the rank rule of one element of a tuple result."""
        return _element(self.rank, index)


def _chosen(alternatives: tuple[Parameter, ...], is_number: bool) -> str:
    taking = tuple(each for each in alternatives if is_number and "i" in each.kinds) or alternatives
    return taking[0].name if taking else ""


def _element(rules: str, index: int) -> str:
    each = rules.split(",")
    return each[0] if len(each) == 1 else each[index] if index < len(each) else "any"


def _kinds(parameters: tuple[Parameter, ...]) -> frozenset[str]:
    return parameters[0].kinds if len(parameters) == 1 else frozenset().union(*(p.kinds for p in parameters))


@cache
def lookup(name: str) -> Signature | None:
    """Return the signature of a dotted public name such as `torch.Tensor.sum` or `torchvision.ops.nms`."""
    row = ROWS.get(name) or torchvision_signatures.ROWS.get(name) or library_waits.SIGNATURES.get(name)
    if row is None:
        return None
    facts, _, declared = row.partition(" |")
    result, device, dtype, rank = facts.split(" ")
    return Signature(result, device, dtype, rank, _parameters(declared))


def _parameters(declared: str) -> tuple[Parameter, ...]:
    before, _, after = declared.partition("* ")
    positional = [_parameter(word, i) for i, slot in enumerate(before.split()) for word in slot.split("/")]
    return (*positional, *(_parameter(word, None) for word in after.split()))


def _parameter(word: str, position: int | None) -> Parameter:
    name, _, tail = word.partition(":")
    letters = tail.rstrip("?.")
    return Parameter(name, frozenset(letters), tail.endswith("?"), tail.endswith("..."), position)


@cache
def public_tensor_methods() -> frozenset[str]:
    """Return the names of the public attributes of `torch.Tensor`, methods and properties."""
    prefix = "torch.Tensor."
    return frozenset(name[len(prefix) :] for name in ROWS if name.startswith(prefix))
