"""CUDA graphs: what captures them, and what torch refuses, or bakes in, while it does.

Sources: torch 2.13 `torch/cuda/graphs.py`, `torch/optim/optimizer.py` (`_cuda_graph_capture_health_check`),
`aten/src/ATen/cuda/CUDAGeneratorImpl.cpp`, `aten/src/ATen/native/cuda/Copy.cpp`; the CUDA C++ Programming Guide, "CUDA
Graphs" (calls that stream capture prohibits). Each row was run on the emulated device.
"""

from __future__ import annotations

from typing import Final

CAPTURES: Final = frozenset(("torch.cuda.graph", "torch.cuda.graphs.graph"))
"""Context managers in whose bodies a CUDA graph is captured."""

CAPTURE_METHODS: Final = ("capture_begin", "capture_end")
"""Methods of a graph between which it is captured."""

REPLAY: Final = "replay"

SEEDS: Final = frozenset(("manual_seed", "manual_seed_all", "seed", "seed_all", "set_rng_state", "set_rng_state_all"))
"""Functions and methods that set the state of a generator, which a capture has taken over."""

HEALTH_CHECKED: Final = frozenset(("Adam", "AdamW", "NAdam", "RAdam", "Adamax", "ASGD", "Adadelta", "RMSprop", "Rprop"))
"""Optimizers whose `step` raises in a capture unless they were created with `capturable=True`."""

PAGEABLE_UNTIL: Final = "2.11"
"""Before this version, a copy of pageable memory that does not block was captured; later ones refuse it."""
