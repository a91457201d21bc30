"""Results of builtins and of host libraries.

Source: their documentation; the rows hold for all supported versions.
"""

from __future__ import annotations

import math

RESULTS: dict[str, str] = {
    "len": "int", "int": "int", "float": "float", "bool": "bool", "complex": "complex", "str": "str", "repr": "str",
    "format": "str", "hash": "int", "id": "int", "ord": "int", "chr": "str", "bin": "str", "hex": "str",
    "round": "float", "isinstance": "bool", "issubclass": "bool", "callable": "bool", "hasattr": "bool", "all": "bool",
    "any": "bool", "range": "range", "print": "NoneType", "input": "str", "open": "object", "bytes": "bytes",
    "divmod": "object", "dir": "object", "type": "object", "slice": "slice",
    "torch.is_tensor": "bool", "torch.is_floating_point": "bool", "torch.is_complex": "bool",
    "torch.is_grad_enabled": "bool", "torch.is_autocast_enabled": "bool", "torch.numel": "int",
    "torch.cuda.is_available": "bool", "torch.cuda.device_count": "int", "torch.cuda.current_device": "int",
    "torch.cuda.is_bf16_supported": "bool", "torch.cuda.memory_allocated": "int",
    "torch.cuda.max_memory_allocated": "int", "torch.cuda.memory_reserved": "int",
    "torch.distributed.get_rank": "int", "torch.distributed.get_world_size": "int",
    "torch.distributed.is_initialized": "bool", "torch.distributed.is_available": "bool",
    "torch.jit.is_scripting": "bool", "torch.jit.is_tracing": "bool", "torch.compiler.is_compiling": "bool",
    "torch.compiler.is_dynamo_compiling": "bool", "torch._dynamo.is_compiling": "bool",
    "torch.onnx.is_in_onnx_export": "bool", "torch.get_num_threads": "int", "torch.initial_seed": "int",
    **dict.fromkeys(("time.time", "time.perf_counter", "time.monotonic", "time.process_time"), "float"),
    "torch.get_default_dtype": "dtype", "torch.finfo": "finfo", "torch.iinfo": "iinfo", "torch.Size": "Size",
    "torch.broadcast_shapes": "Size", "torch.result_type": "dtype", "torch.promote_types": "dtype",
    "collections.Counter": "Counter",
}  # fmt: skip
"""Full name of a function -> the kind of host value it returns."""

DICTS = (
    "collections.OrderedDict", "munch.Munch", "munch.DefaultMunch", "easydict.EasyDict", "addict.Dict",
    "attrdict.AttrDict", "box.Box",
)  # fmt: skip
"""Classes of dicts that are made like those of Python; the items of all but the first are attributes as well.

Sources: Python 3.13; munch 4.0, easydict 1.13, addict 2.4, attrdict 2.0, python-box 7.3.
"""

CONSTANTS: dict[str, float] = {
    f"{module}.{name}": getattr(math, name)
    for module, names in {
        "math": ("pi", "e", "tau", "inf", "nan"),
        "numpy": ("pi", "e", "inf", "nan"),
        "torch": ("pi", "e", "inf", "nan"),
    }.items()
    for name in names
}
"""Numbers that modules hold. Source: the documentation of Python 3.13, numpy 2.3 and torch 2.13."""

SCALARS: dict[str, int] = {
    **dict.fromkeys((
        "numpy.argmax", "numpy.argmin", "numpy.max", "numpy.min", "numpy.amax", "numpy.amin", "numpy.sum", "numpy.prod",
        "numpy.mean", "numpy.median", "numpy.std", "numpy.var", "numpy.any", "numpy.all", "numpy.ndim", "numpy.size",
    ), 1),
    "numpy.random.rand": 0, "numpy.random.randn": 0, "numpy.random.random": 0, "numpy.random.choice": 1,
    "numpy.random.randint": 2, "numpy.random.uniform": 2, "numpy.random.normal": 2,
}  # fmt: skip
"""numpy functions that return a single number -> the most positional arguments with which they do, without an axis or
size.
"""

ARRAY_TUPLES: dict[str, int | None] = {
    "numpy.where": 1,
    **dict.fromkeys((
        "scipy.optimize.linear_sum_assignment", "numpy.nonzero", "numpy.meshgrid", "numpy.ix_", "numpy.unravel_index",
        "numpy.histogram", "numpy.array_split", "numpy.split", "numpy.hsplit", "numpy.vsplit", "numpy.gradient",
        *(f"numpy.{part}_indices{of}" for part in ("tril", "triu", "diag") for of in ("", "_from")),
    )),
}  # fmt: skip
"""Functions that return several arrays -> the number of arguments with which they do, if that decides.

Source: the reference of numpy 2.3 and scipy 1.16.
"""

LIMITS = {"finfo": "float", "iinfo": "int"}
"""Kind of what tells the limits of a dtype -> the kind of its attributes. Source: torch's "Type Info"."""

ARRAY_NUMBERS = frozenset((
    "size", "ndim", "nbytes", "itemsize", "dtype", "item", "argmax", "argmin", "max", "min", "sum", "mean", "std",
    "any", "all", "prod",
))  # fmt: skip
"""Attributes and methods of an array that return, or may return, a number."""

HOST_LIBRARIES = frozenset((
    "os", "sys", "time", "math", "random", "re", "json", "csv", "logging", "argparse", "pathlib", "datetime", "string",
    "itertools", "functools", "collections", "copy", "glob", "shutil", "subprocess", "pickle", "hashlib", "inspect",
    "warnings", "typing", "types", "enum", "abc", "io", "struct", "statistics", "textwrap", "uuid", "tempfile",
    "threading", "multiprocessing", "contextlib", "dataclasses", "platform", "socket", "urllib", "numbers",
    "numpy", "pandas", "scipy", "sklearn", "matplotlib", "PIL", "cv2", "skimage", "yaml", "tqdm", "pycocotools",
    "omegaconf", "hydra", "networkx", "seaborn", "h5py", "nltk", "tabulate", "packaging", "regex", "requests",
))  # fmt: skip
"""Top-level modules whose values are on the host: nothing they return is a tensor on the device."""

OF_ANYTHING = frozenset((
    "hydra.utils.instantiate", "hydra.utils.call", "hydra.utils.get_object", "hydra.utils.get_class",
    "hydra.utils.get_method", "random.choice", "types.SimpleNamespace", "contextlib.nullcontext",
))  # fmt: skip
"""Functions of these that return what a configuration names, or what they are given."""

PASS_THROUGH = frozenset((
    "copy.copy", "copy.deepcopy", "random.sample", "random.choices", "tqdm.tqdm",
    "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.trange", "tqdm", "iter",
    "rich.progress.track", "contextlib.closing",
))  # fmt: skip
"""Functions that return, or iterate over, what they are given."""

ARRAY_LIBRARIES = frozenset(("numpy", "scipy", "cupy", "cv2", "skimage"))
"""Libraries whose functions mostly return numpy arrays."""

FILES_WITH_ARRAYS = ("numpy", "scipy", "sklearn", "skimage", "cv2")
"""Libraries whose arrays have methods named like those of tensors; a file that imports one may mean either."""

NUMPY = r"\bnp\."
"""A pattern for NumPy by its usual name, which a file may have from a module of which it imports everything."""

FILES_WITH_OTHER_TENSORS = ("jax", "tensorflow", "keras", "cupy", "xarray", "mxnet", "paddle")
"""Libraries with tensors of their own, whose values are read with the same methods."""

FILES_WITH_FRAMES = ("pandas", "polars")
"""Libraries whose data frames have methods named like those of tensors."""

FRAME_CLASS = "DataFrame"
"""The class of data frames, in all of them."""

NUMBER_BUILTINS = frozenset(("int", "float", "bool", "complex"))
"""Builtins that convert one value to a number."""

TEXT_BUILTINS = frozenset(("str", "repr", "print", "format", "ascii"))
"""Builtins that format their arguments as text."""

NUMBER_MODULES = frozenset(("math", "cmath"))
"""Modules whose functions take numbers."""

INDEX_FUNCTION = "operator.index"
"""What converts one value to an integer. Source: Python 3.13."""

PLOTTING_LIBRARIES = ("matplotlib", "seaborn", "plotly", "wordcloud")
PLOTTING_NAMES = frozenset(("plt", "pyplot", "sns", "matplotlib", "seaborn", "plotly"))
"""Libraries that draw, and the names under which they are used: what calls them looks at results."""

WRITING_METHODS = frozenset(("savefig", "imwrite", "imsave", "save_image", "to_csv", "savetxt", "savez"))
"""Names of functions and methods of libraries that write files.

Source: the documentation of pandas, matplotlib, OpenCV, numpy and torchvision.
"""
