"""Programs that are written by hand: what backward passes wait for. What they may use is in `given.py`."""

from __future__ import annotations

from typing import Final

BACKWARD: Final = """
u * u
u @ u
u[i]
u[0]
u[one]
u[j > 1]
v[m]
v[hm]
v[[0, 1]]
v[torch.tensor([0, 1])]
v[i]
u[:, m]
v.masked_select(m)
v.masked_fill(m, 0.0)
v.masked_fill(m, s)
v.masked_scatter(m, v)
torch.where(m, v, 0.0)
torch.where(m, v, torch.tensor(2.0))
v.index_select(0, i)
v.index_fill(0, i, 0.0)
v.take(i)
u.gather(0, j)
v.scatter(0, i, v)
v.index_add(0, i, v)
v.index_copy(0, i, v)
v.index_put((i,), v)
v.index_put((m,), v[:2])
v.index_put((m,), s)
v.put(i, v)
v.prod()
u.prod(0)
v.cumprod(0)
v.cumsum(0)
v.max()
u.max(0)
v.sort()
v.topk(2)
v.median()
v.kthvalue(2)
v.mode()
v.std(), v.var()
v.norm()
u.norm('nuc')
v.clamp(0.1, 0.5)
v.clamp(min=s)
v.pow(2)
v.pow(s)
v.repeat_interleave(2)
v.repeat_interleave(i, output_size=6)
v.unfold(0, 2, 1)
v.expand(4, 4)
v.to('cpu')
h.to('cuda')
v.double()
torch.cat([v, v])
torch.stack([v, v])
torch.cdist(u, u)
torch.lerp(v, v, s)
torch.linalg.inv(q)
torch.linalg.inv_ex(q)
torch.linalg.cholesky(q)
torch.linalg.cholesky_ex(q)
torch.linalg.solve(q, q)
torch.linalg.solve_ex(q, q)
torch.linalg.lu_factor(q)
torch.linalg.eigh(q)
torch.linalg.eigvalsh(q)
torch.linalg.svd(q)
torch.linalg.svdvals(q)
torch.linalg.eig(q)
torch.linalg.eigvals(q)
torch.linalg.qr(q)
torch.linalg.pinv(q)
torch.linalg.det(q)
torch.linalg.slogdet(q)
torch.logdet(q)
torch.linalg.matrix_exp(q)
torch.linalg.matrix_power(q, 3)
torch.linalg.lstsq(q, q)
torch.linalg.norm(q, 'nuc')
torch.linalg.norm(q, 2)
torch.linalg.matrix_norm(q)
torch.linalg.vector_norm(q)
torch.linalg.solve_triangular(q, q, upper=True)
torch.cholesky_solve(q, q)
torch.cholesky_inverse(q)
torch.triangular_solve(q, q)
torch.nan_to_num(v)
torch.istft(z, 16, window=w)
torch.stft(v.repeat(16), 16, window=w, return_complex=True)
torch.fft.fft(v)
torch.einsum('ij,jk->ik', u, u)
torch.cov(u)
torch.quantile(v, 0.5)
torch.combinations(v)
torch.unique(v)
torch.sparse.mm(e.to_sparse(), u)
torch.nn.utils.parameters_to_vector([u, v])
torch.utils.checkpoint.checkpoint(lambda x: x * 2, u, use_reentrant=False)
torch.utils.checkpoint.checkpoint(lambda x: x * 2, u, use_reentrant=True)
F.embedding(i, u)
F.embedding(i, u, sparse=True)
F.embedding(i, u, padding_idx=0)
F.embedding_bag(j, u)
F.cross_entropy(u, i)
F.cross_entropy(u, i, ignore_index=1)
F.cross_entropy(u, i, weight=p)
F.cross_entropy(u, i, weight=p, label_smoothing=0.1)
F.nll_loss(u, i)
F.mse_loss(u, u)
F.l1_loss(u, u)
F.gaussian_nll_loss(v, v, v.abs())
F.kl_div(u, r)
F.binary_cross_entropy(p, p.detach())
F.binary_cross_entropy_with_logits(v, p)
F.ctc_loss(k[0].log_softmax(2), j[:, :2] + 1, torch.full((4,), 4), torch.full((4,), 2))
F.ctc_loss(k[0].log_softmax(2), j[:, :2] + 1, torch.full((4,), 4), torch.full((4,), 2), zero_infinity=True)
F.triplet_margin_loss(u, u * 2, u * 3)
F.cosine_similarity(u, u)
F.dropout(u)
F.softmax(u, 0)
F.log_softmax(u, 0)
F.gumbel_softmax(u, hard=True)
F.layer_norm(u, (4,))
F.group_norm(k, 2)
F.batch_norm(u, p.detach(), p.detach(), training=True)
F.scaled_dot_product_attention(k, k, k)
F.grid_sample(k, torch.zeros(1, 2, 2, 2, device='cuda'))
F.interpolate(k, scale_factor=2.0, mode='bilinear')
F.max_pool2d(k, 2)
F.adaptive_max_pool2d(k, 2)
F.avg_pool2d(k, 2)
F.conv2d(k, torch.ones(2, 4, 2, 2, device='cuda'))
F.unfold(k, 2)
F.pad(u, (1, 1))
F.normalize(u)
F.rms_norm(u, (4,))
nn.LSTM(4, 4, batch_first=True).to(D)(b)
nn.GRU(4, 4).to(D)(b)
nn.BatchNorm1d(4).to(D)(u)
nn.MultiheadAttention(4, 2).to(D)(b, b, b)
nn.Embedding(4, 4).to(D)(i)
nn.LSTM(4, 4, batch_first=True).to(D)(pack(b, torch.tensor([4, 3, 2, 1]), True))[0].data
unpack(pack(b, torch.tensor([4, 3, 2, 1]), True))[0]
encoder()(b)
d.Normal(v, p).rsample()
d.Normal(v, p).log_prob(v)
d.Gamma(p, p).rsample()
d.Beta(p, p).rsample()
d.Dirichlet(r).rsample()
d.MultivariateNormal(p, q).rsample()
d.MultivariateNormal(p, q).log_prob(p)
d.Categorical(r).log_prob(i)
d.kl_divergence(d.Normal(v, p), d.Normal(v, p))
torch.autograd.grad((u * u).sum(), u, create_graph=True)[0]
"""
"""Expressions whose derivative is watched."""

WRITES: Final = """
v[m] = 0.0
v[m] = s
v[m] = torch.tensor(1.0)
v[m] = v[:2] * 2
v[i] = 0.0
v[i] = v * 2
v[0] = 0.0
v[0] = s
v[[0, 1]] = 0.0
v[hm] = 0.0
u[:, m] = 0.0
u[m] = 0.0
u[one] = 0.0
u[0] = h
v[:2] = 0.0
v.masked_fill_(m, 0.0)
v.masked_fill_(m, s)
v.index_fill_(0, i, 0.0)
v.index_add_(0, i, v * 2)
v.index_put_((m,), s)
v.index_put_((i,), s, accumulate=True)
v.copy_(h)
v.mul_(2), v.add_(1)
v.clamp_(0.1, 0.5)
v.fill_(0.0), v.zero_()
u.fill_diagonal_(0.0)
"""
"""Statements after which the derivative of what they have written to is watched."""
