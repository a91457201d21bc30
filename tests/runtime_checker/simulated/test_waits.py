"""What each operator waits for on the simulated device: one line of code, and the waits it records."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
F = torch.nn.functional

from synclint.runtime_checker.simulated.watcher import watch_simulated  # noqa: E402

READ, SHAPE, TO_HOST, TO_DEVICE, CHECK, SYNC = (
    "reads value",
    "data-dependent shape",
    "copy to host",
    "copy to device",
    "check",
    "synchronize",
)

ROWS: list[tuple[str, list[str]]] = [
    # reading a value
    ("s.item()", [READ]),
    ("float(s), int(n), bool(s), complex(s)", [READ] * 4),
    ("1 if s > 0 else 2", [READ]),
    ("not s", [READ]),
    ("max(s, s + 1)", [READ]),
    ("sum([s, s, s]), abs(s), pow(s, 2), s ** 2", []),
    ("math.sqrt(s * s)", [READ]),
    ("[0, 1, 2, 3][n]", [READ]),
    ("x[:n]", [READ]),
    ("1.0 in v", [READ]),
    ("[s].index(s)", []),
    ("v.tolist()", [TO_HOST]),
    ("f'{s:.3f}'", [READ]),
    ("str(s)", [READ]),
    ("str(v.shape), v.device, v.dtype, len(v), v.numel(), hash(v), v.is_cuda, v.stride()", []),
    ("list(v), [row for row in x], iter(x)", []),
    ("v.any(), v.all(), v.isnan().any()", []),
    ("torch.is_nonzero(s)", [READ]),
    ("torch.equal(v, v + 1)", [READ]),
    ("torch.equal(v, v[:2])", []),
    ("torch.allclose(v, v)", [READ]),
    ("torch.isclose(v, v).all()", []),
    # copies
    ("v.cpu()", [TO_HOST]),
    ("v.to('cpu')", [TO_HOST]),
    ("v.to(h)", [TO_HOST]),
    ("v.type('torch.FloatTensor')", [TO_HOST]),
    ("v.type_as(h)", [TO_HOST]),
    ("h.copy_(v)", [TO_HOST]),
    ("v.numpy(force=True)", [TO_HOST]),
    ("v.to('cpu', non_blocking=True)", []),
    ("h.pin_memory().copy_(v, non_blocking=True)", []),
    ("h.copy_(v, non_blocking=True)", [TO_HOST]),
    ("h.cuda()", [TO_DEVICE]),
    ("h.to('cuda')", [TO_DEVICE]),
    ("h.to(device='cuda:0', dtype=torch.float64)", [TO_DEVICE]),
    ("h.pin_memory().cuda()", [TO_DEVICE]),
    ("h.pin_memory().to('cuda', non_blocking=True)", []),
    ("h.pin_memory()[1:].cuda(non_blocking=True)", []),
    ("h.to('cuda', non_blocking=True)", [TO_DEVICE]),
    ("v.copy_(h)", [TO_DEVICE]),
    ("torch.empty(0).cuda()", []),
    ("v.to('cuda'), v.to(torch.float64), v.half(), v.clone(), v.contiguous(), v.cuda()", []),
    # creation
    ("torch.tensor(1.0, device='cuda')", [TO_DEVICE]),
    ("torch.tensor([1.0, 2.0], device='cuda')", [TO_DEVICE]),
    ("torch.as_tensor([1.0, 2.0], device='cuda')", [TO_DEVICE]),
    ("torch.as_tensor(numpy.ones(3), device='cuda')", [TO_DEVICE]),
    ("torch.asarray([1.0], device='cuda')", [TO_DEVICE]),
    ("v.new_tensor([1.0])", [TO_DEVICE]),
    ("torch.as_tensor(v, device='cuda')", []),
    ("torch.tensor([s, s])", [READ] * 2),
    ("torch.full((3,), 1.0, device='cuda'), torch.scalar_tensor(1.0, device='cuda')", []),
    ("torch.zeros(3, device='cuda'), torch.rand(3, device='cuda'), torch.arange(3, device='cuda')", []),
    ("torch.randperm(9, device='cuda'), torch.zeros_like(v), v.new_zeros(3), v.new_full((2,), 1.0)", []),
    ("torch.full((3,), s, device='cuda')", [READ]),
    ("torch.arange(n, device='cuda')", [READ]),
    ("torch.linspace(s, 2.0, 5, device='cuda')", [READ]),
    ("torch.zeros(n)", [READ]),
    ("torch.zeros(8, device='cuda').view(n, -1)", [READ]),
    # tensors as numbers
    ("v.add(v, alpha=s)", [READ]),
    ("torch.addcmul(v, v, v, value=s)", [READ]),
    ("F.leaky_relu(v, s)", [READ]),
    ("v + s, v * s, v.pow(s), torch.lerp(v, v, s), v.clamp(min=s), v.clone().fill_(s), v.clone().mul_(s)", []),
    ("v + torch.tensor(2.0), torch.tensor(2.0) * v, v.clamp(max=torch.tensor(2.0))", []),
    ("torch.where(m, v, torch.tensor(2.0))", [TO_DEVICE]),
    ("torch.where(m, v, 0.0), torch.where(m, 1.0, 0.0), torch.where(m, v, s)", []),
    # masks
    ("torch.where(m)", [SHAPE]),
    ("v.nonzero()", [SHAPE]),
    ("torch.nonzero(v, as_tuple=True)", [SHAPE]),
    ("torch.argwhere(v)", [SHAPE]),
    ("torch.nonzero_static(v, size=4), torch.count_nonzero(v), m.sum()", []),
    ("v.masked_fill(m, 0.0), v.clone().masked_fill_(m, 1.0), v.masked_fill(m, torch.tensor(0.0))", []),
    ("v.masked_fill(m, s)", [READ]),
    ("v.clone().masked_fill_(m, s)", [READ]),
    ("v.masked_scatter(m, v)", []),
    ("v.masked_select(m)", [SHAPE]),
    ("v.index_fill(0, i, s)", [READ]),
    ("torch.nan_to_num(v), v.clamp(0, 1), v * m", []),
    # reading by index
    ("v[0], v[:2], x[..., 1], x[None], x[1, 2]", []),
    ("v[i], x[:, i], x.index_select(0, i), x.gather(0, i[:, None]), v.take(i)", []),
    ("v[m]", [SHAPE]),
    ("x[m]", [SHAPE]),
    ("v[m.to(torch.uint8)]", [SHAPE]),
    ("x[n]", [READ]),
    ("x[:, n]", [READ]),
    ("x.narrow(0, n, 1)", [READ]),
    ("x.select(0, n)", [READ]),
    ("v[torch.tensor([0, 1])]", [TO_DEVICE]),
    ("v[[0, 1]]", [TO_DEVICE]),
    ("v[numpy.array([0, 1])]", [TO_DEVICE]),
    ("v[[True, False, True, False]]", [TO_DEVICE, SHAPE]),
    ("v[hm]", []),
    ("h[[0, 1]], h[hm], h[torch.tensor([0])]", []),
    # writing by index
    ("put(v, m, 1.0)", []),
    ("put(x, (slice(None), m), 0.0)", []),
    ("put(v, m, torch.tensor(1.0))", []),
    ("put(v, m, s)", [SHAPE]),
    ("put(v, m, v[:2])", [SHAPE]),
    ("put(v, i, v[:3])", []),
    ("put(v, i, 1.0)", [TO_DEVICE]),
    ("put(v, 0, 1.0)", [TO_DEVICE]),
    ("put(x, (0, 1), 5.0)", [TO_DEVICE]),
    ("put(x, 0, 1.0), put(x, slice(2), 1.0), put(x, ..., 0.0)", []),
    ("put(x, n, 1.0)", [READ]),
    ("put(v, n, 1.0)", [READ, TO_DEVICE]),
    ("put(v, torch.tensor([0, 1]), v[:2])", [TO_DEVICE]),
    ("put(v, hm, v[:2])", []),
    ("put(v, hm, 1.0)", [TO_DEVICE]),
    ("put(v, [0, 1], 1.0)", [TO_DEVICE, TO_DEVICE]),
    ("put(v, slice(None), h)", [TO_DEVICE]),
    ("v.clone().index_put_((i,), v[:3], accumulate=True)", []),
    ("v.clone().scatter_(0, i, 1.0), v.clone().index_add_(0, i, v[:3]), v.clone().index_copy_(0, i, v[:3])", []),
    # shapes that depend on data, and checks
    ("torch.unique(v)", [SHAPE]),
    ("torch.unique_consecutive(v)", [SHAPE]),
    ("torch.unique(x, dim=0)", [SHAPE] * 3),
    ("torch.bincount(i)", [CHECK, SHAPE]),
    ("torch.bincount(i, minlength=9)", [CHECK, SHAPE]),
    ("torch.bincount(i.to(torch.uint8))", [SHAPE]),
    ("torch.histc(v, bins=4)", [READ] * 2),
    ("torch.histc(v, bins=4, min=0.0, max=1.0)", []),
    ("F.one_hot(i)", [SHAPE]),
    ("F.one_hot(i, num_classes=4), F.one_hot(i, 4)", []),
    ("torch.repeat_interleave(v, torch.ones_like(v).long())", [CHECK, SHAPE]),
    ("torch.repeat_interleave(v, torch.ones_like(v).long(), output_size=4)", []),
    ("v.repeat_interleave(2)", []),
    ("torch.isin(v, v.repeat(20))", [SHAPE] * 3),
    ("torch.isin(v, v), torch.isin(v, 1.0)", []),
    ("torch.isin(v, v.repeat(20), assume_unique=True)", [SHAPE]),
    ("torch.searchsorted(v, v, sorter=v.argsort())", [CHECK] * 2),
    ("torch.searchsorted(v, v), torch.bucketize(v, v)", []),
    ("torch.mode(v)", []),
    ("torch.mode(torch.zeros(5000, device='cuda'))", [READ]),
    ("torch.cov(x)", [READ]),
    ("torch.corrcoef(x)", [READ]),
    ("torch.quantile(v, 0.5), torch.nanquantile(v, 0.5)", []),
    ("torch.quantile(v, s)", []),
    ("torch.multinomial(v.softmax(0), 2), torch.bernoulli(v.sigmoid()), v.topk(2), v.sort(), v.median()", []),
    ("torch.einsum('ij,kj->ik', x, x), torch.cdist(x, x), v.cumsum(0), torch.tril(x), torch.fft.fft(v)", []),
    ("torch.sparse_coo_tensor(i[None], v[:3])", [SHAPE] * 2),
    ("torch.sparse_coo_tensor(i[None], v[:3], (9,))", []),
    ("torch.sparse_coo_tensor(i[None], v[:3], (9,)).coalesce()", [SHAPE] * 5),
    # linear algebra
    ("torch.linalg.inv(q)", [CHECK]),
    ("torch.linalg.cholesky(q)", [CHECK]),
    ("torch.linalg.solve(q, q)", [CHECK]),
    ("torch.linalg.lu_factor(q)", [CHECK]),
    ("torch.linalg.inv_ex(q), torch.linalg.cholesky_ex(q), torch.linalg.solve_ex(q, q)", []),
    ("torch.linalg.inv_ex(q, check_errors=True), torch.linalg.cholesky_ex(q, check_errors=True)", [CHECK] * 2),
    ("torch.linalg.solve_ex(q, q, check_errors=True), torch.linalg.lu_factor_ex(q, check_errors=True)", [CHECK] * 2),
    ("torch.linalg.ldl_factor_ex(q, check_errors=True), torch.linalg.ldl_factor_ex(q)", [CHECK]),
    ("torch.cholesky(q), torch.linalg.pinv(q), q.pinverse()", [CHECK] * 5),
    ("torch.linalg.eigh(q)", [CHECK]),
    ("torch.linalg.svd(q)", [CHECK] * 2),
    ("torch.linalg.svdvals(q)", [CHECK] * 2),
    ("torch.linalg.eig(q)", [CHECK] * 3),
    ("torch.linalg.matrix_exp(q)", [SHAPE]),
    ("torch.linalg.det(q), torch.linalg.qr(q), torch.linalg.vector_norm(q), torch.logdet(q)", []),
    # losses and modules
    ("F.cross_entropy(x, t), F.cross_entropy(x, t, weight=w, ignore_index=1), F.mse_loss(x, x)", []),
    ("F.cross_entropy(x, t, weight=w, label_smoothing=0.1)", [SHAPE]),
    ("F.cross_entropy(x, t, weight=w, label_smoothing=0.1, reduction='sum')", []),
    ("F.gaussian_nll_loss(v, v, v.abs())", [READ]),
    ("F.embedding(i, x), F.dropout(x), F.layer_norm(x, (4,)), F.softmax(x, 0)", []),
    ("torch.nn.BatchNorm1d(4).to('cuda', dtype=torch.float32)", [TO_DEVICE] * 5),
    # the device itself
    ("torch.cuda.synchronize()", [SYNC]),
    ("torch.cuda.current_stream().synchronize()", [SYNC]),
    ("torch.cuda.Event().synchronize()", [SYNC]),
    ("torch.cuda.empty_cache()", [SYNC]),
    ("torch.cuda.Stream().wait_stream(torch.cuda.current_stream()), torch.cuda.memory_allocated()", []),
]

NEWER: list[tuple[str, list[str]]] = [
    ("put(v, i, 1.0)", []),
    ("put(v, 0, 1.0)", []),
    ("put(x, (0, 1), 5.0)", []),
    ("put(x, n, 1.0)", []),
    ("put(x, n, x[1])", [READ]),
    ("put(v, hm, 1.0)", []),
    ("put(v, [0, 1], 1.0)", [TO_DEVICE]),
    ("put(v, i, torch.tensor(1.0))", [TO_DEVICE]),
    ("put(v, m, s)", [SHAPE]),
    ("x[n]", [READ]),
    ("torch.combinations(v)", []),
    ("torch.normal(v, v.abs())", []),
]
OLDER: list[tuple[str, list[str]]] = [
    ("v[hm]", [TO_DEVICE]),
    ("torch.combinations(v)", [SHAPE] * 2),
    ("torch.normal(v, v.abs())", [CHECK] * 2),
]


def names() -> dict[str, Any]:
    """What the lines of code may use: x, v, s … live on the device, h and hm on the host."""
    import math

    numpy = pytest.importorskip("numpy")
    torch.manual_seed(0)

    def put(tensor: Any, index: Any, value: Any) -> None:
        tensor = tensor.clone()
        tensor[index] = value

    x = torch.rand(4, 4, device="cuda")
    return {
        "torch": torch,
        "F": F,
        "math": math,
        "numpy": numpy,
        "put": put,
        "x": x,
        "v": torch.rand(4, device="cuda"),
        "s": torch.full((), 0.5, device="cuda"),
        "n": torch.full((), 2, dtype=torch.int64, device="cuda"),
        "m": torch.arange(4, device="cuda") < 2,
        "i": torch.arange(3, device="cuda"),
        "t": torch.arange(4, device="cuda"),
        "w": torch.ones(4, device="cuda"),
        "q": x @ x.T + torch.eye(4, device="cuda"),
        "h": torch.rand(4),
        "hm": torch.arange(4) < 2,
    }


def kinds(line: str, version: str | None = None) -> list[str]:
    with watch_simulated(torch_version=version) as watcher:
        given = names()
        before = len(watcher.waits)
        eval(line, given)
        return [wait.kind for wait in watcher.waits[before:]]


@pytest.mark.parametrize(("line", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_row(line: str, expected: list[str]) -> None:
    assert kinds(line, "2.13") == expected


@pytest.mark.parametrize(("line", "expected"), NEWER, ids=[row[0] for row in NEWER])
def test_torch_2_15(line: str, expected: list[str]) -> None:
    assert kinds(line, "2.15") == expected


@pytest.mark.parametrize(("line", "expected"), OLDER, ids=[row[0] for row in OLDER])
def test_torch_2_8(line: str, expected: list[str]) -> None:
    assert kinds(line, "2.8") == expected


@pytest.mark.parametrize("line", [line for line, _ in ROWS if "cuda" not in line and "pin_memory" not in line])
def test_the_host_waits_for_nobody_without_tensors_of_the_device(line: str) -> None:
    """The same lines with every tensor on the host."""
    with watch_simulated() as watcher:
        given = {name: value.cpu() if isinstance(value, torch.Tensor) else value for name, value in names().items()}
        before = len(watcher.waits)
        eval(line, given)
        assert watcher.waits[before:] == []
