"""After the thread on devices given as text and as an object."""

import torch


class Prefetcher:
    def __init__(self, size, device="cuda"):
        self.is_cuda = device == "cuda"
        self.device = device
        self.host = torch.empty(size, pin_memory=self.is_cuda)

    def load(self):
        self.host.normal_()
        return self.host.to(self.device, non_blocking=self.is_cuda)  # waits


def main():
    prefetcher = Prefetcher(1024, device=torch.device("cuda"))
    model = torch.nn.Linear(1024, 8).cuda()
    opt = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(1000):
        model(prefetcher.load()).sum().backward()
        opt.step()


main()
