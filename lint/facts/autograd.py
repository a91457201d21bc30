"""What `torch.autograd.Function` makes of the methods of the classes that are derived from it.

Source: torch 2.13 `torch/autograd/function.py` (`Function.apply`, `FunctionCtx`).
"""

from __future__ import annotations

KIND = "function"
"""The kind of these classes."""

APPLY, RUNS = "apply", "forward"
"""The method that programs call, and the one that it runs, which is given a context first."""

SETUP = "setup_context"
"""Where a class has this method, it is given the context, and `forward` is not."""

WITH_CONTEXT = frozenset(("forward", "backward", "setup_context", "jvp", "vjp"))
"""The static methods that are given the context, which hands on what one of them keeps in it to the others."""

GRADIENTS = frozenset(("backward", "vjp", "jvp"))
"""Those of them that are given gradients."""

SAVES = {"save_for_backward": "saved_tensors", "save_for_forward": "saved_tensors"}
"""Methods of the context that keep tensors -> the attribute that gives them back."""

SAVING = frozenset(f"{KIND}.{name}" for name in SAVES)
"""The same with the kind before the name."""
