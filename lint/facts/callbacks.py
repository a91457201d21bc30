"""Functions that libraries call back: who takes one, how often it runs, and what it is given.

Sources: torch 2.13 `torch/nn/modules/module.py` (`_call_impl`), `torch/_tensor.py` (`register_hook`),
`torch/utils/checkpoint.py`, `torch/optim/lr_scheduler.py`, `torch/multiprocessing/spawn.py`; Python 3.14 `threading`,
`multiprocessing`, `concurrent.futures`; transformers 4.50 `trainer.py`; Ignite 0.5 `engine/engine.py`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple


class Argument(NamedTuple):
    """An argument of the call that takes the function, by position and name: itself, one of its elements, or all."""

    at: int
    name: str
    part: Literal["", "each", "items"] = ""


class Callback(NamedTuple):
    """One row: the parameter that takes the function, by position and name.

    `gives` lists what each of its parameters receives: `self` (the object the method is called on), `tensors` (on the
    device of `self`), `host` (no tensor), `rest` (the remaining arguments), `elements` (one of each remaining
    argument), `args` (the items of the argument of that name, or of the one behind the function), `of first` or
    `of second` (one of that argument), `largest` (one of the only argument, or of several arguments one), `loaded` (a
    loader's batch), or an argument of the call. `how_often` is `step`, `evaluation`, `batch` (of training or
    evaluation), `event` (of an engine), `element` (once for each), `worker` (in a DataLoader's workers, or before),
    `composed` (so, or where nobody knows, with what it is made from), `captured` (later, by replaying a CUDA graph),
    `compiled` (later, by whoever calls the result), or empty if the callback runs as often as the
    call itself; `words` give the reason.
    """

    at: int
    name: str
    gives: tuple[str | Argument, ...]
    how_often: str = ""
    words: str = ""


COMPOSED: Final = "composed"
CAPTURED: Final = "captured"
COMPILED: Final = "compiled"
ITSELF: Final = "self"
"""The parameter for the object whose method is called."""
HOOK: Final = "hook"
"""The parameter for what runs until the returned handle is removed. Source: torch 2.13 `torch/utils/hooks.py`."""
_EVERY_FORWARD: Final = "a forward hook runs whenever its module does"
_EVERY_BACKWARD: Final = "a backward hook runs every backward pass"
_COLLATING: Final = "a DataLoader's workers collate and transform its samples, on the CPU"

CALLBACKS: Final[dict[str, Callback]] = {
    "register_forward_hook": Callback(0, HOOK, ("self", "tensors", "tensors"), "step", _EVERY_FORWARD),
    "register_forward_pre_hook": Callback(0, HOOK, ("self", "tensors"), "step", _EVERY_FORWARD),
    "register_full_backward_hook": Callback(0, HOOK, ("self", "tensors", "tensors"), "step", _EVERY_BACKWARD),
    "register_full_backward_pre_hook": Callback(0, HOOK, ("self", "tensors"), "step", _EVERY_BACKWARD),
    "register_backward_hook": Callback(0, HOOK, ("self", "tensors", "tensors"), "step", _EVERY_BACKWARD),
    "register_hook": Callback(0, HOOK, ("tensors",), "step", _EVERY_BACKWARD),
    "register_post_accumulate_grad_hook": Callback(0, HOOK, ("tensors",), "step", _EVERY_BACKWARD),
    "checkpoint": Callback(0, "function", ("rest",)),
    "apply": Callback(0, "fn", ("self",)),
    "map": Callback(0, "function", ()),
    "filter": Callback(0, "function", ()),
    "tree_map": Callback(0, "func", ()),
    "spawn": Callback(0, "fn", ("host", "args")),
    "start_processes": Callback(0, "fn", ("host", "args")),
    "Process": Callback(1, "target", ("args",)),
    "Thread": Callback(1, "target", ("args",)),
    "submit": Callback(0, "fn", ("rest",)),
    "Fire": Callback(0, "component", ()),
    "set_transform": Callback(0, "transform", ("host",), "worker", _COLLATING),
    "with_transform": Callback(0, "transform", ("host",), "worker", _COLLATING),
    "Compose": Callback(0, "transforms", (), COMPOSED, "`Compose` puts together what prepares data"),
    "add_event_handler": Callback(1, "handler", ("unknown", "rest"), "event"),
    "make_graphed_callables": Callback(
        0, "callables", (Argument(1, "sample_args", "items"),), CAPTURED, "`make_graphed_callables` captures it"
    ),
    "compile": Callback(-1, ITSELF, (), COMPILED, "`compile` compiles it in place"),
    "LambdaLR": Callback(1, "lr_lambda", ("host",), "step", "a scheduler calls its function at every step"),
}
"""Last name of a function, class or method of torch -> how it calls the function it is given."""

PER_ELEMENT: Final[dict[str, Callback]] = {
    **{
        name: Callback(0, "", ("elements",), "element", f"`{name}` calls its function for each element")
        for name in ("map", "filter", "itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile")
    },
    **{
        name: Callback(at, "key", (given,), "element", f"`{name}` calls its key for each element")
        for at, given, names in (
            (-1, "of first", ("sorted", "list.sort", "bisect.insort", "bisect.insort_left", "bisect.insort_right")),
            (1, "of first", ("itertools.groupby",)),
            (2, "of second", ("heapq.nlargest", "heapq.nsmallest")),
            (-1, "largest", ("min", "max")),
        )
        for name in names
    },
    "functools.reduce": Callback(
        0, "", ("unknown", "elements"), "element", "`reduce` calls its function for each element"
    ),
    "itertools.starmap": Callback(0, "", (), "element", "`starmap` calls its function for each element"),
}
"""Full name of a function or method of Python -> how it calls the function it is given.

Source: Python 3.14 documentation, "Built-in Functions" and the libraries named.
"""

FULL_NAMES: Final[dict[str, Callback]] = {
    **PER_ELEMENT,
    **dict.fromkeys(
        ("torch.compile", "torch.compiler.compile"), Callback(0, "model", (), COMPILED, "`torch.compile` compiles it")
    ),
}
"""Full name of a function, of Python or of torch -> how it calls the function it is given."""

TRANSFORMS: Final = ("transform", "target_transform", "transforms")
"""Keywords of data sets for what they call on each sample; parts of models are called so, too."""

KEYWORD_CALLBACKS: Final[dict[str, Callback]] = {
    **{
        keyword: Callback(-1, keyword, ("host",), "worker", _COLLATING)
        for keyword in ("collate_fn", "data_collator", "worker_init_fn", *TRANSFORMS)
    },
    "compute_metrics": Callback(
        -1, "compute_metrics", ("host",), "evaluation", "a Trainer computes metrics in evaluation"
    ),
    "preprocess_logits_for_metrics": Callback(
        -1, "preprocess_logits_for_metrics", ("tensors", "tensors"), "evaluation", "a Trainer runs it in evaluation"
    ),
}
"""Keyword of the Trainers of transformers and their subclasses -> how they call the function it names."""

IN_TURN: Final = frozenset(("Compose", "Sequential"))
"""Last names of classes whose objects call one after the other what they are made from.

Source: torchvision 0.24 `torchvision/transforms/transforms.py` (`Compose`), torch 2.13 `torch/nn/modules/container.py`.
"""
