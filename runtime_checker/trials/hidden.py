"""A call for each distribution, matrix routine, optimizer and module in the facts, with and without its fix."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from ...lint.facts.distributions import DELEGATING, FAMILIES, INNER_METHODS, WAITING_METHODS, Family
from ...lint.facts.torch_linalg import CHECKS
from .programs import prepared
from .trial import Trial

READING_RATES: Final = ("SGD", "Adam", "AdamW", "RMSprop", "NAdam", "Adadelta", "Adamax")
"""Optimizers whose steps read a learning rate that is a tensor on the device."""

MADE: Final[dict[str, tuple[str, ...]]] = {
    "Bernoulli": ("p",),
    "Beta": ("p, p", "p, 1.0"),
    "Binomial": ("n, p", "3, p"),
    "Categorical": ("r",),
    "Cauchy": ("p, p", "p, 1.0"),
    "Chi2": ("p",),
    "ContinuousBernoulli": ("p",),
    "Dirichlet": ("r",),
    "ExpRelaxedCategorical": ("s, r",),
    "Exponential": ("p",),
    "FisherSnedecor": ("p, p", "p, 1.0"),
    "Gamma": ("p, p", "p, 1.0"),
    "GeneralizedPareto": ("p, p, p", "p, 1.0, p"),
    "Geometric": ("p",),
    "Gumbel": ("p, p", "p, 1.0"),
    "HalfCauchy": ("p",),
    "HalfNormal": ("p",),
    "Independent": ("d.Normal(p, p, validate_args=False), 1",),
    "InverseGamma": ("p, p", "p, 1.0"),
    "Kumaraswamy": ("p, p", "p, 1.0"),
    "LKJCholesky": ("3, s",),
    "Laplace": ("p, p", "p, 1.0"),
    "LogNormal": ("p, p", "p, 1.0"),
    "LogisticNormal": ("p, p", "p, 1.0"),
    "LogitRelaxedBernoulli": ("s, p",),
    "LowRankMultivariateNormal": ("p, r, p",),
    "MixtureSameFamily": ("d.Categorical(r, validate_args=False), d.Normal(r, r, validate_args=False)",),
    "Multinomial": ("4, r",),
    "MultivariateNormal": ("p, e", "p, precision_matrix=e", "p, scale_tril=e"),
    "NegativeBinomial": ("n, p", "3, p"),
    "Normal": ("p, p", "p, 1.0", "0.0, p"),
    "OneHotCategorical": ("r",),
    "OneHotCategoricalStraightThrough": ("r",),
    "Pareto": ("p, p", "p, 1.0"),
    "Poisson": ("p",),
    "RelaxedBernoulli": ("s, p",),
    "RelaxedOneHotCategorical": ("s, r",),
    "StudentT": ("p, p, p", "3.0, p, p"),
    "TransformedDistribution": ("d.Normal(p, p, validate_args=False), [d.ExpTransform()]",),
    "Uniform": ("p, p + 1", "0.0, p"),
    "VonMises": ("p, p",),
    "Weibull": ("p, p", "p, 1.0"),
    "Wishart": ("p + 8, e", "p + 8, scale_tril=e"),
}
"""Family -> the arguments of its constructor, in one or several ways."""

HOMES: Final = {
    "ExpRelaxedCategorical": "d.relaxed_categorical.",
    "LogitRelaxedBernoulli": "d.relaxed_bernoulli.",
}
"""Families outside `torch.distributions` itself -> where they are."""

MATRICES: Final = {
    "cholesky": "{name}(q)",
    "solve": "{name}(q, q)",
    "solve_ex": "{name}(q, q, check_errors=True)",
    "tensorinv": "{name}(q.reshape(2, 2, 2, 2))",
    "tensorsolve": "{name}(q.reshape(2, 2, 2, 2), q[:2, :2])",
    "matrix_power": "{name}(q, -2)",
    "lstsq": "{name}(q, q)",
    "svd_lowrank": "{name}(q, 2)",
    "pca_lowrank": "{name}(q, 2)",
    "lobpcg": "{name}(q)",
    "norm": "{name}(q, 'nuc')",
    "matrix_norm": "{name}(q, 2)",
}
"""Last name of a routine -> how it is called; all others take a single matrix."""

LABELLED: Final = "k[0].log_softmax(2), j[:, :2] + 1"
"""Scores of four steps, for four sequences of two labels."""

OTHERS: Final[tuple[tuple[str, int, str, str], ...]] = (
    ("inv_ex", 0, "", "torch.linalg.inv_ex(q)"),
    ("solve_ex", 0, "", "torch.linalg.solve_ex(q, q)"),
    ("matrix_power", 0, "", "torch.linalg.matrix_power(q, 2)"),
    ("norm", 0, "", "torch.linalg.norm(q)"),
    ("cond", 0, "", "torch.linalg.cond(q, 1)"),
    ("det", 0, "", "torch.linalg.det(q)"),
    ("gaussian_nll_loss", 1, "", "F.gaussian_nll_loss(v, v, v)"),
    ("gaussian_nll_loss", 0, "", "F.gaussian_nll_loss(v, v, 1.0)"),
    ("cross_entropy", 1, "", "F.cross_entropy(q, i, weight=p, label_smoothing=0.1)"),
    ("cross_entropy", 0, "", "F.cross_entropy(q, i, weight=p, label_smoothing=0.1, reduction='sum')"),
    ("BatchNorm1d", 1, "it = nn.BatchNorm1d(4, momentum=None).to(D)", "it(q)"),
    ("BatchNorm1d", 0, "it = nn.BatchNorm1d(4).to(D)", "it(q)"),
    (
        "BatchNorm1d",
        0,
        "it = nn.BatchNorm1d(4, momentum=None, track_running_stats=False).to(D)",
        "it(q)",
    ),
    *(
        (f"BatchNorm{n}d", 1, f"it = nn.BatchNorm{n}d(4, momentum=None).to(D)", f"it({given})")
        for n, given in ((2, "k"), (3, "k[..., None]"))
    ),
    *(
        (f"LazyBatchNorm{n}d", 1, f"it = nn.LazyBatchNorm{n}d(momentum=None).to(D)\nit({given})", f"it({given})")
        for n, given in ((1, "q"), (2, "k"), (3, "k[..., None]"))
    ),
    ("GaussianNLLLoss", 1, "it = nn.GaussianNLLLoss()", "it(v, v, p)"),
    ("CrossEntropyLoss", 1, "it = nn.CrossEntropyLoss(weight=p, label_smoothing=0.1)", "it(q, i)"),
    ("CrossEntropyLoss", 0, "it = nn.CrossEntropyLoss(weight=p)", "it(q, i)"),
    ("TransformerDecoder", 1, "it = decoder()", "it(b, b, tgt_mask=e)"),
    ("TransformerDecoder", 0, "it = decoder()", "it(b, b, tgt_mask=e, tgt_is_causal=False)"),
    ("Transformer", 1, "it = nn.Transformer(4, 2, 1, 1, 8).to(D)", "it(b, b, tgt_mask=e)"),
    ("Transformer", 1, "it = nn.Transformer(4, 2, 1, 1, 8).to(D)", "it(b, b, src_mask=e)"),
    ("Transformer", 0, "it = nn.Transformer(4, 2, 1, 1, 8).to(D)", "it(b, b, tgt_mask=e, tgt_is_causal=False)"),
    ("pack_sequence", 1, "", "nn.utils.rnn.pack_sequence([v[:2], v], enforce_sorted=False)"),
    ("pack_sequence", 0, "", "nn.utils.rnn.pack_sequence([v, v[:2]])"),
    ("get_total_norm", 1, "", "nn.utils.get_total_norm([u, v], error_if_nonfinite=True)"),
    ("get_total_norm", 0, "", "nn.utils.get_total_norm([u, v])"),
    ("set_detect_anomaly", 1, "x = linear()(q).sum()\ntorch.autograd.set_detect_anomaly(True)", "x.backward()"),
    ("set_detect_anomaly", 0, "x = linear()(q).sum()\ntorch.autograd.set_detect_anomaly(False)", "x.backward()"),
    ("kl_divergence", 1, "it = d.Binomial(n, p)", "d.kl_divergence(it, it)"),
    ("kl_divergence", 0, "it = d.Normal(v, p)", "d.kl_divergence(it, it)"),
    ("AdaptiveLogSoftmaxWithLoss", 1, "it = nn.AdaptiveLogSoftmaxWithLoss(4, 9, [3, 6]).to(D)", "it(q, i)"),
    ("TransformerEncoder", 1, "it = encoder()", "it(q[None], mask=torch.zeros(1, 1, device=D))"),
    ("TransformerEncoder", 0, "it = encoder()", "it(q[None], mask=torch.zeros(1, 1, device=D), is_causal=False)"),
    ("pack_padded_sequence", 1, "", "pack(q, torch.tensor([1, 2, 3, 4]), True, enforce_sorted=False)"),
    ("pack_padded_sequence", 0, "", "pack(q, torch.tensor([4, 3, 2, 1]), True)"),
    ("pad_packed_sequence", 1, "it = pack(q, torch.tensor([1, 2, 3, 4]), True, enforce_sorted=False)", "unpack(it)"),
    ("pad_packed_sequence", 0, "it = pack(q, torch.tensor([4, 3, 2, 1]), True)", "unpack(it)"),
    ("unpack_sequence", 1, "it = pack(q, torch.tensor([1, 2, 3, 4]), True, enforce_sorted=False)",
     "nn.utils.rnn.unpack_sequence(it)"),
    ("ctc_loss", 1, "", f"F.ctc_loss({LABELLED}, torch.full((4,), 4), torch.full((4,), 2))"),
    ("ctc_loss", 1, "", f"F.ctc_loss({LABELLED}, (4, 4, 4, 4), (2, 2, 2, 2))"),
    ("ctc_loss", 3, "", f"F.ctc_loss({LABELLED}, torch.full_like(i, 4), torch.full_like(i, 2))"),
    ("CTCLoss", 1, "it = nn.CTCLoss()", f"it({LABELLED}, torch.full((4,), 4), torch.full((4,), 2))"),
    ("clip_grad_norm_", 1, "it = trained(O.SGD)", "nn.utils.clip_grad_norm_(it[1], 1.0, error_if_nonfinite=True)"),
    ("clip_grad_norm_", 0, "it = trained(O.SGD)", "nn.utils.clip_grad_norm_(it[1], 1.0)"),
    *((f"{name}.step", 1, f"it = trained(O.{name}, lr=s)", "it[0].step()") for name in READING_RATES),
    *((f"{name}.step", 0, f"it = trained(O.{name})", "it[0].step()") for name in READING_RATES),
    ("ASGD.step", 1, "it = trained(O.ASGD)\nit[0].step()", "it[0].step()"),
    ("ASGD.step", 0, "it = trained(O.ASGD, capturable=True)\nit[0].step()", "it[0].step()"),
    ("Adafactor.step", 1, "it = trained(O.Adafactor)", "it[0].step()"),
    ("LBFGS.step", 1, "it = trained(O.LBFGS)", "it[0].step(lambda: it[1][0].sum())"),
    ("GradScaler.step", 1, "it = scaled(O.Adam)", "it[0].step(it[1])"),
    ("GradScaler.step", 0, "it = scaled(O.Adam, fused=True)", "it[0].step(it[1])"),
    ("GradScaler.get_scale", 1, "it = scaled(O.Adam)", "it[0].get_scale()"),
    ("GradScaler.state_dict", 2, "it = scaled(O.Adam)", "it[0].state_dict()"),
    ("GradScaler.update", 0, "it = scaled(O.Adam)\nit[0].step(it[1])", "it[0].update()"),
    ("AveragedModel.update_parameters", 1, "m = linear()\nit = O.swa_utils.AveragedModel(m)\nit.update_parameters(m)",
     "it.update_parameters(m)"),
    ("AveragedModel.update_parameters", 1, "m = linear()\nit = O.swa_utils.AveragedModel(m).to(D)", "it.update_parameters(m)"),  # noqa: E501
    ("ReduceLROnPlateau.step", 1, "it = O.lr_scheduler.ReduceLROnPlateau(trained(O.SGD)[0])", "it.step(s)"),
    ("ReduceLROnPlateau.step", 0, "it = O.lr_scheduler.ReduceLROnPlateau(trained(O.SGD)[0])", "it.step(1.0)"),
    ("detect_anomaly", 1, "it = linear()", "with_anomalies(it, True)"),
    ("detect_anomaly", 0, "it = linear()", "with_anomalies(it, False)"),
)  # fmt: skip
"""Name, minimum number of waits, what is prepared, and what is tried."""


def hidden_trials() -> Iterator[Trial]:
    """Yield the trials of all rows."""
    for family, row in FAMILIES.items():
        for arguments in MADE[family]:
            yield from _of_family(family, row, arguments)
    for check in CHECKS:
        for name in check.names:
            yield _trial(f"linalg {name}", "", _of_matrix(name, check.needs), 1)
    for name, believed, setup, call in OTHERS:
        yield _trial(f"nn {name}", setup, call, believed)


def _of_family(name: str, row: Family, arguments: str) -> Iterator[Trial]:
    """Yield the trials of a family created with and without checks, then of its methods."""
    made = f"{HOMES.get(name, 'd.')}{name}({arguments})"
    spared = f"{made[:-1]}, validate_args=False)"
    numbers = bool(row.mixed) and any(each.replace(".", "").isdigit() for each in arguments.split(", "))
    factorised = bool(row.factorises) and "scale_tril" not in arguments
    always = bool(row.copies) or numbers or factorised
    title = f"distribution {name}"
    yield _trial(title, "", made, row.checked or always)
    yield _trial(title, "", spared, always or bool(row.inner))
    for method in filter(partial(_implements, name), ("log_prob", "cdf")):
        inner = method in INNER_METHODS.get(name, ())
        own = method not in DELEGATING.get(name, ())
        yield _trial(title, f"it = {made}\nx = it.sample()", f"it.{method}(x)", own or inner)
        yield _trial(title, f"it = {spared}\nx = it.sample()", f"it.{method}(x)", inner)
    for method in filter(partial(_implements, name), ("rsample", "entropy", "enumerate_support")):
        yield _trial(title, f"it = {made}", f"it.{method}()", (name, method) in WAITING_METHODS)


def _implements(name: str, method: str) -> bool:
    """Whether the family implements the method; otherwise it raises NotImplementedError."""
    import torch

    made = getattr(torch.distributions, name, torch.distributions.Distribution)
    return getattr(made, method) is not getattr(torch.distributions.Distribution, method)


def _trial(name: str, setup: str, call: str, waits: int) -> Trial:
    variant = "; ".join((*setup.splitlines(), call))
    return Trial(name, variant, int(waits), partial(prepared, variant))


def _of_matrix(name: str, needs: str) -> str:
    owner, _, last = name.rpartition(".")
    receiver = "torch.Tensor." if owner == "torch.Tensor" else f"{owner}."
    pattern = MATRICES.get(last, "{name}(q, check_errors=True)" if needs == "check_errors" else "{name}(q)")
    return pattern.format(name=receiver + last)
