"""Which packages are measured by their own tests, and whose disagreements nobody reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

NAMES_OF_TESTS: Final = ("test_*.py", "*_test.py", "*_tests.py")


@dataclass(frozen=True)
class Suite:
    """A package and its tests: `tests` are looked for below a folder that is named as the package is imported."""

    package: str
    distribution: str
    kind: str
    tests: str = "tests"
    options: tuple[str, ...] = ()
    """What its tests want to be told on pytest's command line, so that they run on the device."""
    environment: Mapping[str, str] = field(default_factory=dict)
    devices: tuple[str, ...] = ()
    """Where its tests keep the device that they use, as `module:path.of.attribute`."""
    moves: bool = False
    """Whether its tests move to a device by themselves what they use, so that the default device stays the CPU."""

    @property
    def is_sealed(self) -> bool:
        """Whether only figures are printed of it: decided by its name, once and for all."""
        return bool(hashlib.blake2b(self.package.encode(), digest_size=8).digest()[-1] & 1)

    @property
    def group(self) -> str:
        """The name of its half."""
        return "sealed" if self.is_sealed else "read"

    def files(self, root: Path) -> Iterator[Path]:
        """The files with tests, in an order that has nothing to do with what is in them: time may end first."""
        found = {path for name in NAMES_OF_TESTS for path in (root / self.tests).rglob(name)}
        yield from sorted(found, key=lambda path: hashlib.blake2b(str(path.relative_to(root)).encode()).digest())


SUITES: Final = (
    Suite("accelerate", "accelerate", "trainer", moves=True),
    Suite("asteroid_filterbanks", "asteroid-filterbanks", "audio"),
    Suite("audiotools", "descript-audiotools", "audio"),
    Suite(
        "botorch",
        "botorch",
        "Bayesian optimisation",
        "test",
        devices=("botorch.utils.testing:BotorchTestCase.device",),
    ),
    Suite("captum", "captum", "attribution"),
    Suite("d3rlpy", "d3rlpy", "offline reinforcement learning"),
    Suite("deepinv", "deepinv", "inverse problems", "deepinv/tests"),
    Suite("deepquantum", "deepquantum", "quantum circuits"),
    Suite("diffsptk", "diffsptk", "speech signal processing"),
    Suite("diffusers", "diffusers", "large models", moves=True),
    Suite("e3nn", "e3nn", "equivariant models"),
    Suite("evotorch", "evotorch", "evolutionary algorithms"),
    Suite("fastmri", "fastmri", "magnetic resonance imaging"),
    Suite("foolbox", "foolbox", "adversarial attacks", options=("--backend=pytorch",)),
    Suite(
        "geomstats",
        "geomstats",
        "manifolds",
        "tests/tests_geomstats",
        environment={"GEOMSTATS_BACKEND": "pytorch", "SCIPY_ARRAY_API": "1"},
    ),
    Suite("geoopt", "geoopt", "Riemannian optimizers"),
    Suite("gpytorch", "gpytorch", "Gaussian processes", "test"),
    Suite("heavyball", "heavyball", "optimizers", "test"),
    Suite("higher", "higher", "meta-learning"),
    Suite("ignite", "pytorch-ignite", "trainer", "tests/ignite"),
    Suite("kornia", "kornia", "vision operators", options=("--device=cuda", "--dtype=float32")),
    Suite("kymatio", "kymatio", "wavelets"),
    Suite("lightly", "lightly", "self-supervised learning"),
    Suite("linear_operator", "linear_operator", "linear algebra", "test"),
    Suite("mmengine", "mmengine", "trainer"),
    Suite("monai", "monai", "medical imaging"),
    Suite("neuralop", "neuraloperator", "neural operators", "neuralop"),
    Suite("neurodiffeq", "neurodiffeq", "physics"),
    Suite("nflows", "nflows", "normalizing flows"),
    Suite("nngeometry", "nngeometry", "Fisher matrices"),
    Suite("normflows", "normflows", "normalizing flows", "normflows", options=("--import-mode=importlib",)),
    Suite("opacus", "opacus", "differential privacy"),
    Suite("optimi", "torch-optimi", "optimizers"),
    Suite("peft", "peft", "adapters of large models", moves=True),
    Suite("pina", "pina-mathlab", "physics"),
    Suite("piq", "piq", "image quality"),
    Suite("poutyne", "poutyne", "trainer"),
    Suite("pypose", "pypose", "robotics"),
    Suite("pyro", "pyro-ppl", "probabilistic programming", environment={"PYRO_DEVICE": "cuda"}),
    Suite("pythae", "pythae", "autoencoders"),
    Suite("pytorch_adapt", "pytorch-adapt", "domain adaptation", environment={"TEST_DTYPES": "float32"}),
    Suite("pytorch_forecasting", "pytorch-forecasting", "forecasting"),
    Suite("pytorch_grad_cam", "grad-cam", "attribution"),
    Suite("pytorch_metric_learning", "pytorch-metric-learning", "losses", environment={"TEST_DTYPES": "float32"}),
    Suite("pytorch_optimizer", "pytorch_optimizer", "optimizers"),
    Suite("roma", "roma", "rotations", "test"),
    Suite("sentence_transformers", "sentence-transformers", "large models", moves=True),
    Suite("skorch", "skorch", "trainer", "skorch/tests"),
    Suite("speechbrain", "speechbrain", "speech", "tests/unittests"),
    Suite("stable_baselines3", "stable_baselines3", "reinforcement learning"),
    Suite("stribor", "stribor", "normalizing flows", "stribor/test"),
    Suite("tianshou", "tianshou", "reinforcement learning", "test"),
    Suite("timm", "timm", "vision models"),
    Suite("torch_frame", "pytorch-frame", "tables", "test"),
    Suite("torch_geometric", "torch_geometric", "graphs", "test"),
    Suite("torch_struct", "torch-struct", "structured prediction"),
    Suite("torch_uncertainty", "torch-uncertainty", "uncertainty"),
    Suite("torchcam", "torchcam", "attribution"),
    Suite("torchcde", "torchcde", "controlled differential equations", "test"),
    Suite("torchdiffeq", "torchdiffeq", "differential equations"),
    Suite("torchebm", "torchebm", "energy-based models"),
    Suite("torchhd", "torch-hd", "hyperdimensional computing"),
    Suite("torchio", "torchio", "medical imaging"),
    Suite("torchjd", "torchjd", "Jacobian descent", environment={"PYTEST_TORCH_DEVICE": "cuda:0"}),
    Suite("torchkbnufft", "torchkbnufft", "Fourier transforms"),
    Suite("torchkge", "torchkge", "knowledge graphs"),
    Suite("torchmetrics", "torchmetrics", "metrics", "tests/unittests"),
    Suite("torchmin", "pytorch-minimize", "minimizers"),
    Suite("torchquad", "torchquad", "integrals"),
    Suite("torchsde", "torchsde", "stochastic differential equations"),
    Suite("torchzero", "torchzero", "optimizers"),
    Suite("transformers", "transformers", "large models", moves=True),
    Suite("trl", "trl", "training of language models", moves=True),
    Suite("x_transformers", "x-transformers", "models"),
    Suite("zennit", "zennit", "attribution"),
    Suite("zuko", "zuko", "normalizing flows"),
)


def is_test(file: Path, root: Path) -> bool:
    """Whether a file in the package itself is a test, and so no part of what is judged."""
    parts = file.relative_to(root).parts
    return bool({"test", "tests", "testing"} & {*parts[:-1]}) or any(file.match(name) for name in NAMES_OF_TESTS)
