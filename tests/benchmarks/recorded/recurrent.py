"""A recurrent tagger on packed sequences, which decodes with a loop."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 16)
        self.rnn = nn.GRU(16, 16, batch_first=True)
        self.out = nn.Linear(16, 5)

    def forward(self, words, lengths):
        packed = pack_padded_sequence(self.embed(words), lengths.cpu(), batch_first=True, enforce_sorted=False)
        hidden, _ = pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.out(hidden)


def decode(scores, lengths):
    tags = []
    for row, length in zip(scores.argmax(2), lengths):
        tags.append(row[:length].tolist())
    return tags


def main():
    model = Tagger().to("cuda")
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(24):
        lengths = torch.randint(3, 9, (4,)).cuda()
        words = torch.randint(50, (4, int(lengths.max()))).cuda()
        scores = model(words, lengths)
        mask = torch.arange(words.shape[1], device="cuda") < lengths[:, None]
        loss = nn.functional.cross_entropy(scores[mask], torch.zeros_like(words)[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 8 == 0:
            decode(scores, lengths)


if __name__ == "__main__":
    main()
