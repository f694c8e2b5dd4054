"""The numbers Discord documents for messages and commands; every other module takes them from here.

Source: Discord API documentation, "Message", "Component Reference", "Application Commands" and
"Receiving and Responding". Lengths are Unicode code points.
"""

from typing import Final

EMBED_TITLE: Final = 256
EMBED_DESCRIPTION: Final = 4096
EMBED_FIELD_NAME: Final = 256
EMBED_FIELD_VALUE: Final = 1024
EMBED_FIELDS: Final = 25
EMBED_TOTAL: Final = 6000
"""Over all embeds of a message."""
CUSTOM_ID: Final = 100
BUTTON_LABEL: Final = 80
OPTIONS: Final = 25
"""Options of a menu, choices of a command's option, and completions."""
CHOICE_NAME: Final = 100
"""Also the label and the description of a menu's option."""
QUERY: Final = 6000
"""Longest text of a command's option."""
COMMAND_DESCRIPTION: Final = 100
ANSWER_SECONDS: Final = 3.0
"""How long an interaction waits for its first answer."""
