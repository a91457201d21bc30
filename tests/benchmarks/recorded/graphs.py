"""A graph network that pools by the graphs' numbers, as libraries for graphs do."""

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, nodes, edges):
        source, target = edges
        sums = torch.zeros_like(nodes).index_add_(0, target, self.linear(nodes)[source])
        degree = torch.bincount(target, minlength=nodes.shape[0]).clamp(min=1)
        return torch.relu(sums / degree[:, None])


def pooled(nodes, graph):
    count = int(graph.max()) + 1
    return torch.zeros(count, nodes.shape[1], device=nodes.device).index_add_(0, graph, nodes)


def without_loops(edges):
    return edges[:, edges[0] != edges[1]]


def main():
    first, second, head = Layer(8).cuda(), Layer(8).cuda(), nn.Linear(8, 2).cuda()
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters(), *head.parameters()])
    for _ in range(24):
        nodes = torch.randn(20, 8, device="cuda")
        edges = without_loops(torch.randint(0, 20, (2, 60), device="cuda"))
        graph = torch.arange(20, device="cuda") // 5
        hidden = second(first(nodes, edges), edges)
        loss = nn.functional.cross_entropy(head(pooled(hidden, graph)), torch.zeros(4, dtype=torch.long).cuda())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        print(loss.item())


if __name__ == "__main__":
    main()
