"""Where the data that ships with the program lies, in a checkout and in an installed wheel."""

from pathlib import Path


def folder(name: str) -> Path:
    """Return the folder ``name`` (policy_data or locales) of this installation."""
    package = Path(__file__).parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name
