"""What a loader yields beside something unknown is on the host until it is moved, as far as anybody knows."""

import torch
from elsewhere import stored
from torch.utils.data import DataLoader


class Trainer:
    def run(self, loaders: list[DataLoader], train: bool):
        mine = [iter(each) for each in loaders] if train else stored()
        for _ in range(9):
            self.checked(mine)

    def checked(self, iterators):
        data = next(iterators[0])
        x = data[0] if isinstance(data, (tuple, list)) else data
        if torch.isnan(x).all():  # operation: none
            raise ValueError
        a = torch.isnan(x)  # reveal: Tensor[cpu, bool]
        x = x.to("cuda")
        return torch.isnan(x)  # reveal: Tensor[gpu, bool]


def made_here(train: bool):
    x = torch.ones(3) if train else stored()
    return torch.isnan(x)  # reveal: Tensor[any device, bool]


def texts_in(loader):
    for batch in loader:
        batch = batch.to("cuda")
        name = batch["image_path"][0]  # reveal: object
        x = batch["image"]  # reveal: Batch[gpu]
