"""What Discord accepts as the components of a message."""

from collections.abc import Iterator
from typing import Any

from tests.e2e.standin.emoji import is_emoji
from tests.e2e.standin.errors import Form, Path

ROW, BUTTON, STRING_SELECT, TEXT_DISPLAY = 1, 2, 3, 10
SELECTS = (3, 5, 6, 7, 8)
LINK, PREMIUM = 5, 6
MAX_ROWS, MAX_WIDTH, MAX_OPTIONS, MAX_V2, MAX_V2_TEXT = 5, 5, 25, 40, 4000
V2_TYPES = (1, 9, 10, 12, 13, 14, 17)


def walk(components: Any, path: Path = ()) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield every component with its place, those inside others too."""
    for number, component in enumerate(components or []):
        if not isinstance(component, dict):
            continue
        place = (*path, number)
        yield place, component
        yield from walk(component.get("components"), (*place, "components"))
        if isinstance(component.get("accessory"), dict):
            yield (*place, "accessory"), component["accessory"]


def check(form: Form, components: Any, path: Path, *, v2: bool) -> None:
    """Refuse what Discord would refuse in the components of a message."""
    if components is None:
        return
    if not isinstance(components, list):
        form.refuse(path, "BASE_TYPE_BAD_TYPE", "Value is of the wrong type.")
        return
    if v2:
        _check_v2(form, components, path)
    elif len(components) > MAX_ROWS:
        form.length(path, components, MAX_ROWS, 1)
    for number, component in enumerate(components):
        allowed = V2_TYPES if v2 else (ROW,)
        kind = component.get("type") if isinstance(component, dict) else None
        form.one_of((*path, number, "type"), kind, allowed)
    seen: set[str] = set()
    for place, component in walk(components, path):
        _check_one(form, component, place)
        _check_custom_id(form, component, place, seen)


def _check_v2(form: Form, components: list[Any], path: Path) -> None:
    found = [component for _, component in walk(components)]
    if len(found) > MAX_V2:
        form.refuse(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", "Too many components")
    shown = sum(
        len(part.get("content") or "") for part in found if part.get("type") == TEXT_DISPLAY
    )
    if shown > MAX_V2_TEXT:
        message = f"Displayable text exceeds maximum size of {MAX_V2_TEXT}"
        form.refuse(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)


def _check_one(form: Form, component: dict[str, Any], path: Path) -> None:
    kind = component.get("type")
    if kind == ROW:
        _check_row(form, component, path)
    elif kind == BUTTON:
        _check_button(form, component, path)
    elif kind in SELECTS:
        _check_select(form, component, path)


def _check_custom_id(form: Form, component: dict[str, Any], path: Path, seen: set[str]) -> None:
    custom_id = component.get("custom_id")
    if custom_id is None:
        return
    form.length((*path, "custom_id"), custom_id, 100, 1)
    if custom_id in seen:
        message = "Component custom id cannot be duplicated"
        form.refuse((*path, "custom_id"), "COMPONENT_CUSTOM_ID_DUPLICATED", message)
    seen.add(str(custom_id))


def _check_row(form: Form, row: dict[str, Any], path: Path) -> None:
    children = row.get("components")
    place: Path = (*path, "components")
    if not isinstance(children, list) or not children:
        form.refuse(place, "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {MAX_WIDTH} in length.")
        return
    width = 0
    for number, child in enumerate(children):
        kind = child.get("type")
        form.one_of((*place, number, "type"), kind, (BUTTON, *SELECTS))
        width += MAX_WIDTH if kind in SELECTS else 1
        if width > MAX_WIDTH:
            message = "The specified component exceeds the maximum width"
            form.refuse((*place, number), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)


def _check_button(form: Form, button: dict[str, Any], path: Path) -> None:
    style = button.get("style")
    form.one_of((*path, "style"), style, (1, 2, 3, 4, LINK, PREMIUM))
    form.length((*path, "label"), button.get("label"), 80)
    if style != PREMIUM and not (button.get("label") or "").strip() and not button.get("emoji"):
        message = "A label or an emoji is required"
        form.refuse(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)
    url, custom_id = button.get("url"), button.get("custom_id")
    if url is not None and custom_id is not None:
        message = "A custom id and url cannot both be specified"
        form.refuse(path, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
    elif style == LINK:
        if not url:
            form.refuse((*path, "url"), "BUTTON_COMPONENT_URL_REQUIRED", "A url is required")
        form.length((*path, "url"), url, 512)
    elif style != PREMIUM and not custom_id:
        message = "A custom id is required"
        form.refuse((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", message)
    _check_emoji(form, button.get("emoji"), path, "BUTTON")


def _check_select(form: Form, select: dict[str, Any], path: Path) -> None:
    if not select.get("custom_id"):
        form.required((*path, "custom_id"))
    form.length((*path, "placeholder"), select.get("placeholder"), 150)
    form.number((*path, "min_values"), select.get("min_values"), 0, MAX_OPTIONS)
    form.number((*path, "max_values"), select.get("max_values"), 1, MAX_OPTIONS)
    least, most = select.get("min_values", 1), select.get("max_values", 1)
    options = select.get("options")
    if select.get("type") != STRING_SELECT:
        return
    if not isinstance(options, list):
        form.required((*path, "options"))
        return
    form.length((*path, "options"), options, MAX_OPTIONS, 1)
    count = len(options)
    if isinstance(most, int) and isinstance(least, int) and not least <= most <= max(count, 1):
        form.number((*path, "max_values"), most, least, max(count, 1))
    if sum(bool(option.get("default")) for option in options) > (most or 1):
        message = "Too many default values"
        form.refuse((*path, "options"), "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)
    values: set[str] = set()
    for number, option in enumerate(options):
        _check_option(form, option, (*path, "options", number), values)


def _check_option(form: Form, option: dict[str, Any], path: Path, values: set[str]) -> None:
    for key in ("label", "value"):
        if option.get(key) is None:
            form.required((*path, key))
        form.length((*path, key), option.get(key), 100, 1)
    form.length((*path, "description"), option.get("description"), 100)
    if option.get("value") in values:
        message = "The specified option value is already used"
        form.refuse((*path, "value"), "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
    values.add(str(option.get("value")))
    _check_emoji(form, option.get("emoji"), path, "SELECT")


def _check_emoji(form: Form, emoji: Any, path: Path, kind: str) -> None:
    if emoji is None or emoji.get("id"):
        return
    if not is_emoji(emoji.get("name") or ""):
        form.refuse((*path, "emoji", "name"), f"{kind}_COMPONENT_INVALID_EMOJI", "Invalid emoji")
