"""Models, and pipelines of several, that something unknown has made: calling them computes.

A library or a registry has made them: `build_model(cfg)`, `instantiate(cfg.model)`, `getattr(models, name)()`.
"""

from __future__ import annotations

from ...facts import modules
from ...regex import regex
from ..values.lattice import ANY_DTYPE, ARRAY, OPEN, Device
from ..values.ops import Op
from ..values.union import UNKNOWN, Deferred, DeviceRef, DTypeRef, Function, Instance, Tensor, Value
from .world import Program

_LOADING = regex(modules.LOADING)


def loaded(value: Value, device: Device) -> Instance | None:
    """Return the model that a value is, moved to a device, if a function with the name of one that makes models did.

    `value` is a question that nothing else answers.
    """
    while isinstance(value, Deferred) and value.op is Op.METHOD and value.name in modules.SELF_METHODS:
        value = value.operands[0]
    match value:
        case Deferred(Op.METHOD | Op.CALL | Op.CALL_VALUE, name) if _LOADING.search(name.rpartition(".")[2]):
            return Instance(modules.LOADED, (), device)
    return None


def attribute_of(value: Instance, name: str, program: Program) -> Value:
    """Return an attribute of such a model: one of its methods, a parameter, or a part, which is like itself.

    Modules of the project that have one by that name tell what it is.
    """
    device = value.device or OPEN
    if name == "device":
        return DeviceRef(device)
    if name == "dtype":
        return DTypeRef(ANY_DTYPE)
    if name in modules.METHODS:
        return Function(f"{modules.MODULE}.{name}", value)
    if name in modules.TENSORS:
        return Tensor(device, rank=ARRAY)
    if (found := program.missing(value, name)) is not UNKNOWN:
        return found
    return UNKNOWN if name in modules.NO_TENSORS else value
