"""What engines of Ignite call for each batch and after their events, and what Composer's Trainer does."""

import torch
from composer import Callback
from ignite.engine import Engine, Events, create_supervised_evaluator

model = torch.nn.Linear(3, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def update(engine, batch):
    inputs = batch[0]
    inputs  # reveal: Batch[cpu]
    loss = model(inputs.cuda()).sum()
    loss.backward()
    optimizer.step()
    return loss.item()  # frequency: every step


def compare(engine, batch):
    with torch.no_grad():
        return model(batch.cuda()).sum().item()  # frequency: evaluation


trainer = Engine(update)
tester = Engine(compare)
evaluator = create_supervised_evaluator(model)


@trainer.on(Events.ITERATION_COMPLETED)
def each(engine):
    print(model.weight.norm())  # frequency: every step


@trainer.on(Events.ITERATION_COMPLETED(every=100))
def seldom(engine):
    print(model.weight.norm())  # frequency: every N steps


@trainer.on(Events.EPOCH_COMPLETED)
@trainer.on(Events.ITERATION_STARTED(once=1))
def after_epoch(engine):
    print(model.weight.norm())  # frequency: every epoch


@trainer.on(Events.STARTED | Events.ITERATION_STARTED)
def either(engine):
    print(model.weight.norm())  # frequency: every step


@trainer.on(Events.STARTED)
def begin(engine):
    print(model.weight.norm())  # frequency: once


@evaluator.on(Events.ITERATION_COMPLETED)
def compared(engine):
    print(model.weight.norm())  # frequency: evaluation


def added(engine, prefix):
    print(prefix, model.weight.norm())  # frequency: every step


def main(loader):
    @trainer.on(Events.GET_BATCH_COMPLETED)
    def inside(engine):
        print(model.weight.norm())  # frequency: every step

    trainer.add_event_handler(Events.ITERATION_COMPLETED, added, "after")
    trainer.run(loader)


class Events2:
    STARTED = "started"


@trainer.on(Events2.STARTED)
def of_nobody(engine):
    print(model.weight.norm())  # frequency: unknown


def heard(event):
    print(model.weight.norm())  # frequency: unknown


trainer.bus.add_event_handler("heard", heard)


class Watch(Callback):
    def batch_end(self, state, logger):
        logger.log_metrics({"loss": state.loss.item()})  # frequency: every step

    def epoch_end(self, state, logger):
        logger.log_metrics({"loss": state.loss.item()})  # frequency: every epoch

    def eval_batch_end(self, state, logger):
        logger.log_metrics({"loss": state.loss.item()})  # frequency: evaluation

    def helper(self, state):
        return state.loss.item()  # frequency: every step (assumed)
