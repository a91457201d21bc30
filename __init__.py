"""synclint finds the lines of PyTorch code that make the CPU wait for the GPU."""

TYPE_CHECKING = False  # nothing is imported here, not even `typing` or `__future__`: see `__main__`
if TYPE_CHECKING:
    from .lint.finding import Finding
    from .lint.run.engine import check_paths
    from .runtime_checker.forbid import allow_sync, forbid_sync
    from .runtime_checker.traces.project import join_profile

__version__ = "0.1.0"
__all__ = ["Finding", "__version__", "allow_sync", "check_paths", "forbid_sync", "join_profile"]


def __getattr__(name: str) -> object:
    """Import the public names when they are first asked for, so that importing the package stays cheap."""
    if name == "Finding":
        from .lint.finding import Finding

        return Finding
    if name == "check_paths":
        from .lint.run.engine import check_paths

        return check_paths
    if name in ("allow_sync", "forbid_sync"):
        from .runtime_checker import forbid

        return getattr(forbid, name)
    if name == "join_profile":
        from .runtime_checker.traces.project import join_profile

        return join_profile
    if name in ("load_ipython_extension", "unload_ipython_extension"):
        from .runtime_checker import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
