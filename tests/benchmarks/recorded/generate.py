"""A language model that trains and then writes text, token by token."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, words=40, width=16):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.body = nn.TransformerEncoderLayer(width, 2, 32, batch_first=True)
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        return self.head(self.body(self.embed(tokens)))


@torch.no_grad()
def write(model, tokens, limit, end):
    for _ in range(limit):
        scores = model(tokens)[:, -1]
        best = torch.multinomial(scores.softmax(-1), 1)
        tokens = torch.cat([tokens, best], dim=1)
        if (best == end).all():
            break
    return tokens.tolist()


def batches(data, count, size):
    for _ in range(count):
        starts = torch.randint(len(data) - size - 1, (4,))
        yield (
            torch.stack([data[at : at + size] for at in starts]),
            torch.stack([data[at + 1 : at + size + 1] for at in starts]),
        )


def main():
    data = torch.randint(0, 40, (400,))
    model = Model().to("cuda")
    optimizer = torch.optim.AdamW(model.parameters())
    best = float("inf")
    for step, (inputs, targets) in enumerate(batches(data, 24, 12)):
        inputs, targets = inputs.pin_memory().to("cuda", non_blocking=True), targets.to("cuda")
        loss = nn.functional.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
        optimizer.step()
        if loss < best:
            best = loss.item()
        if step % 12 == 11:
            write(model, inputs[:1], 6, 0)


if __name__ == "__main__":
    main()
