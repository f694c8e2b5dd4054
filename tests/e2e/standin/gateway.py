"""The gateway: WebSocket connections of shards, their sessions, and what is sent to them."""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web

from tests.e2e.standin import compression
from tests.e2e.standin.clock import Clock
from tests.e2e.standin.records import GatewayEvent, Records
from tests.e2e.standin.world import Guild, World

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME = 0, 1, 2, 3, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 7, 8, 9, 10, 11
VOICE_STATE = 4
GUILDS_INTENT = 1 << 0
PRIVILEGED_INTENTS = (1 << 1) | (1 << 8) | (1 << 15)
KNOWN_INTENTS = (1 << 26) - 1
MAX_REPLAY = 1000


class ClosingError(Exception):
    """The connection is to be closed with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Connection:
    """One WebSocket of a client."""

    def __init__(self, request: web.Request, stream: compression.Stream | None) -> None:
        self.socket = web.WebSocketResponse(timeout=1.0, max_msg_size=0)
        self._request = request
        self._stream = stream
        self._sending = asyncio.Lock()

    async def open(self) -> None:
        """Accept the client."""
        await self.socket.prepare(self._request)

    async def send(self, payload: dict[str, Any]) -> None:
        """Send one message; a client that is gone does not matter."""
        text = json.dumps(payload, separators=(",", ":"))
        async with self._sending:
            if self.socket.closed:
                return
            try:
                if self._stream is None:
                    await self.socket.send_str(text)
                else:
                    await self.socket.send_bytes(self._stream.pack(text))
            except ConnectionError:
                return

    async def close(self, code: int, reason: str = "") -> None:
        """Close it the polite way."""
        await self.socket.close(code=code, message=reason.encode())

    def drop(self) -> None:
        """Cut it without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(eq=False)
class Session:
    """What a shard has from its identification until it is invalid."""

    id: str
    shard: tuple[int, int]
    intents: int
    properties: dict[str, Any]
    connection: Connection | None
    sequence: int = 0
    sent: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=MAX_REPLAY))
    presence: dict[str, Any] | None = None
    ready: bool = False

    def owns(self, guild_id: str | None) -> bool:
        """Tell whether events of a server, or of none, go to this shard."""
        number, count = self.shard
        return (0 if guild_id is None else (int(guild_id) >> 22) % count) == number

    async def dispatch(self, event: str, data: Any) -> None:
        """Send an event, now or when the session is resumed."""
        self.sequence += 1
        payload = {"op": DISPATCH, "s": self.sequence, "t": event, "d": data}
        self.sent.append(payload)
        if self.connection is not None:
            await self.connection.send(payload)


class Gateway:
    """All sessions of the bot, over all its processes."""

    def __init__(
        self,
        token: str,
        application: Callable[[], dict[str, Any]],
        world: World,
        records: Records,
        clock: Clock,
    ) -> None:
        self._token = token
        self._application = application
        self._world = world
        self._records = records
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._connections: set[Connection] = set()
        self.url = ""
        self.heartbeat_interval = 41.25
        """Seconds between heartbeats."""
        self.acknowledges = True
        """Whether heartbeats are answered."""
        self.accepts = True
        """Whether new connections are let in."""
        self.privileged_intents = 0
        """Which privileged intents the application may ask for."""

    @property
    def sessions(self) -> list[Session]:
        """The sessions that are valid, connected or not."""
        return list(self._sessions.values())

    @property
    def connected(self) -> list[Session]:
        """The sessions that are ready and connected."""
        return [session for session in self.sessions if session.connection and session.ready]

    async def wait_connected(self, shards: int = 1, timeout: float = 10.0) -> list[Session]:
        """Wait until so many sessions are ready."""
        await self._records.notice.until(lambda: len(self.connected) >= shards, timeout)
        return self.connected

    async def wait_event(self, kind: str, times: int = 1, timeout: float = 10.0) -> GatewayEvent:
        """Wait until something happened so often since the start."""
        await self._records.notice.until(lambda: len(self._records.events(kind)) >= times, timeout)
        return self._records.events(kind)[times - 1]

    async def dispatch(self, event: str, data: Any, guild_id: str | None = None) -> int:
        """Send an event to the shards it belongs to; return to how many."""
        owners = [session for session in self.sessions if session.owns(guild_id)]
        for session in owners:
            await session.dispatch(event, data)
        return len(owners)

    async def announce(self, guild: Guild) -> None:
        """Tell the bot of a server it has been added to."""
        await self.dispatch("GUILD_CREATE", guild.whole(self._world.bot), guild.id)

    async def reconnect(self, shard: int | None = None) -> None:
        """Ask clients to reconnect."""
        await self._send_op(RECONNECT, None, self._chosen(shard))

    async def invalidate(self, *, resumable: bool, shard: int | None = None) -> None:
        """Tell clients that their session is invalid; unless resumable it is gone."""
        chosen = self._chosen(shard)
        for session in chosen:
            if not resumable:
                del self._sessions[session.id]
        await self._send_op(INVALID_SESSION, resumable, chosen)

    async def close(self, code: int, shard: int | None = None) -> None:
        """Close connections with a code."""
        for session in self._chosen(shard):
            if session.connection is not None:
                await session.connection.close(code, "told to")

    def drop(self, shard: int | None = None) -> None:
        """Cut connections without a word."""
        for session in self._chosen(shard):
            if session.connection is not None:
                session.connection.drop()

    def forget(self, shard: int | None = None) -> None:
        """Make sessions unknown without a word, so that resuming them fails."""
        for session in self._chosen(shard):
            del self._sessions[session.id]

    async def stop(self) -> None:
        """Close every connection."""
        await asyncio.gather(
            *(entry.close(WSCloseCode.GOING_AWAY) for entry in list(self._connections))
        )

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until its end."""
        if not self.accepts:
            return web.Response(status=503)
        try:
            stream = compression.stream(request.query.get("compress"))
        except ValueError:
            return web.Response(status=400)
        connection = Connection(request, stream)
        await connection.open()
        self._connections.add(connection)
        self._note("connect", None, dict(request.query))
        client = _Client(self, connection)
        try:
            interval = int(self.heartbeat_interval * 1000)
            await connection.send({"op": HELLO, "d": {"heartbeat_interval": interval}, "t": None})
            await client.serve()
        except ClosingError as closing:
            await connection.close(closing.code, str(closing))
        finally:
            self._connections.discard(connection)
            self._ended(client)
        return connection.socket

    def _ended(self, client: "_Client") -> None:
        session, code = client.session, client.connection.socket.close_code
        if session is not None and session.connection is client.connection:
            session.connection = None
            session.ready = False
            if code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY) and client.closed_by_client:
                self._sessions.pop(session.id, None)
        self._note("close", session, code)

    def identify(self, connection: Connection, data: dict[str, Any]) -> Session:
        """Begin a session. Raises ClosingError."""
        shown = {key: value for key, value in data.items() if key != "token"}
        number, count = data.get("shard") or (0, 1)
        self._records.note(GatewayEvent("identify", self._clock.now(), (number, count), shown))
        if data.get("token") != self._token:
            raise ClosingError(4004, "Authentication failed.")
        if not 0 <= number < count:
            raise ClosingError(4010, "Invalid shard.")
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~KNOWN_INTENTS:
            raise ClosingError(4013, "Invalid intent(s).")
        if intents & PRIVILEGED_INTENTS & ~self.privileged_intents:
            raise ClosingError(4014, "Disallowed intent(s).")
        properties = data.get("properties") or {}
        session = Session(secrets.token_hex(16), (number, count), intents, properties, connection)
        session.presence = data.get("presence")
        self._sessions[session.id] = session
        return session

    async def welcome(self, session: Session) -> None:
        """Send what follows an identification."""
        guilds = [
            guild for guild in self._world.guilds if guild.bot_present and session.owns(guild.id)
        ]
        ready = {
            "v": 10,
            "user": self._world.bot.payload() | {"verified": True, "mfa_enabled": True, "flags": 0},
            "user_settings": {},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": self._application(),
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "guild_join_requests": [],
            "geo_ordered_rtc_regions": [],
            "auth": {},
        }
        await session.dispatch("READY", ready)
        if session.intents & GUILDS_INTENT:
            for guild in guilds:
                await session.dispatch("GUILD_CREATE", guild.whole(self._world.bot))
        session.ready = True
        self._note("ready", session, None)

    async def resume(self, connection: Connection, data: dict[str, Any]) -> Session | None:
        """Continue a session. Raises ClosingError; None when the session is not there."""
        session = self._sessions.get(str(data.get("session_id")))
        shown = {key: value for key, value in data.items() if key != "token"}
        self._note("resume", session, shown)
        if data.get("token") != self._token:
            raise ClosingError(4004, "Authentication failed.")
        if session is None:
            await connection.send({"op": INVALID_SESSION, "d": False, "s": None, "t": None})
            return None
        if not isinstance(data.get("seq"), int) or data["seq"] > session.sequence:
            raise ClosingError(4007, "Invalid seq.")
        if session.connection is not None:
            session.connection.drop()
        for payload in [entry for entry in session.sent if entry["s"] > data["seq"]]:
            await connection.send(payload)
        session.connection = connection
        await session.dispatch("RESUMED", {"_trace": []})
        session.ready = True
        self._note("resumed", session, None)
        return session

    async def heartbeat(self, connection: Connection, session: Session | None, data: Any) -> None:
        """Note a heartbeat and answer it."""
        self._note("heartbeat", session, data)
        if self.acknowledges:
            await connection.send({"op": ACK, "d": None, "s": None, "t": None})

    def note_other(self, session: Session, op: int, data: Any) -> None:
        """Note what needs no answer."""
        if op == PRESENCE:
            session.presence = data
        self._note("presence" if op == PRESENCE else "other", session, data)

    def _chosen(self, shard: int | None) -> list[Session]:
        return [session for session in self.sessions if shard in (None, session.shard[0])]

    async def _send_op(self, op: int, data: Any, sessions: list[Session]) -> None:
        for session in sessions:
            self._note("op", session, {"op": op, "d": data})
            if session.connection is not None:
                await session.connection.send({"op": op, "d": data, "s": None, "t": None})

    def _note(self, kind: str, session: Session | None, data: Any) -> None:
        shard = None if session is None else session.shard
        self._records.note(GatewayEvent(kind, self._clock.now(), shard, data))
        self._records.notice.touch()


class _Client:
    """Reads what one connection sends."""

    def __init__(self, gateway: Gateway, connection: Connection) -> None:
        self._gateway = gateway
        self.connection = connection
        self.session: Session | None = None
        self.closed_by_client = False

    async def serve(self) -> None:
        """Read until the connection ends. Raises ClosingError."""
        while True:
            message = await self.connection.socket.receive()
            if message.type is not WSMsgType.TEXT:
                # CLOSING is our own doing, CLOSE and CLOSED the client's.
                self.closed_by_client = message.type is WSMsgType.CLOSE
                return
            try:
                payload = json.loads(message.data)
                op, data = payload["op"], payload.get("d")
            except (ValueError, KeyError, TypeError) as error:
                raise ClosingError(4002, "Error while decoding payload.") from error
            await self._take(op, data)

    async def _take(self, op: int, data: Any) -> None:
        if op == HEARTBEAT:
            await self._gateway.heartbeat(self.connection, self.session, data)
        elif op == IDENTIFY:
            if self.session is not None:
                raise ClosingError(4005, "Already authenticated.")
            self.session = self._gateway.identify(self.connection, data)
            await self._gateway.welcome(self.session)
        elif op == RESUME:
            self.session = await self._gateway.resume(self.connection, data)
        elif self.session is None:
            raise ClosingError(4003, "Not authenticated.")
        elif op in (PRESENCE, VOICE_STATE, REQUEST_MEMBERS):
            self._gateway.note_other(self.session, op, data)
        else:
            raise ClosingError(4001, "Unknown opcode.")
