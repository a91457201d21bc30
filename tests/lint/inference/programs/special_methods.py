"""Methods that Python calls without a call that is written: items, operators, loops, `with`, `len`."""

import torch


class Table:
    def __init__(self):
        self.rows = torch.zeros(8, device="cuda")

    def __getitem__(self, at):
        first, second = at  # reveal: tuple[int 0, int 1]
        print(first, second)
        return self.rows * 2

    def __setitem__(self, at, value):
        kept = value  # reveal: Tensor[gpu, float, rank 0]
        if value > 0:  # operation: Truth
            self.rows[at] = kept

    def __len__(self):
        return int(self.rows.sum())  # frequency: every step

    def __iter__(self):
        for row in self.rows:
            yield row

    def __add__(self, other):
        added = other  # reveal: int 1
        print(added)
        return self.rows

    def __mul__(self, other):
        print(other)
        return self.rows

    def __enter__(self):
        return self.rows  # frequency: every step

    def __exit__(self, *error):
        pass


class Cursor:
    def __init__(self, table: Table):
        self.table = table

    def __iter__(self):
        return self

    def __next__(self):
        return self.table.rows.sum()


class Holder:
    def __init__(self):
        self.table = Table()

    def keep(self, value):
        self.table[2] = value


def product(table):
    return table * 2  # reveal: Tensor[gpu, float, rank 1]


def train(loader, model, x):
    table, holder = Table(), Holder()
    x = torch.ones(3, device="cuda")
    for batch in loader:
        model(batch).sum().backward()
        table[1] = x.sum()
        holder.keep(x.sum())
        a = table[0, 1]  # reveal: Tensor[gpu, float, rank 1]
        b = table + 1  # reveal: Tensor[gpu, float, rank 1]
        c = product(table)  # reveal: Tensor[gpu, float, rank 1]
        with table as rows:
            d = rows  # reveal: Tensor[gpu, float, rank 1]
        for row in table:
            e = row  # reveal: Tensor[gpu, float, rank 0]
        for total in Cursor(table):
            f = total  # reveal: Tensor[gpu, float, rank 0]
        g = next(Cursor(table))  # reveal: Tensor[gpu, float, rank 0]
        print(a, b, c, d, e, f, g, len(table))
