"""Records what methods of a value that only linking may know tell about it: who is called, and that it is a tensor."""

from __future__ import annotations

import ast
from typing import Final

from ....facts.attributes import ARRAY_METHODS, CASTS, SHARED_WITH_MODULES, TAKE_POSITIONS
from ....facts.logging_frameworks import LOG_METHODS
from ....facts.lookups import METHODS_OF_MODULE
from ....facts.modules import MODULE, OF_MODULES
from ....facts.naming import DEVICE_NAMES
from ....facts.signatures import lookup, public_tensor_methods
from ...library.access import TENSOR_METHODS
from ...library.method_names import may_be_of_lists
from ...notes.operations import OF_OBJECT, of_anything
from ...often.gates import last_name
from ...values.arguments import Arguments
from ...values.ops import Op
from ...values.tensors import as_device, is_size
from ...values.union import UNKNOWN, Deferred, Function, Host, Instance, Value
from ..state.frame import Frame
from ..state.scope import path
from .call_notes import note_text, note_watched, spreads
from .command_lines import note_options
from .handed import note_handed
from .methods_run import holders, note_run
from .signature_notes import note_signature

PLACES: Final = frozenset(("to", "cuda", "cpu"))
"""Methods that move tensors; whatever else has them is not computed with."""

EVERYBODYS: Final = frozenset(dir(list)) | frozenset(dir(dict)) | frozenset(dir(str)) | frozenset(dir(set))
"""Names of methods that many objects have."""


def note_open_method(
    frame: Frame, node: ast.Call, callee: Deferred, base: Value, whole: Value, arguments: Arguments
) -> None:
    """Record a method of a value that only linking may know; `whole`: with what else it may be called on."""
    name, positional = callee.name, arguments.positional
    note_handed(frame, node, of_anything(name), arguments)
    note_options(frame, name, arguments)
    note_evidence(frame, base, name, arguments)
    is_own = isinstance(base, Instance)  # then `self.softmax(x)` calls what a base class keeps under that name
    if not is_own and name in frame.file.tensor_methods and (spreads(node) or _takes(name, arguments)):
        note_signature(frame, node, f"{TENSOR_METHODS}{name}", arguments)
    if name in frame.file.watched.methods:
        note_watched(frame, node, of_anything(name), whole, arguments)
    elif frame.recorder.calls_objects:
        note_watched(frame, node, OF_OBJECT, callee, arguments)
    elif name in LOG_METHODS and isinstance(node.func, ast.Attribute) and "log" in (path(node.func.value) or ""):
        note_text(frame, node, positional, "logging")
    note_run(frame, base, name, positional, tuple(arguments.keywords.items()))
    if isinstance(base, Deferred) and not holders(base):
        note_called_by_name(frame, name)


def note_unknown_call(frame: Frame, node: ast.Call, callee: Value) -> None:
    """Record a call of something of which nothing is known: by the method's name, and what it passes by name."""
    if isinstance(node.func, ast.Attribute) and _is_of_unknown(callee, node.func.attr):
        note_called_by_name(frame, node.func.attr)
    if node.keywords and (callee is UNKNOWN or isinstance(callee, Deferred)):
        frame.file.passed.update(each.arg for each in node.keywords if each.arg and last_name(each.value) != each.arg)


def _is_of_unknown(callee: Value, method: str) -> bool:
    """Whether a method is that of an object of which no more is known, at most, than that it is a module."""
    if isinstance(callee, Function):
        return callee.name == f"{MODULE}.{method}" and method not in METHODS_OF_MODULE
    return callee is UNKNOWN


def note_called_by_name(frame: Frame, method: str) -> None:
    """Record a call of which no more than the method's name is known, unless many objects have such a method."""
    if method not in EVERYBODYS and method not in public_tensor_methods():
        frame.recorder.called_on_anything(method, frame.region, frame.scope)


def note_evidence(frame: Frame, base: Value, name: str, arguments: Arguments) -> None:
    """Record what a method shows: tensors, if only they have it, alone or in a chain, and modules."""
    if name in OF_MODULES:
        frame.recorder.saw_module(base)
    note_place(frame, base, name, arguments)
    if (why := _shows_tensor(frame, name, arguments)) is not None:
        frame.recorder.saw_tensor(base, why, frame.scope)
    if isinstance(base, Deferred) and base.op is Op.METHOD and base.operands:
        if name not in ARRAY_METHODS or _takes(name, arguments):
            note_chain(frame, base, name)
        if name == "backward" and base.name == "scale":
            frame.recorder.saw_scaler(frame.recorder.same(base.operands[0]))
    if name == "unscale_":
        frame.recorder.saw_scaler(base)


def note_place(frame: Frame, base: Value, name: str, arguments: Arguments) -> None:
    """Record what a method shows about where a value is: `x.numpy()` works on the host alone.

    Who asks not to wait for a copy to the device means one from the host.
    """
    if (name == "numpy" and not arguments.keywords) or _is_upload(name, arguments):
        frame.recorder.saw_array(base)
    elif name == "cpu":
        frame.recorder.saw_copy(base)


def _is_upload(name: str, arguments: Arguments) -> bool:
    """Whether a value is copied to the device, and the host asked not to wait: `x.to(device, non_blocking=True)`."""
    if arguments.keywords.get("non_blocking") != Host("bool", True):
        return False
    if name != "to":
        return name == "cuda"
    target = arguments.keywords.get("device") or next(iter(arguments.positional), None)
    named = target.name if isinstance(target, Deferred) else ""
    device = as_device(target)
    return device is not None and (device.on_gpu or named.rpartition(":")[2] in DEVICE_NAMES)


def note_chain(frame: Frame, base: Deferred, name: str) -> None:
    """Record chains such as `x.mean().cpu()`: objects with just one of the methods are not tensors."""
    pair = (base.name, name)
    for first, second in (pair, pair[::-1]):
        if first in SHARED_WITH_MODULES and second in ARRAY_METHODS:
            why = f"`.{base.name}().{name}()` is a chain of tensor methods"
            frame.recorder.saw_tensor(base, why, frame.scope)
            frame.recorder.saw_tensor(frame.recorder.same(base.operands[0]), why, frame.scope)


def note_computed(frame: Frame, value: Value) -> None:
    """Record what computing with a value, or selecting by it, shows: `m.float() * x`, `y - x.cpu()`, `x[m.byte()]`."""
    if not isinstance(value, Deferred) or value.op is not Op.METHOD:
        return
    if value.name in PLACES or (value.name in CASTS and len(value.operands) == 1):
        why = f"`.{value.name}()` of it is computed with, as of a tensor"
        frame.recorder.saw_tensor(frame.recorder.same(value.operands[0]), why, frame.scope)
        frame.recorder.saw_tensor(value, why, frame.scope)


def _takes(name: str, arguments: Arguments) -> bool:
    """Whether a tensor's method can be called like this: `accelerator.gather(x)` is another, for that needs two."""
    signature, count = lookup(f"{TENSOR_METHODS}{name}"), len(arguments.positional)
    if signature is None:
        return True
    return not signature.lacks(count, arguments.keywords) and signature.takes(count, arguments.keywords)


def _shows_tensor(frame: Frame, name: str, arguments: Arguments) -> str | None:
    """Return why what a method is called on is a tensor; None if other objects have the method as well."""
    bare = not arguments.positional and not arguments.keywords
    if may_be_of_lists(name, bare, arguments.keywords):
        return None
    if name in frame.tensor_methods and _takes(name, arguments):
        return f"`.{name}()` is a tensor method"
    if (given := _as_of_tensors(name, arguments)) is not None:
        return f"`.{name}()` is called with {given}, as on tensors"
    return "`.backward()` is called on it" if name == "backward" and bare else None


def _as_of_tensors(name: str, arguments: Arguments) -> str | None:
    """Return the argument that a method accepts only on tensors: `x.any(dim=-1)`, `x.size(0)`, `x.expand(-1, 3)`."""
    if not arguments.positional and name in public_tensor_methods():
        dimension = arguments.keywords.get("dim")
        if isinstance(dimension, Host) and dimension.kind == "int":
            return "`dim=`"
        return "`keepdim=`" if "keepdim" in arguments.keywords else None
    return "a number" if name in TAKE_POSITIONS and any(map(is_size, arguments.positional)) else None
