"""Generators: what is in the loop that yields runs for each item that another loop goes through."""

import torch

model = torch.nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters())


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        torch.tensor(self.rows[0]).cuda().max().item()  # frequency: once
        for row in self.rows:
            moved = torch.tensor(row).cuda()
            yield moved if moved.sum().item() else None  # frequency: every step


def pieces(rows, size):
    width = torch.tensor(rows[0]).cuda().amax().item()  # frequency: once
    for start in range(0, len(rows), size):
        piece = torch.tensor(rows[start : start + size]).cuda()
        assert piece.max().item() <= width  # frequency: every step
        if start == 0:
            piece.min().item()  # frequency: every N steps
        yield piece
    piece.sum().item()  # frequency: once


def weighed(rows):
    for piece in pieces(rows, 3):
        yield piece, piece.sum().item()  # frequency: every step


def collected(rows):
    for row in rows:
        yield torch.tensor(row).cuda().sum().item()  # frequency: once


def shown(rows):
    for row in rows:
        piece = torch.tensor(row).cuda()
        piece.sum().item()  # frequency: evaluation
        yield piece


def kept(rows):
    found = []
    for row in rows:
        found.append(torch.tensor(row).cuda().sum().item())  # frequency: once
    for each in found:
        yield each


def train(rows):
    least = min(list(collected(rows)))
    for piece, weight in weighed(rows):
        loss = model(piece).sum() * weight
        loss.backward()
        optimizer.step()
    for row in Rows(rows):
        loss = model(row).sum()
        loss.backward()
        optimizer.step()
    for weight in kept(rows):
        loss = model(torch.ones(3, device="cuda")).sum() * weight
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for row in shown(rows):
            model(row)
    return least


train([[1.0, 2.0, 3.0]])
