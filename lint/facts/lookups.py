"""Text that tells who may run a file, and what it may run that it does not name.

Sources: the Python library (`importlib`, `runpy`), Hydra 1.3 `instantiate`, Lightning 2.6 `LightningCLI`, Fire 0.7;
otherwise common usage.
"""

from __future__ import annotations

SCRIPT = r"if\s+__name__\s*==|for\s|while\s|main\("
"""A pattern for beginnings of lines of a file that somebody runs."""

ENTRY = r"if\s+__name__\s*==|(?:for|while|with)\s|[A-Za-z_][\w.]*\("
"""A pattern for beginnings of lines at which a file does something when it is run, whoever does that."""

NO_SCRIPTS = frozenset(("setup.py", "conf.py", "conftest.py", "noxfile.py", "tasks.py", "versioneer.py", "hubconf.py"))
"""Files that tools run: they say nothing about whether the project is a program."""

FOLDERS_OF_SCRIPTS = frozenset(("scripts", "tools", "bin", "examples"))
"""Folders whose scripts run what is in the folder above."""

ANY_MODULE: tuple[str, ...] = (
    r"import_module\((?!\s*[\"'][\w.]+[\"']\s*[,)])", r"__import__\((?!\s*[\"'][\w.]+[\"']\s*[,)])",
    r"instantiate\((?<!\winstantiate\()(?!\))", "LightningCLI", "jsonargparse", r"import_string\(",
    r"spec_from_file_location\(", r"run_path\(", r"run_module\(", r"iter_modules\(", r"walk_packages\(",
    r"entry_points\(",
)  # fmt: skip
"""Patterns for code that may import, and run, whatever a text names that is not in the file.

Each begins with a word, since that is fast to find.
"""

ONLY_IMPORTING = r"import_module\(|__import__\("
"""A pattern for those of them that give the module, of which somebody has to use something."""

MODULES_UNDER = r"(?:import_module|__import__)\(\s*f?[\"'](\w[\w.]*)(?:[\"']\s*[+%]|[{%])"
"""A pattern for code that imports something of which the name's beginning is written: `"criterions." + name`."""

BY_NAME = r"(?:import_module|__import__)\(\s*[\w.]+\s*[,)]"
"""A pattern for code that imports something of whose name nothing is written: `import_module(options.model)`."""

ON_PATH = r"sys\.path\.(?:append|insert)\([^\n]*?(?:[\"']|/)([^\W\d]\w*)/?[\"']\s*\)"
"""A pattern for code from whose folder of this name others import: `sys.path.append(os.path.join(ROOT, "models"))`."""

EVALUATED = r"eval\((?<![.\w]eval\()(?<!def eval\()(?!\s*f?[\"']self\.)"
"""A pattern for code that may run whatever a file uses, unless the text is a literal or begins with `self.`."""

ANY_NAME: tuple[str, ...] = (
    r"exec\((?<![.\w]exec\()(?<!def exec\()", r"globals\(\)",
    r"__dict__\[(?<!self\.__dict__\[)(?!\s*[\"'])", r"getmembers\(", r"Fire\(", "__subclasses__",
    "__init_subclass__",
    r"getattr\(\s*(?!self\s*,)(?!(?:torch|nn|F|np|opts?|optim|hparams|\w*args|\w*config|\w*cfg)\b)[^,\n]+,(?!\s*(?:[\"']\w+[\"']\s*[,)]|f?[\"']\w{3,}[\"'{%]))",
)  # fmt: skip
"""Patterns for code that may run whatever is defined in a file, or in those that it imports."""

OF_THE_FILE = ("exec", "globals")
"""Beginnings of those of them that ask no module for a name, but run what the file itself has a name for."""

IMPORTED_BY_TEXT = r"[\"'][^\"'\n]*\bimport\b"
"""A pattern for a text that may be run, and imports something."""

ASKED_FOR_ATTRIBUTE = r"getattr\(\s*([\w.]+)\s*,"
"""A pattern for what is asked for an attribute."""

ANY_METHOD: tuple[str, ...] = (
    r"getattr\(\s*self\s*,(?!\s*(?:[\"']\w+[\"']\s*[,)]|f?[\"']\w{3,}[\"'{%]))",
    r"eval\((?<![.\w]eval\()\s*f?[\"'][^\"'\n]*\.",
)
"""Patterns for code that may run whatever method is defined in a file: a name alone is none of a method."""

MODULES_BY_NAME: tuple[str, ...] = (r"import_module\(", r"__import__\(", r"sys\.modules", r"hub\.(?<=\bhub\.)")
"""Patterns for code that gets modules by their names, so that what has attributes may be one.

Each begins with a word, since that is fast to find.
"""

COMPUTED_NAME = r"getattr\([^,\n]+,\s*f?[\"'](\w{3,})(?:[\"']\s*[+%]|[{%])"
"""A pattern for code that uses something by a name of which only the beginning is written: `f"stage_{i}"`."""

PASSING_ON = frozenset(("__init__.py", "hubconf.py"))
"""Files that import names for others to use."""

REGISTERING = r"\n@[ \t]*(?=[\w.]*regist)(\w+)"
"""A pattern for decorators that tell others of what they stand on, with the name that leads to them."""

PLAIN_DECORATORS = frozenset((
    "staticmethod", "classmethod", "property", "cached_property", "abstractmethod", "overload", "wraps", "dataclass",
    "no_grad", "inference_mode", "enable_grad", "lru_cache", "cache",
))  # fmt: skip
"""Decorators, by their last name, that call nothing by themselves; others may register what they are given."""

CALLED_BY_TORCH = frozenset((
    "_apply", "_call_impl", "_get_name", "_load_from_state_dict", "_save_to_state_dict", "_named_members",
    "_register_load_state_dict_pre_hook", "_version", "_compiled_call_impl", "_get_backward_hooks", "_maybe_warn",
    "_init_group", "_step_supports_amp_scaling", "_get_lr", "_get_closed_form_lr", "_call", "_inverse", "_log_prob",
    "_mean_carrier_measure", "_natural_params", "_log_normalizer", "_next_index", "_next_data", "_param_shape",
))  # fmt: skip
"""Methods with a leading underscore that torch calls on classes derived from its own: modules, optimizers, schedulers,
distributions, loaders."""

METHODS_OF_MODULE = frozenset((
    "add_module", "apply", "bfloat16", "buffers", "call_super_init", "children", "compile", "cpu", "cuda", "double",
    "dump_patches", "eval", "extra_repr", "float", "forward", "get_buffer", "get_extra_state", "get_parameter",
    "get_submodule", "half", "ipu", "load_state_dict", "modules", "mtia", "named_buffers", "named_children",
    "named_modules", "named_parameters", "parameters", "requires_grad_", "reset_parameters", "set_extra_state",
    "set_submodule", "share_memory", "state_dict", "to", "to_empty", "train", "type", "xpu", "zero_grad",
))  # fmt: skip
"""Methods of `torch.nn.Module` without a leading underscore, which torch may call. Source: torch 2.13."""
