"""The REST API: routes, who may use them, failures on purpose, and the record of it all."""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.e2e.standin import errors
from tests.e2e.standin.answers import Answers
from tests.e2e.standin.clock import Clock
from tests.e2e.standin.commands import Commands
from tests.e2e.standin.errors import ApiError
from tests.e2e.standin.faults import Fault, Faults
from tests.e2e.standin.records import Records, Request
from tests.e2e.standin.schema import Schema
from tests.e2e.standin.world import World

PREFIX = "/api/v10"
Result = tuple[int, Any]
Handler = Callable[[web.Request, Any], Result]
_TEXTS = {500: "500: Internal Server Error", 502: "502: Bad Gateway", 503: "Service Unavailable"}


class Rest:
    """Answers requests the way Discord does."""

    def __init__(
        self,
        token: str,
        application: Callable[[], dict[str, Any]],
        world: World,
        commands: Commands,
        answers: Answers,
        faults: Faults,
        records: Records,
        clock: Clock,
        schema: Schema | None,
    ) -> None:
        self._token = token
        self._application = application
        self._world = world
        self._commands = commands
        self._answers = answers
        self._faults = faults
        self._records = records
        self._clock = clock
        self._schema = schema
        self.gateway_url = ""
        self.shards = 1
        self.sessions_left = 1000
        self.checks_schema = True

    def routes(self) -> list[web.RouteDef]:
        """Everything there is."""
        application = "/applications/{application_id}"
        commands, own = f"{application}/commands", f"{application}/guilds/{{guild_id}}/commands"
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        message = f"{hook}/messages/{{message_id}}"
        table: list[tuple[str, str, Handler, bool]] = [
            ("GET", "/gateway", self._gateway, False),
            ("GET", "/gateway/bot", self._gateway_bot, True),
            ("GET", "/users/@me", self._me, True),
            ("GET", "/oauth2/applications/@me", self._own_application, True),
            ("GET", "/applications/@me", self._own_application, True),
            (
                "POST",
                "/interactions/{interaction_id}/{interaction_token}/callback",
                self._callback,
                False,
            ),
            ("POST", hook, self._follow_up, False),
            ("GET", message, self._get_message, False),
            ("PATCH", message, self._edit_message, False),
            ("DELETE", message, self._delete_message, False),
        ]
        for path in (commands, own):
            table += [
                ("GET", path, self._list_commands, True),
                ("PUT", path, self._overwrite_commands, True),
                ("POST", path, self._add_command, True),
                ("DELETE", f"{path}/{{command_id}}", self._remove_command, True),
            ]
        routes = [
            web.route(method, PREFIX + path, self._route(method, path, handler, authorized))
            for method, path, handler, authorized in table
        ]
        routes.append(
            web.route("*", "/{path:.*}", self._route("*", "", _nothing, authorized=False))
        )
        return routes

    def _route(
        self, method: str, template: str, handler: Handler, authorized: bool
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def serve(request: web.Request) -> web.StreamResponse:
            path = request.path.removeprefix(PREFIX)
            fault = self._faults.take(request.method, path)
            record = self._record(request, path)
            if fault is not None and fault.delay:
                await asyncio.sleep(fault.delay)
            if fault is not None and (fault.status is not None or fault.drop == "before"):
                record.body = await _body(request, strict=False)
                return self._fail(request, record, fault)
            record.status, record.answer = await self._answer(
                request, record, method, template, handler, authorized
            )
            self._records.note(record)
            if fault is not None and fault.delay_answer:
                await asyncio.sleep(fault.delay_answer)
            if fault is not None and fault.drop == "after":
                return _cut(request)
            return _response(record.status, record.answer, self._limits(record, fault))

        return serve

    def _record(self, request: web.Request, path: str) -> Request:
        headers = {key: text for key, text in request.headers.items() if key != "Authorization"}
        at = self._clock.now()
        return Request(request.method, path, dict(request.query), headers, at)

    async def _answer(
        self,
        request: web.Request,
        record: Request,
        method: str,
        template: str,
        handler: Handler,
        authorized: bool,
    ) -> Result:
        try:
            if authorized and request.headers.get("Authorization") != f"Bot {self._token}":
                raise errors.unauthorized()
            record.body = await _body(request, strict=True)
            status, answer = handler(request, record.body)
            self._hold_against_schema(method, template, record.body)
        except ApiError as error:
            return error.status, error.body
        return status, answer

    def _hold_against_schema(self, method: str, template: str, body: Any) -> None:
        """Note a body that passed every check and is still not what Discord describes."""
        if self._schema is None or not self.checks_schema or body is None:
            return
        described = template.replace("/messages/{message_id}", "/messages/@original")
        fault = self._schema.fault(method, described, body)
        if fault is not None:
            place, message = fault
            self._records.violations.append(f"{method} {template} {place}: {message}")

    def _fail(self, request: web.Request, record: Request, fault: Fault) -> web.StreamResponse:
        if fault.status is None:
            self._records.note(record)
            return _cut(request)
        headers = self._limits(record, fault)
        record.status = fault.status
        if fault.status == 429 and fault.cloudflare:
            record.answer = "error code: 1015"
        elif fault.status == 429:
            record.answer = {
                "message": "You are being rate limited.",
                "retry_after": fault.retry_after,
                "global": fault.is_global,
            }
            headers["Retry-After"] = str(max(1, round(fault.retry_after)))
            headers["X-RateLimit-Scope"] = "global" if fault.is_global else "user"
            if fault.is_global:
                headers["X-RateLimit-Global"] = "true"
        elif fault.status == 503:
            record.answer = "upstream connect error or disconnect/reset before headers"
        else:
            text = _TEXTS.get(fault.status, str(fault.status))
            record.answer = {"message": text, "code": 0}
        if fault.cloudflare:
            del headers["Via"]
        self._records.note(record)
        return _response(fault.status, record.answer, headers)

    def _limits(self, record: Request, fault: Fault | None) -> dict[str, str]:
        """The headers that tell how much may still be asked."""
        remaining, reset = 49, 1.0
        if fault is not None and fault.status == 429:
            remaining, reset = 0, fault.retry_after
        elif fault is not None and fault.remaining is not None:
            remaining, reset = fault.remaining, fault.retry_after
        bucket = re.sub(r"\d{15,}", "id", record.path)
        return {
            "Via": "1.1 google",
            "X-RateLimit-Limit": "50",
            "X-RateLimit-Remaining": str(remaining),
            "X-RateLimit-Reset": f"{time.time() + reset:.3f}",
            "X-RateLimit-Reset-After": f"{reset:.3f}",
            "X-RateLimit-Bucket": f"{hash((record.method, bucket)) & 0xFFFFFFFFFFFF:012x}",
        }

    def _gateway(self, _: web.Request, __: Any) -> Result:
        return 200, {"url": self.gateway_url}

    def _gateway_bot(self, _: web.Request, __: Any) -> Result:
        start = {
            "total": 1000,
            "remaining": self.sessions_left,
            "reset_after": 14_400_000,
            "max_concurrency": 1,
        }
        return 200, {"url": self.gateway_url, "shards": self.shards, "session_start_limit": start}

    def _me(self, _: web.Request, __: Any) -> Result:
        own = {"verified": True, "mfa_enabled": True, "flags": 0, "email": None, "locale": "en-US"}
        return 200, self._world.bot.payload() | own

    def _own_application(self, _: web.Request, __: Any) -> Result:
        return 200, self._application()

    def _list_commands(self, request: web.Request, _: Any) -> Result:
        listed = self._commands.listed(self._scope(request))
        if request.query.get("with_localizations", "").lower() in ("1", "true"):
            return 200, listed
        hidden = ("name_localizations", "description_localizations")
        return 200, [
            {key: value for key, value in command.items() if key not in hidden}
            for command in listed
        ]

    def _overwrite_commands(self, request: web.Request, body: Any) -> Result:
        bodies = body if isinstance(body, list) else []
        return 200, self._commands.overwrite(self._scope(request), bodies)

    def _add_command(self, request: web.Request, body: Any) -> Result:
        return 201, self._commands.add(self._scope(request), body)

    def _remove_command(self, request: web.Request, _: Any) -> Result:
        self._commands.remove(self._scope(request), request.match_info["command_id"])
        return 204, None

    def _scope(self, request: web.Request) -> str | None:
        if request.match_info["application_id"] != self._world.bot.id:
            raise ApiError(
                403, 20012, "You are not authorized to perform this action on this application"
            )
        guild_id = request.match_info.get("guild_id")
        present = {guild.id for guild in self._world.guilds if guild.bot_present}
        if guild_id is not None and guild_id not in present:
            raise ApiError(403, 50001, "Missing Access")
        return guild_id

    def _callback(self, request: web.Request, body: Any) -> Result:
        receipt = self._answers.callback(
            request.match_info["interaction_id"],
            request.match_info["interaction_token"],
            body or {},
        )
        if request.query.get("with_response", "").lower() in ("1", "true"):
            return 200, receipt
        return 204, None

    def _follow_up(self, request: web.Request, body: Any) -> Result:
        application_id, token = _hook(request)
        return 200, self._answers.follow_up(application_id, token, body or {}).payload

    def _get_message(self, request: web.Request, _: Any) -> Result:
        return 200, self._answers.message(*_hook(request), request.match_info["message_id"]).payload

    def _edit_message(self, request: web.Request, body: Any) -> Result:
        snowflake = request.match_info["message_id"]
        return 200, self._answers.edit(*_hook(request), snowflake, body or {}).payload

    def _delete_message(self, request: web.Request, _: Any) -> Result:
        self._answers.delete(*_hook(request), request.match_info["message_id"])
        return 204, None


def _nothing(_: web.Request, __: Any) -> Result:
    raise errors.not_found()


def _hook(request: web.Request) -> tuple[str, str]:
    return request.match_info["webhook_id"], request.match_info["webhook_token"]


async def _body(request: web.Request, *, strict: bool) -> Any:
    if request.content_type.startswith("multipart/"):
        form = await request.post()
        raw = str(form.get("payload_json", "{}"))
    else:
        raw = (await request.read()).decode()
    if not raw:
        return None
    try:
        return json.loads(raw)
    except ValueError as error:
        if strict:
            raise errors.malformed_json() from error
        return raw


def _cut(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.close()
    return web.Response()


def _response(status: int, answer: Any, headers: dict[str, str]) -> web.Response:
    # Clients compare the content type to the letter, so no charset is added to it.
    if answer is None:
        return web.Response(status=status, headers=headers)
    if isinstance(answer, str):
        return web.Response(status=status, text=answer, headers=headers)
    body = json.dumps(answer, separators=(",", ":")).encode()
    return web.Response(
        status=status, body=body, headers=headers | {"Content-Type": "application/json"}
    )
