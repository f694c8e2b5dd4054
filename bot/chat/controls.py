"""What a click means: the whole state of a button or menu, in its ``custom_id``. Pure.

A click works after a restart, in another process and after the data have changed, because nothing
else has to be remembered. The first field is the version of this format.
"""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from bot import limits
from bot.policy.texts import LOCALES, Locale

VERSION: Final = "1"
APART: Final = "~"
"""Stands between fields; no section id, number or code has it."""

View = Literal["overview", "procedure", "examples", "outcomes", "references", "whole"]
VIEWS: Final[tuple[View, ...]] = get_args(View)
Role = Literal["flip", "back", "next", "publish", "view", "related", "pick", "game"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)


class StaleControlError(ValueError):
    """A ``custom_id`` of another version, or none of ours."""


@dataclass(frozen=True, slots=True)
class Control:
    """One button or menu: what it does, for whom it was made, and the state it leads to.

    ``subject`` is a section's id, or a pack's for the penalty table; of a menu the state it stands in,
    of which its value changes one part.
    """

    role: Role
    subject: str
    locale: Locale
    view: View
    page: int
    owner: int
    private: bool

    @property
    def custom_id(self) -> str:
        """The state in at most ``limits.CUSTOM_ID`` characters."""
        fields = (
            VERSION,
            self.role,
            self.subject,
            self.locale,
            str(VIEWS.index(self.view)),
            str(self.page),
            str(self.owner),
            "p" if self.private else "o",
        )
        return APART.join(fields)


def read(custom_id: str) -> Control:
    """Return the control that wrote ``custom_id``. Raises StaleControlError."""
    fields = custom_id.split(APART)
    if len(custom_id) > limits.CUSTOM_ID or len(fields) != 8 or fields[0] != VERSION:
        raise StaleControlError(custom_id)
    _, role, subject, locale, view, page, owner, private = fields
    numbers = (view, page, owner)
    if (
        role not in ROLES
        or locale not in LOCALES
        or not all(number.isascii() and number.isdecimal() for number in numbers)
        or int(view) >= len(VIEWS)
        or private not in ("p", "o")
    ):
        raise StaleControlError(custom_id)
    return Control(
        role=role,
        subject=subject,
        locale=locale,
        view=VIEWS[int(view)],
        page=int(page),
        owner=int(owner),
        private=private == "p",
    )
