"""The numbers Discord documents for messages; every other module takes them from here.

Source: Discord API documentation, "Message" and "Application Commands" resources. Lengths are
Unicode code points.
"""

from typing import Final

EMBED_TITLE: Final = 256
EMBED_DESCRIPTION: Final = 4096
EMBED_FIELD_VALUE: Final = 1024
CHOICE_NAME: Final = 100
