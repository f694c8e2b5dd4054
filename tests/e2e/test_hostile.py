"""Thousands of random and hostile inputs, over everything that takes any."""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import Catalogue
from bot.policy.pack import Library
from tests.e2e.process import Bot
from tests.e2e.stage import Stage
from tests.e2e.standin import Exchange, StandIn
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.world import Guild, User

pytestmark = pytest.mark.asyncio

COUNT = 5_000
"""Texts in all; a question carries up to three: what is asked, the game and the language."""
AT_ONCE = 8
KINDS = {"autocomplete": 65, "infraction": 8, "message": 5, "click": 17, "other": 5}
"""What takes inputs, and how often in a hundred times it is given one."""
SAMPLED = 20
"""Of so many inputs one has its answer held against Discord's description of its API."""
QUERY_LENGTH = 6_000

MENTIONS = ("@everyone", "@here", "<@123>", "<@!123456789012345678>", "<@&1>", "<#1>", "</a:1>")
MARKDOWN = (
    "**",
    "__",
    "~~",
    "||",
    "`",
    "```",
    "```py\n",
    "# ",
    "-# ",
    "> ",
    ">>> ",
    "[a](b)",
    "\\",
)
FORMS = ("{}", "{query}", "%s", "{0.__class__}", "'; DROP TABLE people; --", "$(id)", "<script>")
SIGNS = (
    "\0",
    "\u202e",  # right to left from here
    "\u2066\u2069",
    "\u200b",
    "\u200d",
    "\ufeff",
    "\u0301",  # a mark that stands on nothing
    "\u3099",
    "\u0e47" * 30,
    "\ud83d",  # half of an emoji
    "\udc00",
    "😳",
    "👩‍👩‍👧‍👦",
    "🇯🇵",
    "\u2028",
    "\r\n",
    "\t",
    "\x1b[31m",
    "\x7f",
    "\uffff",
    "\U0010ffff",
    "ﷺ",
    "ｽﾛｰﾌﾟﾚｲ",
    "㍿",
    "~",
    "1~pick~fab:3.3",
    ":",
    "fab:",
    "ygo:9999",
    "0",
    "-1",
    "١٢٣",
    "३.३",
    "3.3.3.3.3.3",
    "9" * 400,
)


class Inputs:
    """Makes them, the same ones every time."""

    def __init__(self, library: Library, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - not for secrets
        names = [
            name
            for pack in library.packs
            for section in pack.sections
            for name in (section.id, section.name.ja, section.name.en)
        ]
        self.made = 0
        self._pieces: Sequence[Sequence[str]] = (names, MENTIONS, MARKDOWN, FORMS, SIGNS)

    def text(self, most: int = QUERY_LENGTH) -> str:
        """Anything, from nothing to ``most`` characters."""
        self.made += 1
        chance = self.chance
        if chance.random() < 0.02:
            piece = chance.choice(chance.choice(self._pieces))
            return (piece * (most // len(piece) + 1))[:most]
        if chance.random() < 0.2:
            return "".join(chr(chance.randrange(0x11_0000)) for _ in range(chance.randrange(60)))
        pieces = [chance.choice(chance.choice(self._pieces)) for _ in range(chance.randrange(7))]
        text = chance.choice(("", " ")).join(pieces)
        if text and chance.random() < 0.3:
            place = chance.randrange(len(text))
            text = text[:place] + text[place + 1 :]
        return text[:most]

    def options(self) -> dict[str, str | int | float | bool]:
        """A question with some of its options."""
        chance = self.chance
        options: dict[str, str | int | float | bool] = {"query": self.text()}
        if chance.random() < 0.9:
            options["game"] = self.text(100) if chance.random() < 0.8 else "fab"
        if chance.random() < 0.9:
            options["language"] = self.text(100) if chance.random() < 0.8 else "ja"
        if chance.random() < 0.3:
            options["private"] = chance.random() < 0.5
        return options

    def custom_id(self, custom_id: str) -> str:
        """A button's id, perhaps changed in one place."""
        chance = self.chance
        if chance.random() < 0.5:
            return custom_id
        fields = custom_id.split("~")
        fields[chance.randrange(len(fields))] = chance.choice(
            (
                self.text(40),
                "0",
                "1",
                "9" * 40,
                "-1",
                "view",
                "pick",
                "publish",
                "fab",
                "fab:2.1",
                "",
            )
        )
        return "~".join(fields)[:100]


class Crowd:
    """Everybody who sends them."""

    def __init__(self, stage: Stage, inputs: Inputs, guilds: Sequence[Guild]) -> None:
        self._stage = stage
        self._inputs = inputs
        self._people = [stage.person(locale) for locale in ("en-US", "ja", "fr")]
        self._guilds = guilds
        self._seen: list[tuple[StoredMessage, User]] = []
        self.sent: Counter[str] = Counter()

    async def send(self) -> None:
        """Send one input and wait for its answer."""
        chance = self._inputs.chance
        user = chance.choice(self._people)
        guild = chance.choice((*self._guilds, None))
        kind = chance.choices(tuple(KINDS), tuple(KINDS.values()))[0]
        match kind:
            case "autocomplete":
                sent = await self._stage.standin.interact.autocomplete(
                    "infraction",
                    self._inputs.options(),
                    focused="query",
                    user=user,
                    guild=guild,
                    unchecked=True,
                )
            case "message":
                sent = await self._stage.standin.interact.message_menu(
                    "Find the infraction", self._inputs.text(4_000), user=user, guild=guild
                )
            case "click" if self._seen:
                sent = await self._click()
            case "other":
                sent = await self._other(user, chance.choice(self._guilds))
            case _:
                kind = "infraction"
                sent = await self._stage.standin.interact.command(
                    "infraction", self._inputs.options(), user=user, guild=guild, unchecked=True
                )
        self.sent[kind] += 1
        await sent.response()
        self._stage.answered(sent)
        if sent.original is not None and sent.message.controls:
            self._seen.append((sent.message, user))
            del self._seen[:-200]

    async def _click(self) -> Exchange:
        chance = self._inputs.chance
        message, user = chance.choice(self._seen)
        if chance.random() < 0.2:
            user = chance.choice(self._people)
        gone: list[dict[str, Any]] = [{"custom_id": "gone", "type": 2}]
        control = chance.choice([c for c in message.controls if "custom_id" in c] or gone)
        values = None
        if control["type"] != 2:
            offered = [option["value"] for option in control["options"]]
            values = [chance.choice((*offered, self._inputs.text(100)))]
        custom_id = self._inputs.custom_id(control["custom_id"])
        return await self._stage.standin.interact.click(
            message, custom_id, user, values, unchecked=True
        )

    async def _other(self, user: User, guild: Guild) -> Exchange:
        name, options = self._inputs.chance.choice(
            (
                ("penalties", {"game": self._inputs.text(100)}),
                ("settings", {"game": self._inputs.text(100), "language": self._inputs.text(9)}),
                ("language set", {"language": self._inputs.text(100)}),
                ("language forget", {}),
                ("help", {}),
                ("about", {}),
            )
        )
        return await self._stage.standin.interact.command(
            name, options, user=guild.owner, guild=guild, locale=user.locale, unchecked=True
        )


async def test_no_input_leads_to_an_error_a_ping_or_silence(
    openapi: Path | None, cache: Path, catalogue: Catalogue, library: Library, tmp_path: Path
) -> None:
    async with StandIn(openapi) as standin, Bot(standin, tmp_path, cache) as bot:
        stage = Stage(standin, bot, catalogue)
        guilds = [await stage.place(locale) for locale in ("en-US", "ja")]
        inputs = Inputs(library, seed=20_261_201)
        crowd = Crowd(stage, inputs, guilds)

        async def send_some() -> None:
            while inputs.made < COUNT:
                standin.rest.checks_schema = crowd.sent.total() % SAMPLED == 0
                await crowd.send()

        async with asyncio.timeout(150):
            await asyncio.gather(*(send_some() for _ in range(AT_ONCE)))
        assert min(crowd.sent[kind] for kind in KINDS) > 50
        assert await bot.terminate() == 0
        stage.check()
        assert "Traceback" not in bot.log, bot.log
        refused = [entry for entry in standin.records.requests if (entry.status or 500) >= 400]
        assert refused == []
        assert "@everyone" not in "".join(m.text for m in standin.answers.messages.values())
