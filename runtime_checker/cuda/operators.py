"""Which operator a frame is executing, and what for: its bytecode and source tell what the warning does not."""

from __future__ import annotations

import ast
import dis
import functools
import itertools
import linecache
import os
import sys
from types import CodeType, FrameType
from typing import Final

from ..observe import HERE, Kind
from .indices import kind_of_index

_READS: Final = (
    "item _local_scalar_dense bool float int complex index contains format is_nonzero any all equal allclose range max "
    "min sorted __bool__ __float__ __int__ __complex__ __index__ __contains__ __format__ clip_grad_norm_ assert_close"
)
_SHAPES: Final = (
    "nonzero argwhere where masked_select unique _unique _unique2 unique_dim unique_consecutive bincount "
    "repeat_interleave one_hot getitem setitem index_put_ nms histc combinations pad_packed_sequence"
)
_TO_HOST: Final = "cpu tolist numpy __array__ save dump dumps"
_TO_DEVICE: Final = "cuda tensor as_tensor asarray new_tensor scalar_tensor from_numpy"
_CHECKS: Final = (
    "cholesky inv inverse solve svd eigh eigvalsh qr lstsq lu_factor ldl_factor det slogdet _linalg_check_errors"
)
_WAITS: Final = "synchronize barrier wait"

KINDS: Final[dict[str, Kind]] = {
    **dict.fromkeys(_READS.split(), "reads value"),
    **dict.fromkeys(_SHAPES.split(), "data-dependent shape"),
    **dict.fromkeys(_TO_HOST.split(), "copy to host"),
    **dict.fromkeys(_TO_DEVICE.split(), "copy to device"),
    **dict.fromkeys(_CHECKS.split(), "check"),
    **dict.fromkeys(_WAITS.split(), "synchronize"),
}
"""The kinds of waits of operators, by name; copies whose name does not tell the direction are omitted."""

_OPERATORS: Final = os.path.join("torch", "_ops.py")
_BACKWARD: Final = frozenset({"run_backward", "backward"})
_BY_OPCODE: Final = (
    ("_IF_", "bool"),
    ("UNARY_NOT", "bool"),
    ("TO_BOOL", "bool"),
    ("BINARY_SUBSCR", "getitem"),
    ("BINARY_SLICE", "getitem"),
    ("STORE_SUBSCR", "setitem"),
    ("STORE_SLICE", "setitem"),
    ("CONTAINS_OP", "contains"),
    ("FORMAT_", "format"),
    ("BUILD_SLICE", "index"),
)


def operator_at(frame: FrameType | None) -> tuple[str, Kind]:
    """Return the operator that the innermost frame outside the observer is executing, and what it waits for."""
    called = ""
    while frame is not None and (frame.f_code.co_filename.startswith(HERE) or _passes_on(frame.f_code)):
        called = called or _operator_called(frame)
        frame = frame.f_back
    if frame is None:
        return "unknown", "unknown"
    name = called or plain(_name_at(frame.f_code, frame.f_code.co_filename, frame.f_lasti))
    if name in _BACKWARD:
        return "backward", "unknown"
    if name in ("getitem", "setitem", "where"):
        return name, _kind_by_arguments(frame) or KINDS[name]
    return name, KINDS.get(name, "unknown")


def _kind_by_arguments(frame: FrameType) -> Kind | None:
    """Return what an operator waits for whose arguments decide that; None if the source does not tell."""
    expression = _expression(frame.f_code, frame.f_code.co_filename, frame.f_lasti)
    if isinstance(expression, ast.Subscript):
        return kind_of_index(expression.slice, frame)
    if isinstance(expression, ast.Call) and len(expression.args) + len(expression.keywords) > 1:
        return "unknown" if isinstance(expression.func, ast.Attribute) else None
    return None


def _operator_called(frame: FrameType) -> str:
    """Return the name of the operator that `torch.ops` is calling in this frame."""
    if frame.f_code.co_name != "__call__" or not frame.f_code.co_filename.endswith(_OPERATORS):
        return ""
    return str(getattr(frame.f_locals.get("self"), "__name__", "")).partition(".")[0]


def plain(name: str) -> str:
    """Return an operator's name without the underscores of Python's special methods."""
    return name[2:-2] if name.startswith("__") and name.endswith("__") else name


def _passes_on(code: CodeType) -> bool:
    """Whether it calls the operator for the program: a mode, as `torch.set_default_device`, a subclass, `torch.ops`."""
    return code.co_name in ("__torch_function__", "__torch_dispatch__") or code.co_filename.endswith(_OPERATORS)


@functools.lru_cache(maxsize=4096)
def _name_at(code: CodeType, filename: str, offset: int) -> str:
    """Return the name by which the instruction calls its operator; the filename tells equal code objects apart."""
    if not 0 <= offset < len(code.co_code):
        return "unknown"
    opcode = dis.opname[code.co_code[offset]]
    for part, name in _BY_OPCODE:
        if part in opcode:
            return name
    expression = _expression(code, filename, offset)
    if isinstance(expression, ast.Subscript):  # since Python 3.14, a binary operator among others
        return "getitem"
    if isinstance(expression, ast.Call):
        function = expression.func
        return str(getattr(function, "attr", getattr(function, "id", "call")))
    if "CALL" in opcode:
        return _method_before(code, offset)
    return "unknown" if expression is None else type(getattr(expression, "op", expression)).__name__.lower()


def _expression(code: CodeType, filename: str, offset: int) -> ast.expr | None:
    """Return the source expression that an instruction was compiled from, if Python recorded it."""
    if sys.version_info < (3, 11):
        return None
    row, end_row, column, end_column = next(itertools.islice(code.co_positions(), offset // 2, None))
    if row is None or end_row is None or column is None or end_column is None:
        return None
    lines = [linecache.getline(filename, at).encode() for at in range(row, end_row + 1)]
    lines[-1] = lines[-1][:end_column]
    lines[0] = lines[0][column:]
    try:
        return ast.parse(b"(" + b"".join(lines) + b"\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _method_before(code: CodeType, offset: int) -> str:
    """Return the method or known operator looked up last before a call: for Python 3.10, and mostly right."""
    name = "call"
    for instruction in dis.get_instructions(code):
        if instruction.offset >= offset:
            break
        if instruction.opname == "LOAD_METHOD" or (
            instruction.opname in ("LOAD_ATTR", "LOAD_GLOBAL", "LOAD_NAME") and instruction.argval in KINDS
        ):
            name = str(instruction.argval)
    return name
