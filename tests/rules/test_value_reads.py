"""SYNC1xx: what each rule reports, and what it must not; the names in the snippets are those of `conftest.LOOP`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from synclint.lint.finding import Confidence, Finding, Severity

Waits = Callable[..., list[Finding]]

REPORTS: dict[str, tuple[str, ...]] = {
    "SYNC101": (
        "value = scalar.item()",
        "value = (x > 0).any().item()",
        "total = count + x.mean().item()",
        "on_gpu.item()",
        "torch.Tensor.item(scalar)",
        "values = [t.item() for t in tensors]",
    ),
    "SYNC102": (
        "values = x.tolist()",
        "for value in x.argmax(dim=1).tolist(): pass",
        "on_gpu.tolist()",
    ),
    "SYNC103": (
        "torch.save(x, 'x.pt')",
        "torch.save({'x': x, 'step': count}, 'x.pt')",
        "torch.save(torch.nn.ReLU().cuda().state_dict(), 'x.pt')",
        "torch.save(torch.nn.ReLU().cuda(), 'x.pt')",
        "x.cpu()",
        "x.detach().cpu().numpy()",
        "x.cpu().tolist()",
        "x.cpu().item()",
        "x.to('cpu')",
        "x.to(device='cpu')",
        "x.to(torch.device('cpu'))",
        "x.to('cpu', torch.float16)",
        "x.to('cpu:0')",
        "x.to('meta')",
        "x.to('cpu', non_blocking=False)",
        "x.to(host)",
        "x.numpy(force=True)",
        "x.type('torch.FloatTensor')",
        "x.type(torch.FloatTensor)",
        "x.type_as(host)",
        "host.copy_(x)",
        "on_gpu.cpu()",
        "torchvision.utils.save_image(x, 'images.png')",
        "torchvision.utils.save_image([x, x], 'images.png', normalize=False)",
    ),
    "SYNC104": (
        "if scalar: pass",
        "if x.any(): pass",
        "if not mask.all(): pass",
        "while scalar > 0: break",
        "assert scalar >= 0",
        "assert torch.isfinite(x).all(), f'loss is {scalar}'",
        "value = not scalar",
        "value = scalar and count",
        "value = count or scalar > 1 or count",
        "value = 1 if scalar > 0 else 2",
        "values = [t for t in tensors if t > 0]",
        "value = any(t > 0 for t in tensors)",
        "value = all(tensors)",
        "value = 3 in x",
        "value = 0 not in dataset.kinds(x).cuda()",
        "if count > 0 and (count < 2 or scalar > 0): pass",
        "if (count > 0 and scalar > 0) or (count > 2 and count < 3): pass",
        "value = scalar in [1, 2]",
        "value = 0 < scalar < 1",
        "if count > 0 and scalar > 0: pass",
        "if count > 2:\n    pass\nelif scalar > 2:\n    pass",
        "accepted = scalar > 2\nif count > 2:\n    accepted = False\nif accepted: pass",
        "accepted = scalar > 2\nif count > 2:\n    accepted = False\nif count: accepted = True\nif accepted: pass",
    ),
    "SYNC105": (
        "int(scalar)",
        "def largest(t: torch.Tensor):\n    return int(t.max() if len(t) else 0)\nlargest(dataset.y)",
        "float(x.mean())",
        "bool(mask.any())",
        "complex(scalar)",
        "math.sqrt(scalar)",
        "math.isnan(scalar)",
        "operator.index(position)",
        "for i in range(position): pass",
        "numbers[position]",
        "x[:position]",
        "x[:, position:]",
        "[0] * position",
        "array[count] = scalar",
        "array[count] += scalar",
        "array[0] = scalar if count else 0.0",
        "history = np.zeros((8, 2))\nhistory[count, 0] = scalar.detach()",
        "class History:\n    values = None\n    def __init__(self): self.values = np.zeros(8)\n"
        "    def put(self, at, value): self.values[at] = value\nHistory().put(count, scalar)",
        "float(on_gpu)",
        "float(on_gpu.mean())",
    ),
    "SYNC106": (
        "text = f'{scalar:.3f}'",
        "text = 'loss {:.3f}'.format(scalar)",
        "text = 'loss %f' % scalar",
        "text = 'loss %f at %d' % (scalar, count)",
        "text = ('%11s' * 2 + '%f' * 3) % ('a', 'b', *x)",
        "text = str(x)",
        "text = repr(x)",
        "print(x)",
        "print('loss', scalar)",
        "logger.info('loss %s', scalar)",
        "logging.warning('loss %s', scalar)",
        "logger.debug(f'loss {scalar}')",
        "writer.add_scalar('loss', scalar, count)",
        "writer.add_scalar('loss', scalar_value=scalar)",
        "writer.add_scalars('losses', {'a': scalar}, count)",
        "writer.add_histogram('weights', x)",
        "bar = tqdm(range(3))\nbar.set_postfix(loss=scalar)",
        "bar = tqdm(range(3))\nbar.set_postfix({'loss': scalar})",
        "print({'loss': scalar})",
        "print('losses', [scalar, count])",
        "text = f'{(scalar, count)}'",
        "text = '%s' % [scalar]",
        "text = str({scalar})",
        "text = repr([{'loss': [count, scalar]}])",
        "logger.info('losses %s', {'loss': scalar})",
        "logger.warning({'loss': scalar})",
        "logging.warning(scalar)",
        "values = tensors if count else None\nprint(values)",
        "bar = tqdm(enumerate(loader))\nbar.set_postfix(loss=scalar)",
        "bar = tqdm(zip(loader, numbers))\nbar.set_postfix(losses=[{'a': scalar}])",
        "bar = tqdm(iter(loader))\nbar.set_postfix_str(scalar)",
        "bar = tqdm(iter(dataset.train_loader))\nbar.set_postfix(loss=scalar)",
        "with tqdm(total=3) as bar:\n    bar.set_postfix(loss=scalar)",
    ),
    "SYNC107": (
        "max(0.0, scalar)",
        "max(scalar, 0.0)",
        "min(tensors)",
        "max(t.abs().max() for t in tensors)",
        "sorted(tensors)",
        "min(*tensors)",
        "max(x[0])",
    ),
    "SYNC108": (
        "torch.equal(x, x + 1)",
        "x.equal(x + 1)",
        "torch.allclose(x, x + 1)",
        "x.allclose(x + 1, atol=1e-3)",
        "torch.is_nonzero(scalar)",
        "scalar.is_nonzero()",
        "torch.testing.assert_close(x, x + 1)",
        "if torch.equal(x, x + 1): pass",
    ),
    "SYNC109": (
        "x.add(x, alpha=scalar)",
        "torch.add(x, x, alpha=scalar)",
        "torch.addcmul(x, x, x, value=scalar)",
        "torch.full((3,), scalar, device='cuda')",
        "torch.tensor([[scalar, scalar], [scalar, scalar]])",
        "torch.arange(position, device='cuda')",
        "torch.linspace(0, scalar, 5)",
        "torch.zeros(position, 3)",
        "x.view(position, -1)",
        "x.expand(position, 3)",
        "F.leaky_relu(x, scalar)",
        "F.softplus(x, beta=scalar)",
        "torch.nn.utils.clip_grad_norm_([x], scalar)",
        "x.index_fill(0, ids, scalar)",
        "x.split(position)",
    ),
    "SYNC110": (
        "x[position]",
        "x[:, position]",
        "x[0, position]",
        "x[position] = x[0]",
        "x[position] = 1.0",
        "x[position] += 1.0",
        "x.select(0, position)",
        "torch.select(x, 0, position)",
        "x.narrow(0, position, 2)",
        "on_gpu[position]",
        "for i in range(3):\n    x[x[i].argmax()]",
        "x[ids[ids][0]]",
    ),
    "SYNC111": (
        "torch.cuda.synchronize()",
        "torch.cuda.synchronize('cuda:0')",
        "torch.cuda.current_stream().synchronize()",
        "torch.cuda.Stream().synchronize()",
        "event = torch.cuda.Event()\nevent.synchronize()",
        "torch.cuda.empty_cache()",
        "dist.barrier()",
    ),
}

SILENT: dict[str, tuple[str, ...]] = {
    "SYNC101": (
        "array.item()",
        "host_scalar.item()",
        "np.max(array).item()",
        "class Item:\n    def item(self): return 1\nItem().item()",
        "scalar.detach()",
        "{'a': 1}.items()",
    ),
    "SYNC102": ("array.tolist()", "host.tolist()", "list(x)", "list(numbers)", "for row in x: pass"),
    "SYNC103": (
        "torch.save({'step': count, 'host': torch.ones(3)}, 'x.pt')",
        "torch.save({'x': x.to('cpu', non_blocking=True)}, 'x.pt')",
        "torch.save(torch.nn.Linear(3, 4).state_dict(), 'x.pt')",
        "x.to('cpu', non_blocking=True)",
        "x.to('cpu', torch.float16, True)",
        "host.cpu()",
        "host.to('cpu')",
        "torchvision.utils.save_image(host, 'images.png')",
        "host.numpy()",
        "host.copy_(host + 1)",
        "host.copy_(x, non_blocking=True)",
        "x.to(torch.float16)",
        "x.to('fp32' if dataset.half else torch.float16)",
        "x.to(dict(dtype='fp32').get('dtype') or torch.float16)",
        "x.to('cuda')",
        "x.to('cuda:1')",
        "x.type(torch.float16)",
        "x.type('torch.cuda.FloatTensor')",
        "x.copy_(x + 1)",
        "torch.nn.Linear(3, 3).cpu()",
        "batch['x'].cpu()",
    ),
    "SYNC104": (
        "if x.shape[0] > 2: pass",
        "value = 3 in dataset.counts()",
        "value = 'text' in batch",
        "if (count > 0 or count < 2) and not count: pass",
        "if x.size(0) and x.dim() == 2: pass",
        "if x.dtype is torch.float32: pass",
        "if x is not None: pass",
        "if x.numel() == 0 or len(x) > 3: pass",
        "if x.is_cuda and not x.requires_grad: pass",
        "if x.is_floating_point(): pass",
        "if count > 2 and text: pass",
        "if array.any() or (array > 1).all(): pass",
        "if host.any(): pass",
        "found = x.any()",
        "found = x.isnan().any() | mask.all()",
        "if on_gpu: pass",
        "if tensors: pass",
        "if isinstance(x, torch.Tensor): pass",
        "assert x.shape == host.shape, 'shapes differ'",
        "y = torch.where(scalar > 0, x, 0.0)",
        "torch._assert_async(scalar > 0)",
        "if count in numbers: pass",
        "if text == 'mean': pass",
    ),
    "SYNC105": (
        "int(x.shape[0])",
        "float(count)",
        "int(x.numel() / 2)",
        "float(host_scalar)",
        "float(array.mean())",
        "math.sqrt(x.size(1))",
        "for i in range(x.size(0)): pass",
        "numbers[count]",
        "x[:count]",
        "x[: x.shape[0] // 2]",
        "len(x)",
        "[0] * len(x)",
        "bool(on_gpu)",
        "hash(x)",
        "array[count] = host_scalar",
        "array[count] = float(count)",
        "array[:3] = x[0]",
        "array[array > 1] = scalar",
        "[0, 1][count] = scalar",
    ),
    "SYNC106": (
        "logger.debug('loss %s', scalar)",
        "logging.debug('loss %s', scalar)",
        "print(x.shape, x.dtype, x.device)",
        "text = f'{tuple(x.shape)} {count}'",
        "text = '%d' * 2 % (*x.shape, count)",
        "text = f'{host_scalar}'",
        "print(array, numbers)",
        "writer.add_scalar('count', count, scalar)",
        "assert count > 0, f'loss {scalar}'",
        "if count < 0:\n    raise ValueError(f'loss {scalar}')",
        "'x'.join(['a'])",
        "print({'count': count, 'shape': x.shape})",
        "print(map(str, numbers), (t for t in tensors))",
        "print(host_ids, [host_scalar], {'loss': host_scalar})",
        "dataset.template.format(scalar)",
        "group = {'params': [x]}\ntext = f'{group.get(\"name\", count)}'",
        "row = {key: value[position] for key, value in dataset.columns.items()}\nprint(row)",
    ),
    "SYNC107": (
        "sum(tensors)",
        "abs(scalar)",
        "pow(scalar, 2)",
        "max(numbers)",
        "max(count, 2)",
        "max(x.shape[0], x.size(1))",
        "sorted(numbers)",
        "min(len(tensors), 3)",
        "max(host_scalar, 1.0)",
        "torch.maximum(x, x + 1)",
        "max(tensors, key=len)",
        "torch.max(x)",
    ),
    "SYNC108": (
        "torch.isclose(x, x + 1).all()",
        "(x == x + 1).all()",
        "torch.eq(x, x)",
        "torch.equal(host, host + 1)",
        "np.allclose(array, 0.0)",
        "torch.allclose(host, host)",
    ),
    "SYNC109": (
        "x.clamp(min=scalar)",
        "x.clamp(scalar, scalar + 1)",
        "x.pow(scalar)",
        "torch.lerp(x, x, scalar)",
        "x.fill_(scalar)",
        "x + scalar * x",
        "x.add(scalar)",
        "x.mul_(scalar)",
        "torch.maximum(x, scalar)",
        "x.add(x, alpha=2.0)",
        "dataset.accelerator.gather(x)",
        "torch.full((3,), count, device='cuda')",
        "torch.tensor([[count, 1.0], [host_scalar, 2]])",
        "x.view(count, -1)",
        "x.view(torch.int32)",
        "torch.zeros(x.shape[0], 3)",
        "x.index_fill(0, ids, 1.0)",
        "torch.add(x, x, alpha=host_scalar)",
        "x.scatter(0, ids, scalar)",
    ),
    "SYNC110": (
        "x[ids]",
        "x[:, ids[:3]]",
        "x[0]",
        "x[count]",
        "x[0, :]",
        "x[..., 0]",
        "x[None]",
        "x[position.view(1)]",
        "x.index_select(0, position.view(1))",
        "x.select(0, count)",
        "x.narrow(0, 1, 2)",
        "x[host_ids.argmax()]",
        "x[ids] = x",
    ),
    "SYNC111": (
        "event = torch.cuda.Event()\nevent.record()",
        "torch.cuda.current_stream().wait_stream(torch.cuda.Stream())",
        "event = torch.cuda.Event()\nevent.query()",
        "torch.cpu.synchronize()",
        "work = dist.barrier(async_op=True)",
        "torch.cuda.memory_allocated()",
    ),
}


@pytest.mark.parametrize(("code", "snippet"), [(code, each) for code, table in REPORTS.items() for each in table])
def test_reports(waits: Waits, code: str, snippet: str) -> None:
    found = waits(snippet)
    assert [finding.code for finding in found] == [code]
    assert found[0].severity in (Severity.ERROR, Severity.WARNING)


@pytest.mark.parametrize("snippet", [each for table in SILENT.values() for each in table])
def test_is_silent(waits: Waits, snippet: str) -> None:
    assert not [f"{finding.code} {finding.message}" for finding in waits(snippet)]


def test_a_name_alone_is_possible_at_most(waits: Waits) -> None:
    assert not waits("dataset.thing().tolist()")
    (finding,) = waits("dataset.thing().tolist()", Severity.NOTE, min_confidence=Confidence.POSSIBLE)
    assert (finding.confidence, finding.severity) == (Confidence.POSSIBLE, Severity.NOTE)


def test_what_programs_call_on_tensors_alone_is_likely(waits: Waits) -> None:
    (finding,) = waits("dataset.thing().item()")
    assert (finding.confidence, finding.severity) == (Confidence.LIKELY, Severity.WARNING)


@pytest.mark.parametrize("call", ["cpu", "to('cpu')", "numpy()", "type('x')", "select(0, 1)"])
def test_common_names_alone_are_nothing(waits: Waits, call: str) -> None:
    assert not waits(f"dataset.thing().{call}", Severity.NOTE, min_confidence=Confidence.POSSIBLE)


@pytest.mark.parametrize("value", ["1.0", "scalar"])
def test_writing_at_a_scalar_index_waits_before_2_15(waits: Waits, value: str) -> None:
    snippet = f"x[position] = {value}"
    assert [finding.code for finding in waits(snippet, torch="2.14")] == ["SYNC110"]
    assert not waits(snippet, torch=">=2.15")


def test_writing_a_row_at_a_scalar_index_still_waits(waits: Waits) -> None:
    assert [finding.code for finding in waits("x[position] = x[:, ids]", torch=">=2.15")] == ["SYNC110"]


def test_a_copy_is_reported_once(waits: Waits) -> None:
    (finding,) = waits("value = x.mean().cpu().item()")
    assert finding.code == "SYNC103"
    assert finding.message.startswith("`x.mean().cpu()`")


@pytest.mark.parametrize(
    ("snippet", "code"),
    [
        ("if count % 100 == 0:\n    print(scalar.item())", "SYNC101"),
        ("if count % 100 == 0:\n    print(f'{scalar:.3f}')", "SYNC106"),
        ("if count % 1000 == 0:\n    torch.save(x.cpu(), 'checkpoint.pt')", "SYNC103"),
    ],
)
def test_now_and_then_is_a_note(waits: Waits, snippet: str, code: str) -> None:
    assert not waits(snippet)
    assert [finding.code for finding in waits(snippet, Severity.NOTE)] == [code]


@pytest.mark.parametrize(("decorator", "codes"), [("", ["SYNC110", "SYNC104"]), ("@torch.jit.script", ["SYNC104"])])
def test_torchscript_keeps_an_index_without_dimensions_on_the_device(
    lint_file: Callable[[str], list[Finding]], decorator: str, codes: list[str]
) -> None:
    found = lint_file(f"""
import torch

{decorator}
def best(scores: torch.Tensor):
    top = scores[scores.argmax()]
    if top > 0:
        return top
    return scores.sum()
""")
    assert [finding.code for finding in found] == codes


def test_what_a_base_class_keeps_under_the_name_of_a_method_is_none(
    lint_file: Callable[[str], list[Finding]],
) -> None:
    code = """
from torch import nn

class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)

class Layer(Base):
    def forward(self, x, mask):
        return self.softmax(x.cuda().sum(-1) + mask)
"""
    assert not [each for each in lint_file(code) if each.code == "SYNC109"]


def test_what_a_moved_model_returns(lint_file: Callable[[str], list[Finding]]) -> None:
    found = lint_file("""
    import torch

    def detect(detector, image: torch.Tensor, device: str = "cuda"):
        detector = detector.to(device)
        found = detector(image.to(device))
        return found["boxes"].cpu()

    def restore(model, image: torch.Tensor):
        return model(image)["image"].cpu()

    def put(things, device: str = "cuda"):
        things = things.to(device)
        return things.cpu()

    def decoded(name, latents: torch.Tensor, device: torch.device):
        vocoder = library.from_pretrained(name).to(device)
        return vocoder.decode(latents)["sound"].cpu()
    """)
    assert [(each.span.row, each.code, each.severity.words) for each in found] == [
        (7, "SYNC103", "warning"),
        (10, "SYNC103", "warning"),
        (18, "SYNC103", "warning"),
    ]


FORMS = """
    import torch

    def detached(x):
        if hasattr(x, "detach"):
            x = x.detach()
        if hasattr(x, "cpu"):
            x = x.cpu()  # waits
        return x

    def moved(x):
        if isinstance(x, torch.Tensor):
            x = x.detach()
        if x.device.type != "cpu":
            x = x.cpu()  # waits
        return x.numpy()

    def again(v):
        while hasattr(v, "item"):
            v = v.item()  # waits
        return v

    def otherwise(v):
        if not hasattr(v, "item"):
            return v
        return v.item()  # waits

    def each(values):
        return [v.item() if hasattr(v, "item") else v for v in values]  # waits

    model = torch.nn.Linear(3, 1).cuda()
    for _ in range(1000):
        loss = model(torch.ones(3, device="cuda")).sum()
        loss.backward()
        detached(loss), moved(loss), again(loss), otherwise(loss), each([loss, 1])
        detached(1.0), again(3), otherwise(2)
"""


def test_what_a_method_is_called_on_may_depend_on_the_way_there(lint_file: Callable[[str], list[Finding]]) -> None:
    waiting = [row for row, line in enumerate(FORMS.splitlines(), 1) if line.endswith("# waits")]
    found = [each.span.row for each in lint_file(FORMS) if each.code in ("SYNC101", "SYNC103")]
    assert found == waiting
