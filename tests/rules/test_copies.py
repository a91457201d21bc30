"""SYNC3xx: what each rule reports, and what it must not; the names in the snippets are those of `conftest.LOOP`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Confidence, Finding, Severity

Waits = Callable[..., list[Finding]]

REPORTS: dict[str, tuple[str, ...]] = {
    "SYNC301": (
        "torch.distributions.Normal(0.0, 1.0).sample((3,)).to('cuda')",
        "batch.to('cuda')",
        "batch['x'].to('cuda')",
        "batch['x'].to('cuda:0', torch.float16)",
        "batch['x'].to(device='cuda', non_blocking=False)",
        "batch['x'].cuda()",
        "batch.pin_memory().to('cuda')",
        "inputs, labels = batch\nlabels.cuda()",
        "moved = [each.to('cuda') for each in batch]",
        "moved = {name: each.to('cuda') for name, each in batch.items()}",
        "for name in batch:\n    batch[name] = batch[name].to('cuda')",
        "torch.from_numpy(array).to('cuda')",
        "torch.from_numpy(array).float().to('cuda')",
        "host.to(x)",
        "host.to(x.device)",
        "host.type_as(x)",
        "host.type('torch.cuda.FloatTensor')",
        "host.to('cuda', torch.float16, False)",
        "(host + 1).to('cuda')",
        "host_scalar.to('cuda')",
        "x.copy_(host)",
        "x[0].copy_(host[0])",
        "zeros = torch.zeros(3)\nzeros[0] = 1\nzeros.to('cuda')",
    ),
    "SYNC302": (
        "torch.tensor(1.0, device='cuda')",
        "import math\ntorch.tensor([math.pi], device='cuda')",
        "from numpy import inf\ntorch.as_tensor(-inf, device=x.device)",
        "torch.as_tensor(0.5 if count else scalar, device='cuda')",
        "torch.as_tensor(0.5 if count else array if text else scalar, device='cuda')",
        "torch.tensor([0.0, count, array.shape[0]], device='cuda')",
        "torch.tensor([[1.0, unknown()], [0, 1]], device=x.device)",
        "torch.nn.Linear(3, 4).to(x.device)",
        "torch.zeros(3).to(x.device)",
        "torch.randint(0, 9, (3,)).to(x.device)",
        "torch.nn.Conv2d(3, 4, 1).cuda()",
        "from typing import Iterable\ndef of(a: Iterable[float]): torch.tensor(a, device='cuda')\nof(unknown())",
        "torch.cuda.FloatTensor([1.0])",
        "torch.cuda.FloatTensor(np.zeros(3))",
        "torch.cuda.LongTensor(numbers)",
        "x.copy_(3)",
        "torch.tensor([1.0, 2.0], device=x.device)",
        "for layer in torch.nn.Sequential():\n    torch.tensor(layer.sizes, device=x.device)",
        "torch.tensor(x.shape, device='cuda')",
        "torch.tensor([v for v in numbers], device='cuda')",
        "torch.tensor([count if text else dataset.thing()], device='cuda')",
        "torch.tensor([1 if text else 0.5], device='cuda')",
        "torch.tensor(count, dtype=torch.float32, device='cuda')",
        "torch.tensor(array, None, 'cuda')",
        "torch.tensor([count if dataset else 1.0], device='cuda')",
        "torch.zeros(3).to(dataset.parts()[0].device)",
        "torch.as_tensor(array, device='cuda')",
        "torch.asarray(numbers, device='cuda')",
        "torch.as_tensor(host, device='cuda')",
        "x.new_tensor([1.0, 2.0])",
        "x.new_tensor(count)",
        "torch.where(mask, x, host_scalar)",
        "torch.where(mask, x, torch.tensor(0.0))",
        "torch.where(mask, x, host[0, 0])",
        "torch.where(mask, x, torch.tensor(text)[0])",
        "torch.tensor([[1, 0], [0, 1.0]], device='cuda')",
        "torch.set_default_device('cuda')\ntorch.tensor([1.0])",
        "torch.set_default_tensor_type('torch.cuda.FloatTensor')\ntorch.Tensor([1.0])",
        "torch.set_default_tensor_type(torch.cuda.FloatTensor)\ntorch.Tensor(array)",
        "with torch.device('cuda'):\n    torch.tensor([1.0])",
        "torch.tensor([1.0] + [None if array else 2.0] * count, device='cuda')",
        "x.where(mask, host_scalar)",
        "torch.zeros(3).to('cuda')",
        "torch.zeros(3).cuda()",
        "torch.tensor(count).to('cuda')",
        "torch.tensor(count).float().to('cuda')",
        "torch.arange(3).unsqueeze(0).to('cuda')",
        "torch.eye(3).type_as(x)",
        "torch.full((3,), 1.0).to(x)",
    ),
    "SYNC304": (
        "copy = x.to('cpu', non_blocking=True)\ncopy.mean()",
        "copy = x.to('cpu', non_blocking=True)\nfound = copy.argmax(1)\nfound.tolist()",
        "copy = x.to('cpu', non_blocking=True)\ncopy.tolist()",
        "copy = scalar.to('cpu', non_blocking=True)\ncopy.item()",
        "scalar.to('cpu', non_blocking=True).item()",
        "copy = scalar.to('cpu', non_blocking=True)\nif copy: pass",
        "copy = scalar.to('cpu', non_blocking=True)\nfloat(copy)",
        "copy = scalar.to('cpu', non_blocking=True)\ntext = f'{copy}'",
        "copy = x.to('cpu', non_blocking=True).numpy()",
        "pinned = host.pin_memory()\npinned.copy_(x, non_blocking=True)\npinned.tolist()",
        "copy = x.to('cpu', non_blocking=True)\nevent = torch.cuda.Event()\nevent.record()\ncopy.tolist()",
        "copy = scalar.to('cpu', non_blocking=True)\nfound = copy > 1",
        "copy = scalar.to('cpu', non_blocking=True)\ndouble = 2 * copy",
        "copy = unknown(on_gpu).sum().to('cpu', non_blocking=True)\nprint(copy)",
        "copy = unknown(on_gpu).sum().detach().to('cpu', non_blocking=True)\nif copy > 1: pass",
        "copy = unknown(on_gpu).mean().to('cpu', non_blocking=True)\nother = x.cuda()\ncopy.numpy()",
        "pinned = host.pin_memory()\npinned.copy_(unknown(on_gpu).sum(), non_blocking=True)\nfloat(pinned)",
        "def fetch(t): return t.to('cpu', non_blocking=True)\ncopy = fetch(x)\ncopy.tolist()",
        "def fetch(t):\n    host = torch.empty(3, pin_memory=True)\n    host.copy_(t, non_blocking=True)\n"
        "    return host\nprint(fetch(x))",
    ),
}

SILENT: dict[str, tuple[str, ...]] = {
    "SYNC301": (
        "torch.distributions.Normal(x, 1.0).sample((3,)).to('cuda')",
        "batch.to('cuda', non_blocking=True)",
        "batch['x'].cuda(non_blocking=True)",
        "batch['x'].cuda(None, True)",
        "host.pin_memory().to('cuda', torch.float16, True)",
        "x.to('cuda')",
        "x.cuda()",
        "x.to(torch.float16)",
        "host.to(torch.float16)",
        "host.to('cpu')",
        "host.to(host)",
        "torch.Tensor([]).to('cuda')",
        "torch.FloatTensor([]).view(0, 1).type_as(x)",
        "host.type(torch.float16)",
        "x.copy_(x + 1)",
        "x.copy_(host.pin_memory(), non_blocking=True)",
        "host.copy_(host + 1)",
        "torch.nn.CrossEntropyLoss().to('cuda')",
        "model = torch.nn.Linear(3, 3)\nmodel.to('cuda')",
        "torch.nn.Linear(3, 3, device='cuda').to('cuda')",
        "torch.nn.Linear(3, 3).to('cpu')",
        "dataset.thing().to('cuda')",
        "dataset.thing.cuda()",
        "batch = accelerate.Accelerator().prepare(dataset)\nfor each in batch:\n    each.to('cuda')",
        "if not torch.cuda.is_available():\n    host.to('cuda')",
        "if dataset.device_type == 'cuda':\n    pass\nelse:\n    host.to(dataset.device)",
    ),
    "SYNC302": (
        "torch.zeros(0).cuda()",
        "torch.empty((0, 3)).to(x.device)",
        "torch.cuda.FloatTensor(3)",
        "torch.cuda.FloatTensor()",
        "host.copy_(3)",
        "x.copy_(ids)",
        "torch.tensor(1.0)",
        "torch.tensor([1.0], device='cpu')",
        "torch.as_tensor(numbers if count else scalar, device='cuda')",
        "torch.tensor([], device='cuda')",
        "torch.tensor([]).to(x.device)",
        "torch.as_tensor([]).float().cuda()",
        "torch.cuda.FloatTensor([])",
        "torch.tensor(x, device='cuda')",
        "torch.as_tensor(x, device='cuda')",
        "torch.as_tensor(dataset.thing(), device='cuda')",
        "torch.full((), 1.0, device='cuda')",
        "torch.zeros(3, device='cuda')",
        "torch.arange(3, device=x.device)",
        "torch.scalar_tensor(1.0, device='cuda')",
        "torch.zeros_like(x)",
        "x.new_zeros(3)",
        "x.new_full((3,), 1.0)",
        "x.new_tensor(x)",
        "host.new_tensor([1.0])",
        "torch.where(mask, x, 0.0)",
        "torch.where(mask, x, scalar)",
        "torch.where(host_mask, host, host_scalar)",
        "torch.where(mask, dataset.thing(), torch.tensor(text)[0])",
        "torch.zeros(3).to(torch.float16)",
        "torch.set_default_device('cuda')\ntorch.zeros(3).to('cuda')",
        "torch.set_default_tensor_type('torch.cuda.FloatTensor')\ntorch.Tensor(3, 4)",
        "torch.set_default_tensor_type('torch.cuda.FloatTensor')\ntorch.Tensor(x)",
        "torch.set_default_tensor_type('torch.FloatTensor')\ntorch.Tensor([1.0])",
        "torch.Tensor([1.0])",
        "with torch.device('cuda'):\n    torch.zeros(3).to('cuda')",
        "torch.zeros(3, pin_memory=True).to('cuda', non_blocking=True)",
        "np.array(numbers)",
    ),
    "SYNC304": (
        "copy = x.to('cpu', non_blocking=True)\ncopy.view(-1).unsqueeze(0)\ncopy.size(0)\ncopy.numel()",
        "copy = x.to('cpu', non_blocking=True)\ntorch.cuda.current_stream().wait_stream(torch.cuda.Stream())",
        "copy = host.to('cpu', non_blocking=True)\ncopy.tolist()",
        "copy = x.to('cpu', non_blocking=True)\ndataset.finish()\ncopy.tolist()",
        "copy = x.to('cpu', non_blocking=True)\nprint(copy.shape, copy.dtype)",
        "host.copy_(x, non_blocking=True)\nhost.tolist()",
        "copies = []\ncopies.append(x.to('cpu', non_blocking=True))",
        "copy = unknown(on_gpu).sum().to('cpu', non_blocking=True)\ntorch.cuda.synchronize()\nprint(copy)",
        "copy = unknown(on_gpu).sum().to('cpu', non_blocking=True)\nunknown(copy)\nprint(copy)",
        "copy = host.sum().to('cpu', non_blocking=True)\nprint(copy)",
        "def fetch(t):\n    copy = t.to('cpu', non_blocking=True)\n    torch.cuda.synchronize()\n    return copy\n"
        "print(fetch(x))",
        "def fetch(t): return t.to('cpu', non_blocking=True)\ncopy = fetch(x)\ndataset.finish()\nprint(copy)",
        "def fetch(t): return t.to('cpu', non_blocking=True)\nprint(fetch(host))",
    ),
}

WAITED = (
    "event = torch.cuda.Event()\nevent.record()\nevent.synchronize()",
    "torch.cuda.synchronize()",
    "torch.cuda.current_stream().synchronize()",
    "scalar.item()",
    "if scalar > 0: pass",
)


@pytest.mark.parametrize(("code", "snippet"), [(code, each) for code, table in REPORTS.items() for each in table])
def test_reports(waits: Waits, code: str, snippet: str) -> None:
    found = waits(snippet)
    assert [finding.code for finding in found] == [code]
    assert found[0].severity in (Severity.ERROR, Severity.WARNING)


@pytest.mark.parametrize("snippet", [each for table in SILENT.values() for each in table])
def test_is_silent(waits: Waits, snippet: str) -> None:
    assert not [f"{finding.code} {finding.message}" for finding in waits(snippet) if finding.code[:5] == "SYNC3"]


@pytest.mark.parametrize("wait", WAITED)
def test_a_copy_that_was_waited_for_may_be_read(waits: Waits, wait: str) -> None:
    copy = "copy = x.to('cpu', non_blocking=True)"
    assert "SYNC304" not in [finding.code for finding in waits(f"{copy}\n{wait}\ncopy.tolist()\nfloat(copy[0])")]
    assert "SYNC304" in [finding.code for finding in waits(f"{wait}\n{copy}\ncopy.tolist()")]


def test_an_array_may_be_made_before_the_wait(waits: Waits) -> None:
    snippet = "array = x.to('cpu', non_blocking=True).numpy()\ntorch.cuda.synchronize()\narray.sum()"
    assert "SYNC304" not in [finding.code for finding in waits(snippet)]


def test_a_race_is_an_error_where_the_source_is_known(waits: Waits) -> None:
    (finding,) = waits("copy = x.to('cpu', non_blocking=True)\ncopy.tolist()")
    assert (finding.severity, finding.confidence) == (Severity.ERROR, Confidence.CERTAIN)


@pytest.mark.parametrize(
    ("snippet", "pageable"),
    [
        ("torch.from_numpy(array).to('cuda', non_blocking=True)", True),
        ("torch.from_numpy(array).float().cuda(non_blocking=True)", True),
        ("torch.zeros(3).to('cuda', non_blocking=True)", True),
        ("x.copy_(torch.from_numpy(array), non_blocking=True)", True),
        ("torch.from_numpy(array).pin_memory().to('cuda', non_blocking=True)", False),
        ("torch.zeros(3, pin_memory=True).to('cuda', non_blocking=True)", False),
        ("torch.zeros(3, pin_memory=count > 2).to('cuda', non_blocking=True)", False),
        ("batch['x'].to('cuda', non_blocking=True)", False),
        ("(host + 1).to('cuda', non_blocking=True)", False),
        ("x.to('cuda', non_blocking=True)", False),
    ],
)
def test_only_what_is_known_to_be_pageable(waits: Waits, snippet: str, pageable: bool) -> None:
    assert [finding.code for finding in waits(snippet)] == ["SYNC303"] * pageable


@pytest.mark.parametrize("line", ["y = x.cpu().to(x.device)", "y = torch.tensor(1.0, device=x.device) + x"])
def test_an_open_device_is_likely(lint_file: Callable[[str], list[Finding]], line: str) -> None:
    source = f"import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        {line}\n        return y"
    found = [finding for finding in lint_file(source) if finding.code in ("SYNC301", "SYNC302")]
    assert [(finding.severity, finding.confidence) for finding in found] == [(Severity.WARNING, Confidence.LIKELY)]


def test_what_is_made_once_is_nothing(lint_file: Callable[[str], list[Finding]]) -> None:
    source = """
        import torch
        class Net(torch.nn.Module):
            def __init__(self, device="cuda"):
                super().__init__()
                self.mean = torch.tensor([0.5, 0.5], device="cuda")
                self.ids = torch.arange(3).to("cuda")
    """
    assert not lint_file(source)


def test_buffers_move_with_their_module(lint_file: Callable[[str], list[Finding]]) -> None:
    source = """
        import torch

        def table(n):
            return torch.arange(n).float()

        class Net(torch.nn.Module):
            def __init__(self, n):
                super().__init__()
                self.register_buffer("buffer", table(n))
                self.plain = table(n)

            def forward(self, x):
                return x + self.buffer.to(x.device) + self.plain.to(x.device)
    """
    (finding,) = (each for each in lint_file(source) if each.code.startswith("SYNC3"))
    assert finding.message.startswith("`self.plain.to(x.device)`")


def test_a_list_of_what_may_be_a_number_or_a_tensor(lint_file: Callable[[str], list[Finding]]) -> None:
    source = """
        import torch

        def discounted(gamma: torch.Tensor | float, reward: torch.Tensor):
            return torch.tensor([gamma], device=reward.device) * reward
        """
    found = lint_file(source)
    assert [(each.code, each.severity) for each in found if each.severity >= Severity.WARNING] == [
        ("SYNC302", Severity.WARNING)
    ]


def test_a_batch_becomes_a_tensor_of_the_host(lint_file: Callable[[str], list[Finding]]) -> None:
    source = """
        import torch
        from torch.utils.data import DataLoader

        def train(dataset, net):
            for batch in DataLoader(dataset, num_workers=2):
                image = batch["image"].type(torch.FloatTensor)
                net(image.cuda()).backward()
    """
    found = [each for each in lint_file(source) if each.code == "SYNC301"]
    assert [each.severity for each in found] == [Severity.ERROR]


@pytest.mark.parametrize("target", ["'cpu'", "device='cpu'"])
def test_what_a_function_has_moved_to_the_host(lint_file: Callable[[str], list[Finding]], target: str) -> None:
    source = f"""
        import torch

        def back(values):
            return values.to({target})

        def train(loader):
            for batch in loader:
                back(torch.ones(3, device="cuda")).to("cuda")
        """
    assert [each.code for each in lint_file(source)] == ["SYNC103", "SYNC301"]


def test_what_is_on_the_host_by_default_is_copied_to_another_device(lint_file: Callable[[str], list[Finding]]) -> None:
    source = """
        import torch

        class Buffer:
            def __init__(self, device: torch.device = torch.device("cpu")) -> None:
                self.device = device
                self.held = torch.zeros(3, device=device)

            def sample(self):
                return self.held[:2]

        class Net(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.buffer = Buffer()

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                self.buffer.sample().to(self.buffer.device)
                return x + self.buffer.sample().to(x.device)
    """
    (finding,) = lint_file(source)
    assert (finding.code, finding.severity, finding.confidence) == ("SYNC301", Severity.WARNING, Confidence.LIKELY)
    assert "copies a tensor that is on the CPU unless another device is asked for" in finding.message


def test_a_metric_gathers_on_the_host_by_default(lint_file: Callable[[str], list[Finding]]) -> None:
    source = """
        import torch
        from ignite.metrics import Metric

        class Right(Metric):
            def __init__(self, device: str | torch.device = torch.device("cpu")) -> None:
                super().__init__(device=device)
                self._device = torch.device(device)

            def update(self, output: tuple[torch.Tensor, torch.Tensor]) -> None:
                guess, label = output
                self.right += (guess == label).sum().to(self._device)

        class Other(torch.nn.Module):
            def __init__(self, device: str | torch.device = torch.device("cpu")) -> None:
                super().__init__()
                self._device = torch.device(device)

            def forward(self, x: torch.Tensor) -> torch.Tensor:
                return x.to(self._device)
    """
    (finding,) = lint_file(source)
    assert (finding.code, finding.severity) == ("SYNC103", Severity.WARNING)
    assert "where the metric is given no device" in finding.message


def test_what_is_on_the_host_is_copied_to_a_device_that_is_it_by_default(
    lint_file: Callable[[str], list[Finding]],
) -> None:
    source = """
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, device: torch.device = torch.device("cpu")):
                return x + torch.from_numpy(x.numpy()).to(device)
    """
    assert [each.code for each in lint_file(source)] == ["SYNC301"]


@pytest.mark.parametrize(("other", "codes"), [("x.sin()", []), ("0.5", ["SYNC301"])])
def test_numbers_in_a_list_of_parameters_are_copied_only_if_a_caller_passes_one(
    other: str, codes: list[str], lint_file: Callable[[str], list[Finding]]
) -> None:
    source = f"""
        import torch

        def _sum(mean, one, other):
            a, b = [x if isinstance(x, torch.Tensor) else torch.tensor(x).to(mean) for x in (one, other)]
            return a + b

        def step(size):
            x = torch.ones(size, device="cuda")
            return _sum(x, x.exp(), {other})
    """
    assert [each.code for each in lint_file(source)] == codes


def test_a_torch_device_equals_no_text(lint_file: Callable[[str], list[Finding]]) -> None:
    code = """
        import torch

        def batches(device="cuda"):
            is_cuda = device == "cuda"
            host = torch.empty(1024, pin_memory=is_cuda)
            there = torch.empty(1024, device=device)
            while True:
                yield there.copy_(host, non_blocking=is_cuda)

        model = torch.nn.Linear(1024, 8).cuda()
        for batch in batches(DEVICE):
            model(batch).sum().backward()
    """
    (found,) = lint_file(code.replace("DEVICE", "torch.device('cuda')"))
    assert (found.code, found.span.row) == ("SYNC301", 9)
    assert "`non_blocking` is False here" in found.message
    assert not lint_file(code.replace("DEVICE", "'cuda'"))
