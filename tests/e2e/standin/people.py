"""What people do with the bot: run its commands, press its buttons, type into its options."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.e2e.standin import command_limits, components, exchange
from tests.e2e.standin.answers import Answers
from tests.e2e.standin.clock import Clock, Ids
from tests.e2e.standin.commands import Commands
from tests.e2e.standin.exchange import Exchange
from tests.e2e.standin.gateway import Gateway
from tests.e2e.standin.messages import StoredMessage
from tests.e2e.standin.place import Place
from tests.e2e.standin.world import Guild, User, World

IN_GUILD, IN_BOT_DM, IN_PRIVATE_CHANNEL = 0, 1, 2
BOOLEAN = 5
Options = Mapping[str, str | int | float | bool]


class NotSentError(AssertionError):
    """Discord's client would not have let anybody do this."""


class People:
    """Sends interactions to the bot."""

    def __init__(
        self,
        world: World,
        commands: Commands,
        answers: Answers,
        gateway: Gateway,
        clock: Clock,
        ids: Ids,
    ) -> None:
        self._world = world
        self._commands = commands
        self._answers = answers
        self._gateway = gateway
        self._clock = clock
        self._ids = ids

    async def command(
        self,
        name: str,
        options: Options | None = None,
        *,
        user: User,
        guild: Guild | None = None,
        context: int | None = None,
        locale: str | None = None,
        installed: Sequence[str] | None = None,
        others: Sequence[User] = (),
        unchecked: bool = False,
    ) -> Exchange:
        """Run a command; a subcommand is named with its parents: "group sub".

        Args:
            name: The command's name, not localised.
            options: Values by option name.
            user: Who runs it.
            guild: In which server; none means in private.
            context: 0 a server, 1 the bot's DM, 2 another private channel; by default 0 or 1.
            locale: The language of the client when it is not the user's.
            installed: Who installed the app, "guild" or "user" or both.
            others: Who else is in the private channel.
            unchecked: Whether to send what the client would not let through.
        """
        place = self._place(user, guild, context, installed, others)
        data, _ = self._command_data(name, options or {}, place, None, unchecked)
        return await self._send(exchange.COMMAND, data, user, place, locale)

    async def autocomplete(
        self,
        name: str,
        options: Options,
        *,
        focused: str,
        user: User,
        guild: Guild | None = None,
        context: int | None = None,
        locale: str | None = None,
        installed: Sequence[str] | None = None,
        others: Sequence[User] = (),
        unchecked: bool = False,
    ) -> Exchange:
        """Type into the focused option of a command."""
        place = self._place(user, guild, context, installed, others)
        data, kind = self._command_data(name, options, place, focused, unchecked)
        return await self._send(exchange.AUTOCOMPLETE, data, user, place, locale, option_type=kind)

    async def click(
        self,
        message: StoredMessage,
        custom_id: str,
        user: User,
        values: Sequence[str] | None = None,
        *,
        guild: Guild | None = None,
        context: int | None = None,
        locale: str | None = None,
        installed: Sequence[str] | None = None,
        others: Sequence[User] = (),
        unchecked: bool = False,
    ) -> Exchange:
        """Press a button of a message, or choose from a select when values are given.

        That happens where the message is, unless something else is said.
        """
        place = message.place
        if place is None or guild is not None or context is not None:
            place = self._place(user, guild, context, installed, others)
        control = message.control(custom_id)
        data: dict[str, Any] = {"custom_id": custom_id, "id": 1}
        if unchecked:
            kind = components.BUTTON if values is None else components.STRING_SELECT
            data["component_type"] = kind if control is None else control["type"]
        else:
            data["component_type"] = _pressable(message, custom_id, values)
        if values is not None:
            data["values"] = list(values)
        return await self._send(exchange.COMPONENT, data, user, place, locale, target=message)

    async def message_menu(
        self,
        name: str,
        content: str,
        *,
        user: User,
        author: User | None = None,
        embeds: Sequence[dict[str, Any]] = (),
        guild: Guild | None = None,
        context: int | None = None,
        locale: str | None = None,
        installed: Sequence[str] | None = None,
        others: Sequence[User] = (),
    ) -> Exchange:
        """Run a command of the menu of a message that somebody wrote."""
        place = self._place(user, guild, context, installed, others)
        command = self._registered(command_limits.MESSAGE, name, place)
        target = self._written(author or user, content, embeds, place)
        data = {
            "id": command["id"],
            "name": command["name"],
            "type": command_limits.MESSAGE,
            "target_id": target["id"],
            "resolved": {"messages": {target["id"]: target}},
        }
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return await self._send(exchange.COMMAND, data, user, place, locale)

    def _place(
        self,
        user: User,
        guild: Guild | None,
        context: int | None,
        installed: Sequence[str] | None,
        others: Sequence[User],
    ) -> Place:
        if context is None:
            context = IN_BOT_DM if guild is None else IN_GUILD
        if (context == IN_GUILD) != (guild is not None):
            raise NotSentError("context 0 needs a guild, and only it")
        channel = None
        if context == IN_BOT_DM:
            channel = self._world.dm(user)
        elif context == IN_PRIVATE_CHANNEL:
            channel = self._world.private(user, others or (self._world.owner,))
        if installed is None:
            private = context == IN_PRIVATE_CHANNEL or (guild and not guild.bot_present)
            installed = ("user",) if private else ("guild",)
        if "guild" in installed and (
            context == IN_PRIVATE_CHANNEL or (guild and not guild.bot_present)
        ):
            raise NotSentError("the app cannot be there without an installation by the user")
        owners: dict[str, str] = {}
        if "guild" in installed:
            owners["0"] = guild.id if guild else "0"
        if "user" in installed:
            owners["1"] = user.id
        return Place(guild, channel, context, owners)

    def _registered(self, kind: int, name: str, place: Place) -> dict[str, Any]:
        command = self._commands.find(kind, name, place.guild.id if place.guild else None)
        if command is None:
            raise NotSentError(f"no command of type {kind} is registered as {name!r}")
        contexts = command["contexts"]
        if contexts is not None and place.context not in contexts:
            raise NotSentError(f"{name!r} is not offered in context {place.context}")
        if not set(map(int, place.owners)) & set(command["integration_types"]):
            raise NotSentError(f"{name!r} is not offered to this kind of installation")
        return command

    def _command_data(
        self, name: str, options: Options, place: Place, focused: str | None, unchecked: bool
    ) -> tuple[dict[str, Any], int]:
        first, *rest = name.split(" ")
        command = self._registered(command_limits.CHAT_INPUT, first, place)
        data: dict[str, Any] = {"id": command["id"], "name": first, "type": 1}
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        part, inside = command, data
        for word in rest:
            part = _option(part, word)
            inside["options"] = [{"name": word, "type": part["type"], "options": []}]
            inside = inside["options"][0]
        if any(entry["type"] in (1, 2) for entry in part.get("options") or []):
            raise NotSentError(f"{name!r} needs a subcommand")
        given = [_given(part, key, value, focused, unchecked) for key, value in options.items()]
        if given or rest:
            inside["options"] = given
        if focused is None:
            _check_required(part, options)
            return data, command_limits.STRING
        return data, _focused_type(part, options, focused)

    def _written(
        self, author: User, content: str, embeds: Sequence[dict[str, Any]], place: Place
    ) -> dict[str, Any]:
        return {
            "id": self._ids.new(),
            "channel_id": place.channel_id,
            "type": 0,
            "content": content,
            "author": author.payload(),
            "embeds": list(embeds),
            **{key: [] for key in ("components", "attachments", "mentions", "mention_roles")},
            "mention_everyone": False,
            "pinned": False,
            "tts": False,
            "flags": 0,
            "timestamp": self._clock.stamp(),
            "edited_timestamp": None,
        }

    async def _send(
        self,
        kind: int,
        data: dict[str, Any],
        user: User,
        place: Place,
        locale: str | None,
        *,
        target: StoredMessage | None = None,
        option_type: int = command_limits.STRING,
    ) -> Exchange:
        payload: dict[str, Any] = {
            "id": self._ids.new(),
            "application_id": self._world.bot.id,
            "type": kind,
            "data": data,
            "token": secrets.token_urlsafe(48),
            "version": 1,
            "locale": locale or user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": place.owners,
            "context": place.context,
            "attachment_size_limit": 10_485_760,
            **place.payload(user),
        }
        if target is not None:
            payload["message"] = target.snapshot()
        opened = Exchange(
            payload, user, self._clock.now(), place, target=target, option_type=option_type
        )
        self._answers.add(opened)
        guild_id = place.guild.id if place.guild else None
        opened.delivered = await self._gateway.dispatch("INTERACTION_CREATE", payload, guild_id)
        return opened


def _option(part: dict[str, Any], name: str) -> dict[str, Any]:
    for known in part.get("options") or []:
        if known["name"] == name:
            found: dict[str, Any] = known
            return found
    raise NotSentError(f"{part['name']!r} has no option {name!r}")


def _given(
    part: dict[str, Any], name: str, value: Any, focused: str | None, unchecked: bool
) -> dict[str, Any]:
    """Return the entry of an option with its value."""
    known = _option(part, name)
    if not unchecked:
        _check_value(known, value, completing=focused == name)
    entry = {"name": name, "type": known["type"], "value": value}
    return entry | {"focused": True} if name == focused else entry


def _check_required(part: dict[str, Any], options: Options) -> None:
    for known in part.get("options") or []:
        if known.get("required") and known["name"] not in options:
            raise NotSentError(f"option {known['name']!r} is required")


def _focused_type(part: dict[str, Any], options: Options, focused: str) -> int:
    known = _option(part, focused)
    if not known.get("autocomplete"):
        raise NotSentError(f"option {focused!r} has no autocomplete")
    if focused not in options:
        raise NotSentError(f"the focused option {focused!r} has no value")
    kind: int = known["type"]
    return kind


def _check_value(option: dict[str, Any], value: Any, *, completing: bool) -> None:
    name = option["name"]
    expected = _EXPECTED.get(option["type"], _is_text)
    if not completing and not expected(value):
        raise NotSentError(f"option {name!r} does not take {value!r}")
    size = len(value) if isinstance(value, str) else value
    unit = "length" if isinstance(value, str) else "value"
    least, most = option.get(f"min_{unit}"), option.get(f"max_{unit}")
    if most is not None and size > most:
        raise NotSentError(f"option {name!r} takes at most {most}, not {size}")
    if least is not None and size < least and not completing:
        raise NotSentError(f"option {name!r} takes at least {least}, not {size}")
    choices = option.get("choices")
    if choices and value not in [choice["value"] for choice in choices]:
        raise NotSentError(f"option {name!r} has no choice {value!r}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_boolean(value: Any) -> bool:
    return isinstance(value, bool)


_EXPECTED: Mapping[int, Callable[[Any], bool]] = {
    command_limits.INTEGER: _is_whole,
    BOOLEAN: _is_boolean,
    command_limits.NUMBER: _is_number,
}


def _pressable(message: StoredMessage, custom_id: str, values: Sequence[str] | None) -> int:
    """Return the type of a control that can be used that way. Raises NotSentError."""
    control = message.control(custom_id)
    if message.deleted or control is None:
        raise NotSentError(f"the message shows no control {custom_id!r}")
    if control.get("disabled"):
        raise NotSentError(f"control {custom_id!r} is disabled")
    kind: int = control["type"]
    if (kind == components.BUTTON) != (values is None):
        raise NotSentError("a select needs values, and a button has none")
    if values is not None:
        least, most = control.get("min_values", 1), control.get("max_values", 1)
        if not least <= len(values) <= most:
            raise NotSentError(f"between {least} and {most} values can be chosen")
        offered = [option["value"] for option in control.get("options") or []]
        if kind == components.STRING_SELECT and not set(values) <= set(offered):
            raise NotSentError(f"not all of {list(values)} are offered")
    return kind
