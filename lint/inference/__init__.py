"""Infers the value of each expression of a program, its device, and how often it runs.

The rooms, in the order in which they build on each other; `tests/test_architecture.py` knows every arrow:

- `values`: what a value can be (device, dtype, rank; tensors, containers, open questions), and what becomes of values.
- `often`: how often code runs: regions of a function, conditions, the roles of functions.
- `library`: what functions, objects and attributes of libraries give; the facts themselves stand in `lint/facts/`.
- `notes`: what reading hands on: operations, which the rules see, and what one file tells the others.
- `reading`: reads one file, function by function. The way in is `reading.interpreter.analyse`.
- `linking`: answers the questions that one file leaves open. The way in is `linking.link.link`.
- `views`: what rules ask about metrics, loaders, distributions and modules.
- `explain`: what is known at a line.

Reading and linking never import each other: a file is read once, on its own, and linked with others later.
"""
