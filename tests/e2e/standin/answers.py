"""What the bot may do with an interaction, and what becomes of it."""

import asyncio
from typing import Any

from tests.e2e.standin import errors, exchange, limits
from tests.e2e.standin.clock import Clock, Ids
from tests.e2e.standin.errors import Form
from tests.e2e.standin.exchange import Exchange
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.world import User

_ALLOWED = {
    exchange.COMMAND: (exchange.MESSAGE, exchange.DEFER, exchange.SHOW_MODAL),
    exchange.AUTOCOMPLETE: (exchange.CHOICES,),
    exchange.COMPONENT: (
        exchange.MESSAGE,
        exchange.DEFER,
        exchange.DEFER_UPDATE,
        exchange.UPDATE,
        exchange.SHOW_MODAL,
    ),
}
_MESSAGE_TYPES = {1: 20, 2: 23, 3: 23}
_MAX_FOLLOW_UPS = 5
"""Further messages where only the user has installed the app."""


class Answers:
    """All interactions and the bot's answers to them."""

    def __init__(self, application_id: str, bot: User, clock: Clock, ids: Ids) -> None:
        self._application_id = application_id
        self._bot = bot
        self._clock = clock
        self._ids = ids
        self._by_id: dict[str, Exchange] = {}
        self._by_token: dict[str, Exchange] = {}
        self._open: set[Exchange] = set()
        self.messages: dict[str, StoredMessage] = {}

    @property
    def exchanges(self) -> list[Exchange]:
        """Every interaction so far, in order."""
        return list(self._by_id.values())

    def add(self, opened: Exchange) -> None:
        """Begin to wait for the answer to an interaction."""
        self._by_id[opened.id] = self._by_token[opened.token] = opened
        self._open.add(opened)
        loop = asyncio.get_running_loop()
        opened.timer = loop.call_later(exchange.MAX_WAIT, self._give_up, opened)

    def look_at_the_clock(self) -> None:
        """Give up on interactions whose time has passed."""
        for opened in list(self._open):
            if self._late(opened):
                self._give_up(opened)

    def forget(self) -> None:
        """Drop what is over, so that a long load test does not fill the memory."""
        for found in list(self._by_id.values()):
            if found.settled:
                del self._by_id[found.id], self._by_token[found.token]
        self.messages.clear()

    def close(self) -> None:
        """Stop waiting."""
        for opened in list(self._open):
            opened.settle()
        self._open.clear()

    def callback(self, snowflake: str, token: str, body: dict[str, Any]) -> dict[str, Any]:
        """Take the first answer; return what Discord tells about it."""
        found = self._by_id.get(snowflake)
        if found is None or found.token != token:
            raise errors.unknown_interaction()
        if found.answered is not None:
            raise errors.already_acknowledged()
        if found.unanswered or self._late(found):
            self._give_up(found)
            raise errors.unknown_interaction()
        kind = body.get("type")
        form = Form()
        form.one_of(("type",), kind, _ALLOWED[found.payload["type"]])
        form.finish()
        data = body.get("data") or {}
        self._take_over(found, kind, data)
        found.callback = body
        found.answered = self._clock.now()
        self._open.discard(found)
        found.settle()
        return self._receipt(found, kind)

    def follow_up(self, application_id: str, token: str, body: dict[str, Any]) -> StoredMessage:
        """Take a further message; the first after a deferral fills the message of the deferral."""
        found = self._token_holder(application_id, token)
        limits.check_message(body, ())
        if found.original is not None and found.original.loading:
            found.original.write(body, None)
            found.notice.touch()
            return found.original
        owners = found.payload["authorizing_integration_owners"]
        if "0" not in owners and len(found.follow_ups) >= _MAX_FOLLOW_UPS:
            raise errors.too_many_follow_ups()
        made = self._message(found, body, 19 if found.original else 0)
        made.payload["webhook_id"] = self._application_id
        self.messages[made.id] = made
        found.follow_ups.append(made)
        found.notice.touch()
        return made

    def message(self, application_id: str, token: str, snowflake: str) -> StoredMessage:
        """Return a message the token gives access to."""
        found = self._token_holder(application_id, token)
        if snowflake == "@original":
            message = found.original
        else:
            own = [*found.follow_ups, *([found.original] if found.original else [])]
            message = next((entry for entry in own if entry.id == snowflake), None)
        if message is None or message.deleted:
            raise errors.unknown_message()
        return message

    def edit(
        self, application_id: str, token: str, snowflake: str, body: dict[str, Any]
    ) -> StoredMessage:
        """Change a message."""
        message = self.message(application_id, token, snowflake)
        limits.check_message(body, (), flags=message.payload["flags"])
        message.write(body, None if message.loading else self._clock.stamp())
        self._by_token[token].notice.touch()
        return message

    def delete(self, application_id: str, token: str, snowflake: str) -> None:
        """Remove a message."""
        self.message(application_id, token, snowflake).deleted = True
        self._by_token[token].notice.touch()

    def _late(self, opened: Exchange) -> bool:
        return self._clock.now() - opened.sent > exchange.MAX_WAIT

    def _give_up(self, opened: Exchange) -> None:
        opened.unanswered = opened.answered is None
        self._open.discard(opened)
        opened.settle()

    def _token_holder(self, application_id: str, token: str) -> Exchange:
        if application_id != self._application_id:
            raise errors.unknown_webhook()
        found = self._by_token.get(token)
        if found is None or self._clock.now() - found.sent > exchange.TOKEN_LIFE:
            raise errors.invalid_webhook_token()
        if found.answered is None:
            raise errors.unknown_webhook()
        return found

    def _take_over(self, found: Exchange, kind: Any, data: dict[str, Any]) -> None:
        """Do what the first answer asks for. Raises ApiError and changes nothing when it cannot."""
        if kind == exchange.CHOICES:
            limits.check_choices(data, ("data",), found.option_type)
        elif kind == exchange.MESSAGE:
            limits.check_message(data, ("data",))
            command = found.payload["data"].get("type", 1)
            made = self._message(found, data, _MESSAGE_TYPES[command] if not found.target else 19)
            self._keep(found, made)
        elif kind == exchange.DEFER:
            self._keep(found, self._blank(found, data, 20, limits.LOADING))
        elif kind == exchange.UPDATE and found.target is not None:
            limits.check_message(data, ("data",), flags=found.target.payload["flags"])
            found.target.write(data, self._clock.stamp())
            found.original = found.target
        elif kind == exchange.DEFER_UPDATE:
            found.original = found.target

    def _keep(self, found: Exchange, message: StoredMessage) -> None:
        found.original = message
        self.messages[message.id] = message

    def _message(self, found: Exchange, body: dict[str, Any], kind: int) -> StoredMessage:
        message = self._blank(found, body, kind, 0)
        message.write(body, None)
        return message

    def _blank(self, found: Exchange, body: dict[str, Any], kind: int, flags: int) -> StoredMessage:
        sent = found.payload
        payload = {
            "id": self._ids.new(),
            "channel_id": sent["channel_id"],
            "type": kind,
            "content": "",
            "author": self._bot.payload(),
            "application_id": self._application_id,
            "webhook_id": self._application_id,
            "embeds": [],
            "components": [],
            "attachments": [],
            "mentions": [],
            "mention_roles": [],
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "timestamp": self._clock.stamp(),
            "edited_timestamp": None,
            "flags": flags | ((body.get("flags") or 0) & (limits.EPHEMERAL | limits.V2)),
            "interaction_metadata": {
                "id": found.id,
                "type": sent["type"],
                "user": found.user.payload(),
                "authorizing_integration_owners": sent["authorizing_integration_owners"],
            },
        }
        return StoredMessage(payload, found.place)

    def _receipt(self, found: Exchange, kind: Any) -> dict[str, Any]:
        told: dict[str, Any] = {"id": found.id, "type": found.payload["type"]}
        told["channel_id"] = found.payload["channel_id"]
        receipt: dict[str, Any] = {"interaction": told}
        if found.original is not None:
            told["response_message_id"] = found.original.id
            told["response_message_loading"] = found.original.loading
            told["response_message_ephemeral"] = found.original.ephemeral
            if kind in (exchange.MESSAGE, exchange.UPDATE):
                receipt["resource"] = {"type": kind, "message": found.original.snapshot()}
        return receipt
