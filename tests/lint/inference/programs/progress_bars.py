"""Loaders behind bars of progress, which have one name for training and evaluation."""

from tqdm import tqdm


def train(net, train_loader, valid_loader, optimizer, epochs):
    net.cuda()
    for epoch in range(epochs):
        bar = tqdm(train_loader)
        for batch in bar:
            loss = net(batch.cuda())
            loss.backward()
            optimizer.step()
            bar.set_postfix(loss=loss.item())  # frequency: every step
        bar = tqdm(valid_loader)
        for batch in bar:
            print(net(batch.cuda()).mean().item())  # frequency: evaluation


def train_within(net, train_loader, valid_loader, optimizer, epochs):
    net.cuda()
    for epoch in range(epochs):
        with tqdm(valid_loader, unit="batch") as bar:
            for number, batch in enumerate(bar):
                print(net(batch.cuda()).mean().item())  # frequency: evaluation
        with tqdm(train_loader, unit="batch") as bar:
            for number, batch in enumerate(bar):
                loss = net(batch.cuda())
                loss.backward()
                optimizer.step()
                bar.set_postfix(loss=loss.item())  # frequency: every step


def train_on(net, train_iter, validation_iter, optimizer):
    net.cuda()
    with tqdm(train_iter) as bar:
        for batch in bar:
            loss = net(batch.cuda())
            loss.backward()
            optimizer.step()
            bar.set_postfix(loss=loss.item())  # frequency: every step
    with tqdm(validation_iter) as bar:
        for batch in bar:
            bar.set_postfix(loss=net(batch.cuda()).mean().item())  # frequency: evaluation


def train_by_hand(net, train_loader, val_loader, consume):
    net.cuda()
    bar = enumerate(train_loader)
    bar = tqdm(bar, total=len(train_loader))
    for number, batch in bar:
        consume(batch.cuda())  # frequency: every step
    bar = tqdm(enumerate(val_loader))
    for number, batch in bar:
        consume(batch.cuda())  # frequency: evaluation
