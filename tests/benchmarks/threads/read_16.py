"""After the thread on a queue of negatives: a pointer that is a buffer on the device."""

import torch
from torch import nn


class MoCo(nn.Module):
    def __init__(self, encoder, dim=128, k=65536):
        super().__init__()
        self.k = k
        self.encoder = encoder
        self.register_buffer("queue", torch.randn(dim, k))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def enqueue(self, keys):
        batch_size = keys.shape[0]
        ptr = int(self.queue_ptr)  # waits
        self.queue[:, ptr : ptr + batch_size] = keys.T
        self.queue_ptr[0] = (ptr + batch_size) % self.k  # waits

    def forward(self, x):
        q = nn.functional.normalize(self.encoder(x), dim=1)
        logits = q @ self.queue.clone().detach()
        labels = torch.zeros(logits.shape[0], dtype=torch.long).cuda()  # waits
        self.enqueue(q)
        return logits, labels
