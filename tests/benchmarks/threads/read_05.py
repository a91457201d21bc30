"""After the thread on moving a whole batch that is a dict: a helper in another function copies it."""

import torch


def to_device(batch, device):
    if isinstance(batch, dict):
        return {k: to_device(v, device) for k, v in batch.items()}
    if isinstance(batch, (list, tuple)):
        return [to_device(v, device) for v in batch]
    if torch.is_tensor(batch):
        return batch.to(device)  # waits
    return batch


def fit(model, train_dataloader, optimizer):
    device = torch.device("cuda")
    model.to(device)
    for step, batch in enumerate(train_dataloader):
        batch = to_device(batch, device)
        outputs = model(**batch)
        loss = outputs.loss
        loss.backward()
        optimizer.step()
        if torch.isnan(loss):  # waits
            raise ValueError(step)
