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

WAITS_IN_BACKWARD = {
    "v[m]": 1, "v[hm]": 1, "v[torch.tensor([0, 1])]": 1, "v.masked_scatter(m, v)": 1,
    "v.prod()": 1, "u.prod(0)": 1, "v.cumprod(0)": 1, "v.to('cpu')": 1,
    "torch.linalg.eigvals(q)": 1, "torch.linalg.lstsq(q, q)": 2, "torch.linalg.matrix_exp(q)": 6,
    "F.ctc_loss(k[0].log_softmax(2), j[:, :2] + 1, torch.full((4,), 4), torch.full((4,), 2))": 3,
}  # fmt: skip
"""What waits in the backward pass as well, or only there, and how often: no rule reports the line of `backward()`.

`v`, `u`, `q` and `k` are on the device and require gradients, `m` is a mask on the device and `hm` one of the host.
Source: torch 2.15, `runtime_checker/trials/written_backward.py`, as recorded in `runtime_checker/evidence/waits/`.
"""
