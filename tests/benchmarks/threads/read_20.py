"""After the thread on early stopping and best losses kept as tensors."""

import torch


def train(model, loader, optimizer, patience=10):
    model = model.cuda()
    best = float("inf")
    bad = 0
    for epoch in range(100):
        total = torch.zeros((), device="cuda")
        for x in loader:
            loss = model(x.cuda(non_blocking=True)).mean()
            loss.backward()
            optimizer.step()
            total += loss.detach()
            if loss < best:  # waits
                best = loss.detach()
                bad = 0
            else:
                bad += 1
            if bad > patience:  # clean
                return best
    return best
