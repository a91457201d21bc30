"""Names of functions and variables, and what they suggest where nothing else is known.

Source: common usage in training code, not documentation; a name only shows what is likely, so anything known otherwise
takes precedence.
"""

from __future__ import annotations

COLD_NAMES: tuple[str, ...] = (
    "__init__", "__repr__", "__str__", "__setstate__", "__getstate__", "__del__", "__post_init__", "extra_repr",
    "reset_parameters", "init_weights", "_init_weights", "initialize_weights", "state_dict", "load_state_dict",
    "__deepcopy__", "__copy__", "__reduce__", "__reduce_ex__", "get_extra_state", "set_extra_state",
    "_load_from_state_dict", "from_pretrained", "save_pretrained", "from_config", "register", "setup", "main",
)  # fmt: skip
"""Names of functions that run once, unless a step is seen to call them."""

COLD_PREFIXES: tuple[str, ...] = (
    "load", "save", "convert_", "export", "build", "init_", "create_", "make_", "setup", "set_", "parse_", "plot",
    "visualize", "test_", "get_parser", "download", "from_pretrained", "prune_", "quantize_", "fuse_", "unfuse_",
    "checkpoint_", "remap_", "enable_", "disable_", "register_", "postprocess", "decode_latents", "numpy_to", "pt_to",
    "tensor_to_", "tensor2", "to_pil", "to_numpy", "write_", "dump_", "show_", "draw_", "print_", "initialize",
    "report_", "warmup", "warm_up", "capture", "profile_", "benchmark", "debug", "precompute", "precalculate",
)  # fmt: skip
"""Prefixes (after underscores) of names of functions that run once or write output, unless a step calls them."""

MAKING_PREFIXES: tuple[str, ...] = ("build", "convert", "create_", "init_", "make_", "parse_", "postprocess", "set_")
"""Of those, the prefixes that say nothing about functions of tensors: `make_mask(lengths)` may well be part of a step,
and so may `set_statistics(loss)`, `init_state(input_ids)` and `parse_batch(batch)`; names of set-up still tell."""

EVALUATION_NAMES: tuple[str, ...] = (
    "eval", "evaluate", "evaluation", "validate", "validation", "valid", "val", "test", "estimate_loss", "run_eval",
    "do_eval", "eval_epoch", "val_epoch", "validation_epoch", "test_epoch", "evaluate_model", "inference_epoch",
    "validate_epoch", "validate_one_epoch", "validate_model", "validate_step", "validate_loop", "validate_all",
    "dist_validation", "nondist_validation",
)  # fmt: skip

MASKS = r"(?:^|_)masks?(?:_?\d+|_[a-z])?$"
"""A pattern for names of boolean masks, even numbered or lettered: `mask`, `data.train_mask`, `mask_0`, `mask_i`."""

MODEL_NAMES = frozenset((
    "model", "net", "network", "unet", "transformer", "decoder", "encoder", "generator", "discriminator", "policy",
    "actor", "critic", "agent", "backbone", "student", "teacher", "module", "denoiser", "vae", "controlnet", "llm",
    "lm", "ema_model", "model_engine", "engine", "text_encoder", "prior",
))  # fmt: skip
"""Last words of names that are called as models, if nothing else is known about them."""

ITERATORS = frozenset(("iter", "cycle"))
"""Last names of functions that make iterators, of which batches are taken by hand. Source: Python 3.13, `itertools`."""

LOADER_WORDS = ("loader", "dataloader", "batches", "data_iter", "prefetcher")
"""Words in the names of what yields batches, if nothing else is known about it."""

WRAPPING = frozenset(("enumerate", "iter", "zip", "tqdm", "progress_bar", "track", "islice", "cycle", "chain"))
"""Names, in lower case, of functions and classes that yield what they are given, some beside other things."""

DEVICE_NAMES = frozenset((
    "device", "dev", "torch_device", "target_device", "accelerator_device", "execution_device", "_execution_device",
    "exec_device", "model_device", "input_device", "compute_device", "current_device", "param_device", "_device",
))  # fmt: skip
"""Names of devices, if nothing else is known about them."""

GATE_WORDS = (
    "print", "report", "summary", "debug", "verbose", "monitor", "display", "vis", "plot", "dump", "profile",
    "profiling", "profiler", "save", "saving", "checkpoint", "warmup", "warming", "capture", "capturing",
)  # fmt: skip
"""Words in a condition that makes its body run now and then, such as `if should_log:`."""

RANK_NAMES = frozenset(("rank", "local_rank", "gpu", "gpu_id", "device_id"))
"""Names of numbers that stand for a device: `x.to(rank)`."""

MOVING_FUNCTIONS = (
    r"(?:^|_)(?:to|move|send|put|batch)_(?:to_)?(?:device|cuda|gpu)(?:_|$)|^recursive_to|^move_to"
    r"|(?:^|_)move_(?:tensors?|data|batch|inputs)(?:_|$)"
)
"""A pattern for names of functions that move their arguments to a device: `send_to_device`."""

INTERVALS = r"(?:^|_)(?:every|interval|freq|frequency|period)(?:_|$)"
"""A pattern for names of the number of steps between two events: `validate_every`."""

ACCUMULATION = r"accum|(?:^|_)grad(?:ient)?s?_acc(?:_|$)"
"""A pattern for names of the number of passes whose gradients are added up: `accum_steps`, `grad_acc_steps`.

What such a number lets through steps the optimizer, so it is a step itself.
"""

STEP = "step"
"""The name of a function that is one step of a program; a loop that calls it is a loop over steps."""

TRAINING_STEPS = (
    r"^_*(?:(?:run|do|perform|one|single)_)*train(?:ing)?_(?:(?:one|single|mini|optim|optimizer|model)_)?"
    r"(?:step|iter|iteration|batch)$|^_*forward_backward(?:_step)?$|^optimize_parameters$"
)
"""A pattern for names of those that make their caller run every step, unless its own callers say otherwise."""

FEEDING = frozenset(("set_input", "feed_data"))
"""Names of methods that give a model each batch, of training as of evaluation. Source: the frameworks of CycleGAN and
BasicSR 1.4, and what is derived from them."""

BACKWARD_FUNCTIONS = frozenset(("backward", "manual_backward"))
"""Names of functions that run a backward pass; a loop that calls one trains."""

FITTING = "fit"
"""The method that trains whatever has it."""

TRAINER = "trainer"
"""A part of names of what else trains by its methods."""

TRAINERS_METHODS = frozenset(("fit", "train", "learn"))
"""Methods by which a library's trainer trains. Source: Lightning 2.6, Transformers 4.57, stable-baselines3 2.7."""

KEEPING_METHODS = frozenset((
    "eval", "train", "to", "cuda", "cpu", "half", "float", "apply", "modules", "children", "zero_grad", "compile",
    "requires_grad_", "parameters", "buffers", "state_dict", "load_state_dict", "add_module", "register_buffer",
    "named_parameters", "named_buffers", "named_modules", "named_children", "no_sync", "unwrap", "items", "values",
))  # fmt: skip
"""Names of methods of a model that do not run it."""

PROCESS_GROUPS = frozenset(("gloo", "nccl", "mpi"))
"""Names of backends of process groups, each of which wants its tensors on a device of its own."""

ENTRY_POINTS = r"(?:^|\.)(?:click\.(?:command|group)|hydra\.main|\w*(?:cli|app|group)\.(?:command|callback))$"
"""A pattern for full names of decorators that make a function a command of a program."""

SERVING = r"(?:^|\.)(?:route|websocket|websocket_route)$|(?:Flask|FastAPI|APIRouter|app|router)\.(?:get|post|put)$"
"""A pattern for full names of decorators that make a function answer requests."""

FIXTURES = r"(?:^|\.)(?:pytest\.fixture|fixture)$"
"""A pattern for full names of decorators of what only tests use."""

EVALUATION_DATA = (
    r"(?:^|_)(?:eval|evaluation|val|valid|validation|test|testing|vis|viz|visuali[sz]ation)(?:_|$|loader|set|data)"
)
"""A pattern for names of loaders and data sets that are iterated over for evaluation, or to draw what a model sees."""
