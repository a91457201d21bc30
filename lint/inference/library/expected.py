"""What libraries' functions and layers expect: an argument that can only be a tensor is one."""

from __future__ import annotations

from typing import Final

from ...facts.graph_layers import layer_of
from ...facts.signatures import lookup
from ..values.arguments import Keywords
from ..values.union import UNKNOWN, Tensor, Value

ONLY_TENSOR: Final = frozenset("t")
"""What a parameter accepts that takes tensors alone (see `facts.signatures`)."""
_CALL: Final = ".__call__"


def expects(name: str) -> str:
    """Return why an argument of the function or class with this name is a tensor."""
    return f"`{name}` expects a tensor here"


def as_expected(name: str, positional: tuple[Value, ...], keywords: Keywords) -> tuple[tuple[Value, ...], Keywords]:
    """Return the arguments of a call, those of which nothing is known being tensors where a library expects them."""
    wanted = _wanted(name, positional, keywords)
    tensor = Tensor(by_use=expects(name.removesuffix(_CALL)))
    return (
        tuple(tensor if value is UNKNOWN and at in wanted else value for at, value in enumerate(positional)),
        tuple((key, tensor if value is UNKNOWN and key in wanted else value) for key, value in keywords),
    )


def _wanted(name: str, positional: tuple[Value, ...], keywords: Keywords) -> frozenset[int | str]:
    """Return the positions and names of arguments that can only be tensors."""
    if (layer := layer_of(name.removesuffix(_CALL))) is not None:
        return frozenset((len(layer.forward) - 1, layer.reads))
    if (signature := lookup(name)) is None:
        return frozenset()
    kinds = signature.bind(len(positional), dict(keywords))
    return frozenset(key for key, accepted in kinds.items() if accepted == ONLY_TENSOR)
