"""Names of what is chosen before the first step and stays as it is: options, configurations, the number of processes.

Source: common usage in training code, not documentation; where they are wrong, a report says too much or too little
about the conditions under which a line runs, and nothing else.
"""

from __future__ import annotations

CONFIGURATIONS = (
    r"(?:^|_)(?:cfg|configs?|conf|configuration|args|arguments|opts?|options?|hparams|hps|hyper_?params|params|settings"
    r"|flags|environ|env_vars)$"
)
"""A pattern for names, in lower case, of what holds options: `cfg`, `self.model_args`, `FLAGS`."""

FLAGS = (
    r"^_?(?:use|using|with|without|do|enable|enabled|disable|no|return|output|need|needs|apply|allow|freeze|share|skip"
    r"|only|add|ignore|normali[sz]e|average|reduce)(?:_|$)"
)
"""A pattern for names of what turns something on or off, whatever holds it: `use_amp`."""

ASKING = (
    r"^_?(?:is|has|are|supports?|requires?)_"
    r"(?!sparse|cuda|cpu|leaf|quantized|complex|nested|meta|mkldnn|inference|grad$)"
)
"""A pattern for names that ask an object about itself: `runner.is_valid_loader`; tensors are asked in the same way."""

PROCESSES = (
    r"^_?(?:world_?size|(?:local_|global_|node_)?rank|(?:num|n)_(?:gpus?|nodes|processes|devices|procs|workers)|n?gpus"
    r"|process_index|num_replicas|dist(?:ributed)?|ddp|fsdp|is_(?:dist|distributed|ddp|fsdp|master|main|rank_?0|rank_?zero"
    r"|main_process|master_process|local_main_process|world_process_zero|chief|primary))$"
)
"""A pattern for names of how many processes there are, and which one this is."""

MANY_PROCESSES = ("world_size", "num_processes", "num_replicas", "num_devices", "num_gpus", "n_gpus", "ngpus")
"""Words in the text of files that speak of how many processes there are."""

ASKED_OF_PROCESSES = (
    r"^_?(?:get_)?(?:world_size|(?:local_|global_)?rank|num_gpus|num_processes)$"
    r"|^_?is_(?:dist\w*|main\w*|master\w*|rank_?(?:0|zero)|initialized|local_main\w*|world_process_zero|primary|chief)$"
)
"""A pattern for names of functions that tell the same."""

TRAINING = (
    r"^_?(?:do_|is_|to_|run_|just_|only_)?(?:train|training|test|testing|eval|evaluate|evaluation|val|valid|validate|validation"
    r"|inference|infer|predict|prediction)(?:_?only|_mode|_phase)?$"
)
"""A pattern for names and texts that tell programs that train from others: what trains need not say so."""

REGISTRIES = ("regist",)
"""Parts of the names of functions that keep what they are given under a text, for a configuration to choose."""

READING = frozenset(("get", "getenv", "getattr", "hasattr"))
"""Names of functions that read one option by its name."""

TEXT_METHODS = frozenset(("lower", "upper", "strip", "startswith", "endswith"))
"""Names of methods of texts that tell which option was chosen."""

PLAIN = frozenset(("len", "bool", "int", "float", "str", "any", "all", "max", "min", "sorted", "list", "set"))
"""Builtins whose results say no more than what they are given."""

DRAWN = frozenset((
    "random", "random_sample", "rand", "uniform", "randint", "randrange", "getrandbits", "choice", "bernoulli",
    "binomial",
))  # fmt: skip
"""Names of functions that draw a number, of Python's `random`, numpy and torch."""
