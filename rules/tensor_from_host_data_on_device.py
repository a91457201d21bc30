"""A tensor is built on the host from Python or numpy data, then copied to the device; the host waits for the copy.

For a single number write `torch.full((), value, dtype=…, device=device)`, or keep the Python number; pass `device=` to
`zeros`, `arange` and the like instead of moving their results; turn lists and arrays into tensors once, outside the
loop, or into a buffer of the module.

The rule reports `torch.tensor`, `as_tensor` and `asarray` of host data with `device=`, `x.new_tensor(data)`,
`torch.cuda.FloatTensor(data)` (`torch.Tensor(data)` where that is the default type), `device_tensor.copy_(number)`,
`torch.where(c, x, cpu_scalar)`, and what is created on the host only to be moved, tensors and modules:
`torch.zeros(n).to(device)`, `nn.Linear(3, 4).to(device)`. `zeros`, `ones`, `full`, `arange`, `scalar_tensor` and the
like do not wait if given the device, nor do `new_zeros` or `zeros_like`. `torch.full` infers its dtype from the number
unless one is given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..lint.facts.dtypes import TENSOR_CLASSES
from ..lint.facts.modules import MODULE, MOVED_WHEN_MADE
from ..lint.facts.torch_transfers import COPIES, FROM_DATA, NO_TENSORS
from ..lint.finding import Confidence
from ..lint.offers import ASKED, NO_DEVICE, Offer
from ..lint.operations import (
    GPU_DEVICE,
    NONE,
    UNKNOWN,
    Batch,
    Call,
    Device,
    DeviceRef,
    Function,
    Host,
    Sequence,
    Tensor,
    Value,
    any_item,
    as_device,
    is_integral,
    is_number,
    is_scalar,
    is_written_number,
    may_be_scalar,
    on_gpu,
    on_host,
    options_of,
    sureness,
    tensor_on,
    to_device,
)
from ..lint.rule import Report, rule

BUILT = FROM_DATA[0].names
NUMBERS = ("int", "float", "bool", "complex")
DATA = (*NUMBERS, "ndarray", "Size", "range", "object")
CREATED = frozenset(("zeros", "ones", "full", "empty", "eye"))
RANGES = frozenset(("arange", "linspace", "logspace"))
DATA_MAKERS = frozenset(("tensor", "as_tensor", "from_numpy"))
RANDOMS = frozenset(("rand", "randn", "randint", "randperm"))
ANY_NUMBER = (
    "what is no number raises, a NumPy number gets the default dtype, and one beyond the dtype's range raises instead "
    "of overflowing"
)
ROUNDED = "the device may round the last digit differently"
MOVED = Offer("moved-number-as-full", "fill a tensor with the number", is_sure=False)
COPIED = Offer("copied-when-built", "copy with `non_blocking` what is built", is_sure=False)
COPIED_IF_ASKED = replace(COPIED, unsafe=NO_DEVICE, details=(ASKED,))
TRACED = "a trace, as of `torch.jit.trace`, creates it on the device of the example for ever"
RANDOM = "the device draws other random numbers"


@rule("SYNC302", "tensor-from-host-data-on-device", calls=(*COPIES, *MOVED_WHEN_MADE, *BUILT, *TENSOR_CLASSES, "where"))
def check(op: Call) -> Report | None:
    """Report a tensor that is built on the host and ends up on the device."""
    copy = to_device(op)
    if copy is not None:
        if not copy.is_new or copy.is_asynchronous:
            return None
        made = "a module" if op.name.startswith(MODULE) else "a tensor"
        message = f"`{op.text}` copies {made} just created on the host to the device, and the host waits for the copy"
        return op.finding(message, copy.target, confidence=copy.confidence, offer=_created(op, copy.source))
    if op.last_name in BUILT or _is_class_of_gpu(op):
        return _built(op)
    return _where(op) if op.name in ("torch.where", "torch.Tensor.where") else None


def _built(op: Call) -> Report | None:
    """Report `torch.tensor(data, device=device)` and the like."""
    device, data = _device(op), op.argument("data") or op.argument("obj") or next(iter(op.positional), UNKNOWN)
    if not op.is_torch or device is None or device.on_cpu:
        return None
    sure = _is_data(data, op.last_name)
    if sure is None or (_is_class_of_gpu(op) and not _is_no_size(data)):
        return None
    message = f"`{op.text}` is built on the host and copied to the device, and the host waits for the copy"
    return op.finding(message, tensor_on(device), confidence=min(sure, sureness(device)), offer=_offer(op, data))


def _created(op: Call, source: Tensor | Batch) -> Offer | tuple[Offer, ...] | None:
    """Return the creation on the device, for functions that take one; a dtype beside the device stays where it is."""
    if not isinstance(source, Tensor):
        return None
    maker, is_all = source.maker.rpartition(".")[2], all(map(_is_device, op.arguments))
    if maker in DATA_MAKERS:
        if not is_all:
            return None
        copied = Offer("asynchronous-copy", "copy with `non_blocking`", details=("device",), is_sure=False)
        return MOVED, copied, replace(copied, unsafe=NO_DEVICE, details=("device", ASKED), is_sure=True)
    is_exact = maker in CREATED or (maker == "arange" and is_integral(source))
    unsafe = "" if is_exact else RANDOM if maker in RANDOMS else ROUNDED
    if maker not in CREATED | RANDOMS | RANGES:
        return None
    if is_all:
        inside = Offer("created-inside", f"pass `device=` to `{maker}`", details=(maker,), is_sure=False)
        made = Offer("created-on-device", f"pass `device=` to `{maker}`", unsafe)
        return (made, inside) if is_exact else made
    first = op.positional[0] if op.positional else op.argument("device") or UNKNOWN
    is_tensor = isinstance(first, Tensor) and not first.by_use
    if not is_tensor and not _is_device(first):
        return None
    details = ("tensor" if is_tensor else "device",)
    return Offer(
        "created-beside", f"pass `device=` to `{maker}`", (unsafe or TRACED) if is_tensor else unsafe, details=details
    )


def _is_device(value: Value) -> bool:
    """Whether the value names a device; a tensor stands for its dtype as well."""
    options = options_of(value)
    return all(isinstance(each, DeviceRef | Host) and as_device(each) is not None for each in options)


def _offer(op: Call, data: Value) -> Offer | tuple[Offer, ...] | None:
    """Return the fill that creates the tensor on the device, and for other data the copy that nobody waits for."""
    is_named = NONE not in options_of(op.argument("device") or UNKNOWN)
    return _full(op, data) or ((COPIED, COPIED_IF_ASKED) if op.last_name == "tensor" and is_named else None)


def _full(op: Call, data: Value) -> Offer | None:
    """Return the fill that creates the tensor on the device, for numbers that are all the same."""
    if op.last_name not in ("tensor", "as_tensor", "new_tensor") or _is_class_of_gpu(op):
        return None
    if is_number(data):
        return Offer("number-as-full", "fill a tensor with the number", "" if is_written_number(data) else ANY_NUMBER)
    items = data.items if isinstance(data, Sequence) and data.kind in ("list", "tuple") else None
    if not items or not all(map(is_written_number, items)) or len({repr(each) for each in items}) > 1:
        return None
    return Offer("equal-numbers-as-full", "fill a tensor with the number")


def _is_class_of_gpu(op: Call) -> bool:
    """Whether this is `torch.cuda.FloatTensor(data)` or the like, or `torch.Tensor(data)` where that is the default."""
    return op.last_name in TENSOR_CLASSES and (op.name.startswith("torch.cuda.") or op.keyword("device") is not None)


def _is_no_size(data: Value) -> bool:
    """Whether the argument of a class is what it is filled with: a number is a size."""
    return isinstance(data, Sequence) or data == Host("ndarray")


def _device(op: Call) -> Device | None:
    """Return the device the tensor is created for; None if that is the host or unspecified."""
    if op.name.startswith("torch.cuda."):
        return GPU_DEVICE
    given = op.argument("device")
    if given not in (None, NONE):
        return as_device(given)
    like = op.receiver if op.last_name == "new_tensor" else None
    return like.device if isinstance(like, Tensor) else None


def _is_data(data: Value, maker: str) -> Confidence | None:
    """Return the confidence that this is host data, and not empty; beside tensors, what may be a number."""
    passed = [option for option in options_of(data) if option != NONE]
    copied = [option for option in passed if not isinstance(option, Tensor) or on_host(option)]
    if copied != passed:
        is_copied = any(map(is_number, copied)) and None not in (_one(option, maker) for option in copied)
        return Confidence.LIKELY if is_copied else None
    return _least(_one(option, maker) for option in passed)


def _least(sure: Iterable[Confidence | None]) -> Confidence | None:
    """Return the least of them; None if one of them is None or there are none."""
    found = list(sure)
    return None if not found or None in found else min(each for each in found if each is not None)


def _one(data: Value, maker: str) -> Confidence | None:
    match data:
        case Host() if data.kind in DATA:
            return Confidence.LIKELY if data.kind == "object" else Confidence.CERTAIN
        case Tensor() if on_host(data):
            return Confidence.CERTAIN
        case Sequence(kind="list" | "tuple" | "range"):
            if data.items == ():
                return None
            return _items(any_item(data))
        case Sequence("iter", None, each) if all(map(is_number, options_of(each))):  # annotated so, and no generator
            return Confidence.LIKELY
        case _ if (data is UNKNOWN or isinstance(data, Function)) and maker in NO_TENSORS:
            return Confidence.LIKELY  # no function makes a tensor: what a library's object has is taken for its method
    return None


def _items(item: Value) -> Confidence | None:
    """Return the same for the items of a list; unknown items, and device tensors (which are read), lower it."""
    options = options_of(item)
    data = [each for each in options if not _is_open(each)]
    if not data:
        return Confidence.LIKELY if UNKNOWN in options else None
    sure = _least(_one(each, "") for each in data if each != NONE)
    return sure if sure is None or len(data) == len(options) else min(sure, Confidence.LIKELY)


def _is_open(item: Value) -> bool:
    return item is UNKNOWN or (isinstance(item, Tensor) and not on_host(item))


def _where(op: Call) -> Report | None:
    """Report `torch.where(c, x, host_scalar)`, which moves the scalar to the device."""
    values = (*((op.receiver,) if op.receiver else ()), *op.positional[1:])
    others = [value for value in values if isinstance(value, Tensor) and not on_host(value)]
    are_on_gpu = any(map(on_gpu, others))
    if not others or not any(_is_scalar(value, are_on_gpu) for value in values):
        return None
    message = f"`{op.text}` copies a one-element CPU tensor to the device, and the host waits for it"
    instead = "Pass the number itself, which becomes a kernel argument."
    return op.finding(message, *others, instead=instead)


def _is_scalar(value: Value, beside_device: bool) -> bool:
    """Whether this is a zero-dimensional CPU tensor; next to device tensors, a CPU tensor must be one."""
    return on_host(value) and (is_scalar(value) or (beside_device and may_be_scalar(value)))
