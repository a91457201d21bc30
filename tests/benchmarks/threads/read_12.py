"""After a reinforcement learning thread: actions are taken to the host in each step of the environment."""

import gymnasium as gym
import numpy as np
import torch


def collect(agent, steps):
    env = gym.make("CartPole-v1")
    agent = agent.cuda()
    optimizer = torch.optim.Adam(agent.parameters(), fused=True)
    obs, _ = env.reset()
    returns = np.zeros(steps)
    values = torch.zeros(steps, device="cuda")
    for t in range(steps):
        x = torch.as_tensor(obs, dtype=torch.float32, device="cuda")  # waits
        logits, value = agent(x)
        dist = torch.distributions.Categorical(logits=logits, validate_args=False)
        action = dist.sample()
        obs, reward, done, _, _ = env.step(action.item())  # waits
        returns[t] = value  # waits
        values[t] = value
        if done:  # clean
            obs, _ = env.reset()
        (-dist.log_prob(action) * reward).backward()
        optimizer.step()
