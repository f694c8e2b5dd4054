"""The stand-in as a whole: an HTTP server on this machine, and what tests do with it."""

import base64
import secrets
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.e2e.standin import schema
from tests.e2e.standin.answers import Answers
from tests.e2e.standin.clock import Clock, Ids
from tests.e2e.standin.commands import Commands
from tests.e2e.standin.faults import Faults
from tests.e2e.standin.gateway import Gateway
from tests.e2e.standin.people import People
from tests.e2e.standin.records import Records
from tests.e2e.standin.rest import PREFIX, Rest
from tests.e2e.standin.world import World

HOST = "127.0.0.1"
GATEWAY_PATH = "/gateway"


class StandIn:
    """Discord for one application; use it with ``async with``.

    Leaving the block fails when a body was accepted that ``openapi`` does not allow.

    Args:
        openapi: Discord's description of its API; nothing is held against it where it is missing.
        shards: How many shards the bot is told to use.
        bot_name: The bot's name.
    """

    def __init__(
        self, openapi: Path | None = None, *, shards: int = 1, bot_name: str = "the bot"
    ) -> None:
        self._clock = Clock()
        ids = Ids()
        self.create = World(ids, bot_name)
        self.application_id = self.create.bot.id
        first = base64.b64encode(self.application_id.encode()).decode().rstrip("=")
        self.token = f"{first}.{secrets.token_urlsafe(5)}.{secrets.token_urlsafe(28)}"
        self.records = Records()
        self.faults = Faults()
        self.commands = Commands(self.application_id, ids)
        self.answers = Answers(self.application_id, self.create.bot, self._clock, ids)
        self.gateway = Gateway(
            self.token, self._gateway_application, self.create, self.records, self._clock
        )
        self.rest = Rest(
            self.token,
            self._application,
            self.create,
            self.commands,
            self.answers,
            self.faults,
            self.records,
            self._clock,
            None if openapi is None else schema.load(openapi),
        )
        self.rest.shards = shards
        self.interact = People(
            self.create, self.commands, self.answers, self.gateway, self._clock, ids
        )
        self._runner: web.AppRunner | None = None
        self.url = ""

    @property
    def api(self) -> str:
        """What Route.BASE has to be."""
        return self.url + PREFIX

    def advance(self, seconds: float) -> None:
        """Move the stand-in's clock on, past deadlines and the life of tokens."""
        self._clock.advance(seconds)
        self.answers.look_at_the_clock()

    async def start(self, port: int = 0) -> None:
        """Listen on a port of this machine, any free one by default."""
        app = web.Application()
        app.router.add_get(GATEWAY_PATH, self.gateway.handle)
        app.router.add_routes(self.rest.routes())
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, port).start()
        port = self._runner.addresses[0][1]
        self.url = f"http://{HOST}:{port}"
        self.gateway.url = self.rest.gateway_url = f"ws://{HOST}:{port}{GATEWAY_PATH}"

    async def stop(self) -> None:
        """Close every connection and the port."""
        self.answers.close()
        await self.gateway.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()
        if error is None:
            assert not self.records.violations, self.records.violations

    def _gateway_application(self) -> dict[str, Any]:
        return {"id": self.application_id, "flags": 0}

    def _application(self) -> dict[str, Any]:
        return {
            "id": self.application_id,
            "name": self.create.bot.name,
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "owner": self.create.owner.payload(),
            "team": None,
            "verify_key": "0" * 64,
            "flags": 0,
            "summary": "",
            "tags": [],
            "interactions_endpoint_url": None,
            "redirect_uris": [],
            "approximate_guild_count": len(self.create.guilds),
            "approximate_user_install_count": 0,
            "integration_types_config": {"0": {}, "1": {}},
            "bot": self.create.bot.payload(),
        }
