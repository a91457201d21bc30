"""Classes of tensors that a condition chooses, as older scripts do, and what is made by them."""

import numpy as np
import torch
from torch.autograd import Variable
from torch.utils.data import DataLoader

cuda = torch.cuda.is_available()
FloatTensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor
place = torch.cuda if cuda else torch
dtype = "torch.cuda.FloatTensor" if cuda else "torch.FloatTensor"


class Model:
    def __init__(self, gpu_ids):
        self.Tensor = torch.cuda.FloatTensor if gpu_ids else torch.Tensor

    def noise(self, shape):
        return self.Tensor(np.random.normal(0, 1, shape))  # reveal: Tensor[gpu, float, rank≥1]


def train(loader: DataLoader) -> None:
    if cuda:
        LongTensor = torch.cuda.LongTensor
    else:
        LongTensor = torch.LongTensor
    for images, labels in loader:
        a = Variable(FloatTensor(np.random.normal(0, 1, (8, 3))))  # reveal: Tensor[gpu, float, rank≥1]
        b = Variable(images.type(FloatTensor))  # reveal: Tensor[gpu, float]
        c = labels.type(LongTensor)  # reveal: Tensor[gpu, int]
        d = place.LongTensor([1, 2])  # reveal: Tensor[gpu, int, rank≥1]
        e = images.type(dtype)  # reveal: Tensor[gpu, float]
        f = Variable(data=labels)  # reveal: Batch[cpu]
