"""The waits of each GPU operator, depending on its arguments.

Taken from torch's sources (`aten/src/ATen/native/cuda`), its `test_sync_warning` and the calls that its CUDA libraries
make; it does not use the linter's facts. A rule is a function of a `Situation` that returns one kind per wait. Pure: it
only looks at the shapes and dtypes of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..staging import is_direct

if TYPE_CHECKING:
    from ..observe import Kind

Version: TypeAlias = tuple[int, int]
SORTING_ISIN: Final = (10.0, 0.145)
"""`isin` sorts from here on: for at least the first number times the size to the power of the second."""
LONGEST_FUSED_MODE: Final = 2048
"""A single kernel finds the mode of slices no longer than this."""


def version_of(text: str) -> Version:
    """Return the first two numbers of a version: of `2.13.0+cpu`, (2, 13)."""
    match = re.match(r"(\d+)\.(\d+)", text)
    return (int(match[1]), int(match[2])) if match else (0, 0)


@dataclass(frozen=True, slots=True)
class Situation:
    """An operator about to run: its arguments by name, where they are, and the version of torch to model.

    `number` says that what is written into a tensor is a number of Python's, `is_filling_back` that a derivative writes
    the zeros of a value of the host.
    """

    values: Mapping[str, Any]
    on: Callable[[Any], bool]
    pinned: Callable[[Any], bool]
    version: Version
    number: bool = False
    is_filling_back: bool = False

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def is_tensor(self, name: str) -> bool:
        """Whether an argument is a tensor."""
        return hasattr(self[name], "storage_offset")

    def on_device(self, name: str) -> bool:
        """Whether an argument is on the device."""
        return self.on(self[name])


Rule: TypeAlias = Callable[[Situation], "Sequence[Kind]"]


def always(kind: Kind, argument: str, count: int = 1) -> Rule:
    """A wait whenever the argument lives on the device."""
    return lambda it: [kind] * count if it.on_device(argument) else ()


def when_asked_for_errors(argument: str) -> Rule:
    """A factorisation that looks for errors itself only if it is told to."""
    return lambda it: ["check"] if it["check_errors"] and it.on_device(argument) else ()


def unless_unsafe(argument: str, count: int) -> Rule:
    """Return the waits of an operator that checks an argument on the host, unless told that this is not needed."""
    return lambda it: ["check"] * count if it.on_device(argument) and not it["unsafe"] else ()


def _is_mask(tensor: Any) -> bool:
    return str(tensor.dtype) in ("torch.bool", "torch.uint8")


def _crosses(target: Any, source: Any, it: Situation, non_blocking: bool) -> Sequence[Kind]:
    """Return what a copy between host and device waits for; the driver stages pageable memory, which waits."""
    there, here = it.on(target), it.on(source)
    if there == here or source.numel() == 0:
        return ()
    host, other = (source, target) if there else (target, source)
    if non_blocking and it.pinned(host) and is_direct(host, other):
        return ()
    return ["copy to device" if there else "copy to host"]


def waits_of_copy(it: Situation) -> Sequence[Kind]:
    """Return what `copy` waits for."""
    target, source = it["self"], it["src"]
    if it.number and it.version >= (2, 15) and target.dim() == 0 and not it.on(source):
        return ()
    return _crosses(target, source, it, bool(it["non_blocking"]))


def waits_of_copies(it: Situation) -> Sequence[Kind]:
    """Return what `copies` waits for."""
    pairs = zip(it["self"], it["src"], strict=False)
    return [kind for target, source in pairs for kind in _crosses(target, source, it, bool(it["non_blocking"]))]


def waits_of_index(it: Situation) -> Sequence[Kind]:
    """Return what `index` waits for."""
    if not it.on_device("self"):
        return ()
    return [kind for index in it["indices"] if index is not None for kind in _one_index(index, it)]


def _one_index(index: Any, it: Situation) -> Sequence[Kind]:
    if it.on(index):
        return ["data-dependent shape"] if _is_mask(index) else ()
    if _is_mask(index) and it.version >= (2, 9) and not it["accumulate"]:
        return ()  # counted on the host and copied from pinned memory
    return ["copy to device"] if index.numel() else ()


def waits_of_index_put(it: Situation) -> Sequence[Kind]:
    """Return what `index_put` waits for."""
    values = it["values"]
    if not it.on_device("self") or _fills_a_mask(it):
        return ()
    waits = list(waits_of_index(it))
    if _is_there(values, it) or not values.numel():
        return waits
    masks_of_host = all(index is None or (_is_mask(index) and not it.on(index)) for index in it["indices"])
    if it.number and it.version >= (2, 15) and (masks_of_host or _is_one_index(it["indices"])):
        return waits
    return [*waits, "copy to device"]


def _is_one_index(indices: Sequence[Any]) -> bool:
    return sum(index is not None for index in indices) == 1


def _is_there(values: Any, it: Situation) -> bool:
    """Whether what is written lives on the device."""
    return it.on(values) and not it.is_filling_back


def _fills_a_mask(it: Situation) -> bool:
    """Whether the fast path applies: one mask on the tensor's device, and a zero-dimensional CPU value."""
    given = [index for index in it["indices"] if index is not None]
    value = it["values"]
    if it["accumulate"] or _is_there(value, it) or value.numel() != 1 or len(given) != 1:
        return False
    return _is_mask(given[0]) and it.on(given[0])


def waits_of_where(it: Situation) -> Sequence[Kind]:
    """Return what `where` waits for."""
    hosts = [name for name in ("self", "other") if it.is_tensor(name) and not it.on_device(name)]
    return ["copy to device"] * len(hosts) if it.on_device("condition") else ()


def waits_of_repeats(it: Situation) -> Sequence[Kind]:
    """Return what `repeats` waits for."""
    return ["check", "data-dependent shape"] if it.on_device("repeats") and it["output_size"] is None else ()


def waits_of_bincount(it: Situation) -> Sequence[Kind]:
    """Return what `bincount` waits for."""
    if not it.on_device("self") or not it["self"].numel():
        return ()
    smallest: list[Kind] = [] if str(it["self"].dtype) == "torch.uint8" else ["check"]
    return [*smallest, "data-dependent shape"]


def waits_of_histc(it: Situation) -> Sequence[Kind]:
    """Return what `histc` waits for."""
    same_bounds = (it["min"] or 0) == (it["max"] or 0)
    return ["reads value"] * 2 if it.on_device("self") and same_bounds else ()


def waits_of_equal(it: Situation) -> Sequence[Kind]:
    """Return what `equal` waits for."""
    one, other = it["self"], it["other"]
    is_same = one.data_ptr() == other.data_ptr() and one.stride() == other.stride()
    return ["reads value"] if it.on_device("self") and one.shape == other.shape and not is_same else ()


def waits_of_bounds(it: Situation) -> Sequence[Kind]:
    """Return what `bounds` waits for."""
    return ["reads value"] * sum(it.on_device(name) for name in ("start", "end"))


def waits_of_isin(it: Situation) -> Sequence[Kind]:
    """Return what `isin` waits for."""
    elements, wanted = it["elements"], it["test_elements"]
    factor, power = SORTING_ISIN
    sorts = elements.numel() and wanted.numel() >= factor * elements.numel() ** power
    if not it.on_device("elements") or not sorts:
        return ()
    if it["assume_unique"]:
        return ["data-dependent shape"] if it.version < (2, 15) else ()
    return ["data-dependent shape"] * 3


def waits_of_mode(it: Situation) -> Sequence[Kind]:
    """Return what `mode` waits for."""
    tensor, dim = it["self"], -1 if it["dim"] is None else it["dim"]
    long = tensor.dim() and tensor.shape[dim] > LONGEST_FUSED_MODE
    return ["reads value"] if it.on_device("self") and long else ()


def waits_of_normal(it: Situation) -> Sequence[Kind]:
    """Return what `normal` waits for."""
    return ["check"] * 2 if it.on_device("std") and it.version < (2, 14) else ()


def waits_of_one_hot(it: Situation) -> Sequence[Kind]:
    """Return what `one_hot` waits for."""
    unknown = it["num_classes"] is None or it["num_classes"] == -1
    return ["data-dependent shape"] if it.on_device("self") and unknown else ()


def waits_of_cross_entropy(it: Situation) -> Sequence[Kind]:
    """Return what `cross_entropy` waits for."""
    mean = it["reduction"] in (None, 1)
    read: list[Kind] = ["reads value"] * sum(it.on_device(name) for name in ("ignore_index", "label_smoothing"))
    smoothing = True if it.on_device("label_smoothing") else (it["label_smoothing"] or 0) > 0
    smooth = smoothing and it.is_tensor("weight") and not it["target"].is_floating_point()
    return [*read, "data-dependent shape"] if it.on_device("self") and smooth and mean else read


def waits_of_ctc(it: Situation) -> Sequence[Kind]:
    """Return what `ctc` waits for."""
    if not it.on_device("log_probs"):
        return ()
    lengths = [name for name in ("input_lengths", "target_lengths") if it.on_device(name)]
    to_host: list[Kind] = ["copy to host"] * len(lengths)
    return [*to_host, "copy to device"]


def waits_of_sparse(it: Situation) -> Sequence[Kind]:
    """Return what `sparse` waits for."""
    sized = it["size"] is not None
    return () if sized or not it.on_device("indices") else ["data-dependent shape"] * 2


def waits_of_combinations(it: Situation) -> Sequence[Kind]:
    """Return what `combinations` waits for."""
    chosen = 2 if it["r"] is None else it["r"]
    return ["data-dependent shape"] * 2 if it.on_device("self") and it.version < (2, 14) and chosen else ()


def waits_of_to_sparse(it: Situation) -> Sequence[Kind]:
    """Entries that are not zero are counted; a compressed form looks at each block or row once more."""
    return ["data-dependent shape"] if it.on_device("self") and "strided" in str(it["self"].layout) else ()


def waits_of_to_compressed(it: Situation) -> Sequence[Kind]:
    """Return what `to_compressed` waits for."""
    return ["data-dependent shape"] * 2 if it.on_device("self") and "strided" in str(it["self"].layout) else ()


def waits_of_unique_consecutive(it: Situation) -> Sequence[Kind]:
    """Return what `unique_consecutive` waits for."""
    return ["data-dependent shape"] * (1 if it["dim"] is None else 2) if it.on_device("self") else ()


def waits_of_eigvals(it: Situation) -> Sequence[Kind]:
    """Return what `eigvals` waits for; with a derivative it is `eig`."""
    tensor = it["A"]
    return ["check"] * (3 if tensor.requires_grad else 2) if it.on_device("A") else ()


def waits_of_pinv(it: Situation) -> Sequence[Kind]:
    """Return what `pinv` waits for."""
    return ["check"] * (1 if it["hermitian"] else 2) if it.on_device("self") else ()


def waits_of_compressed(it: Situation) -> Sequence[Kind]:
    """Return what `compressed` waits for."""
    return ["reads value"] if it.on_device("plain_indices") and it["size"] is None else ()


def never(_: Situation) -> Sequence[Kind]:
    """Nothing."""
    return ()
