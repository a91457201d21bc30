"""A device tensor is copied to the host, which waits for the device and for the copy.

Keep the tensor on the device and move the collected results once, after the loop. If the host needs them sooner, copy
with `.to("cpu", non_blocking=True)`, record a `torch.cuda.Event`, and read after `event.synchronize()`.

The rule reports `.cpu()`, `.to("cpu")`, `.numpy(force=True)`, `.type("torch.FloatTensor")`, `.type_as(host_tensor)`,
`host_tensor.copy_(device_tensor)`, `torchvision.utils.save_image(device_tensor, …)`, and `torch.save` of what holds
tensors of the device, which are copied one by one. With `non_blocking=True` the copy itself does not wait (into
unpinned memory it may, inside the driver); reading its result too early is a race, which SYNC304 reports. A metric that
gathers on its own device (`.to(self._device)`), which is the CPU by default, copies each update there unless it is
created with a device. What follows on the host, such as `.numpy()` after `.cpu()`, is not reported again. Modules and
tensors already on the host are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..lint.facts.torch_ops import SAVES_IMAGE
from ..lint.facts.torch_transfers import SAVES
from ..lint.operations import (
    UNKNOWN,
    Batch,
    Call,
    Class,
    Function,
    Host,
    Instance,
    Module,
    Tensor,
    Value,
    as_device,
    as_tensor,
    element,
    in_text,
    options_of,
    tensor_on,
)
from ..lint.rule import Report, rule

WRITTEN_LATER = "Write every N steps; copy with `.to('cpu', non_blocking=True)` and write once that is done."


@rule(
    "SYNC103",
    "copy-to-host",
    calls=(
        *(f"Tensor.{name}" for name in ("cpu", "numpy", "to", "type", "type_as", "copy_")),
        *(SAVES_IMAGE, SAVES),
    ),
)
def check(op: Call) -> Report | None:
    """Report a tensor method that copies from the device to the host."""
    if op.name == SAVES_IMAGE:
        message = f"`{op.text}` copies to the host to write a file, and waits for the device and for the copy"
        return op.finding(message, as_tensor(op.subject), as_tensor(element(op.subject)))
    if op.name == SAVES:
        message = f"`{op.text}` copies each tensor to the host to write it, and waits for the device and for the copy"
        return op.finding(message, *_written(op.argument("obj") or UNKNOWN), instead=WRITTEN_LATER)
    if not op.name.startswith("torch.Tensor."):
        return None
    if (source := _copied(op)) is not None:
        return op.finding(f"`{op.text}` copies to the host, which waits for the device and for the copy", source)
    if (source := _of_metric(op)) is not None:
        message = f"`{op.text}` copies to the host where the metric is given no device, and waits for the copy"
        return op.finding(message, source, instead="Create the metric with the device of what it is updated with.")
    return None


def _written(value: Value) -> Iterator[Value]:
    """Yield the tensors that are seen to be on a device, of those that are written: in containers, and of a module."""
    for each in in_text(value):
        for one in options_of(each):
            device = (
                as_device(one) if isinstance(one, Tensor | Batch) else one.device if isinstance(one, Instance) else None
            )
            if device is not None and (device.on_gpu or device.why is not None):
                yield tensor_on(device)


def _copied(op: Call) -> Value | None:
    """Return the value that is copied to the host; None if the call copies nothing there or does not wait for it."""
    first = op.positional[0] if op.positional else None
    match op.last_name:
        case "cpu":
            return op.receiver
        case "numpy":
            return op.receiver if op.given("force") else None
        case "to":
            return op.receiver if _to_host(op.keyword("device") or first) and not _asynchronous(op) else None
        case "type":
            return op.receiver if _host_type(op.argument("dtype")) and not _asynchronous(op) else None
        case "type_as":
            return op.receiver if _to_host(first) else None
        case "copy_":
            return first if _to_host(op.receiver) and not _asynchronous(op) else None
    return None


def _of_metric(op: Call) -> Value | None:
    """Return the value that is copied to the device of a metric, which is the CPU by default."""
    target = as_device(op.keyword("device") or next(iter(op.positional), None)) if op.last_name == "to" else None
    if target is None or target.host_for != "metric" or _asynchronous(op) or op.receiver is None:
        return None
    source = as_device(op.receiver)
    return None if source is None or source.host_for else op.receiver


def _to_host(target: Value | None) -> bool:
    device = as_device(target)
    return device is not None and device.on_cpu


def _host_type(target: Value | None) -> bool:
    match target:
        case Host("str", str() as name) | Module(name) | Class(name) | Function(name):
            return name.startswith("torch.") and name.endswith("Tensor") and ".cuda." not in name
    return False


def _asynchronous(op: Call) -> bool:
    """Whether `non_blocking` is passed by name, or by position as the first bool."""
    if op.keyword("non_blocking") is not None:
        return op.given("non_blocking")
    flags = [value for value in op.positional if isinstance(value, Host) and value.kind == "bool"]
    return bool(flags) and flags[0] != Host("bool", False)
