"""Gunbai answers penalty questions at trading-card tournaments, in Japanese and English."""

from importlib.metadata import version

__version__ = version("gunbai")
