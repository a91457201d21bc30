"""`torch.compile` without Triton, which has nothing to run on: the graphs are run operator by operator.

Where a graph breaks and what waits inside of one is for Dynamo and torch's operators to say, as ever.
"""

from __future__ import annotations

from typing import Any

import torch


def install() -> None:
    """Take the place of Inductor, which would make kernels of the graphs, for as long as the process lives."""
    torch._TorchCompileInductorWrapper.__call__ = _by_operator  # type: ignore[assignment]


def _by_operator(_: object, graph: Any, inputs: list[Any]) -> Any:
    from torch._dynamo.backends.debugging import aot_eager

    return aot_eager(graph, inputs)
