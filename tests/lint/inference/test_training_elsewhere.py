"""Loops that train by calling what other files define."""

from __future__ import annotations

from collections.abc import Callable

from synclint.lint.finding import Finding, Level

LEARNER = """
class Learner:
    def __init__(self, model):
        self.model = model

    def improve(self, x):
        loss = self.model(x).mean()
        loss.backward()
        return loss
"""
MAIN = """
from {module} import Learner

def run(model, items):
    learner = Learner(model)
    for at in range(100):
        loss = learner.improve(items[at].cuda())
        print(loss.item())
"""


def test_the_rest_of_a_loop_runs_every_step_that_trains_by_a_method_of_another_file(
    linted: Callable[..., list[Finding]],
) -> None:
    (read,) = [each for each in linted(one=MAIN.format(module="two"), two=LEARNER) if each.name == "item-call"]
    assert read.frequency.level is Level.EVERY_STEP
    assert "`improve()`" in read.frequency.reasons[0].message


def test_a_loop_that_calls_something_else_tells_nothing(linted: Callable[..., list[Finding]]) -> None:
    other = LEARNER.replace("        loss.backward()\n", "")
    found = [each for each in linted(one=MAIN.format(module="two"), two=other) if each.name == "item-call"]
    assert all(each.frequency.level is Level.UNKNOWN for each in found)


GATED = """
from two import Learner

def run(model, env, every):
    learner = Learner(model)
    while True:
        state = env.step(model)
        if env.steps % every == 0:
            learner.improve(state.cuda())
        {more}
"""


def test_a_gate_around_all_that_trains_lets_the_steps_through(linted: Callable[..., list[Finding]]) -> None:
    reading = LEARNER.replace("        return loss\n", "        print(loss.item())\n")
    (read,) = [each for each in linted(one=GATED.format(more=""), two=reading) if each.name == "item-call"]
    assert read.frequency.level is Level.EVERY_STEP
    assert read.frequency.conditions == ("env.steps % every == 0",)
    (read,) = [
        each
        for each in linted(one=GATED.format(more="model(state).sum().backward()"), two=reading)
        if each.name == "item-call"
    ]
    assert read.frequency.level is Level.EVERY_N_STEPS


CLOSURE = """
def making(cfg):
    def loss_of(model, x):
        return model(x).mean()

    def once(model, x):
        loss = loss_of(model, x)
        {does}
        return loss

    def twice(model, x):
        once(model, x)
        return once(model, x)

    return once if cfg.once else twice
"""
LOOP = """
from two import making

def run(cfg, model, items):
    call = making(cfg)
    for at in range(100):
        loss = call(model, items[at].cuda())
        print(loss.item())
"""


def test_a_function_that_another_makes_trains(linted: Callable[..., list[Finding]]) -> None:
    def found(does: str) -> list[Level]:
        files = {"one": LOOP, "two": CLOSURE.format(does=does)}
        return [each.frequency.level for each in linted(**files) if each.name == "item-call"]

    assert found("loss.backward()") == [Level.EVERY_STEP]
    assert found("loss.detach()") != [Level.EVERY_STEP]
