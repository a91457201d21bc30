"""Pages for browsers, made of templates; what they need is not installed with the rest."""

import click

try:
    import jinja2  # noqa: F401
    import pygments  # noqa: F401
except ImportError as error:
    raise click.UsageError("pages need Jinja2 and Pygments: pip install jinja2 pygments") from error
