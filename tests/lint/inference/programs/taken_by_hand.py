"""Batches that a loop takes by hand, and loaders under the name of what shows progress or counts."""

from tqdm import tqdm


class Trainer:
    def fit(self, steps, model):
        batches = iter(self.dataloader)
        for step in tqdm(range(steps)):
            try:
                batch = next(batches)
            except StopIteration:
                batches = iter(self.dataloader)
                batch = next(batches)
            loss = self.update(batch)
            loss.mean().item()  # frequency: every step

    def look(self, steps):
        batches = iter(self.val_loader)
        for step in range(steps):
            batch = next(batches)
            self.update(batch).mean().item()  # frequency: evaluation

    def follow(self, steps):
        rows = iter(self.val_loader)
        for step in range(steps):
            self.update(step).mean().item()  # frequency: evaluation
            batch = rows.next()

    def first(self, steps):
        for step in range(steps):
            name = next(self.names)
            self.update(name).mean().item()  # frequency: every pass of a loop in a step (assumed)

    def retried(self, steps):
        batches = iter(self.dataloader)
        for step in range(steps):
            found = False
            while not found:
                batch = next(batches)
                found = self.is_valid(batch)
            self.update(batch).mean().item()  # frequency: every pass of a loop in a step (assumed)


def main(make, rank, optimizer, model):
    loader = make()
    if rank == 0:
        bar = tqdm(loader, desc="training")
    else:
        bar = loader
    for step, data in enumerate(bar):
        ids = data["ids"]  # reveal: Batch[cpu]
        model(ids.cuda()).sum().backward()
        optimizer.step()
