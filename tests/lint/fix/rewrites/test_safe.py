"""Safe fixes: what is written, and where nothing is written because nothing is proved."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Fixed = Callable[..., str]

CASES = {
    "number": ("z = torch.tensor(0.5, device=x.device)", "z = torch.full((), 0.5, device=x.device)"),
    "number-with-dtype": (
        "z = torch.tensor(\n    -1,  # why\n    dtype=x.dtype,\n    device=device,\n)",
        "z = torch.full(\n    (), -1,  # why\n    dtype=x.dtype,\n    device=device,\n)",
    ),
    "new-tensor": ("z = x.new_tensor(2)", "z = x.new_full((), 2)"),
    "equal-numbers": ("z = torch.tensor([1.0, 1.0], device='cuda')", "z = torch.full((2,), 1.0, device='cuda')"),
    "built": (
        "z = torch.tensor([0.0, -0.0], device='cuda')",
        "z = torch.tensor([0.0, -0.0]).to('cuda', non_blocking=True)",
    ),
    "built-on-any": (
        "z = torch.tensor(\n    [n, 1],\n    dtype=torch.long,\n    device=x.device,\n)",
        "z = torch.tensor(\n    [n, 1],\n    dtype=torch.long,\n).to(x.device, non_blocking=x.is_cuda)",
    ),
    "repeated-number": (
        "z = torch.tensor([1.0] * len(line), device=x.device)",
        "z = torch.full((len(line),), 1.0, device=x.device)",
    ),
    "built-and-moved": (
        "z = torch.tensor([n, 1]).to(x.device)",
        "z = torch.tensor([n, 1]).to(x.device, non_blocking=x.is_cuda)",
    ),
    "expanded": (
        "t = x.sum()\nz = torch.tensor([t] * 3, device=x.device)",
        "t = x.sum()\nz = t.detach().expand(3).clone().to(x.device)",
    ),
    "created": ("z = torch.zeros(3, dtype=x.dtype).to(x.device)", "z = torch.zeros(3, dtype=x.dtype, device=x.device)"),
    "created-with-dtype": (
        "z = torch.ones(2, 3).to(x.device, torch.float16)",
        "z = torch.ones(2, 3, device=x.device).to(x.device, torch.float16)",
    ),
    "created-with-named": (
        "z = torch.ones(3).to(dtype=torch.float16, device=x.device)",
        "z = torch.ones(3, device=x.device).to(dtype=torch.float16, device=x.device)",
    ),
    "number-moved": (
        "z = torch.tensor(0.5, dtype=x.dtype).to(x.device)",
        "z = torch.full((), 0.5, dtype=x.dtype, device=x.device)",
    ),
    "created-and-moved": ("z = torch.ones(3).cuda()", 'z = torch.ones(3, device="cuda")'),
    "created-on-named": (
        "dev = torch.device('cuda')\nz = torch.zeros(3).to(dev)",
        "dev = torch.device('cuda')\nz = torch.zeros(3, device=dev)",
    ),
    "created-on-numbered": ("z = torch.zeros(3).to(f'cuda:{0}')", "z = torch.zeros(3, device=f'cuda:{0}')"),
    "created-on-lines": (
        "z = torch.zeros(\n    3,\n    4,\n).to(x.device)",
        "z = torch.zeros(\n    3,\n    4,\n    device=x.device,\n)",
    ),
    "copy": ("z = host.to(x)", "z = host.to(x, non_blocking=x.is_cuda)"),
    "copy-to-cuda": ("z = host.cuda()", "z = host.cuda(non_blocking=True)"),
    "copy-to-any": ("z = host.to(x.device)", "z = host.to(x.device, non_blocking=x.is_cuda)"),
    "stack": ("z = x[:, [0, 2]]", "z = torch.stack((x[:, 0], x[:, 2]), dim=1)"),
    "stack-rows": ("z = x[[0, -1]]", "z = torch.stack((x[0], x[-1]))"),
    "element": ("x[0, 1] = 2.0", "x[0, 1].fill_(2.0)"),
    "mask-twice": (
        "m = x > 0.5\na = x[m]\nb = y[m].sum()",
        "m = x > 0.5\nm_positions = m.nonzero(as_tuple=True)\na = x[m_positions]\nb = y[m_positions].sum()",
    ),
    "masked-copy": ("m = x > 0.5\nx[m] = y[m]", "m = x > 0.5\nx.copy_(torch.where(m, y, x))"),
    "masked-update": ("m = x > 0.5\nx[m] *= -1.5", "m = x > 0.5\nx.copy_(torch.where(m, x * -1.5, x))"),
    "positions": (
        "found = torch.nonzero(line == 3).squeeze(1)\nline[found] = IGNORED",
        "line[line == 3] = IGNORED",
    ),
    "positions-by-where": ("found = torch.where(line > 3)[0]\nline[found] = -1", "line[line > 3] = -1"),
    "loop": (
        "total = 0\nfor v in line:\n    total += v.item() + int(v)",
        "total = 0\nfor v in line.tolist():\n    total += v + int(v)",
    ),
    "loop-over-indices": (
        "total = 0\nfor i in range(len(line)):\n    total += line[i].item()",
        "total = 0\nline_list = line.tolist()\nfor i in range(len(line)):\n    total += line_list[i]",
    ),
    "finite": (
        "if torch.isnan(x).any() or torch.isinf(x).any():\n    continue",
        "if not torch.isfinite(x).all():\n    continue",
    ),
    "two-conditions": (
        "if (x < 0).any() or torch.any(x > 1):\n    continue",
        "if (x < 0).any() | torch.any(x > 1):\n    continue",
    ),
    "conditions-among-others": (
        "m = x > 0.5\nwhile n and m.any() and not (n or m.all()) and m.all() and m.any():\n    n -= 1",
        "m = x > 0.5\nwhile n and m.any() and not (n or m.all()) and m.all() & m.any():\n    n -= 1",
    ),
    "number-through-indices": ("x[line, 0] = 1", "x[line, 0] = x.new_full((), 1)"),
    "positions-used-twice": (
        "found = torch.nonzero(line == 3).squeeze(1)\nline[found] = 1\nprint(found.shape)",
        "found = torch.nonzero(line == 3).squeeze(1)\nline[found] = line.new_full((), 1)\nprint(found.shape)",
    ),
    "positions-of-another": (
        "found = torch.nonzero(y[:, 0] == 3).squeeze(1)\nline[found] = 1",
        "found = torch.nonzero(y[:, 0] == 3).squeeze(1)\nline[found] = line.new_full((), 1)",
    ),
    "element-beyond-range": ("line[0] = -1", "line[0] = line.new_full((), -1)"),
    "sorter": ("z = torch.searchsorted(line, x, sorter=line)", "z = torch.searchsorted(line[line], x)"),
    "distribution": (
        "z = Normal(x, 1.0, validate_args=False)",
        "z = Normal(x, x.new_full((), 1.0), validate_args=False)",
    ),
    "metric-number": ("mean.update(n)", "mean.update(torch.as_tensor(n))"),
    "race": (
        "h = x.to('cpu', non_blocking=True)\na = h.tolist()",
        "h = x.to('cpu')\na = h.tolist()",
    ),
}


@pytest.mark.parametrize(("before", "after"), CASES.values(), ids=CASES)
def test_fix(before: str, after: str, fixed: Fixed) -> None:
    options = ("--select", "ALL") if "mean." in before else ("--ignore", "SYNC402,SYNC401")
    assert fixed(before, *options) == after


LEFT = {
    "number-of-unknown-kind": "z = torch.tensor(n, device=device)",
    "number-too-large": "z = torch.tensor(1e300, device='cuda')",
    "numbers-in-a-formula-that-goes-on": "z = x + torch.tensor([1.0, 2.0, n], device='cuda').exp()",
    "numbers-in-a-formula": "z = x + torch.tensor([1.0, 2.0, n], device='cuda')",
    "numbers-with-gradients": "z = torch.tensor([1.0, n], device='cuda', requires_grad=True)",
    "expanded-to-any-length": "t = x.sum()\nz = torch.tensor([t] * n, device=x.device)",
    "expanded-rows": "z = y + torch.tensor([[x.sum()] * 3], device=x.device)",
    "numbers-that-are-read": "z = torch.tensor([x.sum().item(), n], device='cuda')",
    "not-a-device": "z = torch.zeros(3).to(y if n else device)",
    "rounded": "z = torch.linspace(0, 9, 5, dtype=torch.long).to('cuda')",
    "elements-twice": "z = x[:, [0, 1, 0]]",
    "one-of-two-copies": "u, v = host.to(x.device), batch.to(x.device)",
    "one-element": "z = x[:, [0]]",
    "random": "z = torch.randn(3).to('cuda')",
    "pinned": "z = torch.zeros(3, pin_memory=True).to('cuda')",
    "leaf": "z = torch.zeros(3, requires_grad=True).to('cuda')",
    "mask-once": "m = x > 0.5\nz = x[m]",
    "mask-changed": "m = x > 0.5\na = x[m]\nm.logical_not_()\nb = y[m]",
    "mask-of-others": "m = x > 0.5\nkeep(m)\na = x[m]\nb = y[m]",
    "mask-not-always": "m = x > 0.5\na = x[m]\nb = y[m] if n else 0",
    "mask-of-something-else-as-well": "m = x > 0.5\na, b, c = x[m], y[m], batch[m]",
    "mask-from-elsewhere": "m = batch['mask']\na = x[m]\nb = y[m]",
    "masked-copy-of-other-shape": "m = x > 0.5\nx[m] = torch.rand(8, 3, 2, device='cuda')[m]",
    "masked-copy-through-another-mask": "m = x > 0.5\nx[m] = y[x < 0.5]",
    "masked-update-of-integers": "m = line > 3\nline[m] += 1",
    "masked-update-by-a-tensor": "m = x > 0.5\nx[m] += y[m].sum()",
    "loop-over-indices-that-writes": "for i in range(n):\n    line[0] = line[i].item() + 1",
    "loop-over-other-indices": "for i in batch:\n    print(line[i].item())",
    "loop-over-rows": "for i in range(n):\n    print(x[i].item())",
    "loop-that-writes": "for v in line:\n    line[ids] = v\n    print(v.item())",
    "loop-that-keeps": "for v in line:\n    print(v.item(), v)",
    "elements-used-later": "for v in line:\n    print(v.item())\nprint(v)",
    "finite-of-two": "if torch.isnan(x).any() or torch.isinf(y).any():\n    continue",
    "in-a-string": "z = f'{torch.tensor(0.5, device=x.device)}'",
    "conditions-about-two": "if (x < 0).any() or (y > 1).any():\n    continue",
    "condition-that-may-fail": "if (x < 0).any() or (x > batch).any():\n    continue",
    "condition-as-a-value": "z = (x < 0).any() or (x > 1).any()",
    "condition-not-yet-bound": "if n:\n    m = x > 0\nif m.any() or m.all():\n    continue",
    "number-made-by-a-call": "x[line, 0] = len(batch)",
    "many-elements": "z = x[:, [0, 1, 2, 0, 1, 2, 0, 1, 2]]",
    "linalg": "z = torch.linalg.inv(x)",
    "race-elsewhere": "h = x.to('cpu', non_blocking=True) + 1\na = h.tolist()",
}


@pytest.mark.parametrize("snippet", LEFT.values(), ids=LEFT)
def test_nothing_is_fixed(snippet: str, fixed: Fixed) -> None:
    assert fixed(snippet) == snippet
