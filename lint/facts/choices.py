"""Names of what is chosen before the first step and stays as it is: the number of processes, training, registries.

Source: common usage in training code, not documentation; where they are wrong, a report says too much or too little
about the conditions under which a line runs.
"""

from __future__ import annotations

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

FOR_GPUS = r"cuda|gpu"
"""A pattern for names of options that are set wherever waits matter."""

REGISTRIES = ("regist",)
"""Parts of the names of functions that keep what they are given under a text, for a configuration to choose."""

FINDING = frozenset(("nonzero", "flatnonzero", "argwhere", "where"))
"""Names of functions that return the positions of what they find, which may be none. Source: torch 2.13; NumPy 2.3."""
