"""After openvdb/fvdb-reality-capture pull request 144: visible Gaussians are counted by a mask."""

import torch
from rasterizer import rasterize


def train(gaussians, views, optimizer):
    means = gaussians.means.cuda()
    counts = torch.zeros(means.shape[0], device="cuda")
    grads = torch.zeros(means.shape[0], device="cuda")
    for view in views:
        result = rasterize(view, means)
        loss = result["image"].mean()
        loss.backward()
        seen = result["radii"] > 0
        counts[seen] += 1  # waits
        grads[seen] += means.grad[seen].norm(dim=-1)  # waits
        if seen.sum() == 0:  # waits
            continue
        optimizer.step()
