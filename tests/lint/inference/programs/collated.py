"""What a DataLoader yields, by what its data set returns and its collate function makes of that."""

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, Dataset


class Examples(Dataset):
    def __init__(self, items):
        self.items = items

    def __getitem__(self, index):
        example = {}
        example["index"] = index
        example["image"] = torch.tensor(self.items[index])
        return example


class Pairs(Dataset):
    def __init__(self, boxes):
        self.boxes = boxes

    def __getitem__(self, index):
        return torch.ones(3), index, f"{index}.png", self.boxes[index], {"size": (3, 4)}


def collate(examples, flag=False):
    indices = [each["index"] for each in examples]
    batch = {"image": torch.stack([each["image"] for each in examples]), "indices": indices}
    if flag:
        batch["more"] = flag_of(examples)
    return batch


class Collator:
    def __init__(self, size):
        self.size = size

    def __call__(self, examples):
        return torch.stack([each[0] for each in examples]), [self.size for _ in examples]


def train(cache, **options):
    loader = DataLoader(Examples([]), batch_size=8, collate_fn=lambda examples: collate(examples, True))
    for batch in loader:
        a = batch["image"]  # reveal: Batch[cpu, pageable]
        b = batch["indices"]  # reveal: list[int, …]
        c = [cache[index] for index in batch["indices"]]
        d = batch["more"]  # reveal: Batch[cpu, pageable]
        d = batch["by others"]  # reveal: Batch[cpu, pageable]
    for image, number, name, boxes, shown in DataLoader(Pairs([]), batch_size=4, pin_memory=True):
        image, number, boxes  # reveal: tuple[Batch[cpu, pinned], Batch[cpu, pinned], Batch[cpu, pinned]]
        name  # reveal: list[str, …]
        shown["size"][0]  # reveal: Batch[cpu, pinned]
    for pair in DataLoader(Pairs([]), collate_fn=Collator(3)):
        pair  # reveal: tuple[Batch[cpu, pageable], list[int 3, …]]
    for each in DataLoader(Pairs([]), **options):
        each  # reveal: Batch[cpu]
    for numbers in DataLoader(range(9), 4, pin_memory=True):
        numbers  # reveal: Tensor[cpu, int, rank 1, pinned]
    for each in DataLoader(Pairs([]), batch_size=None):
        each  # reveal: Batch[cpu, pageable]
    prepared = Accelerator().prepare(loader)
    for batch in prepared:
        e = batch["image"]  # reveal: Batch[gpu]
        f = batch["indices"]  # reveal: list[int, …]
    return a, b, c, d, e, f


def its_data(dataset) -> None:
    loader = DataLoader(Pairs([]), 4)
    loader.dataset  # reveal: instance of collated.Pairs
    DataLoader(collate_fn=collate, dataset=Examples([])).dataset  # reveal: instance of collated.Examples
    DataLoader(dataset).dataset  # reveal: Unknown
