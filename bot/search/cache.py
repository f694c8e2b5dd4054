"""Arrays kept on disk between runs: read back whole, or not at all."""

import hashlib
import logging
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[Any]]

LOG = logging.getLogger(__name__)


def load(file: Path, digest: str, names: frozenset[str]) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of ``file`` if it was saved whole under the same ``digest``, else None.

    ``names`` are the arrays it has to hold; ``save`` put a hash of their content beside them. A
    missing, damaged or outdated file, or one that is no file, is the same as none.
    """
    if not file.is_file():  # a pipe would wait for ever
        return None
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            if str(stored["digest"]) != digest:
                return None
            arrays = {name: stored[name] for name in names}
            if str(stored["content"]) == _content(arrays):
                return arrays
            LOG.warning("cache %s is damaged and will be written anew", file)
            return None
    except Exception as error:  # a damaged archive raises almost anything; none of it matters
        LOG.warning("cache %s is damaged (%s) and will be written anew", file, error)
        return None


def _content(arrays: Arrays) -> str:
    sha = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        sha.update(f"{name} {array.dtype} {array.shape}".encode())
        sha.update(array.tobytes())
    return sha.hexdigest()


def save(file: Path, digest: str, arrays: Arrays) -> bool:
    """Write ``arrays`` to ``file`` in one step, so that no reader ever sees half of them.

    Return whether that was possible; where it is not the program runs on without a cache.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        try:
            with os.fdopen(handle, "wb") as stream:
                np.savez(
                    stream,
                    allow_pickle=False,
                    digest=np.array(digest),
                    content=np.array(_content(arrays)),
                    **dict(arrays),
                )
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        LOG.warning("no cache at %s (%s)", file, error)
        return False
    return True
