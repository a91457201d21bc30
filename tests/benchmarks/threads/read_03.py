"""After Koratahiu/Advanced_Optimizers pull request 5: a tensor as `alpha` is read, once per parameter."""

import torch


class OrthoGrad(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:  # clean
                    continue
                w, g = p.view(-1), p.grad.view(-1)
                proj = torch.dot(w, g) / torch.dot(w, w).add_(1e-30)
                g_orth = g.float().sub(w, alpha=proj)  # waits
                scale = g.norm(2) / (g_orth.norm(2) + 1e-30)
                p.grad.copy_(g_orth.mul_(scale).view_as(p.grad))
                p.add_(p.grad, alpha=-group["lr"])


def train(model, loader):
    model.cuda()
    optimizer = OrthoGrad(model.parameters())
    for x in loader:
        model(x.cuda(non_blocking=True)).mean().backward()
        optimizer.step()
