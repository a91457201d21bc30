"""Where tensors live."""

import torch
import torch as th
from torch import device as make_device, nn as N

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # reveal: device gpu
other = make_device("cpu")  # reveal: device cpu
a = torch.zeros(3)  # reveal: Tensor[cpu, float, rank 1]
b = torch.zeros(3, device="cuda")  # reveal: Tensor[gpu, float, rank 1]
c = th.ones(2, 2, device=device)  # reveal: Tensor[gpu, float, rank 2]
d = a.to(device)  # reveal: Tensor[gpu, float, rank 1]
e = b.cpu()  # reveal: Tensor[cpu, float, rank 1]
f = b.to("cpu", non_blocking=True)  # reveal: Tensor[cpu, float, rank 1, pinned, pending]
g = a.cuda()  # reveal: Tensor[gpu, float, rank 1]
h = b + 1  # reveal: Tensor[gpu, float, rank 1]
i = b + torch.tensor(2.0)  # reveal: Tensor[gpu, float, rank 1]
j = torch.zeros_like(b)  # reveal: Tensor[gpu, float, rank 1]
k = torch.zeros(3, device=b.device)  # reveal: Tensor[gpu, float, rank 1]
l = b.new_zeros(3)  # reveal: Tensor[gpu, float, rank 1]
m = b.detach().clone().contiguous()  # reveal: Tensor[gpu, float, rank 1]
n = torch.from_numpy(array)  # reveal: Tensor[cpu, rank≥1]
o = b.cpu().numpy()  # reveal: ndarray
p = N.Linear(3, 3).to(device)  # reveal: instance of torch.nn.Linear on gpu
q = p(a.to(device))  # reveal: Tensor[gpu, float, rank 1]
r = b.to(torch.float16)  # reveal: Tensor[gpu, float, rank 1]
s = b.to(a)  # reveal: Tensor[cpu, float, rank 1]
t = a.type("torch.cuda.FloatTensor")  # reveal: Tensor[gpu, float, rank 1]
u = torch.cuda.FloatTensor([1.0])  # reveal: Tensor[gpu, float, rank≥1]
v = torch.cat([b, d])  # reveal: Tensor[gpu, float, rank≥1]
w = torch.tensor([1, 2], device="cuda")  # reveal: Tensor[gpu, int, rank 1]
x = torch.zeros(2, device=f"cuda:{rank}")  # reveal: Tensor[gpu, float, rank 1]
y = unknown.to(device)  # reveal: Batch[gpu]
z = mystery.to(device).float().mean()  # reveal: Tensor[gpu, float, rank 0]
aa = torch.zeros(3).sum() == 0  # reveal: Tensor[cpu, bool, rank 0]
bb = torch.zeros(3, device=torch.accelerator.current_accelerator())  # reveal: Tensor[gpu, float, rank 1]
cc = tokenizer(text, return_tensors="pt").input_ids  # reveal: Batch[cpu]


def entries(words, lengths):
    return [[words[each]] for each in lengths]


def from_entries(words, lengths, device):
    made = torch.tensor(entries(words, lengths), dtype=torch.long)  # reveal: Tensor[cpu, int]
    return made.unsqueeze(2).to(device)


def from_tensor(x: torch.Tensor):
    made = torch.tensor(same(x.cuda()))  # reveal: Tensor[gpu]
    return made


def same(x):
    return x
