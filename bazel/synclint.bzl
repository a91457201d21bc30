"""Summaries of Python targets by an aspect, and findings in what they make up by rules.

Each target is summarized by itself, so that a summary stays in the cache until a source of the target changes, or the
names of the sources of what it depends on. Links need summaries alone, wherever they run. See docs/build-systems.md.
"""

SynclintInfo = provider(
    doc = "What is known about a target and what it depends on.",
    fields = {
        "names": "The sources of the target itself, as a list.",
        "summaries": "The summaries of the target and of all that it depends on, as a depset.",
    },
)

_TOOL = attr.label(default = "//:synclint", executable = True, cfg = "exec")
_SUFFIXES = ("py", "pyi", "ipynb")

def _sources(targets):
    return [file for target in targets for file in target.files.to_list() if file.extension in _SUFFIXES]

def _known(targets):
    return [target[SynclintInfo] for target in targets if SynclintInfo in target]

def _listed(ctx, format, files):
    """Returns the names of files as an argument: that of a list of them, as there may be many."""
    args = ctx.actions.args()
    args.set_param_file_format("multiline")
    args.use_param_file(format, use_always = True)
    args.add_all(files)
    return args

def _bases(ctx):
    """Returns the directories that names are relative to: of sources, of what is generated, of other repositories."""
    roots = ["", ctx.bin_dir.path]
    inside = ctx.label.workspace_root
    bases = {root: None for root in roots}
    if inside:
        bases.update({(root + "/" + inside).lstrip("/"): None for root in roots})
    args = ctx.actions.args()
    for base in bases:
        args.add("--base", base or ".")
    return args

def _aspect_impl(target, ctx):
    deps = _known(getattr(ctx.rule.attr, "deps", []))
    sources = _sources(getattr(ctx.rule.attr, "srcs", []))
    own = []
    if sources:
        summary = ctx.actions.declare_file(ctx.label.name + ".synclint")
        names = sources + [name for dep in deps for name in dep.names]
        output = ctx.actions.args()
        output.add("--output", summary)
        ctx.actions.run(
            executable = ctx.executable._synclint,
            arguments = ["summarize", _listed(ctx, "@%s", sources), _listed(ctx, "--names=%s", names), _bases(ctx), output],
            inputs = sources,
            outputs = [summary],
            mnemonic = "SynclintSummarize",
            progress_message = "Summarizing %s" % ctx.label,
        )
        own.append(summary)
    summaries = depset(own, transitive = [dep.summaries for dep in deps])
    return [
        SynclintInfo(names = sources, summaries = summaries),
        OutputGroupInfo(synclint = summaries),
    ]

synclint_aspect = aspect(
    implementation = _aspect_impl,
    attr_aspects = ["deps"],
    attrs = {"_synclint": _TOOL},
    doc = "Summarizes the sources of a target, and of all that it depends on.",
)

def _findings_impl(ctx):
    found = ctx.actions.declare_file(ctx.label.name + ".findings")
    summaries = depset(transitive = [dep.summaries for dep in _known(ctx.attr.deps)])
    args = ctx.actions.args()
    args.add_all([root.short_path for root in ctx.files.roots], before_each = "--root")
    args.add_all(ctx.attr.options)
    if not ctx.files.roots:
        args.add("--open-world")
    if not ctx.files.configurations:
        args.add("--isolated")
    args.add("--output", found)
    ctx.actions.run(
        executable = ctx.executable._synclint,
        arguments = ["link", _listed(ctx, "@%s", summaries), args],
        inputs = depset(ctx.files.configurations, transitive = [summaries]),
        outputs = [found],
        mnemonic = "SynclintLink",
        progress_message = "Looking for waits in %s" % ctx.label,
    )
    return [DefaultInfo(files = depset([found]))]

synclint_findings = rule(
    implementation = _findings_impl,
    attrs = {
        "configurations": attr.label_list(
            allow_files = True,
            doc = "The configuration at the top of the repository, those below it, and files of requirements.",
        ),
        "deps": attr.label_list(aspects = [synclint_aspect], doc = "What is linked, with all that it depends on."),
        "options": attr.string_list(doc = "Options of `synclint link`, such as `--select=SYNC1`."),
        "roots": attr.label_list(
            allow_files = [".py", ".pyi", ".ipynb"],
            doc = "The files that a program starts with; without any, `deps` are libraries.",
        ),
        "_synclint": _TOOL,
    },
    doc = "The findings in a program or in libraries, for `synclint merge` and `synclint_test`.",
)

_TEST = """#!/bin/sh
exec {synclint} merge {options} "$@" -- {findings}
"""

def _quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"

def _test_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    options = ctx.attr.options if ctx.files.configurations else ctx.attr.options + ["--isolated"]
    ctx.actions.write(script, is_executable = True, content = _TEST.format(
        synclint = _quoted("./" + ctx.executable._synclint.short_path),
        findings = " ".join([_quoted(file.short_path) for file in ctx.files.findings]),
        options = " ".join([_quoted(option) for option in options]),
    ))
    runfiles = ctx.runfiles(files = ctx.files.findings + ctx.files.configurations)
    tool = ctx.attr._synclint[DefaultInfo].default_runfiles
    return [DefaultInfo(executable = script, runfiles = runfiles.merge(tool))]

synclint_test = rule(
    implementation = _test_impl,
    attrs = {
        "configurations": attr.label_list(allow_files = True, doc = "As for `synclint_findings`, and the baseline."),
        "findings": attr.label_list(allow_files = [".findings"], doc = "Targets of `synclint_findings`."),
        "options": attr.string_list(doc = "Options of `synclint merge`, such as `--fail-on=error`."),
        "_synclint": attr.label(default = "//:synclint", executable = True, cfg = "target"),
    },
    test = True,
    doc = "Fails if there are findings in programs and libraries, each told once.",
)
