"""After a thread on an accuracy function that returns numbers."""

import torch


def accuracy(output, target, topk=(1,)):
    with torch.no_grad():
        maxk = max(topk)  # clean
        _, pred = output.topk(maxk, 1, True, True)
        correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
        res = []
        for k in topk:
            correct_k = correct[:k].reshape(-1).float().sum(0)
            res.append(correct_k.mul_(100.0 / target.size(0)).item())  # waits
        return res


def train(loader, model, criterion, optimizer):
    model = model.cuda()
    for images, target in loader:
        images, target = images.cuda(non_blocking=True), target.cuda(non_blocking=True)
        output = model(images)
        loss = criterion(output, target)
        acc1, acc5 = accuracy(output, target, (1, 5))
        loss.backward()
        optimizer.step()
        print(acc1, acc5)  # clean
        print("loss", loss)  # waits
