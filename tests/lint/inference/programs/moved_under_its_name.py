"""What is moved to the GPU under its own name was on the host before, wherever it came from."""

from batches import next_batch, read
from models import build, kept


def to_cuda(*args):
    return [None if x is None else x.cuda() for x in args]


def drop_words(words, lengths):
    for i in range(len(lengths)):
        words[: lengths[i] - 1, i].tolist()
    return words  # reveal: Batch[cpu]


def longest(words):
    words.max().item()
    return words  # reveal: Tensor[any device]


def train_step(model, optimizer, noisy):
    if noisy:
        (x, lengths) = next_batch("noisy")
        x = drop_words(x, lengths)
    else:
        x, lengths = next_batch("plain")
    lengths.max()  # reveal: Tensor[cpu, rank 0]
    x, lengths = to_cuda(x, lengths)
    x  # reveal: None | Batch[gpu]
    loss = model(x, lengths)
    loss.backward()
    optimizer.step()


def by_method():
    x = read("by method")
    x.max().item()
    x  # reveal: Tensor[cpu]
    x = x.cuda()
    return x


def in_case_it_is_elsewhere(device):
    x = read("anything")
    longest(x)
    x = x.to(device)
    return x


def given(x):
    x.max().item()
    x  # reveal: Tensor[any device]
    x = x.cuda()
    return x


def of_models():
    model = build()
    model.weight  # reveal: Unknown
    model = model.cuda()
    return model


def under_a_condition(mode):
    x = read("somewhere")
    if mode == "cpu":
        x = x.cpu()
    x.max().item()
    x  # reveal: Tensor[any device]
    if mode == "cpu":
        x = x.cuda()
    return x


def of_what_is_set_to_evaluate(name, words):
    judge, words_of = kept(name)
    judge  # reveal: Unknown
    judge = judge.cuda()
    judge.eval()
    return judge(words_of(words))


def of_what_is_called(name, words):
    judge, words_of = kept(name)
    judge  # reveal: Unknown
    judge = judge.cuda()
    return judge(words_of(words))


def of_what_has_parameters(name):
    judge, words = kept(name)
    judge  # reveal: Unknown
    words  # reveal: Batch[cpu]
    judge = judge.cuda()
    words = words.cuda()
    return words, [each.numel() for each in judge.parameters()]
