"""A loop that moves each item of a batch moves the batch; what is asked for its type stays where it is."""

import torch
from torch.utils.data import DataLoader


def train(model, dataset):
    for batch in DataLoader(dataset):
        for name, value in batch.items():
            batch[name] = value.cuda()
        batch  # reveal: Batch[gpu]
        if batch["x"].sum() > 3:  # operation: Truth
            model(batch)


def train_on_tensors(model, dataset):
    for batch in DataLoader(dataset):
        for name in list(batch.keys()):
            if isinstance(batch[name], torch.Tensor):
                batch[name] = batch[name].to("cuda")
        batch["x"]  # reveal: Batch[gpu]


def asked_for_its_type(dataset):
    for batch in DataLoader(dataset):
        if isinstance(batch, dict):
            batch  # reveal: dict[Batch[cpu, pageable], …]
            moved = {name: value.cuda() for name, value in batch.items()}
            moved["x"]  # reveal: Batch[gpu]


def given(batch):
    for name in batch:
        if torch.is_tensor(batch[name]):
            batch[name] = batch[name].cuda()
    return batch["x"]  # reveal: Batch[gpu]


def made(x: torch.Tensor):
    losses = {"all": x.cuda().sum(), "steps": 3}
    for name, value in losses.items():
        if torch.is_tensor(value):
            losses[name] = value.item()
    losses["all"]  # reveal: float
    losses["steps"]  # reveal: int 3


def told_apart(dataset):
    for batch in DataLoader(dataset):
        for name, value in batch.items():
            if name != "lengths":
                batch[name] = value.cuda()
        batch["lengths"]  # reveal: Batch[cpu, pageable]


def move_dict_to_device(items, device):
    for key, value in items.items():
        items[key] = value.to(device)


def moved_in_place(loader, model, device, classifier):
    for batch in loader:
        batch["image"]  # reveal: Batch[cpu]
        move_dict_to_device(batch, device)
        batch["image"]  # reveal: Batch[any device]
        move_dict_to_device(classifier, device)
        model(batch["image"].to(device)).sum().backward()


def collated(samples):
    names, images, labels = zip(*samples)
    return [list(names), torch.stack(images), torch.stack(labels)]


def counted(dataset):
    for batch in DataLoader(dataset, collate_fn=collated):
        for i in range(len(batch)):
            try:
                batch[i] = batch[i].cuda()
            except AttributeError:
                pass
        batch[1]  # reveal: Batch[gpu]


def enumerated(x: torch.Tensor, y: torch.Tensor):
    parts = [x.cpu(), y.cpu()]
    for i, part in enumerate(parts):
        parts[i] = part.cuda()
    parts[1]  # reveal: Tensor[gpu]


def some_of_them(x: torch.Tensor, y: torch.Tensor):
    parts = [x.cpu(), y.cpu()]
    for i in range(len(parts) - 1):
        parts[i] = parts[i].cuda()
    parts[1]  # reveal: Tensor[any device]
