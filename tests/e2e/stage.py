"""A Discord with a bot in it, and what people see there, for tests to share."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.i18n import Catalogue
from tests.e2e.process import Bot
from tests.e2e.standin import Exchange, StandIn
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.world import Guild, User

Locale = Literal["ja", "en"]
CLIENT: dict[Locale, str] = {"ja": "ja", "en": "en-US"}
"""What the client of somebody with that language says."""


def named(message: StoredMessage, label: str) -> str:
    """The id of the button with this label, or of the menu with this placeholder."""
    for control in message.controls:
        if label in (control.get("label"), control.get("placeholder")):
            custom_id: str = control["custom_id"]
            return custom_id
    shown = [control.get("label") or control.get("placeholder") for control in message.controls]
    raise AssertionError(f"no {label!r} among {shown}")


def has(message: StoredMessage, label: str) -> bool:
    """Whether there is such a button or menu."""
    return any(label in (part.get("label"), part.get("placeholder")) for part in message.controls)


def values(message: StoredMessage, placeholder: str) -> list[str]:
    """What can be chosen from a menu."""
    control = message.control(named(message, placeholder))
    assert control is not None
    return [option["value"] for option in control["options"]]


@dataclass(eq=False)
class Stage:
    """One stand-in with one bot, shared by many tests."""

    standin: StandIn
    bot: Bot
    catalogue: Catalogue
    given_up: set[str] = field(default_factory=set)
    """Ids of interactions that nobody could have answered."""

    def person(self, locale: str = "en-US") -> User:
        """Somebody new."""
        return self.standin.create.user("ann", locale)

    async def place(self, locale: str = "en-US", **more: Any) -> Guild:
        """A new server, which the bot is told of if it is a member."""
        guild = self.standin.create.guild("a shop", locale, **more)
        if guild.bot_present:
            await self.standin.gateway.announce(guild)
        return guild

    async def run(self, name: str, user: User, guild: Guild | None = None, **more: Any) -> Exchange:
        """Run a command; ``more`` are its options, and with _ before them what People takes."""
        options = {key: value for key, value in more.items() if not key.startswith("_")}
        others = {key[1:]: value for key, value in more.items() if key.startswith("_")}
        sent = await self.standin.interact.command(name, options, user=user, guild=guild, **others)
        return self.answered(await sent.response())

    async def ask(
        self, query: str, user: User, guild: Guild | None = None, **more: Any
    ) -> Exchange:
        """Run /infraction."""
        return await self.run("infraction", user, guild, query=query, **more)

    async def press(
        self, message: StoredMessage, label: str, user: User, *values: str, **more: Any
    ) -> Exchange:
        """Press the button with this label, or choose from the menu with this placeholder."""
        control = named(message, label)
        chosen = values or None
        sent = await self.standin.interact.click(message, control, user, chosen, **more)
        return self.answered(await sent.response())

    async def press_id(self, message: StoredMessage, custom_id: str, user: User) -> Exchange:
        """Press a button that the message once had."""
        sent = await self.standin.interact.click(message, custom_id, user, unchecked=True)
        return self.answered(await sent.response())

    async def healthy(self, timeout: float = 15.0) -> None:
        """Wait until the health page says that the bot is connected."""
        end = time.monotonic() + timeout
        while (await self.bot.page(self.bot.health))[0] != 200:
            assert time.monotonic() < end, "the health page does not say ok"
            await asyncio.sleep(0.1)

    def answered(self, opened: Exchange) -> Exchange:
        """Fail the test unless the interaction got its answer."""
        assert opened.delivered == 1, f"delivered to {opened.delivered} sessions"
        assert opened.answered is not None, f"no answer:\n{self.bot.log}"
        return opened

    def check(self) -> None:
        """Fail the test if the bot stumbled, pinged somebody or left an interaction open."""
        assert self.bot.errors() == [], self.bot.log
        open_ones = [
            entry.payload["data"]
            for entry in self.standin.answers.exchanges
            if entry.answered is None and entry.id not in self.given_up
        ]
        assert open_ones == []
        assert [m for m in self.standin.answers.messages.values() if m.pings] == []
        assert self.standin.records.violations == []
