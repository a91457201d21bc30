"""After meta-pytorch/torchtune pull request 522: the loss is read in each step, and logged every N."""

import torch
from tqdm import tqdm


class Recipe:
    def __init__(self, cfg, model, optimizer, dataloader):
        self._device = torch.device("cuda")
        self._model = model.to(self._device)
        self._optimizer = optimizer
        self._dataloader = dataloader
        self._log_every = cfg.log_every_n_steps
        self.loss_fn = torch.nn.CrossEntropyLoss()

    def train(self):
        pbar = tqdm(self._dataloader)
        for idx, (input_ids, labels) in enumerate(pbar):
            input_ids = input_ids.to(self._device)  # waits
            labels = labels.to(self._device)  # waits
            logits = self._model(input_ids)
            loss = self.loss_fn(logits.transpose(1, 2), labels)
            pbar.set_description(f"{idx}|Loss: {loss.item()}")  # waits
            loss.backward()
            self._optimizer.step()
