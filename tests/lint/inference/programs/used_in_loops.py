"""Loops of scripts that use a model on one input after the other, and uses of one input."""

import sys

import torch
from registry import load


class Detector:
    def __init__(self):
        self.net = load().cuda()

    def detect(self, image):
        with torch.no_grad():
            return self.net(image.cuda())[0].cpu()  # frequency: every step

    def detect_one(self, image):
        with torch.no_grad():
            return self.net(image.cuda())[0].cpu()  # frequency: once


def detect_all(images):
    detector = Detector()
    detector.detect_one(images[0])
    for image in images:
        detector.detect(image)


def speak(paths):
    model = load().cuda()
    for path in paths:
        audio = model.inference(path).cuda()
        save(audio)
    return audio.cpu()  # frequency: once


def save(audio):
    torch.save(audio, "audio.pt")


def sing(paths):
    model = load().cuda()
    while paths:
        model.generate(paths.pop()).cpu()  # frequency: every step


def count(paths):
    model = load().cuda()
    for name in paths:
        model.get_parameter(name).cpu()  # frequency: once


detect_all(sys.argv)
sing(sys.argv)
speak(sys.argv)
count(sys.argv)


def restore(paths):
    restorer = load().cuda()
    restorer.eval()
    with torch.no_grad():
        for path in paths:
            sharp = restorer(torch.load(path))
            torch.save(sharp.cpu(), path)  # frequency: every step


def compare(paths):
    metric = load().to("cuda")
    values = []
    with torch.no_grad():
        for path in paths:
            values.append(metric(torch.load(path)).item())  # frequency: every step
    return values


def convert(paths, save_weights):
    model = load().cuda()
    for path in paths:
        save_weights(model, path)
        torch.load(path).cpu()  # frequency: once


restore(sys.argv)
compare(sys.argv)
convert(sys.argv, load())
