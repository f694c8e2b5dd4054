"""What Discord accepts as application commands."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import Any

from tests.e2e.standin.errors import Form, Path, too_many_commands

CHAT_INPUT, USER, MESSAGE, ENTRY_POINT = 1, 2, 3, 4
SUB_COMMAND, SUB_COMMAND_GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10
MAX_COMMANDS = {CHAT_INPUT: 100, USER: 15, MESSAGE: 15, ENTRY_POINT: 1}
MAX_OPTIONS, MAX_CHOICES, MAX_TEXT, MAX_TOTAL, MAX_NAME = 25, 25, 100, 8000, 32
# fmt: off
LOCALES = frozenset((
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi",
    "hr", "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th",
    "tr", "uk", "vi", "zh-CN", "zh-TW",
))
# fmt: on


def check_commands(commands: list[dict[str, Any]]) -> None:
    """Raise ApiError for a set of commands Discord would not take over."""
    form = Form()
    for number, command in enumerate(commands):
        _check_command(form, command, (number,))
    seen: set[tuple[Any, Any]] = set()
    for number, command in enumerate(commands):
        key = (command.get("type") or CHAT_INPUT, command.get("name"))
        if key in seen:
            message = "Application command names must be unique"
            form.refuse((number, "name"), "APPLICATION_COMMANDS_DUPLICATE_NAME", message)
        seen.add(key)
    form.finish()
    check_count(commands)


def check_command(command: dict[str, Any]) -> None:
    """Raise ApiError for one command Discord would not take over."""
    form = Form()
    _check_command(form, command, ())
    form.finish()


def check_count(commands: Iterable[dict[str, Any]]) -> None:
    """Raise ApiError for more commands of one type than there may be."""
    for kind, count in Counter(entry.get("type") or CHAT_INPUT for entry in commands).items():
        if count > MAX_COMMANDS[kind]:
            raise too_many_commands(MAX_COMMANDS[kind])


def valid_name(name: str) -> bool:
    """Tell whether a chat-input command or an option may be called this."""
    return 1 <= len(name) <= MAX_NAME and name == name.lower() and all(map(_name_character, name))


def size(command: dict[str, Any]) -> int:
    """Return the characters that count towards a command's total, the longest wording of each."""
    total = _longest(command, "name") + _longest(command, "description")
    total += sum(map(size, command.get("options") or []))
    for choice in command.get("choices") or []:
        value = choice.get("value")
        total += _longest(choice, "name") + (len(value) if isinstance(value, str) else 0)
    return total


def _longest(part: dict[str, Any], key: str) -> int:
    wordings = [part.get(key) or "", *(part.get(f"{key}_localizations") or {}).values()]
    return max(map(len, wordings))


def _name_character(character: str) -> bool:
    if character in "-_'" or unicodedata.category(character)[0] in "LN":
        return True
    return "\u0900" <= character <= "\u097f" or "\u0e01" <= character <= "\u0e5b"


def _check_command(form: Form, command: dict[str, Any], path: Path) -> None:
    kind = command.get("type") or CHAT_INPUT
    form.one_of((*path, "type"), kind, tuple(MAX_COMMANDS))
    _check_sets(form, command, path)
    if kind == CHAT_INPUT:
        _check_named(form, command, path)
        _check_options(form, command.get("options"), (*path, "options"), depth=0)
        if size(command) > MAX_TOTAL:
            message = f"Command exceeds maximum size ({MAX_TOTAL})"
            form.refuse(path, "APPLICATION_COMMAND_TOO_LARGE", message)
    else:
        _check_menu(form, command, path)


def _check_sets(form: Form, command: dict[str, Any], path: Path) -> None:
    for key, valid in (("contexts", (0, 1, 2)), ("integration_types", (0, 1))):
        values = command.get(key)
        if values is None:
            continue
        if not values:
            form.refuse((*path, key), "BASE_TYPE_BAD_LENGTH", "Must be 1 or more in length.")
        for number, value in enumerate(values):
            form.one_of((*path, key, number), value, valid)
        if len(set(values)) != len(values):
            message = "The set already contains this value"
            form.refuse((*path, key), "SET_TYPE_ALREADY_CONTAINS_VALUE", message)


def _check_menu(form: Form, command: dict[str, Any], path: Path) -> None:
    wordings = [((*path, "name"), command.get("name"))]
    localized = command.get("name_localizations") or {}
    _check_locales(form, localized, (*path, "name_localizations"))
    wordings += [((*path, "name_localizations", key), text) for key, text in localized.items()]
    for place, text in wordings:
        if text is None or not text.strip():
            form.required(place)
        form.length(place, text, MAX_NAME, 1)
    if command.get("description") or command.get("description_localizations"):
        message = "Context menu commands cannot have description"
        code = "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID"
        form.refuse((*path, "description"), code, message)
    if command.get("options"):
        message = "Context menu commands cannot have options"
        code = "APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID"
        form.refuse((*path, "options"), code, message)


def _check_locales(form: Form, localized: dict[str, Any], path: Path) -> None:
    for locale in localized:
        if locale not in LOCALES:
            form.one_of((*path, locale), locale, tuple(sorted(LOCALES)))


def _check_named(form: Form, part: dict[str, Any], path: Path) -> None:
    """Check the name and description of a command or an option, in every language."""
    names = part.get("name_localizations") or {}
    texts = part.get("description_localizations") or {}
    _check_locales(form, names, (*path, "name_localizations"))
    _check_locales(form, texts, (*path, "description_localizations"))
    _check_name(form, part.get("name"), (*path, "name"))
    for locale, name in names.items():
        _check_name(form, name, (*path, "name_localizations", locale))
    _check_text(form, part.get("description"), (*path, "description"))
    for locale, text in texts.items():
        _check_text(form, text, (*path, "description_localizations", locale))


def _check_name(form: Form, name: Any, path: Path) -> None:
    if not isinstance(name, str):
        form.required(path)
    elif not 1 <= len(name) <= MAX_NAME:
        form.length(path, name, MAX_NAME, 1)
    elif not valid_name(name):
        form.refuse(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_text(form: Form, text: Any, path: Path) -> None:
    if not isinstance(text, str) or (text and not text.strip()):
        form.required(path)
    else:
        form.length(path, text, MAX_TEXT, 1)


def _check_options(form: Form, options: Any, path: Path, depth: int) -> None:
    if options is None:
        return
    form.length(path, options, MAX_OPTIONS)
    names: set[str] = set()
    optional = False
    kinds = {option.get("type") in (SUB_COMMAND, SUB_COMMAND_GROUP) for option in options}
    if len(kinds) > 1:
        message = (
            "Sub-command and sub-command group option types are mutually exclusive to all others"
        )
        form.refuse(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    for number, option in enumerate(options):
        place: Path = (*path, number)
        _check_option(form, option, place, depth)
        if option.get("name") in names:
            message = "Option name already exists"
            form.refuse(place, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message)
        names.add(str(option.get("name")))
        if option.get("required") and optional:
            message = "Required options must be placed before non-required options"
            form.refuse(place, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional = optional or not option.get("required")


def _check_option(form: Form, option: dict[str, Any], path: Path, depth: int) -> None:
    kind = option.get("type")
    form.one_of((*path, "type"), kind, tuple(range(1, 12)))
    _check_named(form, option, path)
    if kind in (SUB_COMMAND, SUB_COMMAND_GROUP):
        if depth > 1 or (kind == SUB_COMMAND_GROUP and depth):
            message = "Sub-command option is nested too deeply"
            form.refuse(path, "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
        _check_options(form, option.get("options"), (*path, "options"), depth + 1)
        return
    choices = option.get("choices")
    if choices and option.get("autocomplete"):
        message = "Autocomplete may not be used with choices"
        form.refuse(path, "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES", message)
    if option.get("autocomplete") and kind not in (STRING, INTEGER, NUMBER):
        message = "Autocomplete is not available for this option type"
        form.refuse(path, "APPLICATION_COMMAND_AUTOCOMPLETE_INVALID_OPTION_TYPE", message)
    if kind == STRING:
        form.number((*path, "min_length"), option.get("min_length"), 0, 6000)
        form.number((*path, "max_length"), option.get("max_length"), 1, 6000)
    _check_choices(form, choices, (*path, "choices"), kind)


def _check_choices(form: Form, choices: Any, path: Path, kind: Any) -> None:
    form.length(path, choices, MAX_CHOICES)
    names: set[str] = set()
    for number, choice in enumerate(choices or []):
        place: Path = (*path, number)
        localized = choice.get("name_localizations") or {}
        _check_locales(form, localized, (*place, "name_localizations"))
        _check_text(form, choice.get("name"), (*place, "name"))
        for locale, name in localized.items():
            _check_text(form, name, (*place, "name_localizations", locale))
        if choice.get("value") is None:
            form.required((*place, "value"))
        elif kind == STRING:
            form.length((*place, "value"), choice["value"], 100)
        if choice.get("name") in names:
            message = "Option choice name already exists"
            form.refuse(place, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", message)
        names.add(str(choice.get("name")))
