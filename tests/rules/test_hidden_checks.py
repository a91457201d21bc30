"""What the rules about hidden checks report, and where they stay silent."""

from __future__ import annotations

import textwrap

import pytest
from synclint.lint.finding import Finding, Severity
from synclint.lint.rule import all_rules
from synclint.lint.run.engine import run
from synclint.lint.run.file import File
from synclint.lint.settings.config import Settings

RULES = [rule for rule in all_rules() if rule.code.startswith("SYNC5") or rule.code == "SYNC603"]
HEAD = """
import torch
import torch.distributions as td
import torch.nn.functional as F
from torch import linalg as LA, nn
from torch.distributions import Beta, Categorical, HalfNormal, Independent, MultivariateNormal, Normal, StudentT
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence
from torch.optim.swa_utils import AveragedModel

device = torch.device("cuda")
x, square = torch.rand(4, device=device), torch.rand(4, 4, device=device)
host, number, labels = torch.rand(4), 1.0, torch.randint(4, (4,), device=device)
mask, weight = torch.rand(4, 4, device=device), torch.ones(4, device=device)
model = nn.Linear(4, 4).to(device)
"""
ROWS = HEAD.count("\n")


def findings(body: str, **settings: str) -> list[Finding]:
    text = HEAD + textwrap.dedent(body).strip("\n") + "\n"
    result = run([File("train.py", True, text.encode())], Settings(**settings), RULES, jobs=1)
    assert not result.failures, result.failures[0].trace
    return list(result.findings)


def in_step(step: str, setup: str = "", **settings: str) -> list[tuple[str, str]]:
    """Codes and severities of what is found in a step of a training loop, or in what it is set up with."""
    body = f"{textwrap.dedent(setup)}\nfor batch in loader:\n{textwrap.indent(textwrap.dedent(step), '    ')}"
    return [(each.code, each.severity.words) for each in findings(body, **settings)]


def codes(step: str, setup: str = "", **settings: str) -> list[str]:
    return [code for code, _ in in_step(step, setup, **settings)]


# -- distributions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        "Normal(x, x)",
        "Normal(loc=x, scale=x)",
        "td.Normal(x, x)",
        "td.normal.Normal(x, x, None)",
        "Normal(x, x, True)",
        "Normal(x, x, validate_args=True)",
        "Categorical(logits=square)",
        "Beta(x, x)",
        "MultivariateNormal(x, scale_tril=square)",
    ],
)
def test_constructors_validate(made: str) -> None:
    assert in_step(f"d = {made}") == [("SYNC501", "error")]


@pytest.mark.parametrize(
    "made",
    [
        "Normal(x, x, validate_args=False)",
        "Normal(x, x, False)",
        "Normal(x, x, validate_args=checks)",
        "Normal(x, x, **options)",
        "Normal(0.0, 1.0)",
        "Normal(host, host)",
        "Normal(torch.tensor(0.0), torch.tensor(1.0))",
        "Normal(unknown, other)",
        "Categorical(None, square, False)",
        "Independent(Normal(x, x, validate_args=False), 1)",
        "MultivariateNormal(x, scale_tril=square, validate_args=False)",
        "td.AffineTransform(x, x)",
        "Unrelated(x, x)",
    ],
)
def test_silent_constructors(made: str) -> None:
    assert codes(f"d = {made}") == []


@pytest.mark.parametrize(
    "made",
    [
        "td.OneHotCategorical(square, validate_args=False)",
        "td.Multinomial(4, square, validate_args=False)",
        "td.RelaxedBernoulli(x, x, validate_args=False)",
        "td.RelaxedOneHotCategorical(x, square, validate_args=False)",
        "td.FisherSnedecor(x, x, validate_args=False)",
        "td.LKJCholesky(3, x, validate_args=False)",
        "StudentT(x, x, x, validate_args=False)",
        "td.ContinuousBernoulli(x, validate_args=False)",
    ],
)
def test_families_that_validate_in_spite_of_it(made: str) -> None:
    assert "SYNC501" in codes(f"d = {made}")
    off = "td.Distribution.set_default_validate_args(False)"
    assert "SYNC501" not in codes(f"d = {made.replace(', validate_args=False', '')}", off)


@pytest.mark.parametrize("matrix", ["covariance_matrix=square", "precision_matrix=square", "square"])
def test_a_covariance_is_factorised_with_a_check(matrix: str) -> None:
    assert codes(f"d = MultivariateNormal(x, {matrix}, validate_args=False)") in (["SYNC501"],)


@pytest.mark.parametrize(
    "switch",
    [
        "td.Distribution.set_default_validate_args(False)",
        "torch.distributions.Distribution.set_default_validate_args(False)",
        "td.distribution.Distribution.set_default_validate_args(value=False)",
        "Normal.set_default_validate_args(False)",
    ],
)
def test_the_switch_is_for_all(switch: str) -> None:
    step = "d = Normal(x, x)\nd.log_prob(x)\ne = td.OneHotCategorical(square)\ne.log_prob(square)"
    assert codes(step, switch) == []
    assert codes("d = Normal(x, x, validate_args=True)", switch) == ["SYNC501"]


def test_the_switch_of_one_file_holds_for_others() -> None:
    switch = b"import torch\ntorch.distributions.Distribution.set_default_validate_args(False)\n"
    step = HEAD.encode() + b"for batch in loader:\n    Normal(x, x)\n"
    files = [File("main.py", True, switch), File("train.py", True, step)]
    assert [each.code for each in run(files, Settings(), RULES, jobs=1).findings] == []
    assert [each.code for each in run(files[1:], Settings(), RULES, jobs=1).findings] == ["SYNC501"]


def test_switching_it_on_is_no_switch() -> None:
    assert codes("d = Normal(x, x)", "td.Distribution.set_default_validate_args(True)") == ["SYNC501"]


def test_old_versions_did_not_validate() -> None:
    assert codes("d = Normal(x, x)", torch="1.7") == []


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        ("d = Normal(x, x)", "d.log_prob(x)"),
        ("d = Normal(x, x)", "p = d.cdf(x)"),
        ("d = Normal(0.0, 1.0)", "d.log_prob(x)"),
        ("d = Independent(Normal(x, x), 1)", "d.log_prob(x)"),
        ("d = Independent(Normal(x, x), 1, validate_args=False)", "d.log_prob(x)"),
        ("d = td.OneHotCategorical(square, validate_args=False)", "d.log_prob(square)"),
        ("d = td.Binomial(3, x, validate_args=False)", "d.entropy()"),
        ("d = td.VonMises(x, x, validate_args=False)", "d.sample()"),
        ("d = td.Binomial(3, x, validate_args=False)", "td.kl_divergence(d, d)"),
        ("class Policy:\n    def __init__(self):\n        self.d = Normal(x, x)\np = Policy()", "p.d.log_prob(x)"),
        ("def made(mean):\n    return Normal(mean, mean.exp())\n", "made(x).log_prob(x)"),
    ],
)
def test_methods_wait(setup: str, step: str) -> None:
    assert ("SYNC501", "error") in in_step(step, setup)


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        ("d = Normal(x, x)", "d.sample()\nd.rsample()\nd.entropy()\nd.icdf(x)\nd.mean"),
        ("d = Normal(x, x, validate_args=False)", "d.log_prob(x)\nd.cdf(x)"),
        ("d = Normal(host, host)", "d.log_prob(host)"),
        ("d = Independent(Normal(x, x, validate_args=False), 1)", "d.log_prob(x)"),
        ("", "unknown.log_prob(x)"),
        ("", "unknown.cdf(x)"),
        ("d = td.VonMises(host, host)", "d.sample()"),
        ("d = Normal(x, x, False)", "td.kl_divergence(d, d)"),
    ],
)
def test_silent_methods(setup: str, step: str) -> None:
    assert codes(step, setup) == []


def test_parameters_of_functions_are_followed() -> None:
    body = """
    def act(mean: torch.Tensor, log_std):
        policy = Normal(mean, log_std.exp())
        return policy.log_prob(mean)
    """
    assert [(each.code, each.severity) for each in findings(body)] == [("SYNC501", Severity.WARNING)] * 2


def test_class_of_the_program_may_turn_off_the_validation_of_its_base():
    own = """
    class Own(Normal):
        def __init__(self, mean):
            super().__init__(mean, x, validate_args=False)

        def log_prob(self, value):
            return super().log_prob(value)
    """
    assert codes("loss = Own(x).log_prob(x)", own) == []


@pytest.mark.parametrize(
    "made",
    [
        "Normal(x, 1.0, validate_args=False)",
        "Normal(0, x, validate_args=False)",
        "Normal(loc=0, scale=x, validate_args=False)",
        "Beta(x, number, validate_args=False)",
        "td.Uniform(0.0, high=x, validate_args=False)",
        "td.Gamma(2, x, validate_args=False)",
        "td.Binomial(3, x, validate_args=False)",
        "HalfNormal(x, validate_args=False)",
        "td.Chi2(x, validate_args=False)",
    ],
)
def test_mixed_scalars(made: str) -> None:
    assert "SYNC502" in codes(f"d = {made}")


@pytest.mark.parametrize(
    "made",
    [
        "Normal(x, x, validate_args=False)",
        "Normal(x, torch.ones_like(x), validate_args=False)",
        "Normal(0.0, 1.0, validate_args=False)",
        "Normal(host, 1.0)",
        "Normal(unknown, 1.0)",
        "td.RelaxedBernoulli(0.5, x)",
        "td.LKJCholesky(3, x)",
        "Independent(Normal(x, x), 1)",
        "HalfNormal(host)",
    ],
)
def test_no_mixed_scalars(made: str) -> None:
    assert "SYNC502" not in codes(f"d = {made}")


# -- linear algebra ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        "torch.linalg.inv(square)",
        "LA.inv(A=square)",
        "torch.inverse(square)",
        "square.inverse()",
        "torch.linalg.cholesky(square)",
        "square.cholesky()",
        "torch.linalg.solve(square, x)",
        "torch.linalg.lu_factor(square)",
        "torch.linalg.inv_ex(square, check_errors=True)",
        "torch.linalg.matrix_power(square, -1)",
        "square.matrix_power(-2)",
    ],
)
def test_linalg_with_a_cure(call: str) -> None:
    assert in_step(call) == [("SYNC503", "error")]


@pytest.mark.parametrize(
    "call",
    [
        "torch.linalg.eigh(square)",
        "torch.linalg.svd(square, full_matrices=False)",
        "square.svd()",
        "torch.svd(square)",
        "torch.linalg.pinv(square)",
        "torch.linalg.matrix_norm(square, 2)",
        "torch.linalg.matrix_norm(square, ord='nuc')",
        "torch.linalg.norm(square, 'nuc')",
        "torch.linalg.cond(square)",
        "torch.linalg.lstsq(square, square)",
    ],
)
def test_linalg_without_a_cure_is_a_note(call: str) -> None:
    assert in_step(call) == [("SYNC503", "note")]


@pytest.mark.parametrize(
    "call",
    [
        "torch.linalg.inv_ex(square)",
        "torch.linalg.cholesky_ex(square, check_errors=False)",
        "torch.linalg.matrix_power(square, 3)",
        "torch.linalg.matrix_power(square, count)",
        "torch.linalg.det(square)\ntorch.linalg.qr(square)\ntorch.linalg.slogdet(square)\ntorch.linalg.lu(square)",
        "torch.linalg.norm(square)\ntorch.linalg.norm(x, 2)\ntorch.linalg.vector_norm(x)\nsquare.norm()\nx.norm(2)",
        "torch.linalg.matrix_norm(square)",
        "torch.linalg.cond(square, 1)",
        "torch.linalg.solve_triangular(square, square, upper=True)",
        "torch.linalg.inv(host)",
        "optimizer.solve(x)\nsolver.inv(x)\ntransform.inverse()\nnp.linalg.inv(x)\nscipy.linalg.svd(x)",
        "solve(x)\ninverse(x)",
    ],
)
def test_silent_linalg(call: str) -> None:
    assert codes(call) == []


# -- optimizers --------------------------------------------------------------------------------------------------------

ADAM = "opt = torch.optim.Adam(model.parameters())\n"
RATE = "lr = torch.full((), 0.1, device='cuda')\n"
FOR_HALF = "\ns = torch.amp.GradScaler(enabled=(dtype == 'float16'))"


@pytest.mark.parametrize(
    ("setup", "step", "severity"),
    [
        (ADAM + "s = torch.amp.GradScaler()", "s.step(opt)", "error"),
        (ADAM + "s = torch.cuda.amp.GradScaler(enabled=True)", "s.step(opt)", "error"),
        (ADAM + "dtype = 'float16'" + FOR_HALF, "s.step(opt)", "error"),
        (ADAM + "s = torch.amp.GradScaler('cuda', enabled=use_amp)", "s.step(opt)", "note"),
        (
            ADAM
            + "dtype = 'bfloat16' if bf16() else 'float16'\ns = torch.amp.GradScaler(enabled=(dtype == 'float16'))",
            "s.step(opt)",
            "note",
        ),
        ("s = torch.amp.GradScaler()", "s.step(unknown)", "warning"),
        ("s = torch.amp.GradScaler()", "log(s.get_scale())", "warning"),
        ("s = torch.amp.GradScaler()", "log(s.state_dict())", "warning"),
        ("opt = torch.optim.LBFGS(model.parameters())", "opt.step(closure)", "error"),
        ("opt = torch.optim.ASGD(model.parameters())", "opt.step()", "error"),
        ("opt = torch.optim.ASGD(unknown)", "opt.step()", "warning"),
        ("opt = torch.optim.Adafactor(model.parameters())", "opt.step()", "error"),
        ("ema = AveragedModel(model)", "ema.update_parameters(model)", "warning"),
        ("ema = AveragedModel(model).to(device)", "ema.update_parameters(model)", "error"),
        (ADAM + "p = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)", "p.step(x.sum())", "error"),
        (RATE + "opt = torch.optim.SGD(model.parameters(), lr=lr)", "opt.step()", "error"),
        (RATE + "opt = torch.optim.SGD(model.parameters(), lr, 0.9)", "opt.step()", "error"),
        (RATE + "opt = torch.optim.AdamW(unknown, lr=lr, fused=False)", "opt.step()", "error"),
        (
            "def build(m):\n    lr = torch.full((), 0.1, device='cuda')\n"
            "    return torch.optim.NAdam(m.parameters(), lr=lr), lr\nopt, lr = build(model)",
            "opt.step()",
            "error",
        ),
        ("", "nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)", "error"),
        ("", "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, 2.0, True)", "error"),
    ],
)
def test_optimizers_read(setup: str, step: str, severity: str) -> None:
    assert in_step(step, setup) == [("SYNC504", severity)]


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        (ADAM, "opt.step()"),
        (RATE + "opt = torch.optim.SGD(model.parameters(), lr=lr, fused=True)", "opt.step()"),
        (RATE + "opt = torch.optim.Adam(model.parameters(), lr=lr, capturable=True)", "opt.step()"),
        (RATE + "opt = torch.optim.RAdam(model.parameters(), lr=lr)", "opt.step()"),
        ("opt = torch.optim.SGD(model.parameters(), lr=torch.tensor(0.1))", "opt.step()"),
        ("opt = torch.optim.SGD(model.parameters(), lr=rate)", "opt.step()"),
        ("opt = torch.optim.AdamW(model.parameters(), fused=True)\ns = torch.amp.GradScaler()", "s.step(opt)"),
        ("opt = torch.optim.SGD(model.parameters(), lr=1, fused=can)\ns = torch.amp.GradScaler()", "s.step(opt)"),
        (ADAM + "s = torch.amp.GradScaler(enabled=False)", "s.step(opt)"),
        (ADAM + "dtype = 'bfloat16'" + FOR_HALF, "s.step(opt)"),
        (ADAM + "dtype = 'float16'\ns = torch.amp.GradScaler(enabled=dtype != 'float16')", "s.step(opt)"),
        (ADAM + "s = torch.amp.GradScaler('cpu')", "s.step(opt)"),
        (ADAM + "s = torch.amp.GradScaler()", "s.unscale_(opt)\ns.update()\ns.scale(x)"),
        ("opt = torch.optim.ASGD(model.parameters(), capturable=True)", "opt.step()"),
        ("opt = torch.optim.ASGD(host_model.parameters())\nhost_model = 1", "scheduler.step()"),
        (ADAM + "p = torch.optim.lr_scheduler.ReduceLROnPlateau(opt)", "p.step(number)\np.step(loss_value)"),
        (ADAM + "p = torch.optim.lr_scheduler.StepLR(opt, 3)", "p.step()"),
        ("ema = AveragedModel(nn.Linear(4, 4)).to('cpu')", "ema.update_parameters(model)"),
        ("", "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"),
        ("", "nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=flag)"),
        ("", "unknown.step(x)\nunknown.get_scale()\nunknown.update_parameters(model)\nenv.step(x)"),
    ],
)
def test_silent_optimizers(setup: str, step: str) -> None:
    assert codes(step, setup) == []


# -- modules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "step", "severity"),
    [
        ("", "F.gaussian_nll_loss(x, x, x)", "error"),
        ("", "F.gaussian_nll_loss(x, x, var=x.exp())", "error"),
        ("loss = nn.GaussianNLLLoss()", "loss(x, x, x)", "error"),
        ("", "F.cross_entropy(square, labels, weight=weight, label_smoothing=0.1)", "error"),
        ("", "F.cross_entropy(square, labels, weight, None, -100, None, 'mean', 0.1)", "error"),
        ("loss = nn.CrossEntropyLoss(weight=weight, label_smoothing=0.1)", "loss(square, labels)", "error"),
        ("norm = nn.BatchNorm1d(4, momentum=None)", "", "warning"),
        ("norm = nn.BatchNorm2d(4, 1e-5, None)", "", "warning"),
        ("from torch.nn.modules import BatchNorm1d\nnorm = BatchNorm1d(4, momentum=None)", "", "warning"),
        ("net = nn.Sequential(nn.Linear(4, 4), nn.LazyBatchNorm1d(momentum=None))", "", "warning"),
        ("norm = nn.SyncBatchNorm(4)", "", "note"),
        ("model = nn.SyncBatchNorm.convert_sync_batchnorm(model)", "", "note"),
        ("enc = nn.TransformerEncoder(layer, 2)", "enc(square, mask=mask)", "error"),
        ("enc = nn.TransformerEncoder(layer, 2)", "enc(square, mask)", "error"),
        ("dec = nn.TransformerDecoder(layer, 2)", "dec(square, square, tgt_mask=mask)", "error"),
        ("tr = nn.Transformer()", "tr(square, square, tgt_mask=mask, src_is_causal=True)", "error"),
        ("head = nn.AdaptiveLogSoftmaxWithLoss(4, 9, [3])", "head(square, labels)", "error"),
        ("", "pack_padded_sequence(square, lengths, enforce_sorted=False)", "error"),
        ("", "pack_sequence([x, x], enforce_sorted=False)", "error"),
        ("", "F.ctc_loss(square, labels, lengths, lengths)", "error"),
        ("", "F.ctc_loss(targets=labels, input_lengths=[4], target_lengths=[4], log_probs=square)", "error"),
        ("loss = nn.CTCLoss()", "loss(square, labels, lengths, lengths)", "error"),
        ("class Net(nn.Module):\n    def __init__(self):\n        self.loss = nn.GaussianNLLLoss()\nnet = Net()",
         "net.loss(x, x, x)", "error"),
    ],
)  # fmt: skip
def test_modules_wait(setup: str, step: str, severity: str) -> None:
    assert in_step(step or "pass", setup) == [("SYNC505", severity)]


@pytest.mark.parametrize(
    ("setup", "step"),
    [
        ("", "F.gaussian_nll_loss(x, x, 1.0)\nF.gaussian_nll_loss(host, host, host)\nF.mse_loss(x, x)"),
        ("", "F.cross_entropy(square, labels, weight=weight)\nF.cross_entropy(square, labels, label_smoothing=0.1)"),
        ("", "F.cross_entropy(square, labels, weight=weight, label_smoothing=0.1, reduction='sum')"),
        ("", "F.cross_entropy(square, labels, weight=weight, label_smoothing=0.0)"),
        ("", "F.cross_entropy(square, labels, weight=weight, label_smoothing=smoothing)"),
        ("", "F.cross_entropy(square, square.softmax(1), weight=weight, label_smoothing=0.1)"),
        ("loss = nn.CrossEntropyLoss(label_smoothing=0.1)", "loss(square, labels)"),
        ("norm = nn.BatchNorm1d(4)\nother = nn.BatchNorm1d(4, momentum=0.1)", "norm(square)"),
        ("norm = nn.BatchNorm1d(4, momentum=chosen)", "norm(square)"),
        ("norm = nn.BatchNorm1d(4, momentum=None, track_running_stats=False)", "norm(square)"),
        ("enc = nn.TransformerEncoder(layer, 2)", "enc(square)\nenc(square, None)\nenc(square, mask=unknown)"),
        (
            "enc = nn.TransformerEncoder(layer, 2)",
            "enc(square, mask=mask, is_causal=True)\nenc(square, mask, None, False)",
        ),
        ("tr = nn.Transformer()", "tr(square, square, tgt_mask=mask, tgt_is_causal=True)"),
        ("tr = nn.Transformer()", "tr(square, square, memory_mask=mask)"),
        ("layer = nn.TransformerEncoderLayer(4, 2)", "layer(square, src_mask=mask)"),
        ("loss = nn.CTCLoss()", "loss(host, labels.cpu, lengths, lengths)"),
        ("", "pad_packed_sequence(pack_padded_sequence(square, lengths))"),
        ("", "pack_padded_sequence(square, lengths)\npack_padded_sequence(host, lengths, enforce_sorted=False)"),
    ],
)
def test_silent_modules(setup: str, step: str) -> None:
    assert codes(step, setup) == []


# -- set-up ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "torch.autograd.set_detect_anomaly(True)",
        "torch.autograd.set_detect_anomaly(mode=True)",
        "with torch.autograd.detect_anomaly():\n    model(x).sum().backward()",
        "with torch.autograd.set_detect_anomaly(True):\n    model(x).sum().backward()",
        "from lightning import Trainer\ntrainer = Trainer(detect_anomaly=True)",
        "import lightning.pytorch as pl\ntrainer = pl.Trainer(detect_anomaly=True)",
        "if __name__ == '__main__':\n    torch.autograd.set_detect_anomaly(True)",
    ],
)
def test_anomaly_detection(line: str) -> None:
    assert [(each.code, each.severity.words) for each in findings(line)] == [("SYNC506", "warning")]


@pytest.mark.parametrize(
    "line",
    [
        "torch.autograd.set_detect_anomaly(False)",
        "torch.autograd.set_detect_anomaly(args.debug)",
        "torch.autograd.set_detect_anomaly(True, check_nan=False)",
        "torch.autograd.detect_anomaly(False)",
        "if args.debug:\n    torch.autograd.set_detect_anomaly(True)",
        "if find_nan:\n    torch.autograd.set_detect_anomaly(True)",
        "from lightning import Trainer\ntrainer = Trainer(detect_anomaly=args.debug)",
        "other.set_detect_anomaly(True)",
    ],
)
def test_no_anomaly_detection(line: str) -> None:
    assert findings(line) == []


@pytest.mark.parametrize(
    ("line", "severity"),
    [
        ("model = nn.DataParallel(model)", "note"),
        ("model = nn.DataParallel(model, device_ids=ids)", "note"),
        ("model = torch.nn.parallel.DataParallel(model, device_ids=[0, 1])", "warning"),
        ("if torch.cuda.device_count() > 1:\n    model = nn.DataParallel(model).cuda()", "note"),
        ("y = nn.parallel.data_parallel(model, x, [0, 1])", "warning"),
    ],
)
def test_data_parallel(line: str, severity: str) -> None:
    assert [(each.code, each.severity.words) for each in findings(line)] == [("SYNC603", severity)]


@pytest.mark.parametrize(
    "line",
    [
        "model = nn.parallel.DistributedDataParallel(model)",
        "model = nn.DataParallel(model, device_ids=[0])",
        "isinstance(model, nn.DataParallel)",
        "model = DataParallel(model)",
    ],
)
def test_no_data_parallel(line: str) -> None:
    assert findings(line) == []


@pytest.mark.parametrize("unpacked", ["pad_packed_sequence(given)", "torch.nn.utils.rnn.unpack_sequence(given)"])
@pytest.mark.parametrize("through", ["given = packed", "given, _ = lstm(packed)"])
def test_sequences_that_were_not_sorted(unpacked: str, through: str) -> None:
    packed = "packed = pack_padded_sequence(square, lengths, enforce_sorted=False)"
    assert codes(f"{packed}\n{through}\n{unpacked}", "lstm = nn.LSTM(4, 4).to(device)") == ["SYNC505", "SYNC505"]
