"""A small HTTP server for whoever watches the bot: /healthz and /metrics."""

from collections.abc import Callable

from aiohttp import web

from bot.chat.metrics import Metrics


def application(alive: Callable[[], bool], metrics: Metrics) -> web.Application:
    """Return the server's routes; ``alive`` tells whether the bot is connected."""

    async def healthz(_: web.Request) -> web.Response:
        return web.Response(text="ok\n") if alive() else web.Response(text="down\n", status=503)

    async def measures(_: web.Request) -> web.Response:
        return web.Response(body=metrics.text(), content_type="text/plain", charset="utf-8")

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz), web.get("/metrics", measures)])
    return app
