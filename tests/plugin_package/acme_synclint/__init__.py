"""What synclint cannot know about `acme_gpu`."""

from __future__ import annotations

from synclint.plugin import Fact, Plugin

from .peek import check

plugin = Plugin(
    api=1,
    prefix="ACME",
    url="https://acme.example/lint/{name}",
    rules=(check,),
    facts=(Fact("acme_gpu.to_gpu", "moves-to-device"), Fact("acme_gpu.drain", "waits")),
    examples="examples",
)
