"""Functions that are handed on: partial ones, hooks, callbacks of libraries, what attributes hold."""

import bisect
import heapq
import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import torch
from transformers import Trainer


def scaled(x, k):
    return x * k  # reveal: Tensor[gpu, float, rank 1]


def noted(x, prefix=""):
    x.sum()  # frequency: every step


def mapped(x):
    return x.sum()  # reveal: Tensor[gpu, int, rank 0]


def read(x):
    return x.sum().item()  # frequency: every step


def hook(module, inputs, output):
    output  # reveal: Tensor[any device]
    output.mean().item()  # operation: Call
    print(output)  # frequency: every step


def on_gradient(gradient):
    gradient  # reveal: Tensor[gpu]
    gradient.norm()  # frequency: every step


def on_looked_at(gradient):
    gradient.norm()  # frequency: every N steps


def measured(prediction):
    prediction  # reveal: object
    return {"loss": prediction.mean()}  # frequency: evaluation


def hook_for(name):
    def hook(module, inputs, output):
        output.mean().item()  # frequency: every step

    return hook


def trainer_of(model, optimizer, engines):
    def update(engine, batch):
        loss = model(batch).sum()
        loss.backward()
        optimizer.step()
        return loss.item()  # frequency: every step (assumed)

    def prepare(engine, batch):
        return batch.item()  # frequency: every step (assumed)

    engines.Engine(update).attach(prepare)
    return engines


class Net(torch.nn.Module):
    def __init__(self, log):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
        self.linear.register_forward_hook(hook)
        self.linear.register_forward_hook(hook_for("linear"))
        self.scored = trainer_of(self, log, log)
        self.scale = partial(scaled, k=2.0)
        self.log = read

    def forward(self, x):
        y = torch.ones(3, device="cuda")
        self.scale(y)  # reveal: Tensor[gpu, float, rank 1]
        self.log(y)
        return y


def main(net):
    weight = torch.ones(3, device="cuda", requires_grad=True)
    weight.register_hook(on_gradient)
    if net.debug:
        weight.register_hook(on_looked_at)
    first = partial(noted, prefix="a")
    for batch in torch.utils.data.DataLoader(range(9)):
        first(batch)
        list(map(mapped, [batch.cuda(non_blocking=True)]))
    Trainer(model=net, compute_metrics=measured)


def by_insertion(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def by_size(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0] # frequency: every pass of a loop in a step


def by_group(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def by_place(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def larger(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def step_with_keys(n: int):
    losses = [torch.ones(3, device="cuda") for _ in range(n)]
    bisect.insort(losses, losses[0], key=by_insertion)
    heapq.nlargest(3, losses, by_size)
    itertools.groupby(losses, by_group)
    losses.sort(key=by_place)
    max(losses[0], losses[1], key=larger)


def train_with_keys(batches):
    for batch in batches:
        step_with_keys(len(batch))
        batch.loss.backward()


def in_thread(x, k):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0] # frequency: every step


def in_pool(x):
    return x.sum()  # reveal: Tensor[gpu, float, rank 0] # frequency: every step


def in_process(rank, x):
    rank  # reveal: object
    return x.sum()  # reveal: Tensor[gpu, float, rank 0]


class Reader:
    def read(self, x):
        return x.sum()  # reveal: Tensor[gpu, float, rank 0]


def train_with_others():
    losses = torch.ones(3, device="cuda")
    torch.multiprocessing.spawn(in_process, (losses,), nprocs=2)
    with ThreadPoolExecutor() as pool:
        for _ in torch.utils.data.DataLoader([1]):
            threading.Thread(target=in_thread, args=(losses, 1)).start()
            pool.submit(in_pool, losses)
            pool.submit(Reader().read, losses)
