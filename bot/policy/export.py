"""All packs as one plain document, for other programs."""

from typing import Any

from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.tables import quick_reference
from bot.policy.texts import LOCALES


def export(library: Library) -> dict[str, Any]:
    """Return the library as JSON-ready data: ``{"packs": [{"id", "ladder", "sections", ...}]}``."""
    return {"packs": [_pack(pack) for pack in library.packs]}


def _pack(pack: Pack) -> dict[str, Any]:
    header = pack.header.model_dump(mode="json", by_alias=True)
    for part in (*header["editions"], *header["documents"]):
        part["url"] = _filled(part["url"], pack.header.site)
    table = [
        {"section": row.section.id, "penalty": row.penalty, "conflict": row.conflict is not None}
        for _, rows in quick_reference(pack)
        for row in rows
    ]
    return (
        header
        | {"quick_reference": table}
        | {"sections": [_section(pack, section) for section in pack.sections]}
    )


def _filled(url: Any, site: str) -> Any:
    """Return an address, or a set of them by language, with the publisher's site filled in."""
    if isinstance(url, dict):
        return {locale: _filled(address, site) for locale, address in url.items()}
    return url.replace("{site}", site) if isinstance(url, str) else url


def _section(pack: Pack, section: Section) -> dict[str, Any]:
    """Return a section with what follows from its place in the pack: number, chapter, parts, links."""
    fields = section.model_dump(mode="json", by_alias=True)
    situations = next((item for item in pack.situations if item.section == section.id), None)
    return {
        "id": fields.pop("id"),
        "kind": fields.pop("kind"),
        "number": section.number,
        "chapter": pack.chapter_of(section).number,
        **fields,
        "parts": [part.id for part in pack.parts_of(section)],
        "urls": {locale: pack.url(section, locale) for locale in LOCALES},
        "situations": {
            locale: list(getattr(situations, locale)) if situations else [] for locale in LOCALES
        },
    }
