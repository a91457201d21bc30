"""The state of a random generator is set while a CUDA graph is captured: an error.

Seed before the capture. To draw the same numbers again, seed between replays: a replay goes on from the generator's
state.

A capture takes over the generators of the device: their kernels read a seed and an offset that each replay advances, so
that random numbers differ from replay to replay. Setting the state meanwhile raises an exception, unless it is set to
what it is. Before torch 2.10 a generator of one's own must be registered with the graph
(`graph.register_generator_state(generator)`); later ones register themselves.
"""

from __future__ import annotations

from ..lint.captures import in_capture
from ..lint.facts.cuda_graphs import SEEDS
from ..lint.finding import Confidence, Kind
from ..lint.operations import Call
from ..lint.rule import Report, rule


@rule("SYNC704", "rng-in-capture", kind=Kind.BUG, calls=SEEDS)
def check(op: Call) -> Report | None:
    """Report a captured call that sets the state of a generator of the device."""
    if op.captured is None or not op.is_torch or op.name.startswith(("torch.cpu.", "torch.random.")):
        return None
    found = op.finding(
        f"`{op.text}` sets the state of a generator; in the capture of a CUDA graph that is an error",
        confidence=Confidence.CERTAIN,
    )
    return None if found is None else in_capture(op, found)
