"""Trials of what the facts say of attributes, casts, old classes, indices, and functions that give host values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ...lint.facts.attributes import TENSOR_HOST, TENSOR_VIEWS
from ...lint.facts.distributions import FAMILIES, SAMPLES, TENSORS
from ...lint.facts.dtypes import CASTS, TENSOR_CLASSES
from ...lint.facts.host import RESULTS
from .hidden import HOMES, MADE
from .programs import prepared
from .trial import Trial

GRADIENT: Final = "x = v.clone().requires_grad_(); x.sum().backward(); "
HOST_CALLS: Final = {
    "torch.finfo": "torch.finfo(v.dtype)",
    "torch.iinfo": "torch.iinfo(i.dtype)",
    "torch.Size": "torch.Size((1, 2))",
    "torch.broadcast_shapes": "torch.broadcast_shapes(v.shape, u.shape)",
    "torch.result_type": "torch.result_type(v, i)",
    "torch.promote_types": "torch.promote_types(v.dtype, i.dtype)",
    "torch.is_complex": "torch.is_complex(v)",
    "torch.is_floating_point": "torch.is_floating_point(v)",
    "torch.is_tensor": "torch.is_tensor(v)",
    "torch.numel": "torch.numel(v)",
    "torch.distributed.get_rank": "group(); torch.distributed.get_rank()",
    "torch.distributed.get_world_size": "group(); torch.distributed.get_world_size()",
}
"""Functions that are called with arguments, or within a group of processes."""
INDEXED: Final[tuple[tuple[str, int, str], ...]] = (
    ("split", 1, "u.split(one)"),
    ("split", 0, "u.split(1)"),
    ("index_select", 0, "u.index_select(0, i)"),
    ("index_put", 1, "v.index_put((m,), p[:2])"),
    ("index_put", 0, "v.index_put((i,), v)"),
    ("index_put_", 1, "v.index_put_((m,), p[:2])"),
    ("index_put_", 0, "v.index_put_((m,), torch.tensor(1.0))"),
    ("cpu", 1, "v.cpu()"),
    ("cpu", 0, "h.cpu()"),
    ("numpy", 1, "v.numpy(force=True)"),
    ("numpy", 0, "h.numpy()"),
    ("getitem", 1, "v[m]"),
    ("getitem", 0, "v[i]"),
    ("getitem", 1, "v[[0, 1]]"),
    ("getitem", 1, "v[one]"),
    ("setitem", 0, "v[m] = 0.0"),
    ("setitem", 1, "v[m] = s"),
    ("setitem", 1, "v[m] = p[:2]"),
    ("setitem", 0, "v[i] = p"),
)
"""Last name, least number of waits, and a call."""


def other_trials() -> Iterator[Trial]:
    """The trials of all rows."""
    for name in sorted(TENSOR_VIEWS):
        owner = "z" if name == "imag" else "u"
        program = f"{GRADIENT}x.{name}" if "grad" in name else f"{owner}.{name}"
        yield _trial(f"attribute {name}", program, lives="cuda")
    for name in sorted(TENSOR_HOST):
        yield _trial(f"attribute {name}", f"v.{name}")
    for name in sorted(CASTS):
        yield _trial(f"cast {name}", f"v.{name}()", lives="cuda")
    for name in sorted(TENSOR_CLASSES):
        if name != "Tensor":
            yield _trial(f"class {name}", f"torch.{name}([1, 0])", lives="cpu")
            yield _trial(f"class {name}", f"torch.cuda.{name}([1, 0])", 1, lives="cuda")
    for name in sorted(each for each in RESULTS if each.startswith("torch.")):
        yield _trial(f"host {name}", HOST_CALLS.get(name, f"{name}()"))
    for name, waits, program in INDEXED:
        yield _trial(f"index {name}", program, waits)
    yield from _of_distributions()


def _of_distributions() -> Iterator[Trial]:
    """Attributes and samples are tensors on the device of the parameters; validation is tried elsewhere."""
    import torch

    for family in FAMILIES:
        home = HOMES.get(family, "d.").rstrip(".")
        module = {"d": torch.distributions}.get(home) or getattr(torch.distributions, home.rpartition(".")[2])
        kind = getattr(module, family, None)
        made = f"it = {home}.{family}({MADE[family][0]}, validate_args=False)"
        for name in sorted(TENSORS):
            if kind is not None and isinstance(getattr(kind, name, None), property):
                yield _trial(f"attribute {family}.{name}", f"{made}; it.{name}", None, lives="cuda")
        for name in sorted(SAMPLES & {"sample", "rsample"}):
            yield _trial(f"attribute {family}.{name}", f"{made}; it.{name}()", None, lives="cuda")


def _trial(name: str, program: str, waits: int | None = 0, lives: str = "") -> Trial:
    return Trial(name, program, waits, partial(prepared, program), lives)
