"""Programs that are written by hand: indices, and shapes that depend on data. The form is that of `written.py`."""

from __future__ import annotations

from typing import Final

GROUPS: Final[dict[str, str]] = {
    "indices": """
v[0], v[:2], u[..., 1], u[None], u[1, 2], u[0:2, 1:]
v[i], u[:, i], u.index_select(0, i), u.gather(0, j), v.take(i)
u[i, i]
v[one]
u[one]
u[:, one]
u[one, one]
u[one, 0]
u[one:]
v[torch.tensor(1)]
u[torch.tensor(1), 0]
v[torch.tensor([0, 1])]
u[:, torch.tensor([0, 1])]
v[[0, 1]]
v[range(2)]
u[[0, 1], [1, 2]]
u[[[0, 1], [1, 2]]]
v[h.numpy().astype('int64')]
v[[True, False, True, False]]
v[torch.tensor([], dtype=torch.long)]
v[[]]
h[[0, 1]], h[hm], h[torch.tensor([0])]
v.index_select(0, torch.tensor([0], device='cuda'))
v[i] = p
v[i] = 1.0
v[i] = s
v[i] = torch.tensor(1.0)
v[i] = h
v[0] = 1.0
v[0] = s
v[0] = v[1]
v[0] = torch.tensor(1.0)
v[0] = one
u[0, 1] = 5.0
u[0, 1] += 5.0
u[0] = 1.0
u[:2] = 1.0
u[...] = 0.0
u[0] = v
u[0] = h
u[one] = 1.0
u[one] = v
u[one] = s
v[one] = 1.0
v[one] = s
v[one] = v[0]
u[one, 0] = 1.0
u[:, one] = 1.0
v[torch.tensor([0, 1])] = p[:2]
v[torch.tensor([0, 1])] = 1.0
v[[0, 1]] = 1.0
v[[0, 1]] = p[:2]
u[[0, 1], [1, 2]] = 0.0
v[:] = h
v[:2] = torch.tensor([1.0, 2.0])
h[0] = s
h[:] = v
h[hi] = 1.0
u[i, i] = 0.0
u[i, i] = v
u[i, j[0]] += 1.0
v.index_put_((i,), p, accumulate=True)
v.index_put((i,), s)
v.scatter_(0, i, 1.0), v.index_add_(0, i, p), v.index_copy_(0, i, p), v.scatter_add_(0, i, p)
v.scatter_reduce(0, i, v, 'sum'), v.index_reduce(0, i, v, 'mean'), v.put(i, v), v.take_along_dim(i, 0)
torch.gather(u, 1, j), torch.select_scatter(u, v, 0, 0), torch.slice_scatter(u, u, 0), torch.index_select(u, 1, i)
u.diagonal().fill_(0.0)
u.fill_diagonal_(0.0)
F.embedding(i, u)
F.embedding_bag(j, u)
F.embedding_bag(i, u, offsets=torch.tensor([0, 2], device='cuda'))
""",
    "shapes": """
torch.unique(v)
torch.unique(i)
torch.unique(m)
torch.unique(v, sorted=False)
torch.unique(i, return_counts=True)
torch.unique(i, return_inverse=True)
torch.unique(u, dim=0)
torch.unique_consecutive(v)
torch.unique_consecutive(u, dim=0)
torch.bincount(i)
torch.bincount(i, minlength=9)
torch.bincount(i, weights=v)
torch.bincount(i.to(torch.uint8))
torch.histc(v, bins=4)
torch.histc(v, bins=4, min=0.0, max=1.0)
F.one_hot(i)
F.one_hot(i, num_classes=4)
F.one_hot(i, 4)
torch.repeat_interleave(v, i)
torch.repeat_interleave(i)
torch.repeat_interleave(v, i, output_size=6)
v.repeat_interleave(2)
torch.isin(v, v.repeat(20))
torch.isin(v, v)
torch.isin(v, 1.0)
torch.isin(v, v.repeat(20), assume_unique=True)
torch.searchsorted(v, v, sorter=i)
torch.searchsorted(v, v), torch.bucketize(v, v)
torch.mode(v)
torch.mode(torch.zeros(5000, device='cuda'))
torch.cov(u)
torch.corrcoef(u)
torch.multinomial(p, 2)
torch.multinomial(p, 2, replacement=True)
v.topk(2), v.sort(), v.median(), v.argsort(), v.kthvalue(2), u.msort(), torch.nanmedian(v)
torch.einsum('ij,kj->ik', u, u), torch.cdist(u, u), v.cumsum(0), torch.tril(u), torch.fft.fft(v)
torch.cartesian_prod(v, v), torch.meshgrid(v, v, indexing='ij'), torch.vander(v), torch.block_diag(u, u)
torch.combinations(v)
torch.stft(torch.ones(64, device='cuda'), 16, window=w, return_complex=True)
torch.istft(z, 16, window=w)
torch.istft(z, 16, window=w, length=64)
torch.sparse_coo_tensor(i[None], v)
torch.sparse_coo_tensor(i[None], v, (9,))
x = torch.sparse_coo_tensor(i[None], v, (9,)); x.coalesce()
x = torch.sparse_coo_tensor(i[None], v, (9,)); x.to_dense()
e.to_sparse()
e.to_sparse_csr()
x = e.to_sparse(); torch.sparse.mm(x, u)
x = e.to_sparse_csr(); x @ u
torch.nested.nested_tensor_from_jagged(v, offsets=i)
torch.nested.nested_tensor_from_jagged(v, offsets=i, min_seqlen=1, max_seqlen=2)
torch.nested.nested_tensor([v, v], layout=torch.jagged)
torch.block_diag(u, u), torch.kron(u, u), torch.tensordot(u, u), torch.chain_matmul(u, u)
torch.histogram(h, 4)
torch.bucketize(s, v), torch.aminmax(v), torch.diff(v), torch.trapezoid(v), torch.cummax(v, 0), torch.logcumsumexp(v, 0)
torch.segment_reduce(v, 'sum', lengths=torch.tensor([2, 2], device='cuda'))
torch.bitwise_and(i, i), torch.gcd(i, i), torch.cross(u[:3, :3], u[:3, :3]), torch.trace(u), torch.poisson(v)
torch.unravel_index(i, (4, 4))
torch.unravel_index(i, (torch.tensor(4), 4))
torch.nonzero(hm), torch.unique(hi)
""",
}
"""Group -> its programs, one in a line."""
