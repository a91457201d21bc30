"""Records what a signature of torch tells about arguments: this is a tensor, that is read as a number."""

from __future__ import annotations

import ast

from ....facts.graph_layers import layer_of
from ....facts.signatures import lookup
from ...library.expected import ONLY_TENSOR, expects
from ...values.arguments import Arguments
from ...values.certainty import can_wait
from ...values.joining import any_item
from ...values.ops import Op
from ...values.union import Deferred, OneOf, Sequence, Tensor, Value
from ..state.frame import Frame
from .conversions import convert

NUMBERS = frozenset("sfi")
NUMBERS_OR_DTYPES = frozenset("sfid")
"""Sets of parameter kinds (see `facts.signatures`)."""


def note_signature(frame: Frame, node: ast.Call, name: str, arguments: Arguments) -> None:
    """Record evidence for arguments that must be tensors, and conversions of tensors where a number is expected."""
    signature = None if name.rpartition(".")[2][:1].isupper() else lookup(name)
    if signature is None:
        return
    kinds = signature.bind(len(arguments.positional), arguments.keywords)
    keyword_nodes = {keyword.arg: keyword.value for keyword in node.keywords}
    for at, (value, argument) in enumerate(zip(arguments.positional, node.args)):
        parameters = signature.at(at)
        note_argument(frame, argument, value, kinds[at], name, parameters[-1].name if parameters else "")
    for key, value in arguments.keywords.items():
        if key in keyword_nodes:
            note_argument(frame, keyword_nodes[key], value, kinds[key], name, key)


def note_layer(frame: Frame, cls: str, arguments: Arguments) -> bool:
    """Record evidence for what a layer of graphs waits for (the edges, or a node's graph), if this is one."""
    if (layer := layer_of(cls)) is None:
        return False
    arguments.names = layer.forward
    value = arguments.get(layer.reads)
    if isinstance(value, Deferred | OneOf):
        frame.recorder.saw_tensor(value, expects(cls), frame.scope)
    return True


def note_argument(
    frame: Frame, argument: ast.expr, value: Value, kinds: frozenset[str], name: str, parameter: str
) -> None:
    """Record what the kinds that a parameter accepts tell about the argument."""
    if kinds == ONLY_TENSOR:
        if isinstance(value, Deferred | OneOf):
            frame.recorder.saw_tensor(value, expects(name), frame.scope)
    elif kinds & NUMBERS and kinds <= NUMBERS_OR_DTYPES:
        note_number(frame, argument, value, name, parameter)


def note_number(frame: Frame, argument: ast.expr, value: Value, name: str, parameter: str) -> None:
    """Record the read of a tensor where a number is expected; an open parameter is not known to be a tensor."""
    if isinstance(value, Tensor | OneOf) or (isinstance(value, Deferred) and value.op is not Op.PARAMETER):
        convert(frame, argument, value, "number", f"`{parameter}` of `{name.rpartition('.')[2]}`")
    elif isinstance(value, Sequence) and value.kind in ("list", "tuple") and value.items is not None:
        for each in value.items:
            if isinstance(each, Tensor) and can_wait(each):
                note_number(frame, argument, each, name, parameter)


def note_numbers(frame: Frame, argument: ast.expr, value: Value, by: str) -> None:
    """Record that a tensor created from a list reads each tensor in the list."""
    while isinstance(value, Sequence) and value.kind in ("list", "tuple"):
        value = any_item(value)
        convert(frame, argument, value, "number", f"an element for {by}")
        by = f"a list for {by}"
