"""Distributions of torch: what their constructors and methods check or copy, and what turns that off.

Sources: torch 2.13 `torch/distributions/distribution.py` (`Distribution.__init__` and `_validate_sample` check that all
values satisfy a constraint), `torch/distributions/utils.py` (`broadcast_all` turns numbers into tensors on the device
of the first tensor), and the file of each family. Validation is on by default since 1.8 (`_validate_args = __debug__`),
and still in 2.15. Each row was run, with and without `validate_args=False` and the global switch.
"""

from __future__ import annotations

from typing import NamedTuple

MODULE = "torch.distributions."
KIND = "distribution"
"""The kind of these classes, and of those that programs derive from them."""
VALIDATE = "validate_args"
TOLD = "_validate_args"
"""The parameter of constructors, and where `Distribution.__init__` keeps it."""
VALIDATES_SINCE = "1.8"
"""The first version of torch that validates by default."""


class Family(NamedTuple):
    """One family; `parameters` are those of its constructor, in order, without `validate_args`, which comes last.

    `checked`: the constructor checks its own parameters. `mixed`: numbers among these parameters are copied to the
    device of the tensors among them; `copies` names the numbers that it always adds itself. `inner` names what is
    validated despite `validate_args=False`, because it is created with the default. `factorises`: if one of these is
    passed, the constructor factorizes a matrix, which checks for errors.
    """

    parameters: tuple[str, ...]
    checked: bool = True
    mixed: tuple[str, ...] = ()
    copies: str = ""
    inner: str = ""
    factorises: tuple[str, ...] = ()


def _mixing(*parameters: str, inner: str = "") -> Family:
    """Return a family whose parameters are all broadcast together."""
    return Family(parameters, mixed=parameters, inner=inner)


_LOGITS = ("probs", "logits")
_CATEGORICAL = "the inner `Categorical`"
_LOC_SCALE = _mixing("loc", "scale")

FAMILIES: dict[str, Family] = {
    "Bernoulli": Family(_LOGITS),
    "Beta": _mixing("concentration1", "concentration0"),
    "Binomial": Family(("total_count", *_LOGITS), mixed=("total_count", *_LOGITS)),
    "Categorical": Family(_LOGITS),
    "Cauchy": _LOC_SCALE,
    "Chi2": Family(("df",), copies="the rate 0.5"),
    "ContinuousBernoulli": Family(
        (*_LOGITS, "lims"), inner="`probs`, which are checked unless `validate_args` is None"
    ),
    "Dirichlet": Family(("concentration",)),
    "ExpRelaxedCategorical": Family(("temperature", *_LOGITS), inner=_CATEGORICAL),
    "Exponential": Family(("rate",)),
    "FisherSnedecor": _mixing("df1", "df2", inner="the two inner `Gamma`"),
    "Gamma": _mixing("concentration", "rate"),
    "GeneralizedPareto": _mixing("loc", "scale", "concentration"),
    "Geometric": Family(_LOGITS),
    "Gumbel": _LOC_SCALE,
    "HalfCauchy": Family(("scale",), copies="the location 0"),
    "HalfNormal": Family(("scale",), copies="the location 0"),
    "Independent": Family(("base_distribution", "reinterpreted_batch_ndims"), checked=False),
    "InverseGamma": _mixing("concentration", "rate"),
    "Kumaraswamy": _mixing("concentration1", "concentration0"),
    "LKJCholesky": Family(("dim", "concentration"), inner="the inner `Beta`"),
    "Laplace": _LOC_SCALE,
    "LogNormal": _LOC_SCALE,
    "LogisticNormal": _LOC_SCALE,
    "LogitRelaxedBernoulli": Family(("temperature", *_LOGITS)),
    "LowRankMultivariateNormal": Family(("loc", "cov_factor", "cov_diag"), factorises=("cov_factor",)),
    "MixtureSameFamily": Family(("mixture_distribution", "component_distribution"), checked=False),
    "Multinomial": Family(
        ("total_count", *_LOGITS), copies="the count", inner="the inner `Categorical` and `Binomial`"
    ),
    "MultivariateNormal": Family(
        ("loc", "covariance_matrix", "precision_matrix", "scale_tril"),
        factorises=("covariance_matrix", "precision_matrix"),
    ),
    "NegativeBinomial": Family(("total_count", *_LOGITS), mixed=("total_count", *_LOGITS)),
    "Normal": _LOC_SCALE,
    "OneHotCategorical": Family(_LOGITS, inner=_CATEGORICAL),
    "OneHotCategoricalStraightThrough": Family(_LOGITS, inner=_CATEGORICAL),
    "Pareto": _mixing("scale", "alpha"),
    "Poisson": Family(("rate",)),
    "RelaxedBernoulli": Family(("temperature", *_LOGITS), inner="the inner `LogitRelaxedBernoulli`"),
    "RelaxedOneHotCategorical": Family(("temperature", *_LOGITS), inner=_CATEGORICAL),
    "StudentT": Family(
        ("df", "loc", "scale"), mixed=("df", "loc", "scale"), copies="the rate of its `Chi2`", inner="the inner `Chi2`"
    ),
    "TransformedDistribution": Family(("base_distribution", "transforms"), checked=False),
    "Uniform": _mixing("low", "high"),
    "VonMises": _mixing("loc", "concentration"),
    "Weibull": _mixing("scale", "concentration"),
    "Wishart": Family(
        ("df", "covariance_matrix", "precision_matrix", "scale_tril"),
        copies="numbers of its own",
        inner="the inner `Chi2`",
        factorises=("covariance_matrix", "precision_matrix"),
    ),
}
"""Last name of a class of `torch.distributions` -> what is known about it."""

VALIDATING = frozenset(("log_prob", "cdf"))
"""Methods that check their argument if validation is on. `icdf`, `sample` and `entropy` do not."""

DELEGATING: dict[str, frozenset[str]] = {
    "Independent": frozenset(("log_prob",)),
    "MixtureSameFamily": frozenset(("cdf",)),
}
"""Methods of wrappers that check nothing themselves; the inner distribution does, if its validation is on."""

INNER_METHODS: dict[str, frozenset[str]] = {
    "OneHotCategorical": frozenset(("log_prob",)),
    "OneHotCategoricalStraightThrough": frozenset(("log_prob",)),
    "RelaxedBernoulli": frozenset(("log_prob",)),
}
"""Methods that check despite `validate_args=False`, because an inner distribution does."""

WAITING_METHODS: dict[tuple[str, str], str] = {
    ("Binomial", "entropy"): "reads the largest count to build a table of that size",
    ("Binomial", "enumerate_support"): "reads the largest and smallest counts",
    ("Multinomial", "entropy"): "reads the largest count to build a table of that size",
    ("VonMises", "sample"): "draws until every sample is accepted, and checks each time",
    ("Wishart", "sample"): "checks whether a sample is singular, and draws again if so",
    ("Wishart", "rsample"): "checks whether a sample is singular, and draws again if so",
    ("Wishart", "entropy"): "checks the range of its argument",
}
"""Methods that wait whether validation is on or off. Source: the files of these families in torch 2.13."""

METHODS = VALIDATING | frozenset(method for _, method in WAITING_METHODS)

DRAWN_WITH_NORMAL = frozenset(("Normal", "LogNormal"))
"""Families whose `sample` calls `torch.normal`."""

SWITCH = "set_default_validate_args"
"""`Distribution.set_default_validate_args(False)` turns validation off for everything created afterwards."""

SAMPLES = frozenset((
    "sample", "rsample", "sample_n", "log_prob", "entropy", "cdf", "icdf", "enumerate_support", "perplexity",
))  # fmt: skip
"""Methods that return tensors on the device of the parameters."""

TENSORS = frozenset((
    "mean", "mode", "variance", "stddev", "loc", "scale", "probs", "logits", "rate", "concentration", "df", "low",
    "high", "total_count", "covariance_matrix", "precision_matrix", "scale_tril", "concentration0", "concentration1",
))  # fmt: skip
"""Attributes that are tensors on the device of the parameters."""

SAMPLES_OF_INTEGERS = frozenset(("Categorical",))
"""Families whose samples are integers; all others draw floating-point numbers."""


def family_of(cls: str) -> Family | None:
    """Return what is known about a class, by its full name; None if it is not one of torch's distributions."""
    return FAMILIES.get(cls.rpartition(".")[2]) if cls.startswith(MODULE) else None
