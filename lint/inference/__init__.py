"""What each expression of a program is, on which device, and how often it runs.

In the order of reading; a module imports only from those named before it:

- *values*: `lattice` (device, dtype, rank), `extent` (how much a value may hold), `values` (the union), `placement`
  (devices of values), `joining` (either of two), `certainty` (how sure it
  is that reading a value waits), `pending` (copies to the host that are not complete).
- *results*, pure functions from values to values: `tensors`, `operators`, `containers`; of calls `arguments`,
  `callbacks` (functions that are handed on), `signature_results`, `tensor_methods`, `container_methods`,
  `library_objects`, `makers`, `results`; `access` (of attributes), `annotations`, `docstrings`, `names` (imports,
  builtins).
- *how often*: `frequency` (regions of a function), `gates` (conditions and names), `made_once`,
  `roles` (functions by themselves).
- *what is handed on*: `operations` (what rules see), `summary` (what one file tells the others),
  `quotation` (sources, shortened), `recorder`.
- *reading one file*: `modules` (its name), `inheritance`, `scope` (environments), `file_state` (what its functions
  share); then one class in parts, which reads a function: `evaluator` (the state), `narrowing`, `bindings`,
  `attribute_reads`, `conditions`, `arithmetic`, `default_device`, `call_notes`, `call_frequency`, `calls`,
  `expressions`, `branches`, `element_reads`, `loop_moves`, `loops`, `parameters`, `class_bodies`, `definitions`,
  `statements`, `function_reader`; and the way in, `interpreter.analyse`.
- *linking all files*: `questions` (circles, and how far they lead), `places` (what an error costs), `project_index`,
  `passing`, the resolver in parts (`terms`, `object_attributes`, `called`, `resolve`), `callers`, `metric_lives`,
  `transfers`, `loader_lives`, `defaults`, and the way in, `link.link`.
- *asking*: `metrics` (a metric as rules see it), `loaders`, `distributions`, `objects` (of torch), `explain`
  (what is known at a line).
"""
