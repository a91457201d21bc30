"""After a thread on distributed averages: a number of each process is reduced."""

import torch
import torch.distributed as dist


def reduce_mean(value, world):
    t = torch.tensor(value, device="cuda")  # waits
    dist.all_reduce(t)
    return t.item() / world  # waits


def train(model, loader, optimizer):
    model = torch.nn.parallel.DistributedDataParallel(model.cuda())
    for x in loader:
        loss = model(x.cuda(non_blocking=True)).mean()
        loss.backward()
        optimizer.step()
        mean = reduce_mean(loss.item(), dist.get_world_size())  # waits
        if dist.get_rank() == 0:  # clean
            print(mean)  # clean
