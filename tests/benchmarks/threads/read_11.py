"""After the issue on sequences of different lengths: `pack_padded_sequence` needs lengths on the host."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lstm = nn.LSTM(dim, dim, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)  # waits
        out, _ = self.lstm(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        mask = torch.arange(lengths.max(), device=x.device)[None] < lengths[:, None]  # waits
        return out * mask[..., None]


def train(loader):
    model = Encoder(8).cuda()
    for x, lengths in loader:
        model(x.cuda(non_blocking=True), lengths.cuda(non_blocking=True)).sum().backward()
