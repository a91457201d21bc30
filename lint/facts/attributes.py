"""Attributes of tensors and of torch's objects, and the values they have.

Source: torch 2.13 `torch/_C/__init__.pyi`, `torch/_tensor.py`.
"""

from __future__ import annotations

from .autograd import SAVING
from .logging_frameworks import LIGHTNING_LOGS

TRANSPOSED = frozenset(("T", "mT", "H", "mH"))
"""Attributes of a tensor that are the same with dimensions exchanged, which no container has."""
TENSOR_VIEWS = TRANSPOSED | {"data", "real", "imag", "grad", "_grad"}
"""Attributes of a tensor that are tensors on the same device."""

TENSOR_HOST: dict[str, str] = {
    "shape": "Size", "ndim": "int", "is_cuda": "bool", "is_cpu": "bool", "is_mps": "bool", "is_sparse": "bool",
    "is_leaf": "bool", "is_meta": "bool", "is_nested": "bool", "is_quantized": "bool", "requires_grad": "bool",
    "layout": "object", "itemsize": "int", "nbytes": "int", "names": "tuple", "name": "str", "grad_fn": "object",
    "retains_grad": "bool", "output_nr": "int", "_version": "int", "grad_dtype": "object",
}  # fmt: skip
"""Attributes of a tensor that are host values."""

CONTAINER_METHODS = frozenset((
    "items", "keys", "values", "get", "update", "pop", "append", "extend", "copy", "setdefault", "popitem", "clear",
    "to_tuple", "__getitem__", "__len__",
))  # fmt: skip
"""Methods of dicts and lists, which a batch may be."""

SHARED_WITH_ARRAYS = frozenset((
    "T", "all", "any", "argmax", "argmin", "argsort", "clip", "conj", "copy", "cumprod", "cumsum", "data", "diagonal",
    "dot", "dtype", "fill", "flatten", "imag", "item", "itemsize", "max", "mean", "min", "nbytes", "ndim", "nonzero",
    "partition", "prod", "ptp", "put", "ravel", "real", "repeat", "reshape", "resize", "round", "shape", "size",
    "sort", "squeeze", "std", "strides", "sum", "swapaxes", "take", "tolist", "trace", "transpose", "var", "view",
    "device", "mT", "stride", "storage", "__array__", "values", "name", "names", "is_floating_point",
))  # fmt: skip
"""Names that numpy arrays (or objects that commonly resemble them) have as well."""

SHARED_WITH_FRAMES = frozenset((
    "abs", "add", "all", "any", "apply", "asfreq", "bool", "clip", "copy", "corr", "count", "cov", "cummax", "cummin",
    "cumprod", "cumsum", "diff", "div", "divide", "dot", "dtype", "eq", "equals", "expanding", "explode", "filter",
    "ge", "gt", "index", "isin", "isna", "item", "items", "le", "lt", "map", "max", "mean", "median", "min", "mod",
    "mode", "mul", "multiply", "ne", "nlargest", "nunique", "pop", "pow", "prod", "quantile", "rank", "repeat",
    "replace", "round", "sample", "shape", "shift", "size", "squeeze", "std", "sub", "subtract", "sum", "T", "take",
    "tolist", "transform", "transpose", "unique", "unstack", "update", "values", "var", "where", "view", "true_divide",
    "bitwise_and", "searchsorted", "kurt", "floordiv",
))  # fmt: skip
"""Names that pandas data frames and series have as well."""

OF_ARRAYS_AND_FRAMES = frozenset((
    "astype", "drop_duplicates", "get_indexer", "get_level_values", "get_loc", "groupby", "iloc", "iterrows",
    "itertuples", "loc", "reset_index", "set_index", "sort_values", "to_frame", "to_numpy", "to_pandas",
))  # fmt: skip
"""Names that arrays, data frames and their indices have, and tensors lack. Sources: NumPy 2.3 `ndarray`; pandas 2.3
`DataFrame`, `Index`; Polars 1.33 `DataFrame`."""

SHARED_WITH_OBJECTS = frozenset((
    "add", "append", "apply", "backward", "byte", "char", "clone", "close", "copy", "count", "cpu", "cuda",
    "data", "device", "double", "dtype", "eval", "exp", "expand", "filter", "fill", "float", "format", "func", "get",
    "grad", "half", "bfloat16", "hash", "index", "int", "ipu", "is_shared", "items", "join", "keys", "layout", "load",
    "log", "log_prob", "map", "mode", "name", "names", "norm", "numpy", "open", "pin_memory", "pop", "read",
    "record_stream", "register_hook", "remove", "rename", "replace", "requires_grad", "requires_grad_", "reset",
    "resize", "resize_", "reverse", "sample", "save", "select", "set", "set_", "share_memory_", "sign",
    "size", "sort", "split", "stack", "step", "storage", "to", "train", "type", "union", "update", "values",
    "volatile", "xpu", "zero_", "zero_grad", "is_cuda", "diff", "difference", "dist", "where", "which_backend", "test",
    "module_load", "mean", "variance", "std", "stft", "indices", "range", "t", "H", "entropy", "transform", "inverse",
    "matmul", "flip", "roll", "rotate", "crop", "new", "mul", "sub", "div", "pow", "sqrt", "scale", "normalize",
    "sigmoid", "relu", "tanh", "conv", "align_to", "align_as", "chunk", "chunks", "tile",
    "refine_names", "map_", "apply_", "is_distributed", "det", "trace", "adjoint", "nonzero", "unique",
    "absolute", "vdot", "addr", "coalesce", "svd", "cholesky", "is_coalesced", "is_set_to", "mode_", "mvlgamma",
))  # fmt: skip
"""Names that other objects in torch programs have as well: modules, distributions, strings, files, images."""

TUPLE_FIELDS: dict[str, int] = {
    "values": 0, "indices": 1, "eigenvalues": 0, "eigenvectors": 1, "Q": 0, "R": 1, "U": 0, "S": 1, "Vh": 2, "V": 2,
    "sign": 0, "logabsdet": 1, "mantissa": 0, "exponent": 1, "min": 0, "max": 1, "solution": 0, "residuals": 1,
    "hist": 0, "bin_edges": 1, "LU": 0, "pivots": 1, "LD": 0,
    "data": 0, "batch_sizes": 1, "sorted_indices": 2, "unsorted_indices": 3,
}  # fmt: skip
"""Fields of the named tuples that torch returns -> their positions.

Sources: torch 2.13 `torch.return_types`, `torch.nn.utils.rnn.PackedSequence`.
"""

TEXTS_OF_BATCHES = frozenset((
    "caption", "captions", "file_name", "file_names", "filename", "filenames", "image_path", "image_paths", "img_path",
    "img_paths", "name", "names", "path", "paths", "url", "urls",
))  # fmt: skip
"""Keys under which batches hold texts, wherever the batch is. Source: common usage in data sets."""

GRAPH_NUMBERS = frozenset((
    "num_nodes", "num_edges", "num_graphs", "num_features", "num_node_features", "num_edge_features",
    "number_of_nodes", "number_of_edges", "batch_size",
))  # fmt: skip
"""Attributes, and methods, of batches of graphs that are numbers wherever the batch is.

Sources: PyTorch Geometric 2.8 `data/data.py`, `data/batch.py`; DGL 2.4 `heterograph.py`.
"""

NESTED_SIZES = frozenset(("_nested_tensor_size", "_nested_tensor_strides"))
"""Methods of nested tensors that return matrices on the host, wherever the tensor is.

Source: torch 2.13 `aten/src/ATen/NestedTensorImpl.cpp`.
"""

TENSOR_ATTRIBUTES = frozenset(("is_cuda", "requires_grad", "grad", "grad_fn", "is_leaf", "is_sparse"))
"""Attributes that only tensors have, so that reading one proves a tensor."""

SHARED_WITH_MODULES = frozenset(("to", "cuda", "cpu", "float", "half", "double", "bfloat16", "int", "type"))
"""Methods that tensors share with modules, and `int`, that return the same object."""

CASTS = frozenset(("float", "half", "double", "bfloat16", "int", "byte", "char"))
"""Methods of tensors that other objects have as well, whose results can be computed with only if they are tensors."""

ARRAY_METHODS = frozenset((
    "item", "tolist", "mean", "sum", "max", "min", "any", "all", "argmax", "argmin", "std", "var", "prod", "cumsum",
    "squeeze", "reshape", "flatten", "transpose", "nonzero", "numpy", "norm", "view", "abs", "unique", "sort", "topk",
    "eq", "ne",
))  # fmt: skip
"""Methods that tensors share with numpy arrays and similar objects."""

OF_LISTS: dict[str, frozenset[str]] = {"sort": frozenset(("key", "reverse"))}
"""Methods that lists have as well, and call without arguments -> the arguments that only lists take."""

SELDOM_OF_ARRAYS = frozenset(("item",))
"""Methods that arrays have, too, and that programs hardly ever call on them: an index gives a number already."""

TAKE_POSITIONS = frozenset(("size", "expand"))
"""Methods that take a number only on tensors: `x.size(0)`, `x.expand(-1, 3)`.

The `size` of arrays and data frames is a number; distributions expand to a shape, formulas without an argument.
"""

MOVES = frozenset(("to", "cuda", "cpu", "xpu", "type", "type_as"))
"""Methods of a tensor whose result may be on another device."""

RESHAPING = frozenset((
    "view", "reshape", "unsqueeze", "squeeze", "expand", "permute", "transpose", "t", "flatten", "detach",
    "requires_grad_", "contiguous", "view_as", "swapaxes", "movedim",
))  # fmt: skip
"""Methods whose result has the same numbers, usually in the same memory. Source: torch 2.13 "Tensor Views"."""

TO_HOST = frozenset(
    ("cpu", "item", "numpy", "tolist", "__array__", "__bool__", "__float__", "__index__", "__int__", "__len__")
)
"""Methods of all tensors that bring them to the host. Source: torch 2.13 `torch/_tensor.py`."""

INHERITED = LIGHTNING_LOGS | SAVING
"""Kinds of classes, each with a method that programs' own classes inherit: `lightning.log`."""
