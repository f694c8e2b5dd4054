"""What the end-to-end tests share."""

import warnings

with warnings.catch_warnings():
    # discord.py imports audioop, which warns on Python 3.11 and 3.12 as soon as it is loaded.
    warnings.filterwarnings("ignore", "'audioop' is deprecated", DeprecationWarning)
    import discord  # noqa: F401
