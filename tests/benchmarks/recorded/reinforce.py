"""Reinforcement learning: a policy that acts on the host's environment."""

import random

import torch
from torch import nn
from torch.distributions import Categorical


class Environment:
    def reset(self):
        self.left = 8
        return [0.0] * 4

    def step(self, action):
        self.left -= 1
        return [random.random() for _ in range(4)], float(action), self.left == 0


def episode(policy, environment, device):
    state, rewards, logs, done = environment.reset(), [], [], False
    while not done:
        choices = Categorical(logits=policy(torch.tensor(state, device=device)))
        action = choices.sample()
        logs.append(choices.log_prob(action))
        state, reward, done = environment.step(action.item())
        rewards.append(reward)
    return rewards, logs


def main():
    device = torch.device("cuda")
    policy = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 2)).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
    for _ in range(24):
        rewards, logs = episode(policy, Environment(), device)
        returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
        if returns.std() > 0:
            returns = (returns - returns.mean()) / returns.std()
        loss = -(torch.stack(logs) * returns.to(device)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
