"""After a thread on a copy that is read in the next step, which is right."""

import torch


def train(model, loader, optimizer):
    model = model.cuda()
    host = torch.empty((), pin_memory=True)
    ready = torch.cuda.Event()
    for step, x in enumerate(loader):
        if step:  # clean
            ready.synchronize()
            print(host.item())  # clean
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        host.copy_(loss.detach(), non_blocking=True)
        ready.record()
    other = torch.empty((), pin_memory=True)
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        other.copy_(loss.detach(), non_blocking=True)
        print(float(other))  # waits
