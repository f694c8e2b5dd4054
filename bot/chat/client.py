"""The connection to Discord: login, commands, clicks, errors, and leaving in good order."""

import asyncio
import hashlib
import json
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.chat import clicks, commands, sending
from bot.chat.asker import asker
from bot.chat.desk import Desk
from bot.chat.lists import said
from bot.chat.translator import Translator
from bot.store.keeper import Kept
from bot.store.trouble import StoreError

LOG = logging.getLogger(__name__)

SYNCED: Final = "commands"
"""Name of the fact that holds the hash of the commands Discord has."""
DRAIN: Final = 3.0
"""Seconds that answers under way get before the connection is closed."""
Interaction = discord.Interaction[Any]


class Tree(app_commands.CommandTree["Client"]):
    """The commands; what goes wrong before one of them runs is dealt with like the rest."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the person and the log."""
        if interaction.type is discord.InteractionType.autocomplete:
            LOG.debug("an autocomplete of a command that is no more")
            return
        await self.client.failed(interaction, error)


class Client(discord.AutoShardedClient):
    """Answers interactions. It asks for no intent and keeps no message, member or server."""

    def __init__(
        self,
        desk: Desk,
        kept: Kept,
        *,
        shard_ids: Sequence[int] | None = None,
        shard_count: int | None = None,
    ) -> None:
        shards: dict[str, Any] = {"shard_ids": list(shard_ids)} if shard_ids else {}
        super().__init__(
            intents=discord.Intents.none(),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            shard_count=shard_count,
            **shards,
        )
        self._desk, self._kept = desk, kept
        self._first = not shard_ids or 0 in shard_ids
        self._under_way: set[asyncio.Task[Any]] = set()
        self._serving: set[int] = set()
        self.tree = Tree(
            self,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        commands.register(self.tree, desk, kept, self.guard, desk.shelf.current.library)

    @property
    def alive(self) -> bool:
        """Whether every shard of this process has a session."""
        return bool(self.shards) and len(self._serving) >= len(self.shards)

    async def setup_hook(self) -> None:
        """Register the commands where they have changed; one process of several does."""
        await self.tree.set_translator(Translator(self._desk.catalogue))
        if self._first:
            await self.register()

    async def register(self, *, always: bool = False) -> bool:
        """Register the commands with Discord if they are others than before, or ``always``.

        While the store cannot tell what was before, they are registered only where there are none.
        """
        translator = self.tree.translator
        payload = [
            await command.get_translated_payload(self.tree, translator)
            if translator
            else command.to_dict(self.tree)
            for command in sorted(self.tree.get_commands(), key=lambda c: (c.name, str(c)))
        ]
        digest = hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()
        wanted = f"{self.application_id} {digest}"
        if not always and await self._registered(wanted):
            return False
        await self.tree.sync()
        LOG.info("commands registered")
        try:
            await self._kept.save_fact(SYNCED, wanted)
        except StoreError as error:
            LOG.warning("commands will be registered again at the next start: %s", error)
        return True

    async def _registered(self, wanted: str) -> bool:
        before = await self._kept.fact(SYNCED)
        return before == wanted if self._kept.works else bool(await self.tree.fetch_commands())

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer clicks; commands come through the tree."""
        if interaction.type is discord.InteractionType.component:
            await self.guard(
                interaction,
                "click",
                lambda: clicks.answer(interaction, self._desk, self._kept),
            )

    async def guard(
        self, interaction: Interaction, kind: str, answer: Callable[[], Awaitable[None]]
    ) -> None:
        """Run ``answer``: count and time it, and see to it that whatever goes wrong is told."""
        task = asyncio.current_task()
        if task:
            self._under_way.add(task)
        start = time.perf_counter()
        try:
            await answer()
            self._desk.metrics.interactions.labels(kind).observe(time.perf_counter() - start)
        except sending.ExpiredError:
            self._desk.metrics.expired.inc()
            LOG.debug("an interaction (%s) was over before its answer", kind)
        except Exception as error:
            if interaction.type is discord.InteractionType.autocomplete:
                LOG.exception("autocomplete failed")
            else:
                await self.failed(interaction, error)
        finally:
            if task:
                self._under_way.discard(task)

    async def failed(self, interaction: Interaction, error: Exception) -> None:
        """Give an error an id, in the log and for the person who met it."""
        self._desk.metrics.errors.inc()
        error_id = secrets.token_hex(4)
        LOG.error("error %s", error_id, exc_info=error)
        try:
            who = await asker(interaction, self._kept)
            reply = said(self._desk.texts(who.locale)("error.words", id=error_id))
            if interaction.response.is_done():
                await sending.follow(interaction, reply)
            else:
                await sending.respond(interaction, reply)
        except (sending.ExpiredError, discord.HTTPException, aiohttp.ClientError):
            LOG.info("error %s could not be told", error_id)

    async def on_shard_ready(self, shard_id: int) -> None:
        """Count a shard that has its session."""
        self._count(shard_id, ready=True)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Count a shard that has its session again."""
        self._count(shard_id, ready=True)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Count a shard out."""
        self._count(shard_id, ready=False)

    def _count(self, shard_id: int, *, ready: bool) -> None:
        (self._serving.add if ready else self._serving.discard)(shard_id)
        self._desk.metrics.shards.set(len(self._serving))

    async def on_error(self, event_method: str, /, *_: Any, **__: Any) -> None:
        """Log what went wrong outside an interaction."""
        LOG.exception("error in %s", event_method)  # noqa: LOG004 - called while one is handled

    async def leave(self) -> None:
        """Let answers under way arrive, at most ``DRAIN`` seconds, and close the connection."""
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=DRAIN)
        await self.close()
