"""A function that moves each item, or attribute, of what it is given: whoever has called it holds what is there."""

from dataclasses import fields

import torch
from torch.utils.data import DataLoader


def put(batch, device):
    for key in batch:
        batch[key] = batch[key].to(device)


def put_tensors(device, *, batch):
    for key, value in batch.items():
        if isinstance(value, torch.Tensor):
            batch[key] = value.cuda(device)


def put_parts(parts):
    for at, part in enumerate(parts):
        parts[at] = part.cuda()


def put_attributes(batch, d):
    for name, value in vars(batch).items():
        setattr(batch, name, value.to(d))


def put_fields(batch):
    for field in fields(batch):
        setattr(batch, field.name, getattr(batch, field.name).cuda())


def copied(batch):
    batch = dict(batch)
    for key in batch:
        batch[key] = batch[key].cuda()
    return batch


def halved(batch, dtype):
    for key in batch:
        batch[key] = batch[key].to(dtype)


def train(dataset, device):
    for batch in DataLoader(dataset):
        batch  # reveal: Batch[cpu, pageable]
        put(batch, device)
        batch  # reveal: Batch[any device]
    for batch in DataLoader(dataset):
        put_tensors(device, batch=batch)
        batch["x"]  # reveal: Batch[any device]
    for parts in DataLoader(dataset):
        put_parts(parts)
        parts[0]  # reveal: Batch[any device]
    for batch in DataLoader(dataset):
        put_attributes(batch, device)
        batch  # reveal: Batch[any device]
    for batch in DataLoader(dataset):
        put_fields(batch)
        batch  # reveal: Batch[any device]
    for batch in DataLoader(dataset):
        copied(batch)
        batch  # reveal: Batch[cpu, pageable]
    for batch in DataLoader(dataset):
        halved(batch, torch.half)
        batch  # reveal: Batch[cpu, pageable]
    for x, y in DataLoader(dataset):
        parts = [x, y]
        put_parts(parts)
        parts[1]  # reveal: Batch[any device]


class Trainer:
    def step(self, inputs):
        for key, value in inputs.items():
            inputs[key] = value.to(self.device)
        return self.model(inputs)

    def fit(self, dataset):
        for inputs in DataLoader(dataset):
            outputs = self.step(inputs)
            inputs  # reveal: Batch[any device]
            print(outputs)
