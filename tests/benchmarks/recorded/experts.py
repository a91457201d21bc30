"""A mixture of experts that routes tokens by boolean masks."""

import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.router = nn.Linear(width, count)
        self.experts = nn.ModuleList(nn.Linear(width, width) for _ in range(count))

    def forward(self, tokens):
        weights, chosen = self.router(tokens).softmax(-1).topk(2)
        result = torch.zeros_like(tokens)
        for number, expert in enumerate(self.experts):
            rows, ranks = torch.where(chosen == number)
            if rows.numel() == 0:
                continue
            result.index_add_(0, rows, expert(tokens[rows]) * weights[rows, ranks].unsqueeze(-1))
        self.load = torch.bincount(chosen.flatten(), minlength=len(self.experts))
        return result


def main():
    model = Mixture(16, 4).cuda()
    optimizer = torch.optim.AdamW(model.parameters())
    for _ in range(24):
        tokens = torch.randn(32, 16, device="cuda")
        loss = (model(tokens) - tokens).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item(), model.load.max().item() / model.load.sum().item())


if __name__ == "__main__":
    main()
