"""Linear algebra in torch that checks for errors on the host: what it is called, when it checks, and what does not.

Sources: `_linalg_check_errors` in `aten/src/ATen/native/BatchLinearAlgebra.cpp` and its callers in the CUDA wheels of
torch 2.5 to 2.15; no release has removed a check yet. `ldl_factor_ex` is no cure, for it waits within cuSOLVER. Names
are full because other libraries and objects have a `solve` of their own.
"""

from __future__ import annotations

from typing import NamedTuple

EX = "its `_ex` variant returns `info` instead of checking it, with the default `check_errors=False`"


class Check(NamedTuple):
    """One row.

    `instead` is the call without the check, or empty if there is none. `needs` is an argument without which nothing is
    checked; with `among`, its value must be one of these.
    """

    names: tuple[str, ...]
    instead: str = ""
    needs: str = ""
    among: tuple[object, ...] = ()


SPECTRAL = (2, -2, "nuc")
"""Norms that are computed from singular values."""

CHECKS = (
    Check(("torch.linalg.inv", "torch.inverse", "torch.Tensor.inverse"), "torch.linalg.inv_ex"),
    Check(("torch.linalg.cholesky", "torch.cholesky", "torch.Tensor.cholesky"), "torch.linalg.cholesky_ex"),
    Check(("torch.linalg.solve",), "torch.linalg.solve_ex"),
    Check(("torch.linalg.lu_factor",), "torch.linalg.lu_factor_ex"),
    Check(("torch.linalg.ldl_factor",)),
    Check(("torch.linalg.tensorinv",), "torch.linalg.inv_ex"),
    Check(("torch.linalg.tensorsolve",), "torch.linalg.solve_ex"),
    Check(
        tuple(f"torch.linalg.{name}_ex" for name in ("inv", "cholesky", "solve", "lu_factor")),
        "the same without `check_errors`",
        needs="check_errors",
        among=(True,),
    ),
    Check(
        ("torch.linalg.matrix_power", "torch.matrix_power", "torch.Tensor.matrix_power"),
        "torch.linalg.inv_ex",
        needs="n",
        among=tuple(range(-16, 0)),
    ),
    Check(("torch.linalg.eigh", "torch.linalg.eigvalsh", "torch.linalg.eig", "torch.linalg.eigvals")),
    Check(("torch.linalg.svd", "torch.linalg.svdvals", "torch.svd", "torch.Tensor.svd", "torch.nuclear_norm")),
    Check(("torch.linalg.pinv", "torch.pinverse", "torch.Tensor.pinverse", "torch.linalg.matrix_rank")),
    Check(("torch.linalg.lstsq", "torch.svd_lowrank", "torch.pca_lowrank", "torch.lobpcg")),
    Check(("torch.linalg.cond",), needs="p", among=(None, *SPECTRAL)),
    Check(("torch.linalg.matrix_norm",), needs="ord", among=SPECTRAL),
    Check(("torch.linalg.norm",), needs="ord", among=("nuc",)),
    Check(("torch.norm", "torch.Tensor.norm"), needs="p", among=("nuc",)),
)

ROWS: dict[str, Check] = {name: row for row in CHECKS for name in row.names}
"""Full name of a function or method -> its row."""

NAMES = tuple(name for name in ROWS if name != "torch.Tensor.norm")
"""Those that are looked at; the method `norm` is omitted because almost none of its calls check."""
