"""A diffusion model: noise schedules on the host, an average of weights, a sampler now and then."""

import copy

import torch
from torch import nn


class Schedule:
    def __init__(self, steps):
        self.alphas = torch.linspace(0.99, 0.01, steps)

    def noisy(self, images, noise, times):
        alphas = self.alphas.to(images.device)[times][:, None]
        return alphas.sqrt() * images + (1 - alphas).sqrt() * noise

    def part(self, time):
        return self.alphas[time].item()


def sample(model, schedule, shape):
    images = torch.randn(shape, device="cuda")
    for time in reversed(range(4)):
        images = images - (1 - schedule.part(time)) * model(images)
    return images.clamp(-1, 1).cpu().numpy()


def main():
    model = nn.Sequential(nn.Linear(16, 32), nn.SiLU(), nn.Linear(32, 16)).cuda()
    average = copy.deepcopy(model)
    optimizer = torch.optim.AdamW(model.parameters())
    schedule = Schedule(100)
    for step in range(24):
        images = torch.randn(8, 16).to("cuda", non_blocking=True)
        noise, times = torch.randn_like(images), torch.randint(0, 100, (8,), device="cuda")
        loss = nn.functional.mse_loss(model(schedule.noisy(images, noise, times)), noise)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        for mine, theirs in zip(average.parameters(), model.parameters()):
            mine.data.lerp_(theirs.data, 0.01)
        if step % 12 == 0:
            sample(average, schedule, (2, 16))
        print(f"{step}: {loss:.3f}")


if __name__ == "__main__":
    main()
