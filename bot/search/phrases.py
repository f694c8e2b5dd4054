"""Everything the packs say about each section, as phrases to compare a query with."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.policy.pack import Library, Pack
from bot.policy.section import Section
from bot.policy.texts import LOCALES

PhraseKind = Literal["name", "alias", "reading", "example", "situation", "meaning"]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text about the section with number ``place`` of the library; beyond the last: off topic."""

    place: int
    kind: PhraseKind
    text: str


def sections(library: Library) -> tuple[tuple[Pack, Section], ...]:
    """Return every section with its pack, in the order that ``Phrase.place`` counts."""
    return tuple((pack, section) for pack in library.packs for section in pack.sections)


def phrases(library: Library) -> tuple[Phrase, ...]:
    """Return the phrases of every section and those that are off topic, ordered by place."""
    listed = sections(library)
    situations = {item.section: item for pack in library.packs for item in pack.situations}
    found: list[Phrase] = []
    for place, (_, section) in enumerate(listed):
        found.extend(Phrase(place, kind, text) for kind, text in _texts(section))
        if section.id in situations:
            told = situations[section.id]
            found.extend(
                Phrase(place, "situation", text) for text in (*told.ja, *told.en, *told.kana)
            )
    off_topic = library.off_topic
    found.extend(Phrase(len(listed), "situation", text) for text in (*off_topic.ja, *off_topic.en))
    return tuple(found)


def _texts(section: Section) -> Iterator[tuple[PhraseKind, str]]:
    yield "name", section.name.ja
    yield "name", section.name.en
    yield from (("alias", alias) for alias in (*section.aliases.ja, *section.aliases.en))
    yield from (("reading", reading) for reading in section.readings)
    for locale in LOCALES:
        yield from (("example", item.in_locale(locale)) for item in section.examples)
        if section.definition:
            yield "meaning", section.definition.in_locale(locale)
        for passage in (*section.details, *section.procedure, *section.philosophy):
            yield "meaning", passage.in_locale(locale)
        told = (*(a.text for a in section.adjustments), *(o.text for o in section.outcomes))
        yield from (("meaning", text.in_locale(locale)) for text in told)


def digest(found: tuple[Phrase, ...], version: str) -> str:
    """Return a hash of the phrases and of what else ``version`` names."""
    sha = hashlib.sha256(version.encode())
    for phrase in found:
        sha.update(f"\n{phrase.place}\t{phrase.kind}\t{phrase.text}".encode())
    return sha.hexdigest()
