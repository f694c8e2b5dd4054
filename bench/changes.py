"""Parts of the product put aside for a measurement, and put back."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def put(*changes: tuple[Any, str, Any]) -> Iterator[None]:
    """Put values in place of attributes for a while: (owner, name, value)."""
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in changes]
    try:
        for owner, name, value in changes:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in kept:
            setattr(owner, name, value)
