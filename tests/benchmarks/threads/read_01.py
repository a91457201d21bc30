"""After rosinality/style-based-gan-pytorch pull request 50: `item()` of two losses in each step of a GAN."""

import torch
from torch import nn
from tqdm import tqdm


def train(args, dataset, generator, discriminator, g_optimizer, d_optimizer):
    generator = nn.DataParallel(generator).cuda()
    discriminator = nn.DataParallel(discriminator).cuda()
    data_loader = iter(dataset)
    pbar = tqdm(range(3_000_000))
    disc_loss_val = 0
    gen_loss_val = 0
    for i in pbar:
        real_image = next(data_loader)
        real_image = real_image.cuda()  # waits
        real_predict = nn.functional.softplus(-discriminator(real_image)).mean()
        real_predict.backward(retain_graph=True)
        fake_image = generator(torch.randn(4, 512, device="cuda"))
        fake_predict = nn.functional.softplus(discriminator(fake_image)).mean()
        fake_predict.backward()
        disc_loss_val = (real_predict + fake_predict).item()  # waits
        d_optimizer.step()
        loss = nn.functional.softplus(-discriminator(generator(torch.randn(4, 512, device="cuda")))).mean()
        gen_loss_val = loss.item()  # waits
        loss.backward()
        g_optimizer.step()
        pbar.set_description(f"G: {gen_loss_val:.3f}; D: {disc_loss_val:.3f}")  # clean
