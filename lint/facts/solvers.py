"""Functions that solvers, integrals and derivatives evaluate: which parameters take them, and what they are given.

Sources: SciPy 1.17 (`inspect.signature`, and the notes of `scipy.optimize` and `scipy.integrate`: functions are given
arrays and numbers of the host); torchdiffeq 0.2.5 `_impl/odeint.py`, `_impl/adjoint.py`; torchcde 0.2.5 `solver.py`;
torch 2.13 `torch/autograd/functional.py`, `torch/autograd/gradcheck.py`.
"""

from __future__ import annotations

from typing import Final

from .callbacks import Argument, Callback

_WORDS: Final = "`{}` evaluates its function again and again"

_SCIPY: Final = (
    (
        "scipy.optimize",
        "fun",
        ("jac", "hess", "hessp", "callback"),
        ("minimize", "minimize_scalar", "root", "least_squares", "NonlinearConstraint"),
    ),
    (
        "scipy.optimize",
        "func",
        ("fprime", "fprime2", "Dfun", "callback"),
        (
            *("fmin", "fmin_l_bfgs_b", "fmin_tnc", "fmin_slsqp", "fmin_cobyla", "fmin_powell", "newton", "fsolve"),
            *("leastsq", "basinhopping", "differential_evolution", "dual_annealing", "shgo", "brute", "direct"),
            *("golden", "brent", "fminbound", "fixed_point"),
        ),
    ),
    (
        "scipy.optimize",
        "f",
        ("fprime", "fprime2", "fhess", "fhess_p", "jac", "callback"),
        (
            *("fmin_bfgs", "fmin_cg", "fmin_ncg", "root_scalar", "curve_fit", "bisect", "brentq", "brenth", "ridder"),
            "toms748",
        ),
    ),
    ("scipy.optimize", "F", ("callback",), ("newton_krylov", "broyden1", "broyden2", "anderson")),
    ("scipy.integrate", "fun", ("jac", "events"), ("solve_ivp", "solve_bvp")),
    ("scipy.integrate", "func", ("Dfun",), ("odeint", "quad", "dblquad", "tplquad", "nquad", "fixed_quad")),
    ("scipy.integrate", "f", (), ("quad_vec",)),
)
"""Module, first parameter, further parameters by keyword, and the functions that evaluate what they are given there."""

_STATE: Final = (Argument(2, "t", part="each"), Argument(1, "y0"))
_INPUTS: Final = Argument(1, "inputs", part="items")
_PATH: Final = (Argument(3, "t", part="each"), Argument(2, "z0"))

SOLVERS: Final[dict[str, tuple[Callback, ...]]] = {
    **{
        f"{module}.{name}": (
            Callback(0, first, ("host",), "element", _WORDS.format(name)),
            *(Callback(-1, other, ("host",), "element", _WORDS.format(name)) for other in others),
        )
        for module, first, others, names in _SCIPY
        for name in names
    },
    "scipy.sparse.linalg.LinearOperator": tuple(
        Callback(-1, name, ("host",), "element", _WORDS.format("LinearOperator"))
        for name in ("matvec", "rmatvec", "matmat", "rmatmat")
    ),
    **{
        f"torchdiffeq.{name}": (Callback(0, "func", _STATE, "element", _WORDS.format(name)),)
        for name in ("odeint", "odeint_adjoint")
    },
    "torchcde.cdeint": (Callback(1, "func", _PATH, "element", _WORDS.format("cdeint")),),
    **{
        f"torch.autograd.functional.{name}": (Callback(0, "func", (_INPUTS,)),)
        for name in ("vjp", "jvp", "jacobian", "hessian", "vhp", "hvp")
    },
    "torch.autograd.gradcheck.gradcheck": (Callback(0, "func", (_INPUTS,)),),
}
"""Full name of a function or class -> how it calls the functions it is given."""
