"""After the thread on hydra and models chosen by name: everything is instantiated from a configuration."""

import hydra
import torch
from omegaconf import DictConfig


@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg: DictConfig) -> None:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = hydra.utils.instantiate(cfg.model)
    model.to(device)
    criterion = hydra.utils.instantiate(cfg.criterion)
    optimizer = hydra.utils.instantiate(cfg.optimizer, model.parameters())
    loader = hydra.utils.instantiate(cfg.dataloader)
    for epoch in range(cfg.epochs):
        running = 0.0
        for x, y in loader:
            x, y = x.to(device), y.to(device)  # waits
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()  # waits
        print(epoch, running)  # clean


if __name__ == "__main__":
    main()
