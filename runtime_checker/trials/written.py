"""Programs that are written by hand: what GPUs wait for, and what looks like it, operator by operator.

The last statement is the one that is watched. Each line of a group is a program; what they may use is in `given.py`.
"""

from __future__ import annotations

from typing import Final

GROUPS: Final[dict[str, str]] = {
    "values read": """
s.item()
float(s), int(one), bool(s), complex(s)
1 if s > 0 else 2
not s
s and v
assert s
max(s, s + 1)
sorted([s, s + 1])
sum([s, s, s]), abs(s), pow(s, 2), s ** 2
math.sqrt(s * s)
math.isnan(s)
[0, 1, 2, 3][one]
u[:one]
range(one)
1.0 in v
s in [0.1, 0.5]
[s].index(s)
v.tolist()
s.tolist()
f'{s:.3f}'
'%.3f' % s
str(s)
repr(v)
str(v.shape), v.device, v.dtype, len(v), v.numel(), hash(v), v.is_cuda, v.stride()
list(v), [row for row in u], iter(u)
v.any(), v.all(), v.isnan().any()
torch.is_nonzero(s)
torch.equal(v, v + 1)
torch.equal(v, v[:2])
torch.equal(v, v)
torch.allclose(v, v + 1)
torch.isclose(v, v).all()
torch.testing.assert_close(v, v.clone())
v.max().item() - v.min().item()
v.argmax().item()
bool((v > 0).any())
torch._assert_async(s > 0)
v.sum() == 3
(v.sum() == 3).item()
""",
    "copies": """
v.cpu()
v.to('cpu')
v.to('cpu', torch.float64)
v.to(h)
v.type('torch.FloatTensor')
v.type_as(h)
h.copy_(v)
v.numpy(force=True)
v.detach().cpu().numpy()
v.to('cpu', non_blocking=True)
x = h.pin_memory(); x.copy_(v, non_blocking=True)
h.copy_(v, non_blocking=True)
h.cuda()
h.to('cuda')
h.to(v)
h.type_as(v)
h.type('torch.cuda.FloatTensor')
h.to(device='cuda:0', dtype=torch.float64)
h.double().to(v)
x = h.pin_memory(); x.cuda()
x = h.pin_memory(); x.to('cuda', non_blocking=True)
x = h.pin_memory(); x[1:].cuda(non_blocking=True)
x = h.repeat(4, 1).t().pin_memory(); x.to('cuda', non_blocking=True)
x = h.repeat(4, 1).pin_memory(); x[:, 1:].to('cuda', non_blocking=True)
x = h.pin_memory(); x.to('cuda', torch.float64, non_blocking=True)
h.to('cuda', non_blocking=True)
v.copy_(h)
v.copy_(h, non_blocking=True)
v.copy_(torch.tensor(1.0))
v.data.copy_(u[0])
torch.empty(0).cuda()
v.to('cuda'), v.to(torch.float64), v.half(), v.clone(), v.contiguous(), v.cuda()
u.t().contiguous(), u.to(memory_format=torch.contiguous_format)
nn.Linear(4, 4).to(D)
nn.BatchNorm1d(4).to(D)
it = linear(); it.cpu()
it = linear(); it.half()
it = linear(); it.load_state_dict(it.state_dict())
it = linear(); it.state_dict()
it = linear(); import copy; copy.deepcopy(it)
h.requires_grad_().to('cuda')
h.pin_memory()
torch.from_numpy(h.numpy()).cuda()
{name: x.to('cuda') for name, x in {'a': h, 'b': hi}.items()}
""",
    "creation": """
torch.tensor(1.0, device='cuda')
torch.tensor([1.0, 2.0], device='cuda')
torch.tensor([], device='cuda')
torch.as_tensor([1.0, 2.0], device='cuda')
torch.as_tensor(h.numpy(), device='cuda')
torch.as_tensor(h, device='cuda')
torch.asarray([1.0], device='cuda')
v.new_tensor([1.0])
v.new_tensor(1.0)
torch.as_tensor(v, device='cuda')
torch.asarray(v, device='cuda')
torch.tensor([s, s])
torch.tensor([s, s], device='cuda')
torch.tensor(v)
torch.cuda.FloatTensor([1.0, 2.0])
torch.cuda.FloatTensor(3)
torch.full((3,), 1.0, device='cuda')
torch.scalar_tensor(1.0, device='cuda')
torch.zeros(3, device='cuda'), torch.rand(3, device='cuda'), torch.arange(3, device='cuda')
torch.arange(0, 1, 0.1, device='cuda'), torch.linspace(0, 1, 3, device='cuda'), torch.eye(3, device='cuda')
torch.randperm(9, device='cuda')
torch.randperm(20000, device='cuda')
torch.zeros_like(v), v.new_zeros(3), v.new_full((2,), 1.0), torch.randn_like(v), torch.rand_like(v)
torch.randint(0, 9, (3,), device='cuda')
torch.tril_indices(3, 3, device='cuda')
torch.full((3,), s, device='cuda')
torch.full_like(v, s)
torch.arange(one, device='cuda')
torch.arange(one)
torch.linspace(s, 2.0, 5, device='cuda')
torch.linspace(0.0, s, 5, device='cuda')
torch.linspace(s, s, 5, device='cuda')
torch.logspace(s, 2.0, 5, device='cuda')
torch.zeros(one)
torch.zeros((one, one), device='cuda')
torch.zeros(8, device='cuda').view(one, -1)
v.expand(one, 4)
v.repeat(one)
u.reshape(one, -1)
torch.Generator(device='cuda').manual_seed(1)
""",
    "scalars as arguments": """
v.add(v, alpha=s)
v.sub(v, alpha=s)
torch.addcmul(v, v, v, value=s)
torch.addcdiv(v, v, v + 1, value=s)
F.leaky_relu(v, s)
F.softplus(v, s)
F.elu(v, s)
F.dropout(v, 0.5)
v + s, v * s, v.pow(s), torch.lerp(v, v, s), v.clamp(min=s), v.clone().fill_(s), v.clone().mul_(s)
v + torch.tensor(2.0), torch.tensor(2.0) * v, v.clamp(max=torch.tensor(2.0))
v.fill_(torch.tensor(2.0))
v.fill_(s)
v.clamp(s, 1.0)
v.clamp(0.0, 1.0), v.clamp(s, s)
v.clamp_(max=s)
v.roll(one)
v.sum(one - 1)
u.transpose(0, one)
v.topk(one)
u.diagonal(one)
torch.where(m, v, torch.tensor(2.0))
torch.where(m, torch.tensor(2.0), torch.tensor(1.0))
torch.where(m, v, 0.0), torch.where(m, 1.0, 0.0), torch.where(m, v, s)
v.masked_fill(m, s)
v.masked_fill(m, torch.tensor(0.0))
v.masked_fill_(m, s)
v.index_fill(0, i, s)
v.index_fill(0, i, torch.tensor(0.0))
v.index_fill(0, i, 0.5)
torch.quantile(v, s)
torch.quantile(v, 0.5), torch.nanquantile(v, 0.5)
torch.normal(v, v.abs())
torch.normal(v, 1.0)
torch.normal(0.0, v.abs())
torch.bernoulli(v), v.bernoulli_(0.5), v.bernoulli_(p)
torch.lerp(v, v, 0.5), torch.dist(v, v), torch.renorm(u, 2, 0, 1.0)
F.pad(v, (1, 1)), F.pad(v, (one, one))
F.interpolate(y, scale_factor=2), F.interpolate(y, size=8)
torch.split(v, one)
torch.tensor_split(v, one)
torch.tensor_split(v, torch.tensor([1]))
torch.chunk(v, 2), torch.split(v, 2)
torch.narrow(v, 0, one, 1)
v.narrow(0, torch.tensor(1), 1)
v.select(0, one)
torch.rot90(u, one)
torch.cumsum(v, one - 1)
torch.unflatten(v, 0, (one, 4))
torch.nn.utils.clip_grad_value_([v], s)
""",
    "masks": """
torch.where(m)
v.nonzero()
m.nonzero()
torch.nonzero(v, as_tuple=True)
torch.argwhere(v)
torch.nonzero_static(v, size=4)
torch.count_nonzero(v)
m.sum()
v.masked_fill(m, 0.0)
v.masked_fill_(m, 1.0)
v.masked_scatter(m, v)
v.masked_select(m)
torch.masked_select(u, m)
torch.nan_to_num(v), v * m
v[m]
u[m]
u[:, m]
u[u > 0]
v[m.to(torch.uint8)]
v[hm]
u[:, hm]
u[m, 0]
u[m, i[:2]]
u[m][:, m]
v[m].sum()
v[m] = 1.0
v[m] = torch.tensor(1.0)
v[m] = s
v[m] = p[:2]
v[m] = h[:2]
v[m] += 1.0
u[:, m] = 0.0
u[m] = 0.0
u[u > 0] = 0.0
u[m, 0] = 0.0
u[m, :2] = 0.0
v[hm] = p[:2]
v[hm] = 1.0
v[~m] = 0
v[m, ...] = 0.0
torch.index_put(v, (m,), v[:1])
v.index_put_((m,), torch.tensor(0.0, device='cpu'))
F.mse_loss(v[m], v[m])
(v * m).sum() / m.sum()
""",
}
"""Group -> its programs, one in a line."""
