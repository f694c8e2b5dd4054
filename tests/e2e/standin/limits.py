"""What Discord accepts as a message and as the choices of an autocomplete answer."""

from typing import Any
from urllib.parse import urlsplit

from tests.e2e.standin import components
from tests.e2e.standin.errors import Form, Path, empty_message

EPHEMERAL, LOADING, V2 = 1 << 6, 1 << 7, 1 << 15
MAX_CONTENT, MAX_EMBEDS, MAX_EMBED_TEXT, MAX_CHOICES = 2000, 10, 6000, 25


def check_message(body: dict[str, Any], path: Path, *, flags: int = 0) -> None:
    """Raise ApiError for what a request would put wrongly into a message."""
    form = Form()
    v2 = bool((flags | (body.get("flags") or 0)) & V2)
    form.length((*path, "content"), body.get("content"), MAX_CONTENT)
    _check_embeds(form, body.get("embeds"), (*path, "embeds"))
    components.check(form, body.get("components"), (*path, "components"), v2=v2)
    _check_mentions(form, body.get("allowed_mentions"), (*path, "allowed_mentions"))
    for key in ("content", "embeds", "poll"):
        if v2 and body.get(key):
            message = f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
            form.refuse((*path, key), code, message)
    form.finish()


def check_not_empty(message: dict[str, Any]) -> None:
    """Raise ApiError for a message that would show nothing."""
    shown = ("embeds", "components", "attachments", "poll", "sticker_ids")
    if not (message.get("content") or "").strip() and not any(message.get(key) for key in shown):
        raise empty_message()


def check_choices(data: Any, path: Path, kind: int) -> None:
    """Raise ApiError for suggestions Discord would not show. ``kind`` is the option's type."""
    form = Form()
    choices = data.get("choices") if isinstance(data, dict) else None
    if choices is None:
        form.required((*path, "choices"))
    form.length((*path, "choices"), choices, MAX_CHOICES)
    for number, choice in enumerate(choices or []):
        place: Path = (*path, "choices", number)
        if choice.get("name") is None:
            form.required((*place, "name"))
        form.length((*place, "name"), choice.get("name"), 100, 1)
        value = choice.get("value")
        if value is None:
            form.required((*place, "value"))
        elif kind == components.STRING_SELECT:
            form.length((*place, "value"), value, 100)
        elif isinstance(value, str):
            form.refuse((*place, "value"), "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
    form.finish()


def embed_text(embed: dict[str, Any]) -> int:
    """Return how many code points of an embed count towards the sum."""
    fields = embed.get("fields") or []
    texts = [
        embed.get("title"),
        embed.get("description"),
        (embed.get("footer") or {}).get("text"),
        (embed.get("author") or {}).get("name"),
        *(field.get(key) for field in fields for key in ("name", "value")),
    ]
    return sum(len(text) for text in texts if isinstance(text, str))


def _check_embeds(form: Form, embeds: Any, path: Path) -> None:
    form.length(path, embeds, MAX_EMBEDS)
    if not isinstance(embeds, list):
        return
    for number, embed in enumerate(embeds):
        _check_embed(form, embed, (*path, number))
    if sum(map(embed_text, embeds)) > MAX_EMBED_TEXT:
        message = f"Embed size exceeds maximum size of {MAX_EMBED_TEXT}"
        form.refuse(path, "MAX_EMBED_SIZE_EXCEEDED", message)


def _check_embed(form: Form, embed: dict[str, Any], path: Path) -> None:
    form.length((*path, "title"), embed.get("title"), 256)
    form.length((*path, "description"), embed.get("description"), 4096)
    form.number((*path, "color"), embed.get("color"), 0, 0xFFFFFF)
    form.length((*path, "fields"), embed.get("fields"), 25)
    for number, field in enumerate(embed.get("fields") or []):
        place: Path = (*path, "fields", number)
        form.filled((*place, "name"), field.get("name"), 256)
        form.filled((*place, "value"), field.get("value"), 1024)
    footer, author = embed.get("footer") or {}, embed.get("author") or {}
    form.length((*path, "footer", "text"), footer.get("text"), 2048)
    form.length((*path, "author", "name"), author.get("name"), 256)
    for place, url in (
        ((*path, "url"), embed.get("url")),
        ((*path, "footer", "icon_url"), footer.get("icon_url")),
        ((*path, "author", "url"), author.get("url")),
        ((*path, "author", "icon_url"), author.get("icon_url")),
        ((*path, "image", "url"), (embed.get("image") or {}).get("url")),
        ((*path, "thumbnail", "url"), (embed.get("thumbnail") or {}).get("url")),
    ):
        _check_url(form, place, url)
    pictures = any(embed.get(key) for key in ("image", "thumbnail", "video"))
    if not embed_text(embed) and not pictures:
        form.required((*path, "description"))


def _check_url(form: Form, path: Path, url: Any) -> None:
    if not url:
        return
    form.length(path, url, 2048)
    if urlsplit(url).scheme not in ("http", "https", "attachment"):
        form.refuse(path, "URL_TYPE_INVALID_URL", "Not a well formed URL.")


def _check_mentions(form: Form, allowed: Any, path: Path) -> None:
    if not allowed:
        return
    parse = allowed.get("parse") or []
    for number, kind in enumerate(parse):
        form.one_of((*path, "parse", number), kind, ("roles", "users", "everyone"))
    for kind in ("users", "roles"):
        form.length((*path, kind), allowed.get(kind), 100)
        if kind in parse and allowed.get(kind):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            form.refuse((*path,), "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
