"""Copies between host and device: memory, batches of loaders, copies that nothing has waited for."""

import torch
from torch.utils.data import DataLoader

x = torch.ones(3, device="cuda")
host = torch.ones(3)


def memory(flag: bool, array) -> None:
    a = host.pin_memory()  # reveal: Tensor[cpu, float, rank 1, pinned]
    b = torch.zeros(3, pin_memory=True)  # reveal: Tensor[cpu, float, rank 1, pinned]
    c = torch.zeros(3, pin_memory=flag)  # reveal: Tensor[cpu, float, rank 1]
    d = a.to("cuda", non_blocking=True)  # reveal: Tensor[gpu, float, rank 1]
    e = a.view(-1)  # reveal: Tensor[cpu, float, rank 1, pinned]
    f = a + 1  # reveal: Tensor[cpu, float, rank 1]
    g = a.half()  # reveal: Tensor[cpu, float, rank 1]


def batches(dataset, options: dict, flag: bool, device) -> None:
    for batch in DataLoader(dataset):
        a = batch  # reveal: Batch[cpu, pageable]
    for images, labels in DataLoader(dataset, pin_memory=True):  # operation: Call
        b = labels  # reveal: Batch[cpu, pinned]
    for batch in DataLoader(dataset, pin_memory=flag):
        c = batch["x"]  # reveal: Batch[cpu]
    for batch in DataLoader(dataset, **options):
        d = batch  # reveal: Batch[cpu]
    for batch in DataLoader(dataset, 8, False, None, None, 0, None, True):
        e = [each for each in batch]  # reveal: list[Batch[cpu, pinned], …]
        f = batch.pin_memory()  # reveal: Batch[cpu, pinned]
        g = {name: each.to(device) for name, each in batch.items()}  # reveal: dict[Batch[any device], …]
        h = device  # reveal: device any device


def named(loader, items) -> None:
    for batch in loader:
        a = batch  # reveal: Batch[any device]
    for item in items:
        b = item  # reveal: Unknown


def pending(process) -> None:
    a = x.to("cpu", non_blocking=True)  # reveal: Tensor[cpu, float, rank 1, pinned, pending]
    b = a[1:]  # reveal: Tensor[cpu, float, rank 1, pinned, pending]
    a.tolist()  # operation: Call, HostRead
    event = torch.cuda.Event()
    event.record()
    c = a  # reveal: Tensor[cpu, float, rank 1, pinned, pending]
    event.synchronize()
    d = a  # reveal: Tensor[cpu, float, rank 1, pinned]
    pinned = host.pin_memory()
    pinned.copy_(x, non_blocking=True)
    e = pinned  # reveal: Tensor[cpu, float, rank 1, pinned, pending]
    process()
    f = pinned  # reveal: Tensor[cpu, float, rank 1, pinned]
    host.copy_(x, non_blocking=True)
    g = host  # reveal: Tensor[cpu, float, rank 1]


def elements() -> None:
    for value in x:
        if value > 0:  # operation: Truth, Iterate
            pass
    for value in x:  # operation: none
        print(value.shape)
