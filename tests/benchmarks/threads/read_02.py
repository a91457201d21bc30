"""After Nerogar/OneTrainer pull request 1608: statistics of a model that is kept on the host are moved in each step."""

import torch


class Setup:
    def __init__(self, vae, transformer, config):
        self.vae = vae
        self.transformer = transformer
        self.config = config

    def setup_train_device(self):
        self.vae.to("cpu")
        self.transformer.to("cuda")

    def scale_latents(self, latents):
        mean = self.vae.bn.running_mean.view(1, -1, 1, 1).to("cuda")  # waits
        std = self.vae.bn.running_var.view(1, -1, 1, 1).to(device="cuda")  # waits
        return (latents - mean) / torch.sqrt(std + 1e-4)

    def fit(self, loader, optimizer):
        self.setup_train_device()
        accumulated = 0.0
        for batch in loader:
            latents = self.scale_latents(batch["latents"].to("cuda", non_blocking=True))
            loss = self.transformer(latents).mean()
            loss.backward()
            accumulated += loss.item()  # waits
            optimizer.step()
