"""After a thread on text datasets: NumPy batches of a collate function."""

import numpy as np
import torch
from torch.utils.data import DataLoader


def collate(batch):
    ids = np.stack([each["ids"] for each in batch])
    return {"ids": ids, "n": len(batch)}


def train(model, dataset, optimizer):
    model = model.cuda()
    for batch in DataLoader(dataset, batch_size=8, collate_fn=collate, pin_memory=True):
        ids = torch.from_numpy(batch["ids"]).cuda()  # waits
        loss = model(ids).mean()
        loss.backward()
        optimizer.step()
        print(batch["n"])  # clean
