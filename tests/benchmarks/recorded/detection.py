"""A detector: boxes of different numbers, matched and sampled per image."""

import torch
from torch import nn


def overlaps(boxes, others):
    low = torch.maximum(boxes[:, None, :2], others[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], others[None, :, 2:])
    area = (high - low).clamp(min=0).prod(2)
    return area / ((boxes[:, 2:] - boxes[:, :2]).prod(1)[:, None] + 1e-6)


def sampled(labels, count):
    positive = torch.nonzero(labels >= 1).squeeze(1)
    negative = torch.nonzero(labels == 0).squeeze(1)
    taken = min(positive.numel(), count)
    return positive[torch.randperm(positive.numel(), device="cuda")[:taken]], negative[: count - taken]


def loss_of(scores, deltas, anchors, boxes):
    values, matched = overlaps(anchors, boxes).max(1)
    labels = (values > 0.05).long()
    positive, negative = sampled(labels, 16)
    chosen = torch.cat([positive, negative])
    classes = nn.functional.binary_cross_entropy_with_logits(scores[chosen], labels[chosen].float())
    if positive.numel() > 0:
        classes = classes + (deltas[positive] - boxes[matched[positive]]).abs().mean()
    return classes


def main():
    model = nn.Linear(8, 5).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    anchors = torch.rand(64, 4, device="cuda").sort(1).values
    for step in range(24):
        output = model(torch.randn(2, 64, 8, device="cuda"))
        losses = []
        for image in output:
            boxes = torch.rand(1 + step % 3, 4).sort(1).values.cuda()
            losses.append(loss_of(image[:, 0], image[:, 1:], anchors, boxes))
        loss = torch.stack(losses).sum()
        if not torch.isfinite(loss).all():
            print("stop", {"loss": loss.tolist()})
            break
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
