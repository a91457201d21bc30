"""After a thread on box operations: boxes are filtered by size in each image."""

import torch
import torchvision
from torch import nn


class Postprocess(nn.Module):
    def forward(self, boxes, scores):
        keep = scores > 0.5
        boxes, scores = boxes[keep], scores[keep]  # waits
        wide = (boxes[:, 2] - boxes[:, 0]) > 2
        inds = torch.nonzero(wide).squeeze(1)  # waits
        boxes, scores = boxes[inds], scores[inds]
        found = torchvision.ops.nms(boxes, scores, 0.5)  # waits
        if found.numel() == 0:  # clean
            return boxes
        return boxes[found]


class Loss(nn.Module):
    def forward(self, out, boxes):
        for i in range(len(boxes)):
            best = out[i].argmax()
            out[i, best] = 0  # waits
        return out.mean()
