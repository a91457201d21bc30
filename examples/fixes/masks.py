"""What masks select of tensors with any number of rows, on a device that is asked for."""

import torch


def setup(device: torch.device, rows: int = 4) -> torch.Tensor:
    torch.manual_seed(0)
    return torch.rand(rows, 3).to(device)


def copied(x: torch.Tensor) -> torch.Tensor:
    y, z = x.flip(0), x.clone()
    larger = y > x
    z[larger] = y[larger]
    small = z < 0.5
    z[small] *= -1.5
    return z


def selected(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    large = x > 0.5
    a = x[large]
    b = x.flip(0)[large]
    return a, b, x[large].sum(), x[large].mean()


def counted(x: torch.Tensor) -> tuple[torch.Tensor, int]:
    line = x.flatten()
    found = torch.nonzero(line > 0.5).squeeze(1)
    line[found] = 0.25
    return line, len(torch.nonzero(x > 0.5))


def step(state: torch.Tensor) -> tuple[object, ...]:
    x = state.clone()
    return copied(x), selected(x), counted(x.clone())


def main() -> None:
    state = setup(torch.device("cuda"))
    for _ in range(10):
        step(state)


if __name__ == "__main__":
    main()
