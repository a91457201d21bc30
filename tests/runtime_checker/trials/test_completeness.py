"""Facts against torch itself: each operator that torch says looks at its data, or that the device waits for, is known.

The operators are those of the installed torch with the tags `data_dependent_output` and `dynamic_output_shape`, and
those in the simulated device's own tables. Each has a call here that waits and that a rule reports, or a reason.
"""

from __future__ import annotations

import ast
import warnings
from functools import cache

import pytest
from synclint.lint.facts import hidden_checks, torch_linalg, torch_ops, torch_transfers
from synclint.lint.finding import Finding, Kind
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

torch = pytest.importorskip("torch")

from synclint.runtime_checker.simulated import operators as simulated_operators  # noqa: E402
from synclint.runtime_checker.simulated import waits as simulated_waits  # noqa: E402
from synclint.runtime_checker.simulated.watcher import watch_simulated  # noqa: E402
from synclint.runtime_checker.trials import operators as trials  # noqa: E402

GIVEN = """
import torch
from torch.nn import functional as F
s = torch.full((), 0.5, device="cuda")
v = torch.linspace(0.0, 1.0, 4, device="cuda")
i = torch.arange(4, device="cuda")
m = torch.rand(4, device="cuda") > 0.5
q = torch.rand(4, 4, device="cuda") + torch.eye(4, device="cuda")
p = q @ q.T
h = torch.rand(4)
b = torch.stack([p] * 4)
e = torch.eye(4, device="cuda")
"""
"""A number, values, positions, a mask, a matrix, a positive definite one, values of the host, a batch, ones."""

CALLS = {name: waits for name, (waits, _) in trials.CALLS.items()} | {
    "_local_scalar_dense": "s.item()",
    "index": "v[m]",
    "index_put": "torch.index_put(v, (m,), v[:1])",
    "index_put_": "v[m] = v[:1]",
    "_unique": "v.unique()",
    "_unique2": "v.unique(return_counts=True)",
    "unique_dim": "q.unique(dim=0)",
    "unique_dim_consecutive": "q.unique_consecutive(dim=0)",
    "_linalg_check_errors": "torch.linalg.inv(q)",
    "linalg_inv_ex": "torch.linalg.inv_ex(q, check_errors=True)",
    "linalg_cholesky_ex": "torch.linalg.cholesky_ex(p, check_errors=True)",
    "_linalg_solve_ex": "torch.linalg.solve_ex(q, v, check_errors=True)",
    "linalg_lu_factor_ex": "torch.linalg.lu_factor_ex(q, check_errors=True)",
    "linalg_ldl_factor_ex": "torch.linalg.ldl_factor_ex(p, check_errors=True)",
    "linalg_pinv": "torch.linalg.pinv(q)",
    "cholesky": "torch.linalg.cholesky(p)",
    "_linalg_eigh": "torch.linalg.eigh(p)",
    "_linalg_svd": "torch.linalg.svd(q)",
    "linalg_eig": "torch.linalg.eig(q)",
    "linalg_eigvals": "torch.linalg.eigvals(q)",
    "_linalg_eigvals": "torch.linalg.eigvals(q)",
    "linalg_lstsq": "torch.linalg.lstsq(q, q)",
    "linalg_matrix_exp": "torch.linalg.matrix_exp(q)",
    "_coalesce": "torch.sparse_coo_tensor(i[None], v, (9,)).coalesce()",
    **dict.fromkeys(("ctc_loss", "_ctc_loss"), "F.ctc_loss(b.log_softmax(2), b[0].long() + 1, (4,) * 4, (2,) * 4)"),
    "cross_entropy_loss": "F.cross_entropy(q, i, weight=v, label_smoothing=0.1)",
    "where": "torch.where(v > 0, v, torch.tensor(0.5))",
    "nms": "torchvision.ops.nms(q, v, 0.5)",
}
"""Operator -> a statement that has the device run it and wait."""

BACKWARD = "it runs in a backward pass, where no line of the program stands for it"
INTERNAL = "no function of the public API leads to it on tensors of the device that are not sparse or nested already"
SILENT = {
    "masked_scatter_backward": BACKWARD,
    "_sparse_sum_backward": BACKWARD,
    "prod": BACKWARD,
    "cumprod": BACKWARD,
    "cumprod_": BACKWARD,
    "linalg_vander": BACKWARD,
    "_unsafe_index": "the compiler's own `index`; programs do not call it",
    "_unsafe_index_put": "the compiler's own `index_put`; programs do not call it",
    "_index_put_impl_": "what `index_put_` is made of; that is what programs write",
    "_foreach_copy_": "private, and used by torch's own optimizers between tensors of one device",
    "_sparse_sparse_matmul": INTERNAL,
    "_sparse_softmax": INTERNAL,
    "_sparse_log_softmax": INTERNAL,
    "hspmm": INTERNAL,
    "_nested_tensor_from_mask": INTERNAL,
    "_nested_tensor_from_mask_left_aligned": INTERNAL,
    "mode": "waits for slices longer than 2048 only, and lengths are not known",
    "quantile": "does not wait on a GPU; the table is there to hide what the CPU's kernel reads",
    "nanquantile": "does not wait on a GPU; the table is there to hide what the CPU's kernel reads",
}
"""Operators that no rule reports, with the reason."""
NOT_RUN = {"nms": "is torchvision's", "linalg_pinv": "its table is about tolerances that are tensors"}
"""Calls that are linted but not run here."""


def tagged() -> set[str]:
    """The operators of the installed torch whose result or its shape depends on the data."""
    tags = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}
    found = set()
    for full in torch._C._dispatch_get_all_op_names():
        namespace, _, rest = full.partition("::")
        name, _, overload = rest.partition(".")
        try:
            operator = getattr(getattr(getattr(torch.ops, namespace), name), overload or "default")
        except (AttributeError, RuntimeError):  # a schema that Python cannot call, such as one of TorchScript's own
            continue
        if tags & set(operator.tags):
            found.add(name)
    return found


def modelled() -> set[str]:
    """The operators that the simulated device knows."""
    operators = {full.partition("::")[2].partition(".")[0] for full in simulated_operators.OPERATORS}
    return operators | set(simulated_operators.FUNCTIONS) | set(simulated_operators.BACKWARD)


OPERATORS = sorted(tagged() | modelled())


def program(statement: str) -> str:
    """A training loop with the statement, given tensors of the device."""
    lines = [f"        {line}" for line in GIVEN.strip().splitlines()]
    return "\n".join(["def train(loader):", "    for batch in loader:", *lines, f"        {statement}", ""])


@cache
def findings(statement: str) -> tuple[Finding, ...]:
    """What the rules say of the statement in a training loop, with the installed torch."""
    data = program("import torchvision; " * ("torchvision" in statement) + statement)
    rules = [rule for rule in all_rules() if rule.kind is not Kind.META]
    settings = Settings(torch="==" + torch.__version__.partition("+")[0])
    result = run([File("train.py", named=True, data=data.encode())], settings, rules, jobs=1)
    assert not result.failures, result.failures[0].trace
    last = data.count("\n")
    return tuple(each for each in result.findings if each.span.row == last)


def waits_of(statement: str) -> list[str]:
    """The operators for which the simulated device waits when the statement runs."""
    with warnings.catch_warnings(), watch_simulated() as watcher:
        warnings.simplefilter("ignore")
        scope: dict[str, object] = {}
        exec(compile(GIVEN, "<given>", "exec"), scope)
        watcher.waits.clear()
        exec(compile(statement, "<statement>", "exec"), scope)
        return [wait.operator for wait in watcher.waits]


ROWS = {
    *torch_ops.ROWS,
    *torch_ops.COPIES,
    *torch_ops.WRITTEN_THROUGH_INDICES,
    *torch_transfers.ROWS,
    *hidden_checks.FUNCTIONS,
    *(name.rpartition(".")[2] for name in torch_linalg.ROWS),
}
"""Last names of the functions that the facts know to wait."""


def has_a_row(statement: str) -> bool:
    """Whether the facts name the function that is called; a subscript has no name to look up."""
    expression = ast.parse(statement).body[0]
    if isinstance(expression, ast.Assign) or isinstance(expression.value, ast.Subscript):
        return True
    function = expression.value.func
    return getattr(function, "attr", "") in ROWS


def test_there_is_something_to_walk() -> None:
    assert len(tagged()) >= 15
    assert {"nonzero", "item", "equal", "_unique2"} <= tagged()


@pytest.mark.parametrize("name", OPERATORS)
def test_each_operator_is_reported_or_has_its_reason(name: str) -> None:
    assert (name in CALLS) != (name in SILENT), f"{name}: write a call that waits, or why no rule reports it"
    if name in CALLS and not _is_over(name):
        assert findings(CALLS[name]), f"`{CALLS[name]}` waits for `{name}`, and no rule says so"


@pytest.mark.parametrize("name", [name for name in OPERATORS if name in CALLS and name not in NOT_RUN])
def test_the_calls_do_wait(name: str) -> None:
    assert waits_of(CALLS[name]) or _is_over(name)


@pytest.mark.parametrize("name", [name for name in OPERATORS if name in CALLS])
def test_the_facts_have_a_row(name: str) -> None:
    assert has_a_row(CALLS[name])


def test_no_reason_outlives_its_operator() -> None:
    assert SILENT.keys() <= set(OPERATORS)
    assert NOT_RUN.keys() <= CALLS.keys()


def _is_over(name: str) -> bool:
    """Whether the wait is gone from the installed torch."""
    row = torch_ops.ROWS.get(name)
    version = simulated_waits.version_of(torch.__version__)
    return bool(row and row.until and version >= simulated_waits.version_of(row.until))
