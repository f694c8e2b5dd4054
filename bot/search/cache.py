"""Arrays kept on disk between runs: read back whole, or not at all."""

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


def load(file: Path, digest: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of ``file`` if it was saved under the same ``digest``, else None.

    A missing, damaged or outdated file is the same as none.
    """
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            if str(stored["digest"]) != digest:
                return None
            return {name: stored[name] for name in stored.files if name != "digest"}
    except FileNotFoundError:
        return None
    except Exception as error:  # a damaged archive raises almost anything; none of it matters
        LOG.warning("cache %s is damaged (%s) and will be written anew", file, error)
        return None


def save(file: Path, digest: str, arrays: Arrays) -> None:
    """Write ``arrays`` to ``file`` in one step, so that no reader ever sees half of them.

    Where nothing can be written the program runs on without a cache.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        try:
            with os.fdopen(handle, "wb") as stream:
                np.savez(stream, allow_pickle=False, digest=np.array(digest), **dict(arrays))
            Path(name).replace(file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        LOG.warning("no cache at %s (%s)", file, error)
