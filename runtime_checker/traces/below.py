"""What a trace shows directly below a function of the program, and which places of that function may be the cause.

A call shows as a function, so only calls of its name fit, whatever that runs inside: `torch.unique(x)` is no `float(x)`
though both run `aten::item`. An operator without a function around it is one that Python runs itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from .places import Place
from .waits import Span, frame_of

How: TypeAlias = Literal["operator", "special method", "class", "object", "function"]

_MODULE: Final = "nn.Module: "
"""How a trace calls the call of a module; its name there is that of its class."""
_PASSING_ON: Final = re.compile(r".*\): __torch_function__|(?:.*/)?torch/_jit_internal\.py\(\d+\): fn")
"""Functions that only choose another one, by the types of arguments or by an argument's value."""
_HOW: Final[dict[str, How]] = {"__init__": "class", "__new__": "class", "__call__": "object"}
_AFFIXES: Final = re.compile(r"^_+|(?:_impl|\d+)+$")


class Fitting(NamedTuple):
    """The places that run, or at least may run, what has a name."""

    name: str
    sure: tuple[Place, ...] = ()
    possible: tuple[Place, ...] = ()


class Below(NamedTuple):
    """What is directly below a function of the program, and the names of all that encloses the wait there."""

    how: How
    names: tuple[str, ...]

    def fitting(self, places: Sequence[Place]) -> Fitting:
        """Return the places that may be the cause; if there are none, with the first name."""
        for name, fits in self._tries():
            if found := tuple(place for place in places if fits(place, name)):
                return Fitting(name, tuple(place for place in found if name not in place.may_run), found)
        return Fitting(self.names[0] if self.names else "")

    def _tries(self) -> Iterator[tuple[str, Callable[[Place, str], bool]]]:
        """Yield what may fit, the best first: a name, and whether a place runs what has this name."""
        first = self.names[:1]
        match self.how:
            case "function":
                for name in self.names:
                    yield name, _calls
                    yield _bare(name), _calls_bare
            case "operator":
                yield from ((name, _runs) for name in first)
                yield from ((name, _calls) for name in self.names)
            case "special method":
                yield from ((name, fits) for fits in (_runs, _calls) for name in first)
            case "class":
                yield from ((name, _makes) for name in first)
            case "object":
                return


def below(spans: Iterable[Span]) -> Below:
    """Return what a function of the program runs, from what encloses the wait within it, outermost first."""
    full = [span.name for span in spans if not _PASSING_ON.fullmatch(span.name.replace("\\", "/"))]
    names = tuple(map(_plain, full))
    return Below(_how(full[0], names[0]) if full else "operator", names)


def _how(full: str, name: str) -> How:
    if full.startswith(_MODULE):
        return "object"
    if name.startswith("__") and name.endswith("__"):
        return _HOW.get(name, "special method")
    return "function" if full.startswith("<built-in") or frame_of(full) else "operator"


def _plain(name: str) -> str:
    """Return an operator's name: of `aten::item`, `<built-in method item of Tensor …>` and `torch/x.py(3): item`."""
    if frame := frame_of(name):
        return frame.function
    words = name.split()
    if name.startswith("<built-in") and len(words) > 2:
        return words[2].rstrip(">")
    return name.removeprefix(_MODULE).rpartition("::")[2]


def _bare(name: str) -> str:
    """Return the name by which a function is called, of one behind it: `unique` for `_unique2` and `_unique_impl`."""
    return _AFFIXES.sub("", name)


def _calls(place: Place, name: str) -> bool:
    return name in place.calls


def _calls_bare(place: Place, name: str) -> bool:
    return name in map(_bare, place.calls)


def _runs(place: Place, name: str) -> bool:
    return name in place.runs or name in place.may_run


def _makes(place: Place, name: str) -> bool:
    """Whether a place may make an object: a trace does not tell of which class, whose names begin with a capital."""
    return any(each[:1].isupper() for each in place.calls)
