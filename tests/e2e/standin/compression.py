"""The streams in which the gateway sends its messages."""

import importlib
import zlib
from typing import Any, Protocol


class Stream(Protocol):
    """Packs one message after another into one stream."""

    def pack(self, text: str) -> bytes:
        """Return what is to be sent for a message."""


class ZlibStream:
    """What compress=zlib-stream asks for."""

    def __init__(self) -> None:
        self._packer = zlib.compressobj(level=1)

    def pack(self, text: str) -> bytes:
        """Return what is to be sent for a message."""
        return self._packer.compress(text.encode()) + self._packer.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """What compress=zstd-stream asks for; clients that ask have one of the two libraries."""

    def __init__(self) -> None:
        try:
            library: Any = importlib.import_module("compression.zstd")
        except ImportError:
            library = importlib.import_module("zstandard")
            self._packer = library.ZstdCompressor().compressobj()
            self._flush = library.COMPRESSOBJ_FLUSH_BLOCK
        else:
            self._packer = library.ZstdCompressor()
            self._flush = library.ZstdCompressor.FLUSH_BLOCK

    def pack(self, text: str) -> bytes:
        """Return what is to be sent for a message."""
        packed: bytes = self._packer.compress(text.encode())
        return packed + bytes(self._packer.flush(self._flush))


def stream(name: str | None) -> Stream | None:
    """Return the stream of a name, None for plain text. Raises ValueError for an unknown one."""
    if name is None:
        return None
    if name == "zlib-stream":
        return ZlibStream()
    if name == "zstd-stream":
        return ZstdStream()
    raise ValueError(name)
