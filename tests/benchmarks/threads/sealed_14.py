"""After a thread on a batch sampler: an infinite generator of batches."""

import torch


def infinite(loader):
    while True:
        yield from loader


def train(model, loader, optimizer, steps):
    model = model.cuda()
    batches = infinite(loader)
    for step in range(steps):
        batch = next(batches)
        x, y = (each.cuda() for each in batch)  # waits
        loss = (model(x) - y).square().mean()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:  # clean
            print(step)
