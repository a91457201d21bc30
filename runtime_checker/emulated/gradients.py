"""Gradients on the host, from within a kernel: autograd is switched off there, and is switched on for a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

_AUTOGRAD: Any = torch._C.DispatchKeySet(torch._C.DispatchKey.AutogradCPU) | torch._C.DispatchKeySet(
    torch._C.DispatchKey.ADInplaceOrView
)
_IN_PLACE: Any = torch._C.DispatchKeySet(torch._C.DispatchKey.ADInplaceOrView)


def gradients(
    function: Callable[..., Any], inputs: Sequence[torch.Tensor | None], of_results: Sequence[torch.Tensor | None]
) -> list[torch.Tensor | None]:
    """The gradients of a function's inputs, given those of its results; None where one or the other is missing."""
    excluded = torch._C._dispatch_tls_local_exclude_set() - _AUTOGRAD
    included = torch._C._dispatch_tls_local_include_set() | _IN_PLACE
    with torch._C._ForceDispatchKeyGuard(included, excluded), torch.enable_grad():
        leaves = [None if each is None else each.detach().requires_grad_(each.is_floating_point()) for each in inputs]
        results = function(*leaves)
        results = results if isinstance(results, tuple) else (results,)
        given = [(one, other) for one, other in zip(results, of_results) if other is not None and one.requires_grad]
        wanted = [leaf for leaf in leaves if leaf is not None and leaf.requires_grad]
        found = iter(
            torch.autograd.grad([one for one, _ in given], wanted, [other for _, other in given], allow_unused=True)
        )
        return [next(found) if leaf is not None and leaf.requires_grad else None for leaf in leaves]
