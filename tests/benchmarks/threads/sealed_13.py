"""After a thread on Lightning: what is logged on the progress bar."""

import lightning.pytorch as pl
import torch
from torch import nn


class Lit(pl.LightningModule):
    def __init__(self, net: nn.Module):
        super().__init__()
        self.net = net
        self.register_buffer("scale", torch.ones(()))

    def training_step(self, batch, batch_idx):
        x, y = batch
        out = self.net(x)
        loss = nn.functional.mse_loss(out, y)
        self.log("loss", loss)  # clean
        self.log("value", loss.item())  # waits
        if torch.isnan(loss):  # waits
            return None
        self.print(f"{self.scale:.2f}")  # waits
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.1)
