"""A call for each operator in the facts, with and without the arguments that avoid the wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from ...lint.facts import torch_transfers
from ...lint.facts.torch_ops import ROWS, Wait
from ..simulated.waits import version_of
from .guesses import guess
from .programs import prepared
from .trial import Trial

CALLS: Final[dict[str, tuple[str, str]]] = {
    "item": ("s.item()", ""),
    "tolist": ("v.tolist()", ""),
    "is_nonzero": ("torch.is_nonzero(s)", ""),
    "equal": ("torch.equal(v, v + 1)", ""),
    "allclose": ("torch.allclose(v, v + 1)", ""),
    "assert_close": ("torch.testing.assert_close(v, v.clone())", ""),
    "nonzero": ("v.nonzero()", ""),
    "argwhere": ("torch.argwhere(v)", ""),
    "unique": ("v.unique()", ""),
    "unique_consecutive": ("v.unique_consecutive()", ""),
    "masked_select": ("v.masked_select(v > 0)", ""),
    "repeat_interleave": ("v.repeat_interleave(i)", "v.repeat_interleave(i, output_size=6)"),
    "bincount": ("i.bincount()", ""),
    "histc": ("torch.histc(v, 4)", "torch.histc(v, 4, min=0.0, max=1.0)"),
    "one_hot": ("torch.nn.functional.one_hot(i)", "torch.nn.functional.one_hot(i, num_classes=4)"),
    "matrix_exp": ("torch.linalg.matrix_exp(q)", ""),
    "ldl_factor_ex": ("torch.linalg.ldl_factor_ex(q)", ""),
    "searchsorted": ("torch.searchsorted(v, v, sorter=i)", "torch.searchsorted(v, v)"),
    "combinations": ("torch.combinations(v)", ""),
    "normal": ("torch.normal(v, v.abs())", "torch.normal(v, 1.0)"),
    "sample": ("torch.distributions.Normal(v, v.abs() + 1, validate_args=False).sample()", ""),
    "cov": ("torch.cov(q)", ""),
    "corrcoef": ("torch.corrcoef(q)", ""),
    "istft": ("torch.istft(z, 16, window=w)", ""),
    "coalesce": ("torch.sparse_coo_tensor(i[None], v, (9,)).coalesce()", ""),
    "sparse_coo_tensor": ("torch.sparse_coo_tensor(i[None], v)", "torch.sparse_coo_tensor(i[None], v, size=(9,))"),
    **{
        f"sparse_{name}_tensor": (
            f"x = torch.arange(5, device='cuda'); torch.sparse_{name}_tensor(x, i, v)",
            f"x = torch.arange(5, device='cuda'); torch.sparse_{name}_tensor(x, i, v, size=(4, 4))",
        )
        for name in ("csr", "csc")
    },
    **{
        f"sparse_{name}_tensor": (
            f"x = torch.arange(3, device='cuda'); torch.sparse_{name}_tensor(x, i[:2], b[:2, :2, :2])",
            f"x = torch.arange(3, device='cuda'); torch.sparse_{name}_tensor(x, i[:2], b[:2, :2, :2], size=(4, 4))",
        )
        for name in ("bsr", "bsc")
    },
    "sparse_compressed_tensor": (
        "x = torch.arange(5, device='cuda'); torch.sparse_compressed_tensor(x, i, v, layout=torch.sparse_csr)",
        "x = torch.arange(5, device='cuda'); torch.sparse_compressed_tensor(x, i, v, (4, 4), layout=torch.sparse_csr)",
    ),
    **{f"to_sparse{form}": (f"e.to_sparse{form}()", "") for form in ("", "_coo", "_csr", "_csc")},
    **{f"to_sparse{form}": (f"e.to_sparse{form}(2)", "") for form in ("_bsr", "_bsc")},
    "segment_reduce": (
        "torch.segment_reduce(v, 'sum', lengths=i.new_full((2,), 2))",
        "torch.segment_reduce(v, 'sum', lengths=i.new_full((2,), 2), unsafe=True)",
    ),
    "unravel_index": ("torch.unravel_index(i, (4, 4))", ""),
    "isin": ("torch.isin(v, v.repeat(20))", "torch.isin(v, v.repeat(20), assume_unique=True)"),
    "nested_tensor_from_jagged": (
        "torch.nested.nested_tensor_from_jagged(v, offsets=i)",
        "torch.nested.nested_tensor_from_jagged(v, offsets=i, min_seqlen=1, max_seqlen=2)",
    ),
    "synchronize": ("torch.cuda.synchronize()", ""),
    "empty_cache": ("x = torch.empty(1 << 22, device='cuda'); del x; torch.cuda.empty_cache()", ""),
    "barrier": ("group(); torch.distributed.barrier()", "group(); torch.distributed.barrier(async_op=True)"),
    "all_gather_object": ("group(); it = [None]; torch.distributed.all_gather_object(it, 1)", ""),
    "gather_object": ("group(); it = [None]; torch.distributed.gather_object(1, it)", ""),
    "broadcast_object_list": ("group(); torch.distributed.broadcast_object_list([1])", ""),
    "scatter_object_list": ("group(); torch.distributed.scatter_object_list([None], [1])", ""),
    "nms": ("import torchvision; torchvision.ops.nms(u, v, 0.5)", ""),
    "batched_nms": ("import torchvision; torchvision.ops.batched_nms(u, v, i, 0.5)", ""),
    "remove_small_boxes": ("import torchvision; torchvision.ops.remove_small_boxes(u, 0.1)", ""),
    "masks_to_boxes": ("import torchvision; torchvision.ops.masks_to_boxes(b)", ""),
    "make_grid": (
        "import torchvision; torchvision.utils.make_grid(q, normalize=True)",
        "import torchvision; torchvision.utils.make_grid(q, normalize=True, value_range=(0, 1))",
    ),
    "save_image": (  # which also copies the image to the host
        "import io, torchvision; torchvision.utils.save_image(q, io.BytesIO(), 'png', normalize=True)",
        "",
    ),
    "to": ("h.to('cuda')", "h.pin_memory().to('cuda', non_blocking=True)"),
    "cuda": ("h.cuda()", "h.pin_memory().cuda(non_blocking=True)"),
    "type": ("h.type('torch.cuda.FloatTensor')", ""),
    "type_as": ("h.type_as(v)", ""),
    "copy_": ("v.copy_(h)", "v.copy_(h.pin_memory(), non_blocking=True)"),
    "tensor": ("torch.tensor(1.0, device='cuda')", "torch.full((), 1.0, device='cuda')"),
    "as_tensor": ("torch.as_tensor([1.0], device='cuda')", "torch.as_tensor(v, device='cuda')"),
    "asarray": ("torch.asarray([1.0], device='cuda')", "torch.asarray(v, device='cuda')"),
    "new_tensor": ("v.new_tensor([1.0])", "v.new_full((1,), 1.0)"),
    "where": ("torch.where(v > 0, v, h[0])", "torch.where(v > 0, v, 1.0)"),
    "masked_fill": ("v.masked_fill(v > 0, value=s)", "v.masked_fill(v > 0, value=1.0)"),
    "masked_fill_": ("v.masked_fill_(v > 0, value=s)", "v.masked_fill_(v > 0, value=1.0)"),
    "index_fill": ("v.index_fill(0, i, s)", "v.index_fill(0, i, 1.0)"),
    "index_fill_": ("v.index_fill_(0, i, s)", "v.index_fill_(0, i, 1.0)"),
    "select": ("u.select(0, one)", "u.select(0, 1)"),
    "narrow": ("u.narrow(0, one, 1)", "u.narrow(0, 1, 1)"),
    "linspace": ("torch.linspace(s, 2.0, 4, device='cuda')", "torch.linspace(0.0, 2.0, 4, device='cuda')"),
    "logspace": ("torch.logspace(s, 2.0, 4, device='cuda')", "torch.logspace(0.0, 2.0, 4, device='cuda')"),
}
"""Name of a row -> a call that waits and, unless empty, one that does not; for other rows, a call is guessed."""


def operator_trials() -> Iterator[Trial]:
    """Yield the trials of all rows; rows that need several processes or torchvision are reported as having no call."""
    for name in {**ROWS, **torch_transfers.ROWS}:
        waits, spared = CALLS.get(name) or (_guessed(name), "")
        believed = _waits_now(ROWS.get(name) or torch_transfers.ROWS.get(name))
        yield Trial(f"torch {name}", waits or "no call", believed, partial(_prepared, waits, name))
        if spared:
            yield Trial(f"torch {name}", spared, 0, partial(_prepared, spared, name))


def _guessed(name: str) -> str:
    """Return a call of a function or method by that name, for a row that has none here; empty if none was found."""
    found = guess(f"torch.{name}") or guess(f"torch.Tensor.{name}")
    return "" if found is None else f"{found.setup}; {found.text}".removeprefix("; ")


def _waits_now(row: Wait | None) -> int:
    """Return 1 if a row applies to the installed version of torch, else 0."""
    import torch

    version = version_of(torch.__version__)
    if row is None:
        return 1
    before = row.until and version >= version_of(row.until)
    after = row.since and version < version_of(row.since)
    return int(not (before or after))


def _prepared(text: str, name: str) -> Callable[[], object]:
    if not text:
        raise LookupError(f"there is no call of {name} to try")
    return prepared(text)
