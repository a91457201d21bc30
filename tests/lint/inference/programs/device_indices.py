"""A number that names a device is the index of a GPU; one that a tensor is made of is data on the host."""

import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader


def written():
    torch.device(0)  # reveal: device gpu


def declared(rank: int):
    torch.device(rank)  # reveal: device gpu


def converted(args):
    torch.device(int(args.gpu))  # reveal: device gpu


def process(rank: int, dataset):
    for batch in DataLoader(dataset):
        batch.to(rank)  # reveal: Batch[gpu]


def of_a_number(gid, model, dataset):
    for batch in DataLoader(dataset):
        x = batch["x"].to(gid)  # reveal: Batch[gpu]
        if torch.zeros(3, device=gid).any():  # operation: Truth
            model(x)


def in_keywords(**kwargs):
    device = torch.device(kwargs["local_rank"])
    device  # reveal: device gpu


def data(number):
    torch.tensor(number)  # reveal: Tensor[cpu]


def several(numbers):
    torch.tensor(numbers)  # reveal: Tensor[cpu]


def unknown(args):
    torch.device(args.device)  # reveal: device any device


def main(dataset):
    mp.spawn(process, args=(dataset,), nprocs=2)
    of_a_number(1, None, dataset)
    in_keywords(local_rank=0)
    data(3)
    several([3, 4])
