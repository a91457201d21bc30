"""Loops over loaders that train nothing, beside one that trains: they prepare something, or try it out."""

import torch
from tqdm import tqdm, trange


def main(pipeline, model, prompt_loader, train_loader, more_loader, optimizer):
    for prompts in prompt_loader:
        images = pipeline(prompts)
        print(images.mean().item())  # frequency: evaluation

    for name, loader in {"train": prompt_loader}.items():
        for batch in loader:
            print(pipeline(batch).mean().item())  # frequency: evaluation

    for _ in range(3):
        for batch in more_loader:
            print(pipeline(batch).mean().item())  # frequency: every step

    for _ in trange(3, desc="pass"):
        for batch in more_loader:
            print(pipeline(batch).mean().item())  # frequency: every step

    for _ in tqdm(range(3)):
        for batch in more_loader:
            print(pipeline(batch).mean().item())  # frequency: every step

    while len(train_loader) > 3:
        for batch in more_loader:
            print(pipeline(batch).mean().item())  # frequency: every step

    for epoch in range(3):
        for batch in more_loader:
            print(model(batch.cuda()).mean())  # frequency: every step

        for batch in train_loader:
            loss = model(batch.cuda()).sum()
            for part in batch.cuda():
                print(part)  # frequency: every pass of a loop in a step
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def use(pipeline, prompt_loader):
    for prompts in prompt_loader:
        print(pipeline(prompts).mean().item())  # frequency: every step
