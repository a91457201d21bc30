"""After the thread on a scheduled sampler: a random decision on the device in Python."""

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, dim, vocab, eos):
        super().__init__()
        self.rnn = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, vocab)
        self.emb = nn.Embedding(vocab, dim)
        self.eos = eos

    def forward(self, h, targets, ratio=0.5):
        word = targets[:, 0]
        outputs = []
        for t in range(1, targets.size(1)):
            h = self.rnn(self.emb(word), h)
            logits = self.out(h)
            outputs.append(logits)
            best = logits.argmax(1)
            if torch.rand(1, device=h.device) < ratio:  # waits
                word = targets[:, t]
            else:
                word = best
            if (best == self.eos).all():  # waits
                break
        return torch.stack(outputs, 1)
