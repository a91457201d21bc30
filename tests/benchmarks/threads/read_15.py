"""After the thread on converting what may be a tensor or a number."""

import torch


def to_python(value):
    if hasattr(value, "detach"):
        value = value.detach()
    if hasattr(value, "cpu"):
        value = value.cpu()  # waits
    return value


def scalar(value):
    return value.item() if hasattr(value, "item") else float(value)  # waits


def train(model, loader, optimizer):
    model.cuda()
    history = {"loss": [], "lr": []}
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        history["loss"].append(scalar(loss))
        history["lr"].append(scalar(0.1))
        history.setdefault("raw", []).append(to_python(loss))
